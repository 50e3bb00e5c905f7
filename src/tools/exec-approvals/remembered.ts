import { isRecord } from '../../config/path-value.ts'
import type { NewEntry } from './found.ts'

/** What a lasting yes to a command adds to the approvals file; kept with the question until it is answered. */
export interface RememberedCommands {
  readonly kind: 'exec-allowlist'
  readonly agentId: string
  readonly entries: readonly NewEntry[]
  /** The command, for the person who reads the file. */
  readonly command: string
}

/** Reads what was kept with a question; null for what somebody else has kept, or is damaged. */
export function readRemembered(value: unknown): RememberedCommands | null {
  if (!isRecord(value)) return null
  const { kind, agentId, entries, command } = value
  if (kind !== 'exec-allowlist' || typeof agentId !== 'string' || !Array.isArray(entries)) return null
  const read = entries.flatMap((entry: unknown): NewEntry[] => {
    if (!isRecord(entry) || typeof entry['pattern'] !== 'string') return []
    const { pattern, argPattern } = entry
    if (argPattern === undefined) return [{ pattern }]
    return typeof argPattern === 'string' ? [{ pattern, argPattern }] : []
  })
  if (read.length < entries.length) return null
  return { kind, agentId, entries: read, command: typeof command === 'string' ? command : '' }
}
