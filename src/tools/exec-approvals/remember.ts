import { randomUUID } from 'node:crypto'
import { isRecord } from '../../config/path-value.ts'
import { changeApprovals, isSame, isWritable, listOf } from './change-file.ts'
import { approvalsFile } from './file.ts'
import type { RememberedCommands } from './remembered.ts'
import type { AllowlistEntry } from './types.ts'

export { readRemembered } from './remembered.ts'

/**
 * Adds the entries of a lasting yes to the allowlist of its agent; entries that are there stay as they are. Everything else in the file is
 * kept. Errors: CONFIG_INVALID for a damaged file, CONFIG_READONLY, CONFIG_CONFLICT as every write.
 */
export function rememberCommands(
  stateDir: string,
  { agentId, entries, command }: RememberedCommands,
  approvalId: string,
  now: number,
): Promise<void> {
  return changeApprovals(stateDir, (root) => {
    const list = listOf(approvalsFile(stateDir), root, agentId)
    const added = entries
      .filter((entry) => !list.some((each) => isSame(each, entry)))
      .map((entry) => ({
        id: randomUUID(),
        ...entry,
        source: 'allow-always',
        approvalId,
        commandText: command,
        addedAt: now,
      }))
    list.push(...added)
    return added.length > 0
  })
}

/** Takes back what a lasting yes has added; false where nothing of it was left. Errors as `rememberCommands`. */
export async function forgetCommands(stateDir: string, approvalId: string): Promise<boolean> {
  let removed = false
  await changeApprovals(stateDir, (root) => {
    for (const agent of Object.values(isRecord(root['agents']) ? root['agents'] : {})) {
      if (!isWritable(agent)) continue
      const list: unknown = agent['allowlist']
      if (!Array.isArray(list)) continue
      const kept = list.filter((each) => !isRecord(each) || each['approvalId'] !== approvalId)
      if (kept.length === list.length) continue
      agent['allowlist'] = kept
      removed = true
    }
    return removed
  })
  return removed
}

/** Milliseconds to wait for others who write the file, where the note matters less than the command. */
const noteLimitMs = 1_000

/** Notes when entries were last used. Errors as `rememberCommands`; it does not wait long for other writers. */
export function noteUse(
  stateDir: string,
  used: readonly { readonly entry: AllowlistEntry; readonly path: string }[],
  command: string,
  now: number,
): Promise<void> {
  return changeApprovals(
    stateDir,
    (root) => {
      let hasChanged = false
      for (const agent of Object.values(isRecord(root['agents']) ? root['agents'] : {})) {
        if (!isRecord(agent) || !Array.isArray(agent['allowlist'])) continue
        for (const each of agent['allowlist']) {
          const use = isWritable(each) ? used.find(({ entry }) => isSame(each, entry)) : undefined
          if (use === undefined || !isWritable(each)) continue
          each['lastUsedAt'] = now
          each['lastUsedCommand'] = command
          each['lastResolvedPath'] = use.path
          hasChanged = true
        }
      }
      return hasChanged
    },
    noteLimitMs,
  )
}
