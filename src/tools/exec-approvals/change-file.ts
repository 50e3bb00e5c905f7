import { readFileSync } from 'node:fs'
import { agentKey } from '../../config/agents.ts'
import { isRecord } from '../../config/path-value.ts'
import { withLock } from '../../config/write/lock.ts'
import {
  ensureDirectory,
  openTarget,
  putInPlace,
  realFile,
  stage,
  sweep,
  syncDirectory,
} from '../../config/write/target.ts'
import { writeError } from '../../config/write/write-error.ts'
import { approvalsFile, damaged, parseApprovals } from './file.ts'
import type { NewEntry } from './found.ts'

/** A part of the file that a change may write to. */
export type Fields = Record<string, unknown>

/** Whether a part of the file is an object, which a change may write to. */
export function isWritable(value: unknown): value is Fields {
  return isRecord(value)
}

/** Whether a value of an allowlist is an entry for the same calls; the oldest files have bare patterns. */
export function isSame(value: unknown, { pattern, argPattern }: NewEntry): boolean {
  if (typeof value === 'string') return value === pattern && argPattern === undefined
  return isRecord(value) && value['pattern'] === pattern && (value['argPattern'] ?? undefined) === argPattern
}

/** The allowlist of an agent, or of every agent as `*`, under whatever spelling it stands there, made where there is none. CONFIG_INVALID for a damaged one. */
export function listOf(file: string, root: Fields, agentId: string): unknown[] {
  const agents = sectionIn(file, root, 'agents')
  const spelt = (id: string): boolean => id !== '*' && agentKey(id) === agentKey(agentId)
  const agent = sectionIn(
    file,
    agents,
    (agentId === '*' ? undefined : Object.keys(agents).find(spelt)) ?? agentId,
  )
  const known: unknown = agent['allowlist'] ?? []
  if (!Array.isArray(known)) throw damaged(file, 'an allowlist is no list')
  const list: unknown[] = known
  agent['allowlist'] = list
  return list
}

function sectionIn(file: string, fields: Fields, name: string): Fields {
  const known = Object.hasOwn(fields, name) ? fields[name] : undefined
  if (isWritable(known)) return known
  // What is not understood is not written over.
  if (known !== undefined) throw damaged(file, `${name} is no object`)
  const made: Fields = {}
  // An agent may have the name of something that every object has.
  Object.defineProperty(fields, name, { value: made, enumerable: true, writable: true, configurable: true })
  return made
}

/**
 * Changes the approvals file while nobody else does, in one step; the change says whether there is anything to write. Everything that it
 * does not touch stays. Errors: CONFIG_INVALID for a damaged file, CONFIG_READONLY, CONFIG_CONFLICT as every write.
 */
export async function changeApprovals(
  stateDir: string,
  edit: (root: Fields) => boolean,
  limitMs?: number,
): Promise<void> {
  const file = approvalsFile(stateDir)
  ensureDirectory(file)
  const real = realFile(file)
  await withLock(real, limitMs === undefined ? {} : { limitMs }, async () => {
    sweep(real)
    const text = textOf(real)
    const root: Fields =
      text === null ? { version: 1 } : { version: 1, ...structuredClone(parseApprovals(file, text).root) }
    if (!edit(root)) return
    const target = openTarget(file)
    try {
      putInPlace(stage(await textFor(root, text), real, target), real)
      syncDirectory(stateDir)
    } catch (error) {
      throw writeError(error, file, 'write')
    }
  })
}

/** The new text; of a file that a person wrote in JSON5, comments and everything that did not change stay as they are. */
async function textFor(root: Fields, before: string | null): Promise<string> {
  if (before !== null && !isJson(before)) {
    const [{ scan }, { createEditor }] = await Promise.all([
      import('../../config/scan.ts'),
      import('../../config/edit/editor.ts'),
    ])
    const scanned = scan(before)
    if (scanned.problem === null) {
      const editor = createEditor(before, scanned.root, { json: false })
      editor.set([], root)
      return editor.text()
    }
  }
  return `${JSON.stringify(root, null, 2)}\n`
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

function textOf(file: string): string | null {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
    throw writeError(error, file, 'read')
  }
}
