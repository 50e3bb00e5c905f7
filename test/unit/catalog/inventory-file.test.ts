import { expect, test } from 'vitest'
import { parseInventory } from '../../../src/catalog/inventory-file.ts'
import { OpenClawError } from '../../../src/kernel/errors.ts'

test('every form of the contract, and bare lists of tools', () => {
  const source = parseInventory(
    {
      plugins: {
        notes: {
          enabled: true,
          name: 'Notes',
          tools: [
            'note_add',
            { name: 'note_wipe', optional: true, parameters: { type: 'object' }, risk: 'low' },
          ],
        },
        short: ['a'],
        old: { manifest: { id: 'old', anything: 1 } },
        declared: { contracts: { tools: ['b'] }, toolMetadata: { b: { optional: true } } },
      },
      mcp: {
        github: {
          status: 'failed',
          error: 'gone',
          seenAt: '2026-09-01T10:00:00Z',
          tools: [{ name: 'x', other: 1 }],
        },
        short: ['y'],
      },
      client: ['pick', { name: 'pick_file', parameters: {} }],
      channel: [{ channelId: 'discord', name: 'react' }],
      providers: { tts: true, web_search: false },
    },
    'inventory.json5',
  )
  expect(source).toMatchInlineSnapshot(`
    {
      "channel": [
        {
          "channelId": "discord",
          "name": "react",
        },
      ],
      "client": [
        "pick",
        {
          "name": "pick_file",
          "parameters": {},
        },
      ],
      "plugins": [
        {
          "enabled": true,
          "id": "notes",
          "name": "Notes",
          "tools": [
            "note_add",
            {
              "name": "note_wipe",
              "optional": true,
              "parameters": {
                "type": "object",
              },
              "risk": "low",
            },
          ],
        },
        {
          "id": "short",
          "tools": [
            "a",
          ],
        },
        {
          "id": "old",
          "manifest": {
            "anything": 1,
            "id": "old",
          },
        },
        {
          "id": "declared",
          "manifest": {
            "contracts": {
              "tools": [
                "b",
              ],
            },
          },
          "toolMetadata": {
            "b": {
              "optional": true,
            },
          },
        },
      ],
      "providers": {
        "tts": true,
        "web_search": false,
      },
      "servers": [
        {
          "error": "gone",
          "name": "github",
          "seenAt": "2026-09-01T10:00:00Z",
          "status": "failed",
          "tools": [
            {
              "name": "x",
              "other": 1,
            },
          ],
        },
        {
          "name": "short",
          "status": "connected",
          "tools": [
            "y",
          ],
        },
      ],
    }
  `)
})

test('nothing is required', () => {
  expect(parseInventory({}, 'x')).toEqual({
    plugins: [],
    servers: [],
    client: [],
    channel: [],
    providers: {},
  })
  expect(parseInventory({ mcp: { git: {} } }, 'x').servers).toEqual([
    { name: 'git', status: 'connected', tools: [] },
  ])
})

test('a plugin or server may have any name that can be read', () => {
  const source = parseInventory(
    JSON.parse('{"plugins":{"__proto__":["a"],"constructor":["b"]},"mcp":{"__proto__":["c"]}}'),
    'x',
  )
  expect(source.plugins.map((plugin) => plugin.id)).toEqual(['__proto__', 'constructor'])
  expect(source.servers.map((server) => server.name)).toEqual(['__proto__'])
})

function errorOf(value: unknown): OpenClawError {
  try {
    parseInventory(value, 'inventory.json5')
  } catch (error) {
    if (error instanceof OpenClawError) return error
    throw error
  }
  throw new Error('it was accepted')
}

const mistakes: readonly [string, unknown][] = [
  ['a list', []],
  ['null', null],
  ['a misspelled part', { plugin: {} }],
  ['a part under its config name', { mcpServers: {} }],
  ['parts of the wrong kind', { plugins: [], mcp: 'x', client: {}, channel: 1, providers: [] }],
  ['a plugin of the wrong kind', { plugins: { notes: true } }],
  [
    'plugin fields',
    { plugins: { notes: { enable: true, enabled: 'yes', tools: 'note_add', manifest: 'x' } } },
  ],
  ['contracts', { plugins: { notes: { contracts: { tools: [1] } } } }],
  [
    'tool fields',
    {
      plugins: {
        notes: {
          tools: [
            { name: 'a', optionl: true, inputSchema: {} },
            {
              name: 'b',
              optional: 1,
              risk: 'huge',
              tags: 'x',
              profiles: [1],
              catalogMode: 'direct',
              executionMode: 'both',
              label: 5,
            },
          ],
        },
      },
    },
  ],
  ['a tool of the wrong kind', { plugins: { notes: { tools: [5, null, ['a']] } } }],
  ['server fields', { mcp: { git: { staus: 'failed', status: 'down', seenAt: 'yesterday', tools: {} } } }],
  [
    'channel tools',
    { channel: ['react', { name: 'x' }, { channelId: 5, name: 'x' }, { channelId: 'irc', nme: 'x' }] },
  ],
  ['client tools', { client: [{ name: 'a', risk: 'low', schema: {} }] }],
  ['providers', { providers: { view_image: true, webSearch: true, tts: 'yes', sound: true } }],
  ['names', { plugins: { '': [], 'a\u001Bb': [] }, mcp: { ' ': [], ['x'.repeat(200)]: [], 'r\u202El': [] } }],
  ['a field called __proto__', JSON.parse('{"__proto__":{},"plugins":{"a":{"__proto__":1}}}')],
  [
    'many mistakes',
    { plugins: Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`p${index}`, 1])) },
  ],
]

test('mistakes are told with their place and a way out', () => {
  const messages = mistakes.map(
    ([name, value]) => `${name}\n  ${errorOf(value).message.replaceAll('\n', '\n  ')}`,
  )
  expect(messages.join('\n')).toMatchInlineSnapshot(`
    "a list
      inventory.json5: expected an object, got a list
    null
      inventory.json5: expected an object, got null
    a misspelled part
      inventory.json5: plugin: unknown field; did you mean plugins?
    a part under its config name
      inventory.json5: mcpServers: unknown field; did you mean mcp?
    parts of the wrong kind
      inventory.json5: plugins: expected an object, got a list
      mcp: expected an object, got "x"
      client: expected a list, got an object
      channel: expected a list, got 1
      providers: expected an object, got a list
    a plugin of the wrong kind
      inventory.json5: plugins.notes: expected an object, got true
    plugin fields
      inventory.json5: plugins.notes.enable: unknown field; did you mean enabled?
      plugins.notes.enabled: expected true or false, got "yes"
      plugins.notes.tools: expected a list, got "note_add"
      plugins.notes.manifest: expected an object, got "x"
    contracts
      inventory.json5: plugins.notes.contracts.tools: expected a list of strings, got a list
    tool fields
      inventory.json5: plugins.notes.tools[0].optionl: unknown field; did you mean optional?
      plugins.notes.tools[0].inputSchema: unknown field; did you mean parameters?
      plugins.notes.tools[1].optional: expected true or false, got 1
      plugins.notes.tools[1].risk: expected "low" or "medium" or "high", got "huge"
      plugins.notes.tools[1].tags: expected a list of strings, got "x"
      plugins.notes.tools[1].profiles: expected a list of strings, got a list
      plugins.notes.tools[1].catalogMode: expected "direct-only", got "direct"
      plugins.notes.tools[1].executionMode: expected "parallel" or "sequential", got "both"
      plugins.notes.tools[1].label: expected a string, got 5
    a tool of the wrong kind
      inventory.json5: plugins.notes.tools[0]: expected a tool name or an object, got 5
      plugins.notes.tools[1]: expected a tool name or an object, got null
      plugins.notes.tools[2]: expected a tool name or an object, got a list
    server fields
      inventory.json5: mcp.git.staus: unknown field; did you mean status?
      mcp.git.status: expected "connected" or "connecting" or "failed", got "down"
      mcp.git.seenAt: expected an ISO time, got "yesterday"
      mcp.git.tools: expected a list, got an object
    channel tools
      inventory.json5: channel[0]: a channel tool needs a channelId and a name
      channel[1]: a channel tool needs a channelId and a name
      channel[2]: a channel tool needs a channelId and a name
      channel[3].nme: unknown field; did you mean name?
    client tools
      inventory.json5: client[0].risk: unknown field; known are name, label, description, parameters
      client[0].schema: unknown field; did you mean parameters?
    providers
      inventory.json5: providers.view_image: unknown field; known are image, image_generate, video_generate, music_generate, tts, web_search, x_search, pdf, code_execution
      providers.webSearch: unknown field; did you mean web_search?
      providers.tts: expected true or false, got "yes"
      providers.sound: unknown field; known are image, image_generate, video_generate, music_generate, tts, web_search, x_search, pdf, code_execution
    names
      inventory.json5: plugins[""]: the name is empty
      plugins["a\\u{1b}b"]: the name has invisible or control characters
      mcp[" "]: the name is empty
      mcp.xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx…: the name is longer than 128 characters
      mcp["r\\u{202e}l"]: the name has invisible or control characters
    a field called __proto__
      inventory.json5: __proto__: unknown field; known are plugins, mcp, client, channel, providers
      plugins.a.__proto__: unknown field; known are enabled, name, version, tools, manifest, problem, contracts, toolMetadata
    many mistakes
      inventory.json5: plugins.p0: expected an object, got 1
      plugins.p1: expected an object, got 1
      plugins.p2: expected an object, got 1
      plugins.p3: expected an object, got 1
      plugins.p4: expected an object, got 1
      plugins.p5: expected an object, got 1
      plugins.p6: expected an object, got 1
      plugins.p7: expected an object, got 1
      plugins.p8: expected an object, got 1
      plugins.p9: expected an object, got 1
      and 20 more"
  `)
})

test('every problem is there for scripts', () => {
  const error = errorOf({ plugins: { a: { tols: [] } }, clients: [] })
  expect([error.code, error.data]).toMatchInlineSnapshot(`
    [
      "INPUT_INVALID",
      {
        "file": "inventory.json5",
        "problems": [
          {
            "message": "unknown field; did you mean client?",
            "path": "clients",
            "suggestion": "client",
          },
          {
            "message": "unknown field; did you mean tools?",
            "path": "plugins.a.tols",
            "suggestion": "tools",
          },
        ],
      },
    ]
  `)
})
