import type { WantedApproval } from '../../plugins/hooks.ts'
import type { CommandPlace } from '../place.ts'

/** Which commands may run: none, those on a list, all. Ordered from strict to lenient. */
export const securities = ['deny', 'allowlist', 'full'] as const
export type Security = (typeof securities)[number]

/** When a person is asked. Ordered from undemanding to demanding. */
export const asks = ['off', 'on-miss', 'always'] as const
export type Ask = (typeof asks)[number]

/** Who had the last word: the config, the approvals file of this machine, or the call itself. */
export type LayerName = 'config' | 'exec-approvals' | 'call'

/** A word of policy with the place it stands at. */
export interface Layer {
  readonly name: LayerName
  /** Config path as `config set` takes it, or the field of the approvals file. */
  readonly path: string
}

/** A command that is about to run. */
export interface CommandQuestion {
  /** As the shell will get it. */
  readonly command: string
  /** Absolute directory that it starts in. */
  readonly workdir: string
  /** The PATH that it will have. */
  readonly path: string
  /** Variables that the call sets for it beside those of the program. */
  readonly env?: Readonly<Record<string, string>>
  readonly place: Pick<CommandPlace, 'kind' | 'elevated'>
  /** What the call asks for; it can only be stricter than what is configured. */
  readonly ask?: Ask | undefined
  readonly security?: Security | undefined
}

/** What may be done with it. */
export type CommandVerdict =
  | { readonly verdict: 'run' }
  | { readonly verdict: 'ask'; readonly wanted: WantedApproval }
  | CommandDenial

/** A no, with the layer that says it and what would change it. */
export interface CommandDenial {
  readonly verdict: 'deny'
  readonly reason: string
  readonly layer: LayerName
  readonly hints: readonly string[]
}

/** Judges commands before they run. What it says holds for the moment; config and approvals file are read anew for every question. */
export interface CommandGate {
  judge(question: CommandQuestion): Promise<CommandVerdict>
}

/** An entry of the allowlist of an agent, in the approvals file. Fields that are not known here are kept. */
export interface AllowlistEntry {
  /** `*`, a path with wildcards, or the name of a program. */
  readonly pattern: string
  /** Regular expression for the arguments, joined by blanks. */
  readonly argPattern?: string
  readonly id?: string
  /** `allow-always` for what an answer has added. */
  readonly source?: string
  /** Milliseconds since 1970. */
  readonly addedAt?: number
  readonly lastUsedAt?: number
  readonly lastUsedCommand?: string
  readonly lastResolvedPath?: string
}
