import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { findConfig, stdinFile } from '../../config/find.ts'
import { loadConfig, type LoadedConfig, type LoadOptions } from '../../config/load.ts'
import { parseDocument } from '../../config/read.ts'
import { OpenClawError } from '../../kernel/errors.ts'
import type { Path } from '../../kernel/path.ts'
import { changesBetween, showChange, type ShownChange } from './changes.ts'
import { includePlaces, unifiedDiff } from './file-diff.ts'
import { currentText, lastWrite, statesBefore } from './undo.ts'

/** What `config diff` answers. */
export interface Comparison {
  readonly file: string
  /** What the config is compared with; a backup, or the file asked for. */
  readonly other: string
  readonly changes: readonly ShownChange[]
  /** Unified, secrets replaced. */
  readonly diff: string
}

interface Pair {
  readonly file: string
  readonly other: string
  readonly before: string | null
  readonly after: string | null
}

function readable(file: string): string {
  const text = currentText(file)
  if (text !== null) return text
  throw new OpenClawError('CONFIG_NOT_FOUND', `${file} does not exist`, { data: { file } })
}

/** The files of the last write with what they were before it; without a known write the config and its newest backup. */
function lastStates(stateDir: string, file: string): Pair[] {
  const record = lastWrite(stateDir, file)
  if (record !== null) {
    return statesBefore(record).map(({ change, backup }) => ({
      file: change.file,
      other: backup ?? '/dev/null',
      before: change.after,
      after: change.before,
    }))
  }
  const backup = `${file}.bak`
  if (existsSync(backup)) return [{ file, other: backup, before: readable(backup), after: readable(file) }]
  throw new OpenClawError('CONFIG_NOT_FOUND', `${file} has no backup to be compared with`, {
    hints: ['openclaw config diff FILE compares it with another file'],
    data: { file },
  })
}

/** What a text says; of one that cannot be read only the lines can be compared. */
async function valueOf(file: string, text: string | null): Promise<unknown> {
  try {
    return text === null ? {} : (await parseDocument(file, text)).document.value
  } catch {
    return null
  }
}

/** What changed in a config: since its last write, through includes too, or against another file. Errors: CONFIG_NOT_FOUND, CONFIG_CONFLICT when a backup is gone, USAGE. */
export async function compareConfig(load: LoadOptions, other: string | undefined): Promise<Comparison> {
  const { file, stateDir } = await findConfig(load)
  if (file === stdinFile)
    throw new OpenClawError('USAGE', 'config diff needs a config file', { hints: ['--config FILE'] })
  const pairs = other === undefined ? lastStates(stateDir, file) : [otherFile(file, resolve(load.cwd, other))]
  let loaded: LoadedConfig | null = null
  try {
    loaded = await loadConfig(load)
  } catch {
    // Where the config cannot be read, what differs shows why.
  }
  const places: ReadonlyMap<string, Path> = loaded ? includePlaces(loaded) : new Map()
  const changes: ShownChange[] = []
  const diffs: string[] = []
  for (const { file: name, other: from, before, after } of pairs) {
    const base = places.get(name) ?? []
    diffs.push(unifiedDiff({ from, to: name, before, after, base }))
    const [old, now] = [await valueOf(from, before), await valueOf(name, after)]
    if (old === null || now === null) continue
    changes.push(...changesBetween(old, now, base).map((change) => showChange(change, null, null)))
  }
  return { file, other: pairs[0]?.other ?? '', changes, diff: diffs.filter((each) => each !== '').join('\n') }
}

function otherFile(file: string, other: string): Pair {
  return { file, other, before: readable(other), after: readable(file) }
}
