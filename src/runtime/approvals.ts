import { ApprovalStore } from '../calls/approvals/store.ts'
import type { ApprovalAnswer, StoredApproval } from '../calls/approvals/types.ts'
import { findHome, findStateDir, type FindOptions } from '../config/find.ts'

function openStore(options: FindOptions): ApprovalStore {
  const { env, cwd, home } = options
  return new ApprovalStore(findStateDir(options, home ?? findHome(env, cwd)), Date.now)
}

/** Answers `approvals list`: what waits for an answer and the answers that still count, oldest first. */
export function listApprovals(options: FindOptions): { readonly items: readonly StoredApproval[] } {
  return { items: openStore(options).list() }
}

/** Answers one approval. INPUT_INVALID for an id that is unknown, expired or answered. */
export function decideApproval(options: FindOptions, id: string, answer: ApprovalAnswer): StoredApproval {
  return openStore(options).decide(id, answer)
}
