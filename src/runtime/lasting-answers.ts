import type { ApprovalStore } from '../calls/approvals/store.ts'
import { rememberedIn, type ApprovalAnswer, type StoredApproval } from '../calls/approvals/types.ts'

/**
 * Answers one approval, and keeps or takes back what a yes for always means. What is kept elsewhere is changed first: an answer that says
 * more than what holds could not be given again, or taken back. Errors as the store's `decide` and as every write of a config; nothing is answered then.
 */
export async function settle(
  store: ApprovalStore,
  stateDir: string,
  answered: { readonly id: string; readonly answer: ApprovalAnswer },
  now: number,
): Promise<StoredApproval> {
  const { answer } = answered
  const approval = store.open(answered.id, answer)
  const { id, state } = approval
  if (state === 'always') await dropAnswer(stateDir, approval)
  if (answer !== 'allow-always') return store.decide(id, answer)
  await keepAnswer(stateDir, approval, now)
  try {
    return store.decide(id, answer)
  } catch (error) {
    // Somebody else was quicker, perhaps with a no.
    await dropAnswer(stateDir, approval)
    throw error
  }
}

/** Keeps a yes for always where whoever asked will look for it: commands in the allowlist of the approvals file. Answers that are bound to the same call are kept by the store alone. Errors as every write of a config. */
export async function keepAnswer(
  stateDir: string,
  { id, wanted }: StoredApproval,
  now: number,
): Promise<void> {
  const remembered = rememberedIn(wanted)
  if (remembered === null) return
  const { readRemembered, rememberCommands } = await import('../tools/exec-approvals/remember.ts')
  for (const each of remembered) {
    const commands = readRemembered(each)
    if (commands !== null) await rememberCommands(stateDir, commands, id, now)
  }
}

/** Takes back what a yes for always has added. */
async function dropAnswer(stateDir: string, { id, wanted }: StoredApproval): Promise<void> {
  if (rememberedIn(wanted) === null) return
  const { forgetCommands } = await import('../tools/exec-approvals/remember.ts')
  await forgetCommands(stateDir, id)
}
