import {
  appendFileSync,
  copyFileSync,
  existsSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { makeDirectory } from '../../config/make-directory.ts'
import { isRecord } from '../../config/path-value.ts'
import { withLock } from '../../config/write/lock.ts'
import { openTarget, putInPlace, stage, sweep, syncDirectory } from '../../config/write/target.ts'
import type { Job, RunRecord } from './job.ts'

/** Bytes of a history after which its older half goes. */
const mostHistoryBytes = 256 * 1024

/**
 * Jobs as a file of the state directory, which is replaced as a whole under a lock, so that a crash leaves the old or the new one; the one
 * before is kept beside it. A file that cannot be read is moved away, and the one before takes its place.
 */
export class JobStore {
  readonly file: string
  readonly #directory: string
  readonly #runs: string
  readonly #tell: (text: string) => void
  #seen: { readonly stamp: string; readonly jobs: readonly Job[] } | null = null

  constructor(stateDir: string, tell: (text: string) => void) {
    this.#directory = join(stateDir, 'cron')
    this.#runs = join(this.#directory, 'runs')
    this.file = join(this.#directory, 'jobs.json')
    this.#tell = tell
  }

  /** The jobs as they are stored now. */
  list(): readonly Job[] {
    const stamp = this.stamp()
    if (this.#seen?.stamp === stamp) return this.#seen.jobs
    const text = textOf(this.file)
    const jobs = text === null ? [] : (parse(text) ?? parse(textOf(`${this.file}.bak`) ?? '') ?? [])
    this.#seen = { stamp, jobs }
    return jobs
  }

  /** What tells one state of the file from another. */
  stamp(): string {
    const seen = statSync(this.file, { throwIfNoEntry: false })
    return seen === undefined ? '' : `${seen.ino} ${seen.size} ${seen.mtimeMs}`
  }

  /** Changes the jobs as they are at that moment; the same list back changes nothing. */
  async update(change: (jobs: readonly Job[]) => readonly Job[]): Promise<readonly Job[]> {
    makeDirectory(this.#directory)
    return withLock(this.file, {}, async () => {
      this.#repair()
      const before = this.list()
      const jobs = change(before)
      if (jobs === before) return jobs
      sweep(this.file)
      if (existsSync(this.file)) copyFileSync(this.file, `${this.file}.bak`)
      const text = `${JSON.stringify({ version: 1, jobs }, null, 2)}\n`
      putInPlace(stage(text, this.file, openTarget(this.file)), this.file)
      syncDirectory(this.#directory)
      const kept = new Set(jobs.map(({ id }) => id))
      for (const { id } of before) if (!kept.has(id)) rmSync(this.#history(id), { force: true })
      return jobs
    })
  }

  /** Writes the end of a run into the history of its job; the oldest give way. */
  record(jobId: string, record: RunRecord): void {
    makeDirectory(this.#runs)
    const file = this.#history(jobId)
    const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0
    if (size > mostHistoryBytes) {
      const lines = (textOf(file) ?? '').split('\n').filter((line) => line !== '')
      const temporary = `${file}.tmp`
      writeFileSync(temporary, `${lines.slice(Math.ceil(lines.length / 2)).join('\n')}\n`, { mode: 0o600 })
      renameSync(temporary, file)
    }
    // A crash may have cut the last line short.
    const gap = size > 0 && !(textOf(file) ?? '\n').endsWith('\n') ? '\n' : ''
    appendFileSync(file, `${gap}${JSON.stringify(record)}\n`, { mode: 0o600 })
  }

  /** The last runs of a job, the newest first. */
  history(jobId: string, limit: number): readonly unknown[] {
    const lines = (textOf(this.#history(jobId)) ?? '').split('\n')
    const runs = lines.flatMap((line): unknown[] => {
      try {
        return [JSON.parse(line)]
      } catch {
        return []
      }
    })
    return runs.slice(-limit).toReversed()
  }

  #history(jobId: string): string {
    return join(this.#runs, `${jobId.replace(/[^\w-]/g, '_')}.ndjson`)
  }

  #repair(): void {
    const text = textOf(this.file)
    if (text === null || parse(text) !== null) return
    const aside = `${this.file}.unreadable`
    renameSync(this.file, aside)
    const before = textOf(`${this.file}.bak`)
    const isSaved = before !== null && parse(before) !== null
    if (isSaved) copyFileSync(`${this.file}.bak`, this.file)
    this.#tell(
      `${this.file} could not be read and is now ${aside}; ${isSaved ? 'the jobs are those before its last change' : 'there are no jobs any more'}`,
    )
  }
}

function textOf(file: string): string | null {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return null
  }
}

/** The jobs of a file; null for a text that is none, single entries that are no jobs are left out. */
function parse(text: string): readonly Job[] | null {
  try {
    const value: unknown = JSON.parse(text)
    return isRecord(value) && Array.isArray(value['jobs']) ? value['jobs'].filter(isJob) : null
  } catch {
    return null
  }
}

function isJob(value: unknown): value is Job {
  if (!isRecord(value)) return false
  const { id, name, agentId, sessionKey, enabled, schedule, payload, state } = value
  return (
    [id, name, agentId, sessionKey].every((each) => typeof each === 'string') &&
    typeof enabled === 'boolean' &&
    isSchedule(schedule) &&
    isRecord(payload) &&
    (payload['kind'] === 'systemEvent'
      ? typeof payload['text'] === 'string'
      : typeof payload['message'] === 'string') &&
    isRecord(state)
  )
}

function isSchedule(value: unknown): boolean {
  if (!isRecord(value)) return false
  const { kind, atMs, everyMs, anchorMs, expr } = value
  const areTimes = (...times: unknown[]): boolean => times.every((time) => Number.isFinite(time))
  if (kind === 'at') return areTimes(atMs)
  if (kind === 'every') return areTimes(everyMs, anchorMs) && Number(everyMs) > 0
  return kind === 'cron' && typeof expr === 'string'
}
