import type { ApprovalStore } from './store.ts'
import {
  mayLast,
  type ApprovalAnswer,
  type ApprovalDesk,
  type ApprovalQuestion,
  type ApprovalVerdict,
  type StoredApproval,
} from './types.ts'

/** Milliseconds a person has for an answer while the call waits, and at most (tool search facts §1.10). */
export const waitingMs = { usual: 120_000, longest: 600_000 } as const

/** Asks a person who is there; null when nobody answered before the signal fired. */
export type Prompt = (question: ApprovalQuestion, signal: AbortSignal) => Promise<ApprovalAnswer | null>

/** Keeps a yes for always where whoever asked looks for it; nothing to do for one that is bound to the same call. */
export type KeepAnswer = (approval: StoredApproval) => Promise<void>

export interface DeskOptions {
  /** Null where nothing can be stored, as for a replayed case. */
  readonly store: ApprovalStore | null
  /** Absent where nobody is in reach: questions are then stored and the call ends. */
  readonly prompt?: Prompt | undefined
  readonly keep?: KeepAnswer | undefined
  /** Every question is answered with a yes for this call, given in advance. */
  readonly yes?: boolean | undefined
}

/**
 * Answers questions from what was stored, else by a person, else leaves them waiting in the store. A stored no holds until it expires,
 * whoever else would say yes; a stored yes for one call is taken before the call runs, so that it can never run twice.
 */
export function approvalDesk({ store, prompt, keep, yes = false }: DeskOptions): ApprovalDesk {
  return {
    async decide(question, signal): Promise<ApprovalVerdict> {
      const known = store?.find(question) ?? null
      if (known?.state === 'denied') return { verdict: 'denied' }
      if (known?.state === 'always') return { verdict: 'allowed' }
      if (known?.state === 'allowed' && store?.use(known.id)) return { verdict: 'allowed' }
      if (yes) return { verdict: 'allowed' }
      if (prompt) return askNow(question, prompt, { store, keep }, signal)
      if (store === null) return { verdict: 'denied' }
      const { id, expiresAt } = store.ask(question)
      return { verdict: 'pending', id, expiresAt: expiresAt ?? '' }
    },
  }
}

async function askNow(
  question: ApprovalQuestion,
  prompt: Prompt,
  { store, keep }: Pick<DeskOptions, 'store' | 'keep'>,
  signal: AbortSignal,
): Promise<ApprovalVerdict> {
  const limits = question.wanted.map(({ timeoutMs }) => timeoutMs ?? waitingMs.usual)
  const limit = AbortSignal.timeout(Math.min(...limits, waitingMs.longest))
  const answer = await prompt(question, AbortSignal.any([signal, limit]))
  signal.throwIfAborted()
  if (answer === null) {
    // Silence is a yes only if everybody who asked takes it for one.
    const lenient = question.wanted.every(({ timeoutBehavior }) => timeoutBehavior === 'allow')
    return { verdict: lenient ? 'allowed' : 'expired' }
  }
  if (answer === 'deny') return { verdict: 'denied' }
  if (answer === 'allow-always' && store !== null && mayLast(question.wanted)) {
    const approval = store.allowAlways(question)
    try {
      await keep?.(approval)
    } catch (error) {
      // It would be listed as a yes that stays, and is none.
      store.decide(approval.id, 'deny')
      throw error
    }
  }
  return { verdict: 'allowed' }
}
