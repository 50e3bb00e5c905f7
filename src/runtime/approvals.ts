import { ApprovalStore } from '../calls/approvals/store.ts'
import type { ApprovalAnswer, StoredApproval } from '../calls/approvals/types.ts'
import { findHome, findStateDir, type FindOptions } from '../config/find.ts'

function stateDirOf(options: FindOptions): string {
  const { env, cwd, home } = options
  return findStateDir(options, home ?? findHome(env, cwd))
}

/** Answers `approvals list`: what waits for an answer and the answers that still count, oldest first. */
export function listApprovals(options: FindOptions): { readonly items: readonly StoredApproval[] } {
  return { items: new ApprovalStore(stateDirOf(options), Date.now).list() }
}

/** Answers one approval, and keeps or takes back what a yes for always means. INPUT_INVALID for an id that is unknown, expired or answered. */
export async function decideApproval(
  options: FindOptions,
  id: string,
  answer: ApprovalAnswer,
): Promise<StoredApproval> {
  const stateDir = stateDirOf(options)
  const store = new ApprovalStore(stateDir, Date.now)
  const { settle } = await import('./lasting-answers.ts')
  return settle(store, stateDir, { id, answer }, Date.now())
}
