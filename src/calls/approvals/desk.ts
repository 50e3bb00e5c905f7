import type { ApprovalStore } from './store.ts'
import type { ApprovalAnswer, ApprovalDesk, ApprovalQuestion, ApprovalVerdict } from './types.ts'

/** Milliseconds a person has for an answer while the call waits, and at most (tool search facts §1.10). */
export const waitingMs = { usual: 120_000, longest: 600_000 } as const

/** Asks a person who is there; null when nobody answered before the signal fired. */
export type Prompt = (question: ApprovalQuestion, signal: AbortSignal) => Promise<ApprovalAnswer | null>

export interface DeskOptions {
  /** Null where nothing can be stored, as for a replayed case. */
  readonly store: ApprovalStore | null
  /** Absent where nobody is in reach: questions are then stored and the call ends. */
  readonly prompt?: Prompt | undefined
  /** Every question is answered with a yes for this call, given in advance. */
  readonly yes?: boolean | undefined
}

/**
 * Answers questions from what was stored, else by a person, else leaves them waiting in the store. A stored no holds until it expires,
 * whoever else would say yes; a stored yes for one call is taken before the call runs, so that it can never run twice.
 */
export function approvalDesk({ store, prompt, yes = false }: DeskOptions): ApprovalDesk {
  return {
    async decide(question, signal): Promise<ApprovalVerdict> {
      const known = store?.find(question) ?? null
      if (known?.state === 'denied') return { verdict: 'denied' }
      if (known?.state === 'always') return { verdict: 'allowed' }
      if (known?.state === 'allowed' && store?.use(known.id)) return { verdict: 'allowed' }
      if (yes) return { verdict: 'allowed' }
      if (prompt) return askNow(question, prompt, store, signal)
      if (store === null) return { verdict: 'denied' }
      const { id, expiresAt } = store.ask(question)
      return { verdict: 'pending', id, expiresAt: expiresAt ?? '' }
    },
  }
}

async function askNow(
  question: ApprovalQuestion,
  prompt: Prompt,
  store: ApprovalStore | null,
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
  if (answer === 'allow-always') store?.allowAlways(question)
  return { verdict: 'allowed' }
}
