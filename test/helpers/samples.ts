import { runJson } from './run-cli.ts'
import { sampleRuns } from './sample-runs.ts'
import { smallHome } from './small-home.ts'

/** Command lines, each in a home of its own, that together show every field that an answer can have, by the name of its schema. */
const sampleLines: Readonly<Record<string, readonly string[]>> = {
  'tools-effective': [
    'tools effective --inventory inventory.json5',
    'tools effective --inventory inventory.json5 --agent guest',
    'tools effective --inventory inventory.json5 --config rich.json5 --channel discord --sender id:7 --no-owner',
    'tools effective --inventory inventory.json5 --config rich.json5 --agent bare --model openai/gpt-5.5',
    'tools effective --config rich.json5 --context no-permission.json5',
  ],
  'tools-explain': [
    'tools explain web_search --inventory inventory.json5 --agent guest --sandboxed',
    'tools explain process --inventory inventory.json5 --agent guest',
    'tools explain browser --sandboxed --set tools.profile=minimal',
    'tools explain exec --inventory inventory.json5 --session agent:main:discord:group:g1',
    'tools explain note_wipe --inventory inventory.json5 --config rich.json5',
    'tools explain update_plan',
    'tools explain bash --set tools.toolSearch=true',
    'tools explain cron',
    'tools explain exce',
    'tools explain group:fs',
  ],
  'tools-explain-all-agents': [
    'tools explain process --all-agents',
    'tools explain web_search --all-agents',
    'tools explain exce --all-agents',
    'tools explain coding --all-agents',
  ],
  'tools-catalog': [
    'tools catalog --inventory inventory.json5',
    'tools catalog --inventory inventory.json5 --edition 2026.9',
  ],
  'tools-diff': [
    'tools diff --from rich.json5 --to other.json5 --all-agents',
    'tools diff --set tools.toolSearch=true',
  ],
  'tools-test': ['tools test policy.json5', 'tools test policy.json5 slips.json5 --update'],
  'tools-snapshot': ['tools snapshot --inventory inventory.json5 --config rich.json5'],
  'config-set': [
    'config set agents.list[0].tools.deny [] --dry-run',
    'config set tools.deny ["note_wipe"]',
    'config set tools.toolSearch true',
    'config set agents.list[1].tools.allow [] --dry-run',
    'config set gateway.port 18790',
  ],
  doctor: ['doctor', 'doctor --config broken.json5'],
  'mcp-list': ['mcp list --config served.json5'],
  'plugins-list': ['plugins list', 'plugins list --config plugged.json5'],
  'qa-list': ['qa list'],
  help: ['help notices', 'help exit-codes'],
  'sandbox-explain': [
    'sandbox explain',
    'sandbox explain --config rich.json5 --sandboxed --channel discord --sender id:7',
    'sandbox explain --inventory inventory.json5 --agent guest --sandboxed',
  ],
  'tools-search': [
    'tools search issue --inventory inventory.json5',
    'tools search note_wipe --inventory inventory.json5',
    'tools search und',
  ],
  'tools-describe': [
    'tools describe read --inventory inventory.json5',
    'tools describe github__create_issue --inventory inventory.json5',
  ],
  'config-validate': [
    'config validate --config rich.json5',
    'config validate --config invalid.json5',
    'config validate --config broken.json5',
  ],
  'config-list': ['config list', 'config list --origin'],
  'config-schema': ['config schema', 'config schema --edition 2026.9'],
  'config-file': ['config file', 'config file --state-dir nowhere'],
  failure: [
    'tools effective --agent nobody',
    'tools efective',
    'config get tools.allow',
    'tools effective --config broken.json5',
  ],
}

const files: Readonly<Record<string, string>> = {
  'rich.json5': `{
    meta: { lastTouchedVersion: "2026.7.1" },
    tools: { profile: "coding", deny: ["note_wipe", "exce"], toolSearch: { enabled: true, mode: "code", codeTimeoutMs: 999999, maxSearchLimit: 3 } },
    agents: { list: [{ id: "main" }, { id: "bare", tools: { profile: "full" } }] },
  }`,
  'no-permission.json5': '{ supports: { permission: false } }',
  'other.json5':
    '{ tools: { profile: "coding", deny: ["exec"] }, agents: { list: [{ id: "main" }, { id: "fresh" }] } }',
  'policy.json5':
    '{ cases: [{ name: "a", expect: { visible: ["read"] } }, { name: "b", expect: { hidden: ["read"] } }] }',
  'slips.json5': '{ cases: [{ name: "c", expect: { hidden: ["exce"] } }] }',
  'invalid.json5': '{ tools: { profile: "codng", deny: [7] }, toolz: {} }',
  'served.json5':
    '{ mcp: { servers: { a: { command: "no-such-program" }, b: { url: "https://example.org/mcp", enabled: false } } } }',
  'plugged.json5':
    '{ plugins: { load: { paths: ["nowhere"] }, entries: { ghost: { enabled: true } }, deny: ["gone"] } }',
  '.openclaw/plugins/broken/openclaw.plugin.json': '{ "id": "broken", "contracts": { "tools": ["x_run"] } }',
  'broken.json5': '{ tools: { deny: ["exec" "read"] } }',
}

/** Names of the schemas of which there are samples. */
export const sampled: readonly string[] = [...Object.keys(sampleLines), ...Object.keys(sampleRuns)]

const known = new Map<string, Promise<readonly unknown[]>>()

/** Real answers of the built program, which together show what a schema has to hold for. */
export function samplesOf(name: string): Promise<readonly unknown[]> {
  const samples = known.get(name) ?? sampleRuns[name]?.() ?? runSamples(sampleLines[name] ?? [])
  known.set(name, samples)
  return samples
}

function runSamples(lines: readonly string[]): Promise<unknown[]> {
  return Promise.all(
    lines.map(async (line) => {
      const home = await smallHome(files)
      return (await runJson(line.split(' '), { home })).json
    }),
  )
}
