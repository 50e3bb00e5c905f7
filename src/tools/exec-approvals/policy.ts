import { findAgent } from '../../config/agents.ts'
import type { Config } from '../../config/types.ts'
import { formatPath } from '../../kernel/path.ts'
import { asks, securities, type Ask, type Layer, type Security } from './types.ts'
import type { FilePolicy } from './file.ts'

/** Policy for commands on this machine, with who had the last word. */
export interface ExecPolicy {
  readonly security: Security
  readonly ask: Ask
  /** Whether a model may answer for a miss before a person is asked. */
  readonly review: boolean
  readonly askFallback: Security
  readonly securityFrom: Layer
  readonly askFrom: Layer
}

/** A pair of security and ask by one name (`tools.exec.mode`). */
export type Mode = 'deny' | 'allowlist' | 'ask' | 'auto' | 'full'

/** What each mode stands for (policy facts §8). */
const modes: Readonly<Record<Mode, { readonly security: Security; readonly ask: Ask }>> = {
  deny: { security: 'deny', ask: 'off' },
  allowlist: { security: 'allowlist', ask: 'off' },
  ask: { security: 'allowlist', ask: 'on-miss' },
  auto: { security: 'allowlist', ask: 'on-miss' },
  full: { security: 'full', ask: 'off' },
}

/** The name of what is in force (policy facts §8). Pure. */
export function modeOf({ security, ask, review }: Pick<ExecPolicy, 'security' | 'ask' | 'review'>): Mode {
  if (security === 'deny') return 'deny'
  if (security === 'full' && ask !== 'always') return 'full'
  if (security === 'allowlist' && ask === 'off') return 'allowlist'
  return review && security === 'allowlist' && ask === 'on-miss' ? 'auto' : 'ask'
}

/** The stricter of two. */
export const stricter = (a: Security, b: Security): Security =>
  securities.indexOf(a) <= securities.indexOf(b) ? a : b

/** The more demanding of two. */
export const moreDemanding = (a: Ask, b: Ask): Ask => (asks.indexOf(a) >= asks.indexOf(b) ? a : b)

interface Half<Word> {
  readonly word: Word
  readonly from: Layer
}

interface Pair {
  readonly security: Half<Security>
  readonly ask: Half<Ask>
  readonly mode: Mode | null
}

type ExecSection = NonNullable<NonNullable<Config['tools']>['exec']>

/** Puts one section of the config over what is there: a mode replaces both halves; one half clears an inherited mode and keeps the other half. */
function overlay(
  base: Pair,
  section: Partial<ExecSection> | undefined,
  place: readonly (string | number)[],
): Pair {
  const { mode, security, ask } = section ?? {}
  const at = (key: string): Layer => ({ name: 'config', path: formatPath([...place, key]) })
  if (mode !== undefined) {
    const from = at('mode')
    return {
      security: { word: modes[mode].security, from },
      ask: { word: modes[mode].ask, from },
      mode,
    }
  }
  if (security === undefined && ask === undefined) return base
  return {
    security: security === undefined ? base.security : { word: security, from: at('security') },
    ask: ask === undefined ? base.ask : { word: ask, from: at('ask') },
    mode: null,
  }
}

/** What the config says for an agent: defaults, then `tools.exec`, then the agent's own. */
function configured(config: Config, agentId: string): Pair {
  const none: Layer = { name: 'config', path: 'tools.exec.security' }
  const start: Pair = {
    security: { word: 'full', from: none },
    ask: { word: 'off', from: { name: 'config', path: 'tools.exec.ask' } },
    mode: null,
  }
  const global = overlay(start, config.tools?.exec, ['tools', 'exec'])
  const agent = findAgent(config, agentId)
  return agent === undefined
    ? global
    : overlay(global, agent.config.tools?.exec, [...agent.path, 'tools', 'exec'])
}

/**
 * The policy for commands of an agent on this machine: of config and approvals file the stricter security and the more demanding ask
 * (policy facts §8). Pure.
 */
export function execPolicy(config: Config, agentId: string, file: FilePolicy): ExecPolicy {
  const said = configured(config, agentId)
  const security = file.security
  const isFileStricter =
    security !== null && securities.indexOf(security.word) < securities.indexOf(said.security.word)
  const ask = file.ask
  const asksFileMore = ask !== null && asks.indexOf(ask.word) > asks.indexOf(said.ask.word)
  const effective = isFileStricter ? security : said.security
  return {
    security: effective.word,
    ask: asksFileMore ? ask.word : said.ask.word,
    review: said.mode === 'auto',
    askFallback: stricter(effective.word, file.askFallback),
    securityFrom: effective.from,
    askFrom: asksFileMore ? ask.from : said.ask.from,
  }
}
