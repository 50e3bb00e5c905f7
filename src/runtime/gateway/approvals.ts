import { AsyncLocalStorage } from 'node:async_hooks'
import { EventEmitter, once } from 'node:events'
import { approvalDesk, type Prompt } from '../../calls/approvals/desk.ts'
import { ApprovalStore } from '../../calls/approvals/store.ts'
import type {
  ApprovalAnswer,
  ApprovalDesk,
  ApprovalQuestion,
  StoredApproval,
} from '../../calls/approvals/types.ts'

/** Milliseconds between two looks at the store for answers that other programs gave. */
const lookMs = 250

/** The approvals of the server: one store with the command line, whose answers reach calls that wait here. */
export class GatewayApprovals {
  readonly desk: ApprovalDesk
  readonly #store: ApprovalStore
  readonly #stateDir: string
  readonly #clock: () => number
  readonly #answered = new EventEmitter()
  readonly #waiting = new AsyncLocalStorage<boolean>()
  readonly #onAsked: (approval: StoredApproval) => void

  constructor(stateDir: string, clock: () => number, onAsked: (approval: StoredApproval) => void) {
    this.#store = new ApprovalStore(stateDir, clock)
    this.#stateDir = stateDir
    this.#clock = clock
    this.#answered.setMaxListeners(0)
    this.#onAsked = onAsked
    const store = this.#store
    const asking = approvalDesk({ store, prompt: (question, signal) => this.#wait(question, signal) })
    const reporting = approvalDesk({ store })
    this.desk = {
      decide: async (question, signal) => {
        if (this.#waiting.getStore() === true) return asking.decide(question, signal)
        const answer = await reporting.decide(question, signal)
        if (answer.verdict === 'pending') this.#told(question)
        return answer
      },
    }
  }

  /** Does work whose questions wait for an answer; without it they are only stored. */
  waiting<Result>(work: () => Promise<Result>): Promise<Result> {
    return this.#waiting.run(true, work)
  }

  list(): readonly StoredApproval[] {
    return this.#store.list()
  }

  /** Answers a question, and keeps or takes back what a yes for always means; calls that wait for it go on. Errors as the store's. */
  async decide(id: string, answer: ApprovalAnswer): Promise<StoredApproval> {
    const { settle } = await import('../lasting-answers.ts')
    const approval = await settle(this.#store, this.#stateDir, { id, answer }, this.#clock())
    this.#answered.emit('answer')
    return approval
  }

  /** Stores a question if it is not there yet, and says that it waits. */
  #told(question: ApprovalQuestion): void {
    this.#onAsked(this.#store.ask(question))
  }

  readonly #wait: Prompt = async (question, signal) => {
    this.#told(question)
    while (!signal.aborted) {
      const known = this.#store.find(question)
      if (known?.state === 'denied') return 'deny'
      // A yes that stays is stored already.
      if (known?.state === 'always') return 'allow-once'
      if (known?.state === 'allowed' && this.#store.use(known.id)) return 'allow-once'
      const nextLook = AbortSignal.any([signal, AbortSignal.timeout(lookMs)])
      await once(this.#answered, 'answer', { signal: nextLook }).catch(() => {})
    }
    return null
  }
}
