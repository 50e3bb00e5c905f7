import {
  appendFileSync,
  copyFileSync,
  existsSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { makeDirectory } from '../../config/make-directory.ts'
import { withLock } from '../../config/write/lock.ts'
import { openTarget, putInPlace, stage, sweep, syncDirectory } from '../../config/write/target.ts'
import { textIfThere } from '../../sessions/text-file.ts'
import type { Job, RunRecord } from './job.ts'
import { readJobs, type StoredJobs } from './stored-job.ts'

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
  #seen: { readonly stamp: string; readonly stored: StoredJobs } | null = null

  constructor(stateDir: string, tell: (text: string) => void) {
    this.#directory = join(stateDir, 'cron')
    this.#runs = join(this.#directory, 'runs')
    this.file = join(this.#directory, 'jobs.json')
    this.#tell = tell
  }

  /** The jobs as they are stored now. */
  list(): readonly Job[] {
    return this.#stored().jobs
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
      const { jobs: before, others } = this.#stored()
      const jobs = change(before)
      if (jobs === before) return jobs
      sweep(this.file)
      if (existsSync(this.file)) copyFileSync(this.file, `${this.file}.bak`)
      const text = `${JSON.stringify({ version: 1, jobs: [...jobs, ...others] }, null, 2)}\n`
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
      const lines = (textIfThere(file) ?? '').split('\n').filter((line) => line !== '')
      const temporary = `${file}.tmp`
      writeFileSync(temporary, `${lines.slice(Math.ceil(lines.length / 2)).join('\n')}\n`, { mode: 0o600 })
      renameSync(temporary, file)
    }
    // A crash may have cut the last line short.
    const gap = size > 0 && !(textIfThere(file) ?? '\n').endsWith('\n') ? '\n' : ''
    appendFileSync(file, `${gap}${JSON.stringify(record)}\n`, { mode: 0o600 })
  }

  /** The last runs of a job, the newest first. */
  history(jobId: string, limit: number): readonly unknown[] {
    const lines = (textIfThere(this.#history(jobId)) ?? '').split('\n')
    const runs = lines.flatMap((line): unknown[] => {
      try {
        return [JSON.parse(line)]
      } catch {
        return []
      }
    })
    return runs.slice(-limit).toReversed()
  }

  #stored(): StoredJobs {
    const stamp = this.stamp()
    if (this.#seen?.stamp === stamp) return this.#seen.stored
    const text = textIfThere(this.file)
    const backup = (): StoredJobs | null => readJobs(textIfThere(`${this.file}.bak`) ?? '')
    const stored = (text === null ? null : (readJobs(text) ?? backup())) ?? { jobs: [], others: [] }
    this.#seen = { stamp, stored }
    return stored
  }

  #history(jobId: string): string {
    return join(this.#runs, `${jobId.replace(/[^\w-]/g, '_')}.ndjson`)
  }

  #repair(): void {
    const text = textIfThere(this.file)
    if (text === null || readJobs(text) !== null) return
    const aside = `${this.file}.unreadable`
    renameSync(this.file, aside)
    const before = textIfThere(`${this.file}.bak`)
    const isSaved = before !== null && readJobs(before) !== null
    if (isSaved) copyFileSync(`${this.file}.bak`, this.file)
    this.#tell(
      `${this.file} could not be read and is now ${aside}; ${isSaved ? 'the jobs are those before its last change' : 'there are no jobs any more'}`,
    )
  }
}
