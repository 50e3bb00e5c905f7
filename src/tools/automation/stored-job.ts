import { isRecord } from '../../config/path-value.ts'
import type { Job, JobState } from './job.ts'
import { longestMs } from './times.ts'

/** What a file holds: jobs, and entries that this program does not understand, which stay in it as they are. */
export interface StoredJobs {
  readonly jobs: readonly Job[]
  readonly others: readonly unknown[]
}

/** Milliseconds since 1970 that a date can say. */
const latestMs = 8.64e15

/** The jobs of a file; null for a text that is none. Of two with one id the first counts. Pure. */
export function readJobs(text: string): StoredJobs | null {
  try {
    const value: unknown = JSON.parse(text)
    if (!isRecord(value) || !Array.isArray(value['jobs'])) return null
    const jobs = new Map<string, Job>()
    const others: unknown[] = []
    for (const entry of value['jobs']) {
      if (isJob(entry) && !jobs.has(entry.id)) jobs.set(entry.id, sound(entry))
      else others.push(entry)
    }
    return { jobs: [...jobs.values()], others }
  } catch {
    return null
  }
}

/** A job without times that are none: a person may have written them. */
function sound(job: Job): Job {
  return {
    ...job,
    createdAtMs: isTime(job.createdAtMs) ? job.createdAtMs : 0,
    updatedAtMs: isTime(job.updatedAtMs) ? job.updatedAtMs : 0,
    state: soundState(job.state),
  }
}

function soundState(state: JobState): JobState {
  const isSound = (key: string, value: unknown): boolean => {
    if (key.endsWith('AtMs')) return isTime(value)
    if (key === 'failures' || key === 'lastDurationMs') return typeof value === 'number' && value >= 0
    return typeof value === 'string'
  }
  return Object.fromEntries(Object.entries(state).filter(([key, value]) => isSound(key, value)))
}

function isJob(value: unknown): value is Job {
  if (!isRecord(value)) return false
  const { id, name, agentId, sessionKey, enabled, schedule, payload, state, toolsAllow, sandboxed } = value
  return (
    [id, name, agentId, sessionKey].every((each) => typeof each === 'string') &&
    typeof enabled === 'boolean' &&
    isSchedule(schedule) &&
    isRecord(payload) &&
    (payload['kind'] === 'systemEvent'
      ? typeof payload['text'] === 'string'
      : typeof payload['message'] === 'string') &&
    // A limit that cannot be read must not become none.
    (toolsAllow === undefined ||
      (Array.isArray(toolsAllow) && toolsAllow.every((each) => typeof each === 'string'))) &&
    (sandboxed === undefined || sandboxed === true) &&
    isRecord(state)
  )
}

function isSchedule(value: unknown): boolean {
  if (!isRecord(value)) return false
  const { kind, atMs, everyMs, anchorMs, expr, tz } = value
  if (kind === 'at') return isTime(atMs)
  if (kind === 'every') return isTime(anchorMs) && Number(everyMs) > 0 && Number(everyMs) <= longestMs
  return kind === 'cron' && typeof expr === 'string' && (tz === undefined || typeof tz === 'string')
}

function isTime(value: unknown): boolean {
  return typeof value === 'number' && Number.isFinite(value) && Math.abs(value) <= latestMs
}
