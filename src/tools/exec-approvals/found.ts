import { redactText } from '../../config/redact.ts'
import { cleanLine } from '../../kernel/untrusted-text.ts'
import type { Puzzle } from './line.ts'
import type { AllowlistEntry } from './types.ts'

/** An entry that a lasting yes would add. */
export type NewEntry = Pick<AllowlistEntry, 'pattern' | 'argPattern'>

/** A program that a line runs and no entry allows. */
export interface Miss {
  readonly name: string
  /** Real path of the program; null where none was found. */
  readonly path: string | null
  readonly why: string
  /** What would allow it; null where nothing short of asking each time does. */
  readonly entry: NewEntry | null
}

/** What is known of a line. */
export interface Examined {
  /** Whether every command of it is understood and allowed. */
  readonly satisfied: boolean
  readonly puzzles: readonly Puzzle[]
  readonly misses: readonly Miss[]
  /** Entries that allow it, with the program that each was used for. */
  readonly used: readonly { readonly entry: AllowlistEntry; readonly path: string }[]
}

/** What of a line is not allowed, for people. */
export function troublesOf({ puzzles, misses }: Examined): readonly string[] {
  return [
    ...misses.map(({ name, path, why }) => `${cleanLine(redactText(path ?? name), 120)}: ${why}`),
    ...puzzles.map(({ text, why }) => (text === '' ? why : `${cleanLine(redactText(text), 60)}: ${why}`)),
  ]
}
