import { randomUUID } from 'node:crypto'
import { agentKey } from '../../config/agents.ts'
import { isRecord } from '../../config/path-value.ts'
import { changeApprovals, isSame, isWritable, listOf } from './change-file.ts'
import { approvalsFile, isEntry, readApprovals } from './file.ts'
import type { NewEntry } from './found.ts'
import type { AllowlistEntry } from './types.ts'

/** An entry with the agent that it is for; `*` is every agent. */
export interface OwnedEntry {
  readonly agent: string
  readonly entry: AllowlistEntry
  /** The answer that has added it. */
  readonly approvalId: string | null
}

type Lists = Readonly<Record<string, unknown>>

function owned(agent: string, value: unknown): OwnedEntry[] {
  const entry = typeof value === 'string' ? { pattern: value } : value
  if (!isEntry(entry)) return []
  const approvalId = isRecord(value) ? value['approvalId'] : undefined
  return [{ agent, entry, approvalId: typeof approvalId === 'string' ? approvalId : null }]
}

/** Whether the entries of a section are those of an agent; of nobody in particular they are all. */
function isOf(agent: string, wanted: string | undefined): boolean {
  if (wanted === undefined || agent === wanted) return true
  return agent !== '*' && wanted !== '*' && agentKey(agent) === agentKey(wanted)
}

function entriesIn(agents: unknown, wanted: string | undefined): OwnedEntry[] {
  const sections: Lists = isRecord(agents) ? agents : {}
  return Object.entries(sections).flatMap(([agent, section]) => {
    const list = isRecord(section) && isOf(agent, wanted) ? section['allowlist'] : undefined
    return Array.isArray(list) ? list.flatMap((each) => owned(agent, each)) : []
  })
}

/** The entries of the approvals file, of one agent or of all, in their order there; those for every agent stand under `*` alone. Errors as `readApprovals`. */
export function listEntries(stateDir: string, agent: string | undefined): readonly OwnedEntry[] {
  return entriesIn(readApprovals(stateDir)?.root['agents'], agent)
}

/** Adds an entry to the allowlist of an agent, or of every agent as `*`; `added` is false where the same one is there. Errors as `changeApprovals`. */
export async function addEntry(
  stateDir: string,
  agent: string,
  { pattern, argPattern }: NewEntry,
  now: number,
): Promise<{ readonly owned: OwnedEntry; readonly added: boolean }> {
  const made: AllowlistEntry = {
    id: randomUUID(),
    pattern,
    ...(argPattern !== undefined && { argPattern }),
    addedAt: now,
  }
  let known: OwnedEntry | undefined
  await changeApprovals(stateDir, (root) => {
    const list = listOf(approvalsFile(stateDir), root, agent)
    known = list.filter((each) => isSame(each, made)).flatMap((each) => owned(agent, each))[0]
    if (known === undefined) list.push(made)
    return known === undefined
  })
  return { owned: known ?? { agent, entry: made, approvalId: null }, added: known === undefined }
}

/** Removes the entries that are meant, of one agent or of all, and returns them. Errors as `changeApprovals`. */
export async function removeEntries(
  stateDir: string,
  agent: string | undefined,
  isMeant: (entry: AllowlistEntry) => boolean,
): Promise<readonly OwnedEntry[]> {
  const removed: OwnedEntry[] = []
  await changeApprovals(stateDir, ({ agents }) => {
    for (const [name, section] of Object.entries(isRecord(agents) ? agents : {})) {
      const list: unknown = isWritable(section) && isOf(name, agent) ? section['allowlist'] : undefined
      if (!isWritable(section) || !Array.isArray(list)) continue
      const meant = (each: unknown): OwnedEntry[] => owned(name, each).filter(({ entry }) => isMeant(entry))
      removed.push(...list.flatMap(meant))
      const kept = list.filter((each) => meant(each).length === 0)
      if (kept.length < list.length) section['allowlist'] = kept
    }
    return removed.length > 0
  })
  return removed
}
