import { expect, test } from 'vitest'
import { editions } from '../../../src/catalog/edition.ts'
import { parseInventory } from '../../../src/catalog/inventory-file.ts'
import { inventoryFileOf } from '../../../src/catalog/inventory-snapshot.ts'
import { buildInventory } from '../../../src/catalog/inventory.ts'
import type { Config } from '../../../src/config/types.ts'
import { brought, inventoryOf, told } from './inventories.ts'

const names = (inventory: { tools: readonly { name: string }[] }): string =>
  inventory.tools.map((tool) => tool.name).join(' ')

test('edition 2026.7 without anything: built-in tools in catalogue order, pdf among them', () => {
  expect(names(inventoryOf())).toMatchInlineSnapshot(
    `"read write edit apply_patch exec process web_search web_fetch sessions_list sessions_history sessions_send sessions_spawn sessions_yield subagents session_status message heartbeat_respond cron gateway nodes agents_list get_goal create_goal update_goal update_plan skill_workshop image image_generate music_generate video_generate tts pdf"`,
  )
})

test('edition 2026.9 without anything', () => {
  expect(names(inventoryOf(undefined, {}, '2026.9'))).toMatchInlineSnapshot(
    `"ls read write edit apply_patch exec process secrets web_search web_fetch sessions sessions_list sessions_history sessions_search conversations_list conversations_send conversations_turn sessions_send sessions_spawn github_identity_status github_publish agents_wait sessions_yield subagents session_status suggest_task dismiss_task screen theme dashboard terminal portal show_widget message heartbeat_respond automations gateway plugins openclaw nodes computer mobile_ui agents_list get_goal create_goal update_goal progress_card ask_user skill_workshop view_image image_generate music_generate video_generate tts pdf"`,
  )
})

test('config alone: a named bundled plugin has its tools, also switched off, and a filled slot counts', () => {
  const config = {
    plugins: {
      entries: { browser: { enabled: true }, canvas: { enabled: false }, telegram: { enabled: true } },
      slots: { memory: 'memory-core', other: 'none' },
    },
  }
  const inventory = inventoryOf(undefined, config)
  expect(brought(inventory)).toMatchInlineSnapshot(`
    "browser (plugin browser)
    canvas (plugin canvas)
    memory_get (plugin memory-core)
    memory_search (plugin memory-core)"
  `)
  expect(inventory.plugins).toMatchInlineSnapshot(`
    [
      {
        "enabled": true,
        "id": "browser",
        "tools": [
          "browser",
        ],
      },
      {
        "enabled": true,
        "id": "canvas",
        "tools": [
          "canvas",
        ],
      },
      {
        "enabled": true,
        "id": "memory-core",
        "slot": "memory",
        "tools": [
          "memory_search",
          "memory_get",
        ],
      },
      {
        "enabled": true,
        "id": "telegram",
        "tools": [],
      },
    ]
  `)
})

test('a file replaces what config alone would declare, plugins of config stay known', () => {
  const inventory = inventoryOf({}, { plugins: { entries: { browser: { enabled: true } } } })
  expect(brought(inventory)).toBe('')
  expect(inventory.plugins).toEqual([{ id: 'browser', enabled: true, tools: [] }])
})

test('every kind of tool, in order of source and name', () => {
  const inventory = inventoryOf({
    plugins: {
      notes: { tools: ['note_wipe', 'note_add'] },
      browser: { tools: ['browser'] },
    },
    mcp: { github: { tools: ['list_issues', { name: 'create_issue', title: 'Create issue' }] } },
    client: ['pick_file'],
    channel: [{ channelId: 'discord', name: 'discord_react' }],
  })
  expect(brought(inventory)).toMatchInlineSnapshot(`
    "browser (plugin browser)
    note_add (plugin notes)
    note_wipe (plugin notes)
    discord_react (channel discord)
    github__create_issue (mcp github)
    github__list_issues (mcp github)
    pick_file (client)"
  `)
  expect(inventory.tools.find((tool) => tool.name === 'browser')).toMatchInlineSnapshot(`
    {
      "description": "Drive a web browser",
      "label": "browser",
      "name": "browser",
      "pluginId": "browser",
      "source": "plugin",
    }
  `)
  expect(inventory.tools.find((tool) => tool.name === 'github__create_issue')).toMatchInlineSnapshot(`
    {
      "description": "",
      "label": "Create issue",
      "mcpSafeServer": "github",
      "mcpServer": "github",
      "mcpToolName": "create_issue",
      "name": "github__create_issue",
      "parameters": {
        "properties": {},
        "type": "object",
      },
      "pluginId": "bundle-mcp",
      "source": "mcp",
    }
  `)
  expect(told(inventory)).toBe('')
})

test.each([
  ['provider', { providers: { x_search: true, code_execution: true } }, 'core', undefined],
  ['plugin', { plugins: { grok: { tools: ['x_search', 'code_execution'] } } }, 'plugin', 'grok'],
  [
    'both',
    { plugins: { grok: { tools: ['x_search', 'code_execution'] } }, providers: { x_search: true } },
    'plugin',
    'grok',
  ],
])('x_search and code_execution exist where a %s supplies them', (_by, file, source, pluginId) => {
  const inventory = inventoryOf(file)
  for (const name of ['x_search', 'code_execution']) {
    const tools = inventory.tools.filter((tool) => tool.name === name)
    expect(tools.map((tool) => [tool.source, tool.pluginId])).toEqual([[source, pluginId]])
  }
  expect(told(inventory)).toBe('')
})

test('no file, no list of the configured servers: said once, also for many', () => {
  const one = { mcp: { servers: { brain: { command: 'brain' } } } }
  expect(told(inventoryOf(undefined, one))).toMatchInlineSnapshot(
    `"info mcp-stale: no tool list of MCP server "brain" has been seen, so its tools are missing here; openclaw mcp probe asks, --inventory FILE can supply one"`,
  )
  const many = {
    mcp: {
      servers: {
        brain: { command: 'b' },
        api: { url: 'http://x.test' },
        off: { command: 'o', enabled: false },
      },
    },
  }
  expect(told(inventoryOf(undefined, many))).toMatchInlineSnapshot(
    `"info mcp-stale: no tool list of 2 MCP servers ("api", "brain") has been seen, so their tools are missing here; openclaw mcp probe asks, --inventory FILE can supply one"`,
  )
  expect(inventoryOf(undefined, many).servers).toEqual([
    { name: 'api', safeName: 'api', status: 'unknown', toolCount: 0 },
    { name: 'brain', safeName: 'brain', status: 'unknown', toolCount: 0 },
    { name: 'off', safeName: 'off', status: 'unknown', toolCount: 0 },
  ])
})

test('an inventory cannot be changed', () => {
  const inventory = inventoryOf({ client: ['a'] })
  const parts = [inventory, inventory.tools, inventory.tools[0], inventory.providers, inventory.notices]
  expect(parts.every(Object.isFrozen)).toBe(true)
})

test('one source under configs that differ in policy only is one inventory', () => {
  const file = parseInventory({ mcp: { git: { tools: ['log'] } } }, 'inventory.json5')
  const build = (config: Config) => buildInventory({ edition: editions['2026.7'], config, file })
  const first = build({ tools: { deny: ['exec'] } })
  expect(build({ tools: { allow: ['read'] } })).toBe(first)
  expect(build({ mcp: { servers: { git: { enabled: false } } } })).not.toBe(first)
})

test('a snapshot replays to the same inventory, also one from config alone', () => {
  const config = {
    plugins: { entries: { browser: { enabled: true } } },
    agents: { defaults: { pdfModel: 'x/y' } },
  }
  const files = [
    undefined,
    parseInventory(
      { plugins: { kit: { enabled: false, tools: ['a b', { name: 'c', optional: true }] } } },
      'x',
    ),
    parseInventory(
      { mcp: { 'a b': { status: 'failed', tools: [{ name: 'x', title: 'X' }] } }, client: ['pick'] },
      'x',
    ),
    parseInventory({ channel: [{ channelId: 'irc', name: 'join' }], providers: { tts: false } }, 'x'),
  ]
  for (const file of files) {
    const options = { edition: editions['2026.7'], config, ...(file && { file }) }
    const snapshot: unknown = JSON.parse(JSON.stringify(inventoryFileOf(options)))
    const replayed = buildInventory({
      edition: editions['2026.7'],
      config,
      file: parseInventory(snapshot, 'snapshot'),
    })
    expect(replayed).toEqual(buildInventory(options))
  }
})
