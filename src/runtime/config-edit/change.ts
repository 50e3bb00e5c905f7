import { editions, type EditionId } from '../../catalog/edition.ts'
import { envValue, findConfig, stdinFile } from '../../config/find.ts'
import type { LoadedConfig, LoadOptions } from '../../config/load.ts'
import { commit, isConflict, recover, type CommitOptions } from '../../config/write/commit.ts'
import { withLock } from '../../config/write/lock.ts'
import { ensureDirectory, hasLeftovers, realFile, sweep } from '../../config/write/target.ts'
import { OpenClawError } from '../../kernel/errors.ts'
import type { Config } from '../../config/types.ts'
import type { Notice } from '../../kernel/path.ts'
import { editionOf } from '../config-view.ts'
import { acceptEdit } from './accept.ts'
import { openForEdit } from './open-for-edit.ts'
import { showChange, type ShownChange } from './changes.ts'
import type { Effects, Side } from './effects.ts'
import { touchesPolicy } from './touches-policy.ts'
import type { Edited } from './workspace.ts'

/** Who changes a config, and how. */
export interface ChangeOptions {
  readonly load: LoadOptions
  readonly edition: EditionId | undefined
  readonly dryRun: boolean
  /** What the audit is told: the command, and its arguments without secrets. */
  readonly command: string
  readonly argv: readonly string[]
  readonly signal?: AbortSignal | undefined
  /** Told once when another process keeps the config for long. */
  readonly onWait?: () => void
  /** Whether the config may be one that cannot be read. */
  readonly mends?: boolean
}

/** What a writer answers (contract §6). */
export interface WriteResult {
  readonly file: string
  readonly changes: readonly ShownChange[]
  readonly dryRun: boolean
  /** The newest backup of the first file that was changed; null when there is none. */
  readonly backup: string | null
  readonly notices: readonly Notice[]
  /** Every file that was changed, or would be. */
  readonly files: readonly { readonly file: string; readonly backup: string | null }[]
  /** What it does to the tools of each agent's main session; absent when it cannot do anything to them. */
  readonly tools?: Effects
}

/** The answer of a writer with what its rendering needs. */
export interface Outcome {
  readonly result: WriteResult
  readonly edited: Edited
}

/** Makes an edit out of the config as it is at that moment; run again when another program was faster. */
export type Plan = (
  loaded: LoadedConfig,
  edition: EditionId,
) => Promise<{
  readonly edited: Edited
  readonly undo?: CommitOptions['undo']
}>

/** How long another program may be faster each time before the write is given up, in seconds. */
const patience = 20

/** Refuses (CONFIG_READONLY) to write where the environment says that the config is managed elsewhere. */
export function refuseReadOnly({ env }: LoadOptions): void {
  const managed = ['OPENCLAW_CONFIG_READONLY', 'OPENCLAW_NIX_MODE'].find(
    (name) => envValue(env, name) === '1',
  )
  if (managed === undefined) return
  throw new OpenClawError(
    'CONFIG_READONLY',
    `${managed}=1: this config is managed elsewhere and not written here`,
    {
      hints: ['change it where it is managed', '--dry-run shows what would change'],
      data: { variable: managed },
    },
  )
}

/** What somebody who cannot write wants to know of. */
const unchanged = 'the config'

async function withLocks<Result>(
  files: readonly string[],
  signal: AbortSignal | undefined,
  work: () => Promise<Result>,
): Promise<Result> {
  const [first, ...rest] = files
  if (first === undefined) return work()
  return withLock(first, { signal, unchanged }, () => withLocks(rest, signal, work))
}

/** An edit that may be written, with both sides of it. */
interface Draft extends Outcome {
  readonly undo: CommitOptions['undo']
  readonly before: Side | null
  readonly after: Side | null
}

/** What an edit would do, without doing it. */
async function preview(plan: Plan, options: ChangeOptions): Promise<Draft> {
  const { loaded, readable } = await openForEdit(options.load, options.mends === true)
  const editionBefore = editionOf(loaded, options.edition)
  const { edited, undo } = await plan(loaded, editionBefore)
  const { before, after } = edited
  const edition = editionOf(after, options.edition)
  const accepted = await acceptEdit(
    edited,
    { before: editionBefore, after: edition },
    {
      strict: readable && undo === undefined,
    },
  )
  const side = (config: Config | null, of: EditionId, from: LoadedConfig): Side | null =>
    config && { config, edition: editions[of], loaded: from }
  return {
    edited,
    undo,
    before: side(accepted.before, editionBefore, before),
    after: side(accepted.after, edition, after),
    result: {
      file: before.file,
      changes: edited.changes.map((change) => showChange(change, before.authored, after.authored)),
      dryRun: options.dryRun,
      backup: null,
      notices: [...edited.notices, ...accepted.notices],
      files: edited.files.map(({ file }) => ({ file, backup: null })),
    },
  }
}

/** Clears what killed writers have left beside included files; nobody may be writing them meanwhile. */
async function tidyIncluded(files: Iterable<string>): Promise<void> {
  for (const real of new Set([...files].map(realFile))) {
    if (hasLeftovers(real)) await withLock(real, { limitMs: 0 }, async () => sweep(real)).catch(() => {})
  }
}

async function write(plan: Plan, options: ChangeOptions, file: string): Promise<Draft> {
  const { stateDir } = await findConfig(options.load)
  const restored = recover(stateDir, file)
  const draft = await preview(plan, options)
  await tidyIncluded(draft.edited.before.documents.keys())
  const { edited, result, undo } = draft
  const notices = [...result.notices]
  if (restored.length > 0) {
    const message = `an earlier write was cut off between two files; ${restored.join(', ')} went back to what it was`
    notices.unshift({ id: 'write-recovered', severity: 'warning', message, location: null })
  }
  if (edited.files.length === 0) return { ...draft, result: { ...result, notices } }
  const included = edited.files.flatMap((change) => (change.file === file ? [] : [realFile(change.file)]))
  const { backups, problems } = await withLocks(included.toSorted(), options.signal, async () =>
    commit(edited.files, {
      config: file,
      stateDir,
      command: options.command,
      argv: options.argv,
      changes: result.changes,
      cwd: options.load.cwd,
      ...(undo && { undo }),
    }),
  )
  const backupOf = (path: string): string | null => backups.get(path) ?? null
  const files = edited.files.map((change) => ({ file: change.file, backup: backupOf(change.file) }))
  return {
    ...draft,
    result: {
      ...result,
      backup: files.findLast(({ backup }) => backup !== null)?.backup ?? null,
      files,
      notices: [
        ...notices,
        ...problems.map((message): Notice => ({
          id: 'write-incomplete',
          severity: 'warning',
          message,
          location: null,
        })),
      ],
    },
  }
}

/**
 * Changes a config: reads, plans, validates and writes it while no other process of this program does, and starts again when
 * another program was faster. With `dryRun` nothing is locked or written.
 * Errors: those of the plan, CONFIG_INVALID, CONFIG_CONFLICT, CONFIG_READONLY, USAGE for a config on stdin.
 */
export async function changeConfig(plan: Plan, options: ChangeOptions): Promise<Outcome> {
  const { file } = await findConfig(options.load)
  if (file === stdinFile) {
    throw new OpenClawError('USAGE', 'a config that is read from stdin cannot be written', {
      hints: ['name a file: --config FILE'],
    })
  }
  if (options.dryRun) return withEffects(await preview(plan, options), options.load)
  refuseReadOnly(options.load)
  ensureDirectory(file)
  const done = await withLock(
    realFile(file),
    { signal: options.signal, onWait: options.onWait, unchanged },
    async () => {
      const start = process.uptime()
      for (;;) {
        try {
          return await write(plan, options, file)
        } catch (error) {
          if (!isConflict(error) || process.uptime() - start > patience) throw error
        }
      }
    },
  )
  return withEffects(done, options.load)
}

/** Adds what an edit does to tools; the lock is not held for that. */
async function withEffects({ edited, result, before, after }: Draft, machine: LoadOptions): Promise<Outcome> {
  const paths = edited.changes.map(({ path }) => path)
  if (before === null || after === null || !touchesPolicy(paths)) return { edited, result }
  const { effectsOf } = await import('./effects.ts')
  return { edited, result: { ...result, tools: await effectsOf(before, after, paths, machine) } }
}
