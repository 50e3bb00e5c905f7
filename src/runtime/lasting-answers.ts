import { rememberedIn, type StoredApproval } from '../calls/approvals/types.ts'

/**
 * Keeps a yes for always where whoever asked will look for it: commands in the allowlist of the approvals file. Answers that are bound to
 * the same call are kept by the store alone. Errors as every write of a config; the call itself stays allowed once.
 */
export async function keepAnswer(stateDir: string, approval: StoredApproval, now: number): Promise<void> {
  const remembered = approval.state === 'always' ? rememberedIn(approval.wanted) : null
  if (remembered === null) return
  const { readRemembered, rememberCommands } = await import('../tools/exec-approvals/remember.ts')
  for (const each of remembered) {
    const commands = readRemembered(each)
    if (commands !== null) await rememberCommands(stateDir, commands, approval.id, now)
  }
}

/** Takes back what a yes for always has added, after it was denied. */
export async function dropAnswer(stateDir: string, approval: StoredApproval): Promise<void> {
  if (approval.state !== 'denied' || rememberedIn(approval.wanted) === null) return
  const { forgetCommands } = await import('../tools/exec-approvals/remember.ts')
  await forgetCommands(stateDir, approval.id)
}
