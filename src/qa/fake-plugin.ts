import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { jsonText } from './lab.ts'

/** Id of the plugin with the catalogue; a catalogue that is larger than a plugin may be goes on in others with numbers behind this. */
export const fakePluginId = 'tool-search-e2e-fixture'

/** Tools of the catalogue that one plugin has; the program refuses plugins with more than a thousand. */
const toolsOfOne = 900

/** What every tool of the plugin answers with, before its name and its arguments as JSON. */
export const fakePluginOk = 'FAKE_PLUGIN_OK'

/** Tools of the plugin that rules treat in their own way. */
export const specialTools = {
  /** Never behind Tool Search. */
  direct: 'fake_plugin_direct',
  /** Meant to be denied by the config. */
  denied: 'fake_plugin_denied',
  /** Stopped by the plugin's own hook. */
  blocked: 'fake_plugin_blocked',
  /** Waits for a yes. */
  guarded: 'fake_plugin_guarded',
} as const

/** What the hook says about the tool that it stops. */
export const blockReason = 'the fake plugin blocks this tool'

/** What the hook asks about the tool that waits for a yes. */
export const approvalTitle = 'Run the guarded tool?'

const subjects = [
  'invoice',
  'calendar',
  'shipment',
  'ticket',
  'contact',
  'report',
  'backup',
  'sensor',
] as const
const verbs = ['create', 'list', 'update', 'archive', 'export', 'merge', 'validate', 'schedule'] as const

/** Name of one tool of the large catalogue; 1-based, with at least two digits. */
export function catalogueTool(number: number): string {
  return `fake_plugin_tool_${String(number).padStart(2, '0')}`
}

/** The tool that scenarios look for: the seventeenth, or the middle one of a smaller catalogue. */
export function targetTool(count: number): string {
  return catalogueTool(count >= 17 ? 17 : Math.ceil(count / 2))
}

/** A description of about 300 characters, as those of real tools are. */
function describe(number: number): string {
  const verb = verbs[number % verbs.length]
  const subject = subjects[Math.floor(number / verbs.length) % subjects.length]
  return [
    `Fake tool ${number}: ${verb} one ${subject} record in the demonstration system.`,
    `Use it when somebody asks to ${verb} a ${subject} by its marker and no other tool fits the request.`,
    'It answers with the marker it was given, changes nothing outside of this run, and needs no account.',
    'Call it once for each record.',
  ].join(' ')
}

interface FakeTool {
  readonly name: string
  readonly description: string
  readonly catalogMode?: 'direct-only'
}

function catalogueOf(count: number): readonly FakeTool[] {
  return Array.from({ length: count }, (_, at) => ({
    name: catalogueTool(at + 1),
    description: describe(at + 1),
  }))
}

const specials: readonly FakeTool[] = [
  {
    name: specialTools.direct,
    description: 'Fake tool that is always in the request.',
    catalogMode: 'direct-only',
  },
  { name: specialTools.denied, description: 'Fake tool that the config denies.' },
  { name: specialTools.blocked, description: 'Fake tool that a hook blocks.' },
  { name: specialTools.guarded, description: 'Fake tool that a person has to approve.' },
]

const codeOf = (id: string, tools: readonly FakeTool[]): string => `
import { appendFileSync } from 'node:fs'
import { definePluginEntry, textResult } from 'openclaw-toolchain/plugin'

const tools = ${JSON.stringify(tools)}
const parameters = {
  type: 'object',
  properties: { marker: { type: 'string', description: 'Any word; the answer repeats it.' } },
  required: ['marker'],
  additionalProperties: false,
}

const entry = definePluginEntry({
  id: ${JSON.stringify(id)},
  register(api) {
    for (const tool of tools) {
      api.registerTool({
        ...tool,
        parameters,
        async execute(_toolCallId, input) {
          // The record of what really ran, whatever anybody says of it.
          appendFileSync(api.config.ledger, tool.name + '\\n')
          const text = [${JSON.stringify(fakePluginOk)}, tool.name, JSON.stringify(input)].join(' ')
          return textResult(text, { status: 'ok', tool: tool.name, input })
        },
      })
    }
    api.on('before_tool_call', ({ toolName }) => {
      if (toolName === ${JSON.stringify(specialTools.blocked)}) {
        return { block: true, blockReason: ${JSON.stringify(blockReason)} }
      }
      if (toolName !== ${JSON.stringify(specialTools.guarded)}) return undefined
      return {
        requireApproval: {
          title: ${JSON.stringify(approvalTitle)},
          severity: 'warning',
          timeoutMs: api.config.approvalMs,
          timeoutBehavior: 'deny',
        },
      }
    })
  },
})

export { entry as default }
`

/** The plugin as a part of a home, and what of it ran. */
export interface FakePlugin {
  /** Files of the state directory. */
  readonly files: Readonly<Record<string, string>>
  /** The part of the config that installs it. */
  readonly plugins: { readonly allow: readonly string[]; readonly entries: Readonly<Record<string, object>> }
  /** Names of its tools that were executed so far, in order. */
  ran(): readonly string[]
}

/** Makes the plugin with so many tools in its catalogue, for a home below `root`; `approvalMs` is how long it waits for a yes. */
export function fakePlugin(
  root: string,
  options: { readonly tools: number; readonly approvalMs?: number },
): FakePlugin {
  const all = catalogueOf(options.tools)
  const ledger = join(root, 'ledger.txt')
  const config = { ledger, approvalMs: options.approvalMs ?? 60_000 }
  const parts = Array.from({ length: Math.max(1, Math.ceil(all.length / toolsOfOne)) }, (_, at) => ({
    id: at === 0 ? fakePluginId : `${fakePluginId}-${at + 1}`,
    tools: [...all.slice(at * toolsOfOne, (at + 1) * toolsOfOne), ...(at === 0 ? specials : [])],
  }))
  return {
    files: Object.assign({}, ...parts.map(({ id, tools }) => filesOf(id, tools))),
    plugins: {
      allow: parts.map(({ id }) => id),
      entries: Object.fromEntries(parts.map(({ id }) => [id, { enabled: true, config }])),
    },
    ran: () => linesOf(ledger),
  }
}

function filesOf(id: string, tools: readonly FakeTool[]): Readonly<Record<string, string>> {
  const folder = `plugins/${id}`
  const manifest = {
    id,
    name: 'Fake catalogue',
    version: '1.0.0',
    description: 'Many tools that do nothing but say that they ran.',
    configSchema: {
      type: 'object',
      properties: { ledger: { type: 'string' }, approvalMs: { type: 'integer', minimum: 1 } },
      required: ['ledger', 'approvalMs'],
      additionalProperties: false,
    },
    contracts: { tools: tools.map(({ name }) => name) },
  }
  return {
    [`${folder}/openclaw.plugin.json`]: jsonText(manifest),
    [`${folder}/package.json`]: jsonText({ type: 'module', openclaw: { extensions: ['./index.js'] } }),
    [`${folder}/index.js`]: codeOf(id, tools),
  }
}

function linesOf(file: string): readonly string[] {
  try {
    return readFileSync(file, 'utf8')
      .split('\n')
      .filter((line) => line !== '')
  } catch {
    return []
  }
}
