import { nameProblem } from '../catalog/names.ts'
import { availabilityProblem } from '../catalog/sources/availability.ts'
import { reservedPluginIds } from '../catalog/sources/plugin.ts'
import type { Document } from '../config/document.ts'
import { isRecord } from '../config/path-value.ts'
import { formatPath, type Path } from '../kernel/path.ts'
import { suggest } from '../kernel/suggest.ts'
import { showName } from '../kernel/untrusted-text.ts'
import { diagnostic, placeIn, type DiagnosticKind, type PluginDiagnostic } from './diagnostic.ts'

type Severity = PluginDiagnostic['severity']

interface Check {
  readonly expected: string
  readonly test: (value: unknown) => boolean
}

const text: Check = { expected: 'a string', test: (value) => typeof value === 'string' }
const flag: Check = { expected: 'true or false', test: (value) => typeof value === 'boolean' }
const record: Check = { expected: 'an object', test: isRecord }
const list: Check = { expected: 'a list', test: Array.isArray }
const texts: Check = {
  expected: 'a list of strings',
  test: (value) => Array.isArray(value) && value.every((item) => typeof item === 'string'),
}
const anything: Check = { expected: 'anything', test: () => true }
const oneOf = (...allowed: readonly string[]): Check => ({
  expected: allowed.map((item) => JSON.stringify(item)).join(' or '),
  test: (value) => allowed.some((item) => item === value),
})

/** Fields that are read; a wrong one is an error where the plugin cannot do without it, else it is ignored with a warning. */
const fields: Readonly<Record<string, readonly [Check, Severity]>> = {
  id: [text, 'error'],
  name: [text, 'warning'],
  version: [text, 'warning'],
  description: [text, 'warning'],
  kind: [text, 'warning'],
  enabledByDefault: [flag, 'warning'],
  configSchema: [record, 'error'],
  contracts: [record, 'error'],
  toolMetadata: [record, 'warning'],
  skills: [texts, 'warning'],
  entry: [text, 'error'],
}

/** Fields for other parts of the system, and for editors. */
const unreadFields: ReadonlySet<string> = new Set(['$schema', 'activation', 'tools'])

/** Words people write for a field that are no misspelling of it. */
const otherWords: Readonly<Record<string, string>> = {
  main: 'entry',
  config: 'configSchema',
  schema: 'configSchema',
}

const metadataFields: Readonly<Record<string, Check>> = {
  label: text,
  description: text,
  optional: flag,
  profiles: texts,
  risk: oneOf('low', 'medium', 'high'),
  tags: texts,
  catalogMode: oneOf('direct-only'),
  executionMode: oneOf('parallel', 'sequential'),
  availability: anything,
  replaySafe: flag,
  configSignals: anything,
  authSignals: anything,
}

const profiles: ReadonlySet<string> = new Set(['minimal', 'coding', 'messaging', 'full'])

function kindOf(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'a list'
  if (typeof value === 'string') return JSON.stringify(showName(value, 40))
  return typeof value === 'object' ? 'an object' : String(value)
}

class Findings {
  readonly all: PluginDiagnostic[] = []
  readonly #document: Document

  constructor(document: Document) {
    this.#document = document
  }

  add(severity: Severity, path: Path, message: string, about: { kind?: DiagnosticKind; tool?: string } = {}) {
    this.all.push(
      diagnostic({
        kind: about.kind ?? 'manifest',
        severity,
        message,
        file: this.#document.file,
        location: placeIn(this.#document, path),
        ...(about.tool !== undefined && { tool: about.tool }),
      }),
    )
  }

  /** Tells a value of the wrong kind; true where it is the right one. */
  check(value: unknown, { expected, test }: Check, severity: Severity, path: Path): boolean {
    if (test(value)) return true
    this.add(severity, path, `${showName(formatPath(path), 200)}: expected ${expected}, got ${kindOf(value)}`)
    return false
  }
}

/** Everything that is wrong or odd in a manifest, each with its place; unknown fields are told and tolerated. */
export function checkManifest(document: Document): readonly PluginDiagnostic[] {
  const found = new Findings(document)
  const { value } = document
  if (!isRecord(value)) {
    found.add('error', [], `a manifest must be an object, this is ${kindOf(value)}`)
    return found.all
  }
  for (const [key, item] of Object.entries(value)) {
    const field = Object.hasOwn(fields, key) ? fields[key] : undefined
    if (field !== undefined) found.check(item, field[0], field[1], [key])
    else if (!unreadFields.has(key)) unknownField(found, key)
  }
  checkId(found, value['id'])
  if (value['configSchema'] === undefined) {
    const message = 'configSchema is missing, so the settings of the plugin are not checked'
    found.add('warning', ['configSchema'], message)
  }
  const names = checkContracts(found, value['contracts'])
  checkMetadata(found, value['toolMetadata'], names)
  checkOldTools(found, value['tools'], names)
  return found.all
}

function unknownField(found: Findings, key: string): void {
  const near = Object.hasOwn(otherWords, key) ? otherWords[key] : suggest(key, Object.keys(fields), 1)[0]
  const name = JSON.stringify(showName(key))
  if (near === undefined) found.add('info', [key], `the field ${name} is not read`)
  else found.add('warning', [key], `unknown field ${name}; did you mean ${near}?`)
}

/** Ids stand in config paths, policy entries and catalogue ids, so they are plain. */
const usableId = /^@?[A-Za-z0-9](?:[\w./-]{0,126}[\w])?$/

/** Why a text is no plugin id, or null. */
export function idProblem(id: string): string | null {
  if (reservedPluginIds.has(id.toLowerCase())) return 'this id is reserved'
  return usableId.test(id) ? null : 'an id has 1 to 128 letters, digits, . _ - and / only'
}

function checkId(found: Findings, id: unknown): void {
  if (id === undefined) found.add('error', ['id'], 'id is missing')
  if (typeof id !== 'string') return
  const problem = idProblem(id)
  if (problem !== null) found.add('error', ['id'], `id ${JSON.stringify(showName(id))}: ${problem}`)
}

/** Checks `contracts.tools`; returns the declared names. */
function checkContracts(found: Findings, contracts: unknown): ReadonlySet<string> {
  const names = new Set<string>()
  const tools = isRecord(contracts) ? contracts['tools'] : undefined
  if (tools === undefined || !found.check(tools, list, 'error', ['contracts', 'tools'])) return names
  for (const [index, name] of (Array.isArray(tools) ? tools : []).entries()) {
    const path = ['contracts', 'tools', index]
    if (typeof name !== 'string') {
      found.add('error', path, `contracts.tools: expected a tool name, got ${kindOf(name)}`, { kind: 'tool' })
      continue
    }
    const tool = showName(name)
    const problem = nameProblem(name)
    if (problem !== null)
      found.add('error', path, `tool ${JSON.stringify(tool)}: ${problem}`, { kind: 'tool', tool })
    if (names.has(name))
      found.add('info', path, `tool ${JSON.stringify(tool)} is declared twice`, { kind: 'tool', tool })
    names.add(name)
  }
  return names
}

function checkMetadata(found: Findings, metadata: unknown, names: ReadonlySet<string>): void {
  if (!isRecord(metadata)) return
  for (const [name, meta] of Object.entries(metadata)) {
    const path = ['toolMetadata', name]
    const about = { kind: 'tool', tool: showName(name) } as const
    if (!names.has(name)) {
      const [near] = suggest(name, names, 1)
      const hint = near === undefined ? '' : `; did you mean ${showName(near)}?`
      found.add(
        'warning',
        path,
        `toolMetadata names ${about.tool}, which contracts.tools does not declare${hint}`,
        about,
      )
    }
    if (!found.check(meta, record, 'warning', path) || !isRecord(meta)) continue
    for (const [key, item] of Object.entries(meta)) {
      const check = Object.hasOwn(metadataFields, key) ? metadataFields[key] : undefined
      if (check !== undefined) found.check(item, check, 'warning', [...path, key])
      else found.add('info', [...path, key], `the field ${JSON.stringify(showName(key))} is not read`, about)
    }
    checkProfiles(found, meta['profiles'], [...path, 'profiles'], about.tool)
    const availability = availabilityProblem(meta['availability'])
    if (availability !== null)
      found.add(
        'error',
        [...path, 'availability'],
        `${about.tool} is never available: ${availability}`,
        about,
      )
  }
}

function checkProfiles(found: Findings, value: unknown, path: Path, tool: string): void {
  if (!Array.isArray(value)) return
  for (const [index, profile] of value.entries()) {
    if (typeof profile !== 'string' || profiles.has(profile)) continue
    const message = `there is no profile ${JSON.stringify(showName(profile))}; profiles are ${[...profiles].join(', ')}`
    found.add('warning', [...path, index], message, { kind: 'tool', tool })
  }
}

/** Manifests once listed their tools as objects under `tools`; such tools look declared and never reach a model. */
function checkOldTools(found: Findings, tools: unknown, names: ReadonlySet<string>): void {
  if (tools === undefined || !found.check(tools, list, 'warning', ['tools']) || !Array.isArray(tools)) return
  const old = tools.flatMap((tool: unknown) => {
    const name = isRecord(tool) ? tool['name'] : tool
    return typeof name === 'string' ? [name] : []
  })
  const undeclared = old.filter((name) => !names.has(name))
  if (undeclared.length === 0) {
    found.add('info', ['tools'], 'the list "tools" is not read; contracts.tools declares the tools', {
      kind: 'tool',
    })
    return
  }
  const all = JSON.stringify([...names, ...undeclared])
  const are = undeclared.length === 1 ? 'is' : 'are'
  const message = `"tools" is the old shape: ${undeclared.map((name) => showName(name)).join(', ')} ${are} not declared in contracts.tools and not exposed; write "contracts": { "tools": ${all} }`
  found.add('error', ['tools'], message, { kind: 'tool' })
}
