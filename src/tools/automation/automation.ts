import { randomBytes } from 'node:crypto'
import { jsonResult } from '../../calls/model-text.ts'
import type { Args } from '../../calls/types.ts'
import { requireAgentId } from '../../config/agents.ts'
import { isRecord } from '../../config/path-value.ts'
import { OpenClawError } from '../../kernel/errors.ts'
import { suggest } from '../../kernel/suggest.ts'
import { showName } from '../../kernel/untrusted-text.ts'
import { boundsOf, isBound, isKeptToItself, withinBoth, type Bounds } from '../bounds.ts'
import type { CoreTool, OpenFamily } from '../family.ts'
import { requireChannels } from '../messaging/channels.ts'
import { requireMessages, routeOf } from '../messaging/route.ts'
import type { CodingToolOptions } from '../options.ts'
import { respondToHeartbeat } from './heartbeat-respond.ts'
import { iso, shownJob } from './job-view.ts'
import type { Job, JobDelivery, Payload } from './job.ts'
import { planned } from './plan.ts'
import { placeOf, readPayload, readSchedule, usualName } from './read-job.ts'
import { JobStore } from './store.ts'

const mostJobs = 1_000

/** The tools of scheduled work and heartbeats. Jobs can be looked at and changed anywhere; they run in a Gateway. */
export function openAutomation(options: CodingToolOptions): OpenFamily {
  const jobs = new Jobs(options)
  const tool: CoreTool = { run: async (args) => ({ result: jsonResult(await jobs.act(args)) }) }
  return {
    tools: {
      cron: tool,
      automations: tool,
      heartbeat_respond: { run: async (args) => ({ result: jsonResult(respondToHeartbeat(options, args)) }) },
    },
  }
}

class Jobs {
  readonly #options: CodingToolOptions
  readonly #store: JobStore

  constructor(options: CodingToolOptions) {
    this.#options = options
    this.#store = new JobStore(options.stateDir, options.tell)
  }

  async act(args: Args): Promise<object> {
    const limit = typeof args['limit'] === 'number' ? args['limit'] : 50
    switch (args['action']) {
      case 'status':
        return this.#status()
      case 'list': {
        const all = this.#mine().filter(({ enabled }) => enabled || args['includeDisabled'] === true)
        const jobs = all.toSorted(
          (a, b) => (a.state.nextRunAtMs ?? Infinity) - (b.state.nextRunAtMs ?? Infinity),
        )
        return { jobs: jobs.slice(0, limit).map(shownJob), total: all.length, runs: this.#whoRuns() }
      }
      case 'add':
        return { job: shownJob(await this.#add(args['job'])), runs: this.#whoRuns() }
      case 'update':
        return { job: shownJob(await this.#update(this.#id(args), args['patch'])) }
      case 'remove':
        return this.#remove(this.#id(args))
      case 'run': {
        const service = this.#gateway('to run a job')
        return { runId: await service.run(this.#id(args)), started: true }
      }
      case 'runs': {
        const id = this.#id(args)
        return { jobId: id, runs: this.#store.history(id, limit) }
      }
      default:
        return this.#wake(args)
    }
  }

  #status(): object {
    const jobs = this.#mine()
    const { automation } = this.#options.services
    return {
      jobs: jobs.length,
      enabled: jobs.filter(({ enabled }) => enabled).length,
      runs: this.#whoRuns(),
      ...(automation !== undefined && {
        running: automation.running.filter((id) => jobs.some((job) => job.id === id)),
        nextRunAt: automation.nextWakeMs === null ? null : iso(automation.nextWakeMs),
      }),
      file: this.#store.file,
    }
  }

  /** Who runs jobs, in a word: this program, or a Gateway when there is one. */
  #whoRuns(): string {
    const { automation } = this.#options.services
    if (automation === undefined) return 'when a Gateway is running'
    const words = {
      here: 'here',
      elsewhere: 'in another Gateway',
      off: 'not: cron.enabled is false',
      stuck: 'not: their lock cannot be taken',
    }
    return words[automation.runs]
  }

  async #add(given: unknown): Promise<Job> {
    const { clock, view } = this.#options
    if (!isRecord(given)) throw new OpenClawError('INPUT_INVALID', 'add needs a job')
    const nowMs = clock()
    const { context } = view()
    const payload = readPayload(given['payload'], view().config)
    const schedule = readSchedule(given['schedule'], nowMs)
    const { name, description, agentId, sessionKey, enabled, deleteAfterRun } = given
    const place = this.#place(agentId, sessionKey)
    const delivery = this.#delivery(given['delivery'])
    const job: Job = {
      id: randomBytes(4).toString('hex'),
      name: typeof name === 'string' ? name : usualName({ payload }),
      ...(typeof description === 'string' && { description }),
      ...place,
      enabled: enabled !== false,
      schedule,
      payload,
      ...(delivery !== null && { delivery }),
      deleteAfterRun: schedule.kind === 'at' && deleteAfterRun !== false,
      owner: context.isOwner !== false,
      ...this.#bounds(place, payload),
      createdAtMs: nowMs,
      updatedAtMs: nowMs,
      state: {},
    }
    const ready = planned(job, nowMs)
    await this.#change((jobs) => {
      if (jobs.length >= mostJobs) {
        throw new OpenClawError('INPUT_INVALID', `there are ${jobs.length} jobs already`, {
          hints: ['remove some'],
        })
      }
      return [...jobs, ready]
    })
    return ready
  }

  async #update(id: string, given: unknown): Promise<Job> {
    const { clock } = this.#options
    const patch: Args = isRecord(given) ? given : {}
    const nowMs = clock()
    const schedule = patch['schedule'] === undefined ? undefined : readSchedule(patch['schedule'], nowMs)
    const payload =
      patch['payload'] === undefined ? undefined : readPayload(patch['payload'], this.#options.view().config)
    const delivery = patch['delivery'] === undefined ? undefined : this.#delivery(patch['delivery'])
    const { name, description, agentId, sessionKey, enabled, deleteAfterRun } = patch
    const jobs = await this.#change((all) =>
      all.map((job) => {
        if (job.id !== id) return job
        const { delivery: known, ...rest } = job
        const target = delivery === undefined ? known : (delivery ?? undefined)
        const isMoved = agentId !== undefined || sessionKey !== undefined
        const { runningAtMs, lastRunAtMs, lastStatus, lastError, lastDurationMs } = job.state
        // What was planned, and why it was switched off, belongs to the job as it was.
        const state = {
          runningAtMs,
          lastRunAtMs,
          lastError,
          lastDurationMs,
          ...(schedule === undefined && { lastStatus }),
        }
        const next: Job = {
          ...rest,
          ...(typeof name === 'string' && { name }),
          ...(typeof description === 'string' && { description }),
          ...(isMoved &&
            this.#place(
              agentId ?? job.agentId,
              sessionKey ?? (agentId === undefined ? job.sessionKey : undefined),
            )),
          ...(typeof enabled === 'boolean' && { enabled }),
          ...(schedule !== undefined && { schedule }),
          ...(payload !== undefined && { payload }),
          ...(target !== undefined && { delivery: target }),
          ...(typeof deleteAfterRun === 'boolean' && { deleteAfterRun }),
          updatedAtMs: nowMs,
          state: Object.fromEntries(Object.entries(state).filter(([, value]) => value !== undefined)),
        }
        // One that was switched off because its agent is gone would only be so again.
        if (enabled === true) requireAgentId(this.#options.view().config, next.agentId)
        return planned({ ...next, ...this.#answerable(job, next) }, nowMs)
      }),
    )
    return jobs.find((job) => job.id === id) ?? this.#unknown(id)
  }

  async #remove(id: string): Promise<object> {
    await this.#change((jobs) => jobs.filter((job) => job.id !== id))
    return { removed: id }
  }

  #wake(args: Args): object {
    const text = args['text']
    if (typeof text !== 'string') throw new OpenClawError('INPUT_INVALID', 'wake needs a text')
    const service = this.#gateway('to wake a session')
    const view = this.#options.view()
    const { agentId, sessionKey, isOwner } = view.context
    const mode = args['mode'] === 'next' ? 'next' : 'now'
    service.wake({ agentId, sessionKey, owner: isOwner !== false, bounds: boundsOf(view) }, text, mode)
    return { woken: sessionKey, mode }
  }

  /** The jobs that this session may know of: those that are for itself, where it may have less than its agent. */
  #mine(): readonly Job[] {
    const { context } = this.#options.view()
    const jobs = this.#store.list()
    if (!isKeptToItself(context)) return jobs
    const own = context.sessionKey.toLowerCase()
    return jobs.filter(
      ({ agentId, sessionKey }) => agentId === context.agentId && sessionKey.toLowerCase() === own,
    )
  }

  /** What the runs of a job of this session are kept to. For another agent, or another model, there are other rules. */
  #bounds({ agentId }: Pick<Job, 'agentId'>, payload: Payload): Bounds {
    const view = this.#options.view()
    const isOtherModel = payload.kind === 'agentTurn' && payload.model !== undefined
    return boundsOf(view, agentId !== view.context.agentId || isOtherModel)
  }

  /** Whoever changes what a job does, or where, answers for it; nobody gets more by another change than both have. */
  #answerable(before: Job, after: Job): Pick<Job, 'owner'> & Bounds {
    const { context } = this.#options.view()
    const bounds = this.#bounds(after, after.payload)
    const isOwner = context.isOwner !== false
    if (after.payload !== before.payload) return { owner: isOwner, ...bounds }
    return { owner: before.owner && isOwner, ...withinBoth(before, bounds) }
  }

  async #change(change: (jobs: readonly Job[]) => readonly Job[]): Promise<readonly Job[]> {
    const jobs = await this.#store.update(change)
    this.#options.services.automation?.changed()
    return jobs
  }

  #id(args: Args): string {
    const id = args['jobId']
    if (typeof id !== 'string')
      throw new OpenClawError('INPUT_INVALID', `${String(args['action'])} needs a jobId`)
    const jobs = this.#mine()
    const known = jobs.find((job) => job.id === id) ?? jobs.find((job) => job.name === id)
    return known?.id ?? this.#unknown(id)
  }

  #unknown(id: string): never {
    const jobs = this.#mine()
    const near = suggest(
      id,
      jobs.flatMap((job) => [job.id, job.name]),
      3,
    )
    throw new OpenClawError('INPUT_INVALID', `there is no job ${showName(id)}`, {
      hints: [...near, 'action: list'],
    })
  }

  #gateway(what: string) {
    const { automation } = this.#options.services
    if (automation !== undefined) return automation
    throw new OpenClawError('TOOL_UNAVAILABLE', `it needs a running Gateway ${what}`, {
      hints: ['openclaw gateway run'],
    })
  }

  /** The agent that works and the session that is told, see `placeOf`; not elsewhere from a session that may have less than its agent. Error: TOOL_DENIED. */
  #place(agentId: unknown, sessionKey: unknown): Pick<Job, 'agentId' | 'sessionKey'> {
    const { config, context } = this.#options.view()
    const place = placeOf(config, context, agentId, sessionKey)
    const isOwn =
      place.agentId === context.agentId && place.sessionKey.toLowerCase() === context.sessionKey.toLowerCase()
    if (isOwn || !isBound(context)) return place
    throw new OpenClawError('TOOL_DENIED', 'this session may make jobs for itself only')
  }

  /** Where the last words go; a session may send them where it may send messages. Errors as of the message tool, and TOOL_DENIED for a session without it. */
  #delivery(given: unknown): JobDelivery | null {
    if (!isRecord(given) || given['mode'] !== 'announce') return null
    const options = this.#options
    requireMessages(options.view())
    const channels = requireChannels(options, 'a delivery')
    const read = (name: string): string | null => (typeof given[name] === 'string' ? given[name] : null)
    const wanted = {
      channel: read('channel'),
      target: read('to'),
      accountId: read('accountId'),
      threadId: null,
    }
    const { adapter, channel, to, accountId } = routeOf(options.view(), channels, wanted)
    return { channel: channel ?? adapter.id, to, accountId }
  }
}
