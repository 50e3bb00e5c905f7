import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { agentKey } from '../../config/agents.ts'
import { createDocument } from '../../config/document.ts'
import { isRecord } from '../../config/path-value.ts'
import { toValue } from '../../config/scan.ts'
import { OpenClawError } from '../../kernel/errors.ts'
import { formatPath } from '../../kernel/path.ts'
import { asks, securities, type AllowlistEntry, type Ask, type Layer, type Security } from './types.ts'

type Fields = Readonly<Record<string, unknown>>

/** The approvals file as it stands on this machine; an absent file says nothing. */
export interface ApprovalsFile {
  readonly path: string
  readonly root: Fields
}

/** What the file says for one agent. */
export interface FilePolicy {
  readonly security: { readonly word: Security; readonly from: Layer } | null
  readonly ask: { readonly word: Ask; readonly from: Layer } | null
  readonly askFallback: Security
  readonly autoAllowSkills: boolean
  /** Entries for every agent, then those of this one. */
  readonly allowlist: readonly AllowlistEntry[]
}

/** A file that says nothing. */
export const silentFile: FilePolicy = {
  security: null,
  ask: null,
  askFallback: 'deny',
  autoAllowSkills: false,
  allowlist: [],
}

const largestFile = 4 * 1024 * 1024

/** Path of the approvals file of this machine. */
export function approvalsFile(stateDir: string): string {
  return join(stateDir, 'exec-approvals.json')
}

/** The error of a file that says something nobody understands; commands on this machine are then refused, since it may have forbidden them. */
export function damaged(path: string, what: string): OpenClawError {
  return new OpenClawError('CONFIG_INVALID', `${path}: ${what}`, {
    hints: [`correct ${path}, or move it away: without it the config alone decides`],
    data: { file: path },
  })
}

/** Reads the approvals file; null where there is none. Error: CONFIG_INVALID for a file that cannot be read or is of another version. */
export function readApprovals(stateDir: string): ApprovalsFile | null {
  const path = approvalsFile(stateDir)
  let text: string
  try {
    const stats = statSync(path, { throwIfNoEntry: false })
    if (stats === undefined) return null
    if (!stats.isFile()) throw damaged(path, 'it is no file')
    if (stats.size > largestFile) throw damaged(path, 'it is larger than 4 MiB')
    text = readFileSync(path, 'utf8')
  } catch (error) {
    if (error instanceof OpenClawError) throw error
    throw damaged(path, `it cannot be read (${error instanceof Error ? error.message : String(error)})`)
  }
  return parseApprovals(path, text)
}

/** JSON, or JSON5 as in the config: people write this file by hand, too. */
function valueOf(path: string, text: string): unknown {
  const plain = text.startsWith('\ufeff') ? text.slice(1) : text
  try {
    return JSON.parse(plain)
  } catch {
    const document = createDocument(path, plain, undefined)
    const scanned = document.scanned()
    if (scanned.problem === null) return toValue(scanned.root)
    const { line, column } = document.position(scanned.problem.offset)
    throw damaged(
      path,
      `it is no JSON5: line ${line}, column ${column}: expected ${scanned.problem.expected}`,
    )
  }
}

/** The approvals file from its text, which is JSON or JSON5; errors as `readApprovals`. */
export function parseApprovals(path: string, text: string): ApprovalsFile {
  const root = valueOf(path, text)
  if (!isRecord(root)) throw damaged(path, 'it holds no object')
  const version = root['version']
  if (version !== undefined && version !== 1)
    throw damaged(path, `version ${JSON.stringify(version)} is not known, only 1`)
  return { path, root }
}

/** The sections that speak for an agent, the most specific first, with their names. */
function sectionsOf({ path, root }: ApprovalsFile, agentId: string): readonly (readonly [string, Fields])[] {
  const section = (value: unknown, name: string): Fields | null => {
    if (value === undefined) return null
    if (!isRecord(value)) throw damaged(path, `${name} is no object`)
    return value
  }
  const agents = section(root['agents'], 'agents') ?? {}
  const own = Object.keys(agents).find((id) => id !== '*' && agentKey(id) === agentKey(agentId))
  const named: readonly (readonly [string, unknown])[] = [
    ...(own === undefined ? [] : [[formatPath(['agents', own]), agents[own]] as const]),
    [formatPath(['agents', '*']), agents['*']],
    ['defaults', root['defaults']],
  ]
  return named.flatMap(([name, value]) => {
    const fields = section(value, name)
    return fields === null ? [] : [[name, fields] as const]
  })
}

/** What the file says for an agent: of each field the most specific one that is set (policy facts §8). Errors as `readApprovals`. */
export function filePolicy(file: ApprovalsFile | null, agentId: string): FilePolicy {
  if (file === null) return silentFile
  const sections = sectionsOf(file, agentId)
  const word = <Word extends string>(
    key: string,
    words: readonly Word[],
  ): { readonly word: Word; readonly from: Layer } | null => {
    for (const [name, fields] of sections) {
      const value = fields[key]
      if (value === undefined || value === null) continue
      const known = words.find((each) => each === value)
      if (known === undefined)
        throw damaged(file.path, `${name}.${key} is ${JSON.stringify(value)}, not one of ${words.join(', ')}`)
      return { word: known, from: { name: 'exec-approvals', path: `${name}.${key}` } }
    }
    return null
  }
  return {
    security: word('security', securities),
    ask: word('ask', asks),
    askFallback: word('askFallback', securities)?.word ?? 'deny',
    autoAllowSkills:
      sections.map(([, fields]) => fields['autoAllowSkills']).find((each) => typeof each === 'boolean') ===
      true,
    allowlist: sections
      .filter(([name]) => name !== 'defaults')
      .toReversed()
      .flatMap(([name, fields]) => entriesOf(fields['allowlist'], `${name}.allowlist`, file.path)),
  }
}

/** Entries that are damaged allow nothing, and are left out; anything but a list says that the file is not what it seems. */
function entriesOf(value: unknown, name: string, path: string): readonly AllowlistEntry[] {
  if (value === undefined || value === null) return []
  if (!Array.isArray(value)) throw damaged(path, `${name} is no list`)
  return value.flatMap((each: unknown): AllowlistEntry[] => {
    // The oldest files have bare patterns.
    const fields = typeof each === 'string' ? { pattern: each } : each
    return isEntry(fields) ? [fields] : []
  })
}

/** Whether a value is an entry that can allow something. */
export function isEntry(value: unknown): value is AllowlistEntry {
  if (!isRecord(value)) return false
  const { pattern, argPattern } = value
  return (
    typeof pattern === 'string' &&
    pattern.trim() !== '' &&
    (argPattern === undefined || argPattern === null || typeof argPattern === 'string')
  )
}
