import { randomUUID } from 'node:crypto'
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
import type { NewEntry } from './found.ts'
import { approvalsFile, parseApprovals } from './file.ts'
import type { RememberedCommands } from './remembered.ts'
import type { AllowlistEntry } from './types.ts'

export { readRemembered } from './remembered.ts'

type Fields = Record<string, unknown>

/**
 * Adds the entries of a lasting yes to the allowlist of its agent; entries that are there stay as they are. Everything else in the file is
 * kept. Errors: CONFIG_INVALID for a damaged file, CONFIG_READONLY, CONFIG_CONFLICT as every write.
 */
export function rememberCommands(
  stateDir: string,
  { agentId, entries, command }: RememberedCommands,
  approvalId: string,
  now: number,
): Promise<void> {
  return change(stateDir, (root) => {
    const agent = agentIn(root, agentId)
    const list: unknown[] = Array.isArray(agent['allowlist']) ? agent['allowlist'] : []
    const added = entries
      .filter((entry) => !list.some((each) => isSame(each, entry)))
      .map((entry) => ({
        id: randomUUID(),
        ...entry,
        source: 'allow-always',
        approvalId,
        commandText: command,
        addedAt: now,
      }))
    if (added.length === 0) return false
    agent['allowlist'] = [...list, ...added]
    return true
  })
}

/** Takes back what a lasting yes has added; false where nothing of it was left. Errors as `rememberCommands`. */
export async function forgetCommands(stateDir: string, approvalId: string): Promise<boolean> {
  let removed = false
  await change(stateDir, (root) => {
    for (const agent of Object.values(isRecord(root['agents']) ? root['agents'] : {})) {
      if (!isWritable(agent)) continue
      const list: unknown = agent['allowlist']
      if (!Array.isArray(list)) continue
      const kept = list.filter((each) => !isRecord(each) || each['approvalId'] !== approvalId)
      if (kept.length === list.length) continue
      agent['allowlist'] = kept
      removed = true
    }
    return removed
  })
  return removed
}

/** Milliseconds to wait for others who write the file, where the note matters less than the command. */
const noteLimitMs = 1_000

/** Notes when entries were last used. Errors as `rememberCommands`; it does not wait long for other writers. */
export function noteUse(
  stateDir: string,
  used: readonly { readonly entry: AllowlistEntry; readonly path: string }[],
  command: string,
  now: number,
): Promise<void> {
  return change(
    stateDir,
    (root) => {
      let hasChanged = false
      for (const agent of Object.values(isRecord(root['agents']) ? root['agents'] : {})) {
        if (!isRecord(agent) || !Array.isArray(agent['allowlist'])) continue
        for (const each of agent['allowlist']) {
          const use = isWritable(each) ? used.find(({ entry }) => isSame(each, entry)) : undefined
          if (use === undefined || !isWritable(each)) continue
          each['lastUsedAt'] = now
          each['lastUsedCommand'] = command
          each['lastResolvedPath'] = use.path
          hasChanged = true
        }
      }
      return hasChanged
    },
    noteLimitMs,
  )
}

function isWritable(value: unknown): value is Fields {
  return isRecord(value)
}

function isSame(value: unknown, { pattern, argPattern }: NewEntry): boolean {
  return isRecord(value) && value['pattern'] === pattern && (value['argPattern'] ?? undefined) === argPattern
}

/** The section of an agent under whatever spelling it stands there, made where there is none. */
function agentIn(root: Fields, agentId: string): Fields {
  const agents: Fields = isWritable(root['agents']) ? root['agents'] : {}
  root['agents'] = agents
  const name = Object.keys(agents).find((id) => id !== '*' && agentKey(id) === agentKey(agentId)) ?? agentId
  const known = Object.hasOwn(agents, name) ? agents[name] : undefined
  if (isWritable(known)) return known
  const made: Fields = {}
  Object.defineProperty(agents, name, { value: made, enumerable: true, writable: true, configurable: true })
  return made
}

/** Changes the file while nobody else does, in one step; the change says whether there is anything to write. */
async function change(stateDir: string, edit: (root: Fields) => boolean, limitMs?: number): Promise<void> {
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
