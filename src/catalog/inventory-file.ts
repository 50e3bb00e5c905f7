import { OpenClawError } from '../kernel/errors.ts'
import { formatPath, type Path } from '../kernel/path.ts'
import { suggest } from '../kernel/suggest.ts'
import { hasHiddenCharacters, showName } from '../kernel/untrusted-text.ts'
import { isRecord, type InventorySource, type PluginSource, type ServerSource } from './source.ts'
import { providerKeys, type Providers } from './types.ts'

type Check = (value: unknown) => string | null
type Fields = Readonly<Record<string, Check>>

const anything: Check = () => null
const is =
  (expected: string, test: (value: unknown) => boolean): Check =>
  (value) =>
    test(value) ? null : expected
const text = is('a string', (value) => typeof value === 'string')
const flag = is('true or false', (value) => typeof value === 'boolean')
const list = is('a list', Array.isArray)
const record = is('an object', isRecord)
const words = is(
  'a list of strings',
  (value) => Array.isArray(value) && value.every((item) => typeof item === 'string'),
)
const oneOf = (...allowed: readonly string[]): Check =>
  is(allowed.map((item) => JSON.stringify(item)).join(' or '), (value) => allowed.includes(String(value)))
const time = is('an ISO time', (value) => typeof value === 'string' && !Number.isNaN(Date.parse(value)))

// Name, schema and availability are left to the building of the inventory: a malformed tool is a fact about the machine
// that the file replays, not a mistake in the file.
const toolFields: Fields = {
  name: anything,
  label: text,
  description: text,
  parameters: anything,
}
const ownToolFields: Fields = {
  ...toolFields,
  outputSchema: anything,
  catalogMode: oneOf('direct-only'),
  executionMode: oneOf('parallel', 'sequential'),
  optional: flag,
  risk: oneOf('low', 'medium', 'high'),
  tags: words,
  profiles: words,
  availability: anything,
}
const channelToolFields: Fields = { ...ownToolFields, channelId: text }
const pluginFields: Fields = {
  enabled: flag,
  name: text,
  version: text,
  tools: list,
  manifest: record,
  problem: text,
  contracts: record,
  toolMetadata: record,
}
const serverFields: Fields = {
  status: oneOf('connected', 'connecting', 'failed'),
  enabled: flag,
  error: text,
  seenAt: time,
  tools: list,
}
const topFields: Fields = { plugins: record, mcp: record, client: list, channel: list, providers: record }
const providerFields: Fields = Object.fromEntries(providerKeys.map((key) => [key, flag]))

/** Fields which people carry over from another kind of tool; too far apart for a spelling suggestion. */
const otherWords: Readonly<Record<string, string>> = {
  inputSchema: 'parameters',
  input_schema: 'parameters',
  schema: 'parameters',
  servers: 'mcp',
  mcpServers: 'mcp',
  clients: 'client',
  channels: 'channel',
}

const shownProblems = 10
const longestId = 128

class Problems {
  readonly list: { readonly path: string; readonly message: string; readonly suggestion?: string }[] = []

  add(path: Path, message: string, suggestion?: string): void {
    this.list.push({
      path: showName(formatPath(path), 200),
      message,
      ...(suggestion === undefined ? {} : { suggestion }),
    })
  }

  /** Checks that the value is an object with these fields only, each of the right kind. */
  object(value: unknown, fields: Fields, path: Path): value is Readonly<Record<string, unknown>> {
    if (!isRecord(value)) {
      this.add(path, `expected an object, got ${kindOf(value)}`)
      return false
    }
    for (const [key, item] of Object.entries(value)) {
      const check = Object.hasOwn(fields, key) ? fields[key] : undefined
      if (check === undefined) {
        const near = this.#near(key, fields)
        const hint =
          near === undefined ? `known are ${Object.keys(fields).join(', ')}` : `did you mean ${near}?`
        this.add([...path, key], `unknown field; ${hint}`, near)
        continue
      }
      const expected = item === undefined ? null : check(item)
      if (expected !== null) this.add([...path, key], `expected ${expected}, got ${kindOf(item)}`)
    }
    return true
  }

  /** Ids and server names go into catalogue ids and policy entries as they are, so they must be readable. */
  id(id: string, path: Path): void {
    if (id.trim() === '') this.add(path, 'the name is empty')
    else if (id.length > longestId) this.add(path, `the name is longer than ${longestId} characters`)
    else if (hasHiddenCharacters(id)) this.add(path, 'the name has invisible or control characters')
  }

  #near(key: string, fields: Fields): string | undefined {
    const other = Object.hasOwn(otherWords, key) ? otherWords[key] : undefined
    if (other !== undefined && Object.hasOwn(fields, other)) return other
    return suggest(key, Object.keys(fields), 1)[0]
  }
}

function kindOf(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'a list'
  if (typeof value === 'string') return JSON.stringify(showName(value, 40))
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`
}

/**
 * Checks the object of an `--inventory` file (contract §2) and returns what it declares; `where` names the file in messages.
 * Tools may be names or objects; a plugin or server may be the bare list of its tools. Error: INPUT_INVALID with every problem in `data.problems`.
 */
export function parseInventory(value: unknown, where: string): InventorySource {
  const problems = new Problems()
  const source = read(value, problems)
  const [first] = problems.list
  if (first === undefined) return source
  const lines = problems.list
    .slice(0, shownProblems)
    .map((problem) => `${problem.path === '' ? '' : `${problem.path}: `}${problem.message}`)
  const more = problems.list.length - lines.length
  const tail = more > 0 ? [`and ${more} more`] : []
  throw new OpenClawError('INPUT_INVALID', [`${where}: ${lines[0]}`, ...lines.slice(1), ...tail].join('\n'), {
    hints: [
      'an inventory is { plugins: {}, mcp: {}, client: [], channel: [], providers: {} }, every part optional',
    ],
    data: { file: where, problems: problems.list },
  })
}

function read(value: unknown, problems: Problems): InventorySource {
  const empty: InventorySource = { plugins: [], servers: [], client: [], channel: [], providers: {} }
  if (!problems.object(value, topFields, [])) return empty
  return {
    plugins: entriesOf(value['plugins']).map(([id, plugin]) => readPlugin(id, plugin, problems)),
    servers: entriesOf(value['mcp']).map(([name, server]) => readServer(name, server, problems)),
    client: readTools(value['client'], toolFields, ['client'], problems),
    channel: readTools(value['channel'], channelToolFields, ['channel'], problems),
    providers: readProviders(value['providers'], problems),
  }
}

function entriesOf(value: unknown): [string, unknown][] {
  return isRecord(value) ? Object.entries(value) : []
}

function readPlugin(id: string, value: unknown, problems: Problems): PluginSource {
  const path = ['plugins', id]
  problems.id(id, path)
  const plugin = Array.isArray(value) ? { tools: value } : value
  if (!problems.object(plugin, pluginFields, path)) return { id }
  const { enabled, name, tools, toolMetadata, contracts, problem } = plugin
  const manifest = manifestOf(plugin)
  const contractTools = isRecord(contracts) ? contracts['tools'] : undefined
  if (contractTools !== undefined && words(contractTools) !== null) {
    problems.add([...path, 'contracts', 'tools'], `expected a list of strings, got ${kindOf(contractTools)}`)
  }
  return {
    id,
    ...(typeof name === 'string' ? { name } : {}),
    ...(typeof enabled === 'boolean' ? { enabled } : {}),
    ...(tools === undefined ? {} : { tools: readTools(tools, ownToolFields, [...path, 'tools'], problems) }),
    ...(manifest === undefined ? {} : { manifest }),
    ...(isRecord(toolMetadata) ? { toolMetadata } : {}),
    ...(typeof problem === 'string' ? { problem } : {}),
  }
}

/** The manifest of a plugin entry; `contracts` beside the tools counts as one, since it says the same. */
function manifestOf(
  plugin: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> | undefined {
  if (isRecord(plugin['manifest'])) return plugin['manifest']
  return isRecord(plugin['contracts']) ? { contracts: plugin['contracts'] } : undefined
}

function readServer(name: string, value: unknown, problems: Problems): ServerSource {
  const path = ['mcp', name]
  problems.id(name, path)
  const server = Array.isArray(value) ? { tools: value } : value
  if (!problems.object(server, serverFields, path)) return { name, status: 'connected', tools: [] }
  const { status, enabled, error, seenAt, tools } = server
  return {
    name,
    status: status === 'failed' || status === 'connecting' ? status : 'connected',
    ...(typeof enabled === 'boolean' ? { enabled } : {}),
    ...(typeof error === 'string' ? { error } : {}),
    ...(typeof seenAt === 'string' ? { seenAt } : {}),
    tools: Array.isArray(tools) ? tools : [],
  }
}

function readTools(value: unknown, fields: Fields, path: Path, problems: Problems): readonly unknown[] {
  if (!Array.isArray(value)) return []
  for (const [index, tool] of value.entries()) {
    const needsChannel =
      fields === channelToolFields && !(isRecord(tool) && typeof tool['channelId'] === 'string')
    if (needsChannel) problems.add([...path, index], 'a channel tool needs a channelId and a name')
    else if (isRecord(tool)) problems.object(tool, fields, [...path, index])
    else if (typeof tool !== 'string') {
      problems.add([...path, index], `expected a tool name or an object, got ${kindOf(tool)}`)
    }
  }
  return value
}

function readProviders(value: unknown, problems: Problems): Providers {
  if (!isRecord(value) || !problems.object(value, providerFields, ['providers'])) return {}
  const entries = Object.entries(value).filter(([, usable]) => typeof usable === 'boolean')
  return Object.fromEntries(entries)
}
