import type { Agent } from '../../config/agents.ts'
import type { Path } from '../../kernel/path.ts'
import type { Matcher } from '../matcher.ts'
import type { NoticeId } from '../notice-help.ts'
import type { View } from '../view.ts'
import type { Names } from './names.ts'
import type { Scope } from './scopes.ts'

/** A notice before its place is looked up. */
export interface Finding {
  readonly id: NoticeId
  readonly severity: 'info' | 'warning'
  readonly message: string
  readonly path: Path | null
}

/** What every rule may look at: the session, and the scopes of its config that hold lists (those of other agents left out). */
export interface Scan {
  readonly view: View
  readonly agent: Agent | undefined
  readonly matcher: Matcher
  readonly scopes: readonly Scope[]
  readonly names: Names
  /** Keys of the tools that are present by plugin id, and all of them as `group:plugins`. */
  readonly pluginTools: ReadonlyMap<string, readonly string[]>
}

export type Rule = (scan: Scan) => Finding[]

const shown = 5

/** Names in a sentence: at most five, each quoted. */
export function quoted(names: readonly string[]): string {
  const more = names.length - shown
  const words = names.slice(0, shown).map((name) => JSON.stringify(name.trim()))
  return more > 0 ? `${words.join(', ')} and ${more} more` : words.join(', ')
}

/** Names in a sentence: at most five, bare. */
export function listed(names: readonly string[]): string {
  const more = names.length - shown
  return more > 0 ? `${names.slice(0, shown).join(', ')} and ${more} more` : names.join(', ')
}
