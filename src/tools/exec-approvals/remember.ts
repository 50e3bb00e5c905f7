import type { NewEntry } from './examine.ts'

/** What a lasting yes to a command adds to the approvals file; kept with the question until it is answered. */
export interface RememberedCommands {
  readonly kind: 'exec-allowlist'
  readonly agentId: string
  readonly entries: readonly NewEntry[]
  /** The command, for the person who reads the file. */
  readonly command: string
}
