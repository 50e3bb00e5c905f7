import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { runJson, tempDir } from '../helpers/run-cli.ts'

/*
 * Public reports about plugins, with the plugins on disk instead of an inventory file; the ids are those of the reports.
 */

/** A home with a config and one plugin folder per manifest. */
async function homeWith(config: object, manifests: Readonly<Record<string, object>>): Promise<string> {
  return tempDir({
    '.openclaw/openclaw.json': JSON.stringify(config),
    ...Object.fromEntries(
      Object.entries(manifests).flatMap(([name, manifest]) => [
        [`.openclaw/plugins/${name}/openclaw.plugin.json`, JSON.stringify({ configSchema: {}, ...manifest })],
        [`.openclaw/plugins/${name}/index.js`, 'export default { register() {} }'],
      ]),
    ),
  })
}

/** Verdict and deciding step of a tool. */
async function verdict(tool: string, home: string, ...args: string[]): Promise<string> {
  const { json } = await runJson(['tools', 'explain', tool, ...args], { home })
  const { verdict: said, decidedBy } = json as { verdict: string; decidedBy: { step: string } | null }
  return decidedBy === null ? said : `${said} at ${decidedBy.step}`
}

test('lossless-claw#929: a manifest can join a built-in profile', async () => {
  const home = await homeWith(
    { tools: { profile: 'coding', toolSearch: false }, plugins: { entries: { recall: { enabled: true } } } },
    {
      recall: {
        id: 'recall',
        contracts: { tools: ['recall_grep', 'recall_expand'] },
        toolMetadata: { recall_grep: { profiles: ['coding', 'messaging'] } },
      },
    },
  )
  const edition = ['--edition', '2026.9']
  expect(await verdict('recall_grep', home, ...edition)).toBe('visible')
  expect(await verdict('recall_expand', home, ...edition)).toBe('hidden at tools.profile')
  expect(await verdict('recall_grep', home, ...edition, '--set', 'tools.profile=messaging')).toBe('visible')
  expect(await verdict('recall_grep', home, ...edition, '--set', 'tools.profile=minimal')).toBe(
    'hidden at tools.profile',
  )
  // The edition before knows no such contribution.
  expect(await verdict('recall_grep', home, '--edition', '2026.7')).toBe('hidden at tools.profile')
})

test('openclaw#92659: tools of an old manifest are listed with the reason why nobody gets them', async () => {
  const home = await tempDir({
    '.openclaw/openclaw.json': '{ plugins: { allow: ["cards"], entries: { cards: { enabled: true } } } }',
    '.openclaw/plugins/cards/plugin.json':
      '{\n  "id": "cards",\n  "tools": [{ "name": "card_search" }, { "name": "card_details" }]\n}',
    '.openclaw/plugins/cards/index.js': '',
  })
  const { json } = await runJson(['plugins', 'inspect', 'cards'], { home })
  expect(json).toMatchObject({
    tools: ['card_details', 'card_search'].map((name) => ({
      name,
      verdict: 'unavailable',
      decidedBy: { step: 'plugin', rule: 'undeclared' },
    })),
    diagnostics: expect.arrayContaining([
      expect.objectContaining({
        kind: 'tool',
        severity: 'error',
        message: expect.stringMatching(
          /not declared in contracts\.tools and not exposed; write "contracts": \{ "tools": \["card_search","card_details"\] \}/,
        ),
        location: expect.objectContaining({ line: 3, column: 12 }),
      }),
    ]),
  })
  expect(await verdict('card_search', home)).toBe('unavailable at plugin')
})

test('openclaw#92361: an availability group that can never hold is a diagnostic with the tool and the reason', async () => {
  const home = await homeWith(
    { plugins: { entries: { kit: { enabled: true } } } },
    {
      kit: {
        id: 'kit',
        contracts: { tools: ['kit_run'] },
        toolMetadata: { kit_run: { availability: { allOf: [] } } },
      },
    },
  )
  expect(await verdict('kit_run', home)).toBe('unavailable at capability')
  const { json } = await runJson(['plugins', 'inspect', 'kit'], { home })
  expect(json).toMatchObject({
    diagnostics: [
      {
        tool: 'kit_run',
        kind: 'tool',
        message: expect.stringContaining('empty availability group'),
        location: { line: 1 },
      },
    ],
  })
})

test('openclaw#138729: an allow list of only the tools of one plugin leaves these tools', async () => {
  const home = await homeWith(
    {
      plugins: { allow: ['example-plugin'], entries: { 'example-plugin': { enabled: true } } },
      agents: { list: [{ id: 'bot', tools: { allow: ['example_tool'] } }] },
    },
    { any: { id: 'example-plugin', contracts: { tools: ['example_tool'] } } },
  )
  const { json } = await runJson(['tools', 'effective', '--agent', 'bot'], { home })
  expect(json).toMatchObject({ groups: [{ id: 'plugin', tools: [{ name: 'example_tool' }] }], notices: [] })
})

test('openclaw#76616: alsoAllow opens the optional tool it names and nothing else', async () => {
  const optional = (id: string) => ({
    id,
    contracts: { tools: [id] },
    toolMetadata: { [id]: { optional: true } },
  })
  const home = await homeWith(
    { tools: { alsoAllow: ['lobster'] } },
    { a: optional('lobster'), b: optional('llm-task') },
  )
  expect(await verdict('lobster', home)).toBe('visible')
  expect(await verdict('read', home)).toBe('visible')
  expect(await verdict('llm-task', home)).toBe('hidden at plugin')
})

test('openclaw#125275: a plugin that is mended counts in old sessions as in new ones', async () => {
  const home = await homeWith(
    {
      tools: { profile: 'full' },
      plugins: { entries: { mem: { enabled: true }, board: { enabled: false } } },
    },
    {
      mem: { id: 'mem', contracts: { tools: ['mem_search'] } },
      board: { id: 'board', contracts: { tools: ['board_list'] } },
    },
  )
  const store = join(home, '.openclaw/agents/main/sessions')
  await mkdir(store, { recursive: true })
  await writeFile(
    join(store, 'sessions.json'),
    JSON.stringify({ 'agent:main:old': { sessionId: 's', updatedAt: 1 } }),
  )
  const old = ['--session', 'agent:main:old']
  expect(await verdict('board_list', home, ...old)).toBe('unavailable at plugin')
  const config = {
    tools: { profile: 'full' },
    plugins: { entries: { mem: { enabled: true }, board: { enabled: true } } },
  }
  await writeFile(join(home, '.openclaw/openclaw.json'), JSON.stringify(config))
  expect(await verdict('board_list', home, ...old)).toBe('visible')
  expect(await verdict('board_list', home)).toBe('visible')
  await rm(join(home, '.openclaw/plugins/mem'), { recursive: true })
  expect(await verdict('mem_search', home, ...old)).toBe('unknown')
})

test('a plugin that only config names stays what it was, beside installed ones', async () => {
  const entries = { 'memory-core': {}, telegram: { enabled: true }, kit: {} }
  const home = await homeWith(
    { plugins: { entries } },
    { kit: { id: 'kit', contracts: { tools: ['kit_run'] } } },
  )
  expect(await verdict('memory_search', home)).toBe('visible')
  expect(await verdict('kit_run', home)).toBe('visible')
  const { json } = await runJson(['plugins', 'list'], { home })
  const { items } = json as { items: { id: string; status: string; origin: string; tools: number }[] }
  expect(items.map(({ id, status, origin, tools }) => `${id} ${status} ${origin} ${tools}`)).toEqual([
    'kit enabled state-dir 1',
    'memory-core enabled config 2',
    'telegram not-installed config 0',
  ])
})

test('an inventory stands in for what is installed', async () => {
  const home = await homeWith({}, { kit: { id: 'kit', contracts: { tools: ['kit_run'] } } })
  await writeFile(join(home, 'inventory.json5'), '{ plugins: { notes: ["note_add"] } }')
  const inventory = ['--inventory', 'inventory.json5']
  expect(await verdict('kit_run', home, ...inventory)).toBe('unknown')
  expect(await verdict('note_add', home, ...inventory)).toBe('visible')
  const { json } = await runJson(['plugins', 'list', ...inventory], { home })
  expect(json).toMatchObject({ items: [{ id: 'notes', origin: 'inventory', status: 'enabled', tools: 1 }] })
})

test('two plugins that want one tool: the inventory gives it to one and says so', async () => {
  const home = await homeWith(
    {},
    {
      a: { id: 'a', contracts: { tools: ['go', 'exec'] } },
      b: { id: 'b', contracts: { tools: ['go'] } },
      c: { id: 'A', contracts: { tools: ['other'] } },
    },
  )
  const tools = async (id: string): Promise<string[]> => {
    const { json } = await runJson(['plugins', 'inspect', id], { home })
    const { tools: all } = json as {
      tools: { name: string; verdict: string; decidedBy: { reason: string } | null }[]
    }
    return all.map(
      ({ name, verdict: said, decidedBy }) => `${name} ${said}${decidedBy ? `: ${decidedBy.reason}` : ''}`,
    )
  }
  expect(await tools('a')).toEqual(['go visible', 'exec unavailable: a built-in tool has that name'])
  expect(await tools('b')).toEqual(['go unavailable: the plugin a has that name'])
  const { json } = await runJson(['tools', 'effective'], { home })
  const { notices } = json as { notices: { id: string }[] }
  expect(notices.map(({ id }) => id).toSorted()).toEqual(['duplicate-id', 'name-conflict', 'name-conflict'])
})
