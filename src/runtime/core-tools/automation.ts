import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { agentIds } from '../../config/agents.ts'
import { OpenClawError } from '../../kernel/errors.ts'
import { showName } from '../../kernel/untrusted-text.ts'
import type { Job, RunOutcome } from '../../tools/automation/job.ts'
import type { Bounds } from '../../tools/bounds.ts'
import type { Scheduler } from '../../tools/automation/scheduler.ts'
import type { AutomationService, HeartbeatOutcome } from '../../tools/automation/service.ts'
import { withEvents, type SystemEvents } from '../../tools/system-events.ts'
import type { RuntimeHost } from '../gateway/host.ts'
import type { Heartbeats } from './heartbeats.ts'
import { whileLeading } from './lead.ts'

const usualTimeoutSeconds = 600
const usualRuns = 2

/** Runs jobs and heartbeats in a Gateway; what that takes is loaded when the Gateway is ready. */
export class GatewayAutomation implements AutomationService {
  readonly #host: RuntimeHost
  readonly #events: SystemEvents
  readonly #isBusy: (sessionKey: string) => boolean
  #heartbeats: Heartbeats | null = null
  #lead: Promise<void> | null = null
  /** Where jobs run while they do not run here. */
  #instead: 'elsewhere' | 'stuck' | null = null
  #scheduler: Promise<Scheduler> | null = null
  #started: Scheduler | null = null

  constructor(host: RuntimeHost, events: SystemEvents, isBusy: (sessionKey: string) => boolean) {
    this.#host = host
    this.#events = events
    this.#isBusy = isBusy
  }

  start(): void {
    const { state, closing } = this.#host
    this.#lead = whileLeading(
      join(state.stateDir, 'cron', 'scheduler'),
      closing,
      (problem, isTaken) => {
        this.#instead = isTaken ? 'elsewhere' : 'stuck'
        this.#host.parts.tell(`scheduled jobs and heartbeats do not run here: ${problem}`)
      },
      () => this.#run(),
    )
    this.#watch(this.#lead, 'scheduled jobs and heartbeats do not run')
  }

  async close(): Promise<void> {
    await this.#lead?.catch(() => {})
  }

  /** Runs jobs and heartbeats until the Gateway ends. */
  async #run(): Promise<void> {
    const { closing } = this.#host
    const beats = this.#openHeartbeats()
    this.#watch(beats, 'heartbeats do not happen')
    if (this.#settings.enabled) {
      this.#scheduler = this.#open()
      this.#watch(this.#scheduler, 'scheduled jobs do not run')
    }
    const { promise, resolve } = Promise.withResolvers<void>()
    closing.addEventListener('abort', () => resolve(), { once: true })
    if (!closing.aborted) await promise
    const [opened, scheduler] = await Promise.allSettled([beats, this.#scheduler])
    await Promise.all([
      opened.status === 'fulfilled' && opened.value.close(),
      scheduler.status === 'fulfilled' && scheduler.value?.close(),
    ])
  }

  #watch(opened: Promise<unknown>, problem: string): void {
    opened.catch((error: unknown) => {
      this.#host.parts.tell(`${problem}: ${error instanceof Error ? error.message : String(error)}`)
    })
  }

  get runs(): AutomationService['runs'] {
    if (this.#scheduler !== null) return 'here'
    return this.#settings.enabled ? (this.#instead ?? 'here') : 'off'
  }

  get running(): readonly string[] {
    return this.#started?.running ?? []
  }

  get nextWakeMs(): number | null {
    return this.#started?.nextWakeMs ?? null
  }

  changed(): void {
    this.#started?.poke()
  }

  async run(jobId: string): Promise<string> {
    if (this.runs === 'elsewhere') {
      throw new OpenClawError(
        'TOOL_UNAVAILABLE',
        'scheduled jobs run in another Gateway, and not in this one',
        {
          hints: ['ask that one, or end it: this one takes over'],
        },
      )
    }
    if (this.runs === 'stuck') {
      throw new OpenClawError('TOOL_UNAVAILABLE', 'scheduled jobs do not run: their lock cannot be taken', {
        hints: ['the log of the Gateway says why'],
      })
    }
    if (this.#scheduler === null) {
      const why = this.#settings.enabled ? 'that begins with this program' : 'cron.enabled is false'
      throw new OpenClawError('TOOL_UNAVAILABLE', `scheduled jobs do not run: ${why}`, {
        hints: ['openclaw config unset cron.enabled', 'openclaw gateway run'],
      })
    }
    return (await this.#scheduler).runNow(jobId)
  }

  wake(to: Parameters<AutomationService['wake']>[0], text: string, wake: 'now' | 'next'): void {
    if (wake === 'next') {
      this.#events.push(to.sessionKey, text)
      return
    }
    this.#answer(to, text, this.#host.closing).catch((error: unknown) => {
      if (this.#host.closing.aborted) return
      this.#host.parts.tell(
        `${to.sessionKey} was not woken: ${error instanceof Error ? error.message : String(error)}`,
      )
    })
  }

  heartbeat(sessionKey: string, outcome: HeartbeatOutcome): boolean {
    return this.#heartbeats?.respond(sessionKey, outcome) ?? false
  }

  get #settings(): { readonly enabled: boolean; readonly most: number } {
    const { enabled = true, maxConcurrentRuns = usualRuns } = this.#host.current.config.cron ?? {}
    return { enabled, most: maxConcurrentRuns }
  }

  async #openHeartbeats(): Promise<Heartbeats> {
    const { Heartbeats: Made } = await import('./heartbeats.ts')
    this.#heartbeats = new Made(this.#host, this.#isBusy)
    if (!this.#host.closing.aborted) this.#heartbeats.start()
    return this.#heartbeats
  }

  async #open(): Promise<Scheduler> {
    const [{ Scheduler: Made }, { JobStore }] = await Promise.all([
      import('../../tools/automation/scheduler.ts'),
      import('../../tools/automation/store.ts'),
    ])
    const { parts, state } = this.#host
    const { clock } = parts
    const tell = (text: string): void => this.#host.parts.tell(text)
    const scheduler = new Made({
      store: new JobStore(state.stateDir, tell),
      clock,
      most: this.#settings.most,
      tell,
      obstacle: ({ agentId }) =>
        agentIds(this.#host.current.config).includes(agentId)
          ? null
          : `the agent ${showName(agentId)} is not configured`,
      work: (job, runId, signal) => this.#work(job, runId, signal),
    })
    this.#started = scheduler
    if (!this.#host.closing.aborted) await scheduler.start()
    return scheduler
  }

  async #work(job: Job, runId: string, closing: AbortSignal): Promise<RunOutcome> {
    const { payload, agentId } = job
    if (payload.kind === 'systemEvent') {
      const to = { agentId, sessionKey: job.sessionKey, owner: job.owner, bounds: boundsOfJob(job) }
      if (payload.wake === 'next') {
        this.#events.push(job.sessionKey, payload.text)
        return { status: 'ok', summary: 'the session hears of it with its next message' }
      }
      return { status: 'ok', summary: await this.#answer(to, payload.text, closing) }
    }
    const seconds = payload.timeoutSeconds ?? usualTimeoutSeconds
    const limit = AbortSignal.timeout(seconds * 1_000)
    const sessionKey = `agent:${agentId}:cron:${job.id}`
    // A new id is a new conversation: what earlier runs said is not seen.
    const { saveSession } = await import('./session-entry.ts')
    await saveSession(this.#host, { agentId, sessionKey }, { sessionId: randomUUID(), label: job.name })
    try {
      const { text } = await this.#host.agent.run({
        agentId,
        sessionKey,
        runId,
        message: `[scheduled: ${job.name}]\n${payload.message}`,
        owner: job.owner,
        stream: false,
        emit: () => {},
        signal: AbortSignal.any([closing, limit]),
        bounds: boundsOfJob(job),
        ...(payload.model !== undefined && { model: payload.model }),
      })
      return { status: 'ok', summary: text, ...(await this.#deliver(job, sessionKey, text, closing)) }
    } catch (error) {
      if (!limit.aborted || closing.aborted) throw error
      return { status: 'error', error: `it took longer than ${seconds} s` }
    }
  }

  /** Sends the last words where the job wants them; a channel that fails costs the job nothing else. */
  async #deliver(
    job: Job,
    sessionKey: string,
    text: string,
    signal: AbortSignal,
  ): Promise<Pick<RunOutcome, 'delivered' | 'error'>> {
    const { delivery, agentId } = job
    if (delivery === undefined || text.trim() === '') return {}
    try {
      const { sendFrom } = await import('./messages.ts')
      await sendFrom(this.#host, { agentId, sessionKey }, delivery, { text, signal, asTool: true })
      return { delivered: true }
    } catch (error) {
      signal.throwIfAborted()
      return { delivered: false, error: error instanceof Error ? error.message : String(error) }
    }
  }

  async #answer(
    { agentId, sessionKey, owner, bounds }: Parameters<AutomationService['wake']>[0],
    text: string,
    signal: AbortSignal,
  ): Promise<string> {
    const request = {
      agentId,
      sessionKey,
      owner,
      bounds,
      signal,
      message: withEvents([text], ''),
      stream: false,
    }
    const result = await this.#host.agent.run({ ...request, runId: randomUUID(), emit: () => {} })
    return result.text
  }
}

/** What the runs of a job are kept to, as it is stored. */
function boundsOfJob({ toolsAllow, sandboxed }: Job): Bounds {
  return { ...(toolsAllow !== undefined && { toolsAllow }), ...(sandboxed === true && { sandboxed }) }
}
