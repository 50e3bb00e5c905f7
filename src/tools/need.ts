import type { View } from '../policy/view.ts'

/** Something that a visible tool needs before it can do its work on this machine, and has not. */
export interface UnmetNeed {
  /** What is missing, as the end of "needs …": "a web search provider". */
  readonly needs: string
  /** Config path that would provide it, as `config set` accepts it; null where it is no question of config. */
  readonly path: string | null
  /** Commands or words that help. */
  readonly hints: readonly string[]
}

/** What a need may look at; reading it costs nothing but what it asks for. */
export interface NeedFacts {
  readonly view: View
  readonly env: Readonly<Record<string, string | undefined>>
  readonly stateDir: string
  /** Whether a program is on the PATH. */
  readonly hasProgram: (name: string) => boolean
  /** What the program around the run offers, by the names of `ToolServices`; null where no run is meant, as for `tools explain`. */
  readonly services: ReadonlySet<string> | null
}

/** Judges one tool; null when nothing is missing. Pure but for what the facts look up. */
export type NeedCheck = (facts: NeedFacts) => UnmetNeed | null

export type NeedChecks = Readonly<Record<string, NeedCheck>>
