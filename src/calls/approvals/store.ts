import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { redact } from '../../config/redact.ts'
import { OpenClawError } from '../../kernel/errors.ts'
import { suggest } from '../../kernel/suggest.ts'
import { showName } from '../../kernel/untrusted-text.ts'
import { bindingOf } from './binding.ts'
import { createOnce, remove } from './files.ts'
import { afterlifeMs, filesOf, format, readQuestions, type Known, type Question } from './stored.ts'
import { mayLast, type ApprovalAnswer, type ApprovalQuestion, type StoredApproval } from './types.ts'

/** Milliseconds a question waits that nobody is there to answer, unless its hook says otherwise. */
export const pendingMs = 30 * 60_000
const mostQuestions = 100
const longestArgs = 16 * 1024

/** Folder of the questions below the state directory. */
export function approvalsDirectory(stateDir: string): string {
  return join(stateDir, 'approvals')
}

/**
 * Questions and answers as files of the state directory: one file for a question, one for its answer, one for its use, each created
 * once and never changed. A crash at any moment leaves a question without an answer or an answer without a use, never a yes too many.
 */
export class ApprovalStore {
  readonly #directory: string
  readonly #clock: () => number

  constructor(stateDir: string, clock: () => number) {
    this.#directory = approvalsDirectory(stateDir)
    this.#clock = clock
  }

  /** The questions that are open or whose answers still count, oldest first. */
  list(): readonly StoredApproval[] {
    return this.#known()
      .map(({ approval }) => approval)
      .filter(({ state }) => state !== 'used' && state !== 'expired')
  }

  /**
   * What is known of the same question; null where nothing counts any more. A no comes before any yes. A yes that whoever asked keeps is here
   * one for the call that it was given for: later ones are not asked for, as long as it is kept there.
   */
  find(question: ApprovalQuestion): StoredApproval | null {
    const { once, always } = bindingOf(question)
    const lasts = mayLast(question.wanted)
    const same = this.#known().flatMap(({ binding, approval, kept }): StoredApproval[] => {
      if (kept !== undefined)
        return kept === 'fresh' && binding.once === once ? [{ ...approval, state: 'allowed' }] : []
      if (approval.state === 'always') return lasts && binding.always === always ? [approval] : []
      return binding.once === once ? [approval] : []
    })
    const order: readonly StoredApproval['state'][] = ['denied', 'always', 'allowed', 'pending']
    return order.flatMap((state) => same.find((each) => each.state === state) ?? [])[0] ?? null
  }

  /** Stores a question that nobody can answer now, or finds it waiting already. */
  ask(question: ApprovalQuestion): StoredApproval {
    const known = this.find(question)
    return known?.state === 'pending' ? known : this.#one(this.#write(question)).approval
  }

  /** Stores a yes that stays; the call that it is given for is not taken by it. */
  allowAlways(question: ApprovalQuestion): StoredApproval {
    const id = this.#write(question)
    this.#answer(id, 'allow-always')
    const { approval, kept } = this.#one(id)
    if (kept !== undefined) this.use(id)
    return approval
  }

  /**
   * Answers a question, or takes back a yes that stays by a deny. INPUT_INVALID for an id that is unknown or ambiguous, an expired
   * question, one that was answered before, and a yes for always where it can only be for once.
   */
  decide(selector: string, answer: ApprovalAnswer): StoredApproval {
    const approval = this.open(selector, answer)
    const { id } = approval
    if (approval.state === 'always') {
      remove(this.#directory, Object.values(filesOf(id)))
      return { ...approval, state: 'denied' }
    }
    if (this.#answer(id, answer)) return this.#one(id).approval
    throw notOpen(approval, 'was answered just now by somebody else')
  }

  /** The approval that an answer would decide, as it stands before. Errors as `decide`. */
  open(selector: string, answer: ApprovalAnswer): StoredApproval {
    const { approval } = this.#one(selector)
    const { id, state, wanted, expiresAt } = approval
    if (state === 'always' && answer === 'deny') return approval
    if (state === 'pending' && answer === 'allow-always' && !mayLast(wanted)) {
      throw new OpenClawError(
        'INPUT_INVALID',
        `approval ${id} can only be allowed once: this is asked every time`,
        {
          hints: [`openclaw approvals allow ${id}`],
          data: { approvalId: id, state },
        },
      )
    }
    if (state === 'pending') return approval
    const why = {
      allowed: 'is allowed already',
      always: 'is allowed always already',
      denied: 'is denied already',
      used: 'was allowed and its call has run',
      expired: `expired at ${expiresAt}; run the call again to ask anew`,
    }[state]
    throw notOpen(approval, why)
  }

  /** Takes the one run that a yes is good for; false when another process took it. */
  use(id: string): boolean {
    return createOnce(this.#directory, filesOf(id).use, { format, at: this.#now() })
  }

  #now(): string {
    return new Date(this.#clock()).toISOString()
  }

  #known(): readonly Known[] {
    return readQuestions(this.#directory, this.#clock())
  }

  /** Writes a question and returns its id. */
  #write(question: ApprovalQuestion): string {
    const { tool, args, agentId, sessionKey, wanted } = question
    this.#prune()
    const limits = wanted.flatMap(({ timeoutMs }) => timeoutMs ?? [])
    const lifetime = limits.length > 0 ? Math.min(...limits) : pendingMs
    const safe = redact(args)
    const asked: Omit<Question, 'id'> = {
      binding: bindingOf(question),
      tool,
      agentId,
      sessionKey,
      args: JSON.stringify(safe).length > longestArgs ? null : safe,
      wanted: wanted.map(({ pluginId, title, description, severity, lasting, remember }) => ({
        pluginId,
        title,
        description,
        severity,
        ...(lasting === false && { lasting }),
        ...(remember !== undefined && { remember }),
      })),
      createdAt: this.#now(),
      expiresAt: new Date(this.#clock() + lifetime).toISOString(),
    }
    for (;;) {
      const id = randomBytes(4).toString('hex')
      if (createOnce(this.#directory, filesOf(id).question, { format, id, ...asked })) return id
    }
  }

  #answer(id: string, answer: ApprovalAnswer): boolean {
    return createOnce(this.#directory, filesOf(id).answer, { format, answer, at: this.#now() })
  }

  #one(selector: string): Known {
    const text = selector.trim().toLowerCase()
    const known = this.#known()
    const found = known.filter(
      ({ approval: { id } }) => id === text || (text.length >= 4 && id.startsWith(text)),
    )
    const [only] = found
    if (only !== undefined && found.length === 1) return only
    const ids = (found.length > 1 ? found : known).map(({ approval }) => approval.id)
    const near = found.length > 1 ? ids.slice(0, 3) : suggest(text, ids)
    const what = found.length > 1 ? 'several approvals have ids that start with' : 'there is no approval'
    throw new OpenClawError('INPUT_INVALID', `${what} "${showName(selector)}"`, {
      hints: [...near, 'openclaw approvals list'],
      data: { approvalId: selector, suggestions: near },
    })
  }

  #prune(): void {
    const approvals = this.#known().map(({ approval }) => approval)
    const now = this.#clock()
    const isOld = ({ state, expiresAt }: StoredApproval): boolean =>
      (state === 'expired' || state === 'used') && Math.abs(now - Date.parse(expiresAt ?? '')) > afterlifeMs
    const passing = approvals.filter(({ state }) => state !== 'always')
    const tooMany = passing.slice(0, Math.max(0, passing.length - mostQuestions + 1))
    const ids = new Set([...approvals.filter(isOld), ...tooMany].map(({ id }) => id))
    for (const id of ids) remove(this.#directory, Object.values(filesOf(id)))
  }
}

function notOpen({ id, state }: StoredApproval, why: string): OpenClawError {
  return new OpenClawError('INPUT_INVALID', `approval ${id} ${why}`, {
    hints: ['openclaw approvals list'],
    data: { approvalId: id, state },
  })
}
