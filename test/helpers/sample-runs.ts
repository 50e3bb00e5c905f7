import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { agentHome, mockKey } from './agent-home.ts'
import { callingHome } from './calling-home.ts'
import { gatewayToken, probeConfig, probePlugin, startGateway } from './gateway.ts'
import { faultyServer } from './mcp.ts'
import { runCli, runJson, tempDir } from './run-cli.ts'
import { smallHome } from './small-home.ts'

type Said = Readonly<Record<string, unknown>>

/** What one line prints under --json; the words are given one by one, since some have spaces in them. */
async function said(home: string, words: readonly string[], env: Readonly<Record<string, string>> = {}) {
  return (await runJson(words, { home, env })).json as Said
}

/** Asks for a call that needs a yes, and returns the id under which it waits. */
async function waitingCall(home: string, ...words: readonly string[]): Promise<string> {
  const { error } = await said(home, ['tools', 'call', ...words])
  return String(((error as Said)['data'] as Said)['approvalId'])
}

/** Approvals of every kind: by a plugin for once and for always, refused, and of a command with what is remembered. */
async function approvals() {
  const home = await callingHome({ tools: { exec: { mode: 'ask' } } })
  const wipe = (path: string) => waitingCall(home, 'note_wipe', '--args', JSON.stringify({ path }))
  const ids = [
    await waitingCall(home, 'exec', '--args', '{ command: "/bin/ls" }'),
    await wipe('a'),
    await wipe('b'),
  ]
  const [command = '', first = '', second = ''] = ids
  const waiting = await said(home, ['approvals', 'list'])
  const allow = [
    await said(home, ['approvals', 'allow', command, '--always']),
    await said(home, ['approvals', 'allow', first]),
  ]
  const deny = [await said(home, ['approvals', 'deny', second])]
  const allowlist = (...words: readonly string[]) => said(home, ['approvals', 'allowlist', ...words])
  const added = [
    await allowlist('add', 'node', '--arg-pattern', '^--version$', '--agent', 'main'),
    await allowlist('add', 'sh'),
  ]
  await said(home, ['tools', 'call', 'exec', '--args', '{ command: "/bin/ls" }'])
  const listed = [await allowlist('list')]
  const removed = [await allowlist('remove', 'node'), await allowlist('remove', '/bin/ls')]
  return {
    added,
    listed,
    removed,
    list: [waiting, await said(home, ['approvals', 'list'])],
    allow,
    deny,
  }
}

async function calls(): Promise<readonly Said[]> {
  const home = await callingHome()
  // The smallest image there is.
  const pixel =
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
  await writeFile(join(home, 'pixel.png'), Buffer.from(pixel, 'base64'))
  return [
    await said(home, ['tools', 'call', 'note_add', '--args', '{ text: "x" }']),
    await said(home, ['tools', 'call', 'demo__echo', '--args', '{ text: "x" }']),
    await said(home, ['tools', 'call', 'read', '--args', JSON.stringify({ path: join(home, 'pixel.png') })]),
  ]
}

async function plannedCalls(): Promise<readonly Said[]> {
  const home = await callingHome()
  const add = ['tools', 'call', 'note_add', '--args', '{ text: "x" }', '--dry-run']
  return [
    await said(home, add),
    await said(home, [...add, '--set', 'tools.toolSearch=true']),
    await said(home, [...add, '--set', 'tools.toolSearch.mode=directory']),
  ]
}

async function snippets(): Promise<readonly Said[]> {
  const codes = [
    'console.log("said"); return { n: (await openclaw.tools.search("note")).length }',
    'throw new Error("on purpose")',
    'openclaw.tools.call("note_add", { text: "x" }); return null',
    'for (let i = 0; i < 50_000; i += 1) console.log("x".repeat(80)); return 1',
    'return (',
  ]
  const home = await callingHome()
  return Promise.all(
    codes.map(async (code, at) => {
      await writeFile(join(home, `${at}.js`), code)
      return said(home, ['tools', 'run', '--code', `${at}.js`])
    }),
  )
}

/** A session that a turn of an agent and a call from the command line have written. */
async function spokenHome(): Promise<{ readonly home: string; readonly answers: readonly Said[] }> {
  const { home } = await agentHome({
    plugins: { entries: { lab: { config: { ask: 'lab_chatter' } } } },
  })
  const message = 'call lab_add {"a":1,"b":2}\ncall lab_fail {}\ncall lab_chatter {}'
  const answers = [await said(home, ['agent', '--message', message], { MOCK_KEY: mockKey })]
  await said(home, ['tools', 'call', 'lab_add', '--args', '{ a: 1, b: 2 }'], { MOCK_KEY: mockKey })
  return { home, answers }
}

async function sessions() {
  const { home, answers } = await spokenHome()
  const ask = (...words: readonly string[]) => said(home, ['sessions', ...words], { MOCK_KEY: mockKey })
  const other = await callingHome()
  await said(other, ['tools', 'call', 'note_add', '--args', '{ text: "x" }'])
  return {
    agent: answers,
    list: [await ask('list')],
    show: [await ask('show', 'main'), await said(other, ['sessions', 'show', 'main'])],
    log: [await ask('log', 'main'), await said(other, ['sessions', 'log', 'main'])],
    summary: [
      await ask('log', 'main', '--summary'),
      await said(other, ['sessions', 'log', 'main', '--summary']),
    ],
  }
}

async function gateway() {
  const server = await startGateway({
    files: {
      'openclaw.json': probeConfig({ mcp: { servers: { a: { command: 'no-such-program' } } } }),
      ...probePlugin,
    },
  })
  const env = { OPENCLAW_GATEWAY_TOKEN: gatewayToken }
  const ask = (...words: readonly string[]) => said(server.home, [...words, '--url', server.url], env)
  return {
    run: [server.listening],
    status: [await ask('gateway', 'status')],
    call: [await ask('gateway', 'call', 'health'), await ask('gateway', 'call', 'tools.catalog')],
  }
}

/** One write after the other, and what `config diff` says of it. */
async function writes() {
  const home = await smallHome({ 'other.json5': '{ tools: { deny: ["exec"] } }' })
  const config = (words: readonly string[], env: Readonly<Record<string, string>> = {}) =>
    said(home, ['config', ...words], env)
  const patch = await config(['patch', '{ tools: { deny: ["exec"] } }'])
  const diff = [await config(['diff']), await config(['diff', 'other.json5'])]
  const unset = await config(['unset', 'tools.deny'])
  await writeFile(join(home, 'operations'), '{"op":"set","path":"tools.profile","value":"full"}\n')
  const apply = await config(['apply', 'operations'])
  const edit = await config(['edit'], { EDITOR: 'sed -i s/full/minimal/' })
  return {
    patch: [patch],
    diff,
    unset: [unset],
    apply: [apply],
    edit: [edit],
    undo: [await config(['undo'])],
  }
}

async function probes(): Promise<readonly Said[]> {
  const home = await callingHome(
    {},
    {
      demo: { command: process.execPath, args: [faultyServer] },
      lost: { command: 'no-such-program' },
    },
  )
  return [await said(home, ['mcp', 'probe']), await said(home, ['mcp', 'probe', 'lost'])]
}

async function inspections(): Promise<readonly Said[]> {
  const home = await callingHome({ tools: { deny: ['note_add'], toolSearch: true } })
  const broken = await tempDir({
    '.openclaw/plugins/broken/openclaw.plugin.json':
      '{ "id": "broken", "contracts": { "tools": ["x_run"] } }',
    '.openclaw/plugins/broken/skills/one/SKILL.md': '# One',
  })
  return [
    await said(home, ['plugins', 'inspect', 'kit', '--runtime']),
    await said(home, ['plugins', 'inspect', 'kit']),
    await said(broken, ['plugins', 'inspect', 'broken']),
  ]
}

async function batch(): Promise<readonly unknown[]> {
  const home = await smallHome({ queries: 'issue\n\nnote_wipe\n' })
  const { stdout } = await runCli(
    ['tools', 'search', '--batch', 'queries', '--inventory', 'inventory.json5', '--json'],
    { home },
  )
  return stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
}

async function suite(): Promise<readonly Said[]> {
  const home = await tempDir()
  return [
    await said(home, ['qa', 'suite', '--scenario', 'policy-by-sender-and-group', '--output-dir', 'reports']),
  ]
}

/** Work that is done once, however many results are taken from it. */
function once<Result>(work: () => Promise<Result>): () => Promise<Result> {
  let done: Promise<Result> | undefined
  return () => (done ??= work())
}

const approved = once(approvals)
const spoken = once(sessions)
const served = once(gateway)
const written = once(writes)

/** Results that take more than one command line, or one with spaces, by the name of their schema. */
export const sampleRuns: Readonly<Record<string, () => Promise<readonly unknown[]>>> = {
  agent: async () => (await spoken()).agent,
  'approvals-allow': async () => (await approved()).allow,
  'approvals-allowlist-add': async () => (await approved()).added,
  'approvals-allowlist-list': async () => (await approved()).listed,
  'approvals-allowlist-remove': async () => (await approved()).removed,
  'approvals-deny': async () => (await approved()).deny,
  'approvals-list': async () => (await approved()).list,
  'config-apply': async () => (await written()).apply,
  'config-diff': async () => (await written()).diff,
  'config-edit': async () => (await written()).edit,
  'config-patch': async () => (await written()).patch,
  'config-undo': async () => (await written()).undo,
  'config-unset': async () => (await written()).unset,
  'gateway-call': async () => (await served()).call,
  'gateway-run': async () => (await served()).run,
  'gateway-status': async () => (await served()).status,
  'mcp-probe': probes,
  'plugins-inspect': inspections,
  'qa-suite': suite,
  'sessions-list': async () => (await spoken()).list,
  'sessions-log': async () => (await spoken()).log,
  'sessions-log-summary': async () => (await spoken()).summary,
  'sessions-show': async () => (await spoken()).show,
  'tools-call': calls,
  'tools-call-dry-run': plannedCalls,
  'tools-run': snippets,
  'tools-search-batch': batch,
}
