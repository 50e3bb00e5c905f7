import { expect, test } from 'vitest'
import { brought, inventoryOf, told } from './inventories.ts'

const plugins = (value: unknown, edition: '2026.7' | '2026.9' = '2026.7') =>
  inventoryOf({ plugins: value }, {}, edition)

test('what a tool and its manifest say of it', () => {
  const inventory = plugins({
    kit: {
      name: 'Tool kit',
      tools: [
        {
          name: 'kit_run',
          label: 'Run',
          description: 'Runs it.',
          parameters: { properties: { a: { type: 'string' } } },
          outputSchema: { type: 'object' },
          catalogMode: 'direct-only',
          executionMode: 'sequential',
          risk: 'high',
          tags: ['run', 'fast'],
        },
        'kit_list',
      ],
      toolMetadata: { kit_list: { optional: true, profiles: ['coding'], risk: 'low', tags: ['list'] } },
    },
  })
  expect(inventory.tools.filter((tool) => tool.source === 'plugin')).toMatchInlineSnapshot(`
    [
      {
        "description": "",
        "label": "kit_list",
        "name": "kit_list",
        "optional": true,
        "pluginId": "kit",
        "profiles": [
          "coding",
        ],
        "risk": "low",
        "source": "plugin",
        "tags": [
          "list",
        ],
      },
      {
        "catalogMode": "direct-only",
        "description": "Runs it.",
        "executionMode": "sequential",
        "label": "Run",
        "name": "kit_run",
        "outputSchema": {
          "type": "object",
        },
        "parameters": {
          "properties": {
            "a": {
              "type": "string",
            },
          },
          "type": "object",
        },
        "pluginId": "kit",
        "risk": "high",
        "source": "plugin",
        "tags": [
          "run",
          "fast",
        ],
      },
    ]
  `)
  expect(inventory.plugins).toEqual([
    { id: 'kit', name: 'Tool kit', enabled: true, tools: ['kit_run', 'kit_list'] },
  ])
})

test.each([
  ['a built-in tool', { evil: { tools: ['exec'] } }],
  ['in another case', { evil: { tools: ['  EXEC '] } }],
  ['an alias of one', { evil: { tools: ['bash', 'apply-patch'] } }],
  ['a built-in tool outside the catalogue', { evil: { tools: ['pdf', 'transcripts'] } }],
  ['a Tool Search control', { evil: { tools: ['tool_search', 'tool_call'] } }],
])('never shadows %s', (_what, value) => {
  const inventory = plugins(value)
  expect(brought(inventory)).toBe('')
  expect(inventory.notices.map((notice) => notice.id)).toContain('name-conflict')
})

test('an alias counts in the edition that has it', () => {
  expect(brought(plugins({ jobs: { tools: ['cron'] } }, '2026.9'))).toBe('')
  expect(told(plugins({ jobs: { tools: ['cron'] } }, '2026.9'))).toMatchInlineSnapshot(
    `"warning name-conflict: plugin "jobs": the tool "cron" is left out: a built-in tool has that name"`,
  )
})

test('catalogue names that only plugins provide are theirs to take, once', () => {
  const inventory = plugins({
    lance: { tools: ['memory_search', 'memory_get'] },
    'memory-core': { tools: ['memory_search'] },
    browser: { tools: ['browser', 'browser_shot'] },
  })
  expect(brought(inventory)).toMatchInlineSnapshot(`
    "browser (plugin browser)
    browser_shot (plugin browser)
    memory_get (plugin lance)
    memory_search (plugin lance)"
  `)
  expect(told(inventory)).toMatchInlineSnapshot(
    `"warning name-conflict: plugin "memory-core": the tool "memory_search" is left out: plugin "lance" has that name"`,
  )
})

test('a plugin called like a built-in tool is a plugin; one called like a source is refused', () => {
  const inventory = plugins({
    message: { tools: ['post'] },
    core: { tools: ['a'] },
    'bundle-mcp': { tools: ['b'] },
  })
  expect(brought(inventory)).toBe('post (plugin message)')
  expect(told(inventory)).toMatchInlineSnapshot(`
    "warning name-conflict: plugin "bundle-mcp" has a reserved id; its tools are left out
    warning name-conflict: plugin "core" has a reserved id; its tools are left out"
  `)
})

test('malformed tools are unavailable, each with its reason', () => {
  const inventory = plugins({
    kit: {
      tools: [
        {},
        { name: '' },
        { name: 7 },
        'has space',
        'mcp__x',
        'ünïcode',
        'esc\u001B[31m',
        'x'.repeat(65),
        { name: 'args_text', parameters: 'text' },
        { name: 'args_list', parameters: [] },
        { name: 'empty_group', availability: { allOf: [] } },
        { name: 'inner_group', availability: { anyOf: [{ config: 'a' }, { oneOf: [] }] } },
        { name: 'group_text', availability: { allOf: 'x' } },
        { name: 'good_group', availability: { allOf: [{ config: 'a' }] } },
        { name: 'bad_schema', parameters: { type: 'object', properties: { a: { type: 'strin' } } } },
        { name: 'odd_output', outputSchema: 'text' },
      ],
    },
  })
  expect(brought(inventory)).toMatchInlineSnapshot(`
    "args_list (plugin kit) ! plugin: its parameters are not a JSON Schema object
    args_text (plugin kit) ! plugin: its parameters are not a JSON Schema object
    bad_schema (plugin kit) ! schema: its input schema does not compile: type must be a JSON type or a list of them (at /properties/a/type)
    empty_group (plugin kit) ! capability: empty availability group availability.allOf
    esc\\u{1b}[31m (plugin kit) ! plugin: its name has characters other than A-Z a-z 0-9 _ -
    good_group (plugin kit)
    group_text (plugin kit) ! capability: availability.allOf is not a list
    has space (plugin kit) ! plugin: its name has characters other than A-Z a-z 0-9 _ -
    inner_group (plugin kit) ! capability: empty availability group availability.anyOf[1].oneOf
    mcp__x (plugin kit) ! plugin: its name starts with the reserved mcp__
    odd_output (plugin kit)
    xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx (plugin kit) ! plugin: its name is longer than 64 characters
    ünïcode (plugin kit) ! plugin: its name has characters other than A-Z a-z 0-9 _ -"
  `)
  expect(told(inventory)).toMatchInlineSnapshot(`
    "warning invalid-tool: plugin "kit" brings a tool without a name; it is left out
    warning invalid-tool: plugin "kit" brings a tool without a name; it is left out
    warning invalid-tool: plugin "kit" brings a tool without a name; it is left out
    warning invalid-tool: plugin "kit": the tool "has space" is unavailable: its name has characters other than A-Z a-z 0-9 _ -
    warning invalid-tool: plugin "kit": the tool "mcp__x" is unavailable: its name starts with the reserved mcp__
    warning invalid-tool: plugin "kit": the tool "ünïcode" is unavailable: its name has characters other than A-Z a-z 0-9 _ -
    warning invalid-tool: plugin "kit": the tool "esc\\u{1b}[31m" is unavailable: its name has characters other than A-Z a-z 0-9 _ -
    warning invalid-tool: plugin "kit": the tool "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx" is unavailable: its name is longer than 64 characters
    warning invalid-tool: plugin "kit": the tool "args_text" is unavailable: its parameters are not a JSON Schema object
    warning invalid-tool: plugin "kit": the tool "args_list" is unavailable: its parameters are not a JSON Schema object
    warning invalid-tool: plugin "kit": the tool "empty_group" is unavailable: empty availability group availability.allOf
    warning invalid-tool: plugin "kit": the tool "inner_group" is unavailable: empty availability group availability.anyOf[1].oneOf
    warning invalid-tool: plugin "kit": the tool "group_text" is unavailable: availability.allOf is not a list
    warning invalid-tool: plugin "kit": the outputSchema of tool "odd_output" is no JSON Schema; it is ignored
    warning schema-quarantined: plugin "kit": the tool "bad_schema" is unavailable: its input schema does not compile: type must be a JSON type or a list of them (at /properties/a/type)"
  `)
})

test('with a manifest only declared tools are exposed, and a tool that fails twice says both', () => {
  const inventory = plugins({
    recall: {
      manifest: {
        id: 'recall',
        contracts: { tools: ['recall_grep', 'recall_expand'] },
        toolMetadata: { recall_grep: { profiles: ['coding', 'messaging'] } },
      },
    },
    cards: { manifest: { id: 'cards', tools: [{ name: 'card_search' }, { name: 'card_details' }] } },
    half: {
      contracts: { tools: ['half_a'] },
      tools: ['half_a', { name: 'half_b', availability: { anyOf: [] } }],
    },
  })
  expect(brought(inventory)).toMatchInlineSnapshot(`
    "card_details (plugin cards) ! plugin: the plugin does not declare it in contracts.tools of its manifest
    card_search (plugin cards) ! plugin: the plugin does not declare it in contracts.tools of its manifest
    half_a (plugin half)
    half_b (plugin half) ! capability: empty availability group availability.anyOf ! plugin: the plugin does not declare it in contracts.tools of its manifest
    recall_expand (plugin recall)
    recall_grep (plugin recall)"
  `)
  expect(told(inventory)).toMatchInlineSnapshot(`
    "warning invalid-tool: plugin "cards": the tool "card_search" is unavailable: the plugin does not declare it in contracts.tools of its manifest
    warning invalid-tool: plugin "cards": the tool "card_details" is unavailable: the plugin does not declare it in contracts.tools of its manifest
    warning invalid-tool: plugin "half": the tool "half_b" is unavailable: empty availability group availability.anyOf
    warning invalid-tool: plugin "half": the tool "half_b" is unavailable: the plugin does not declare it in contracts.tools of its manifest"
  `)
  expect(inventory.tools.find((tool) => tool.name === 'recall_grep')?.profiles).toEqual([
    'coding',
    'messaging',
  ])
})

test.each([
  ['nothing said', {}, {}, true],
  ['off in the inventory', { enabled: false }, {}, false],
  ['off in the inventory, on in config', { enabled: false }, { enabled: true }, false],
  ['off by default', { manifest: { enabledByDefault: false } }, {}, false],
  ['off by default, on in config', { manifest: { enabledByDefault: false } }, { enabled: true }, true],
  ['off in config is for policy to judge', {}, { enabled: false }, true],
])('enabled: %s', (_name, plugin, entry, enabled) => {
  const inventory = inventoryOf({ plugins: { kit: plugin } }, { plugins: { entries: { kit: entry } } })
  expect(inventory.plugins[0]?.enabled).toBe(enabled)
})

test('texts of a plugin are harmless and bounded', () => {
  const inventory = plugins({
    kit: {
      tools: [
        {
          name: 'kit',
          label: 'a\u001B[2Jb',
          description: `x\u202Ey${'z'.repeat(20_000)}`,
          tags: ['\u0007t', ''],
        },
      ],
    },
  })
  const tool = inventory.tools.find(({ name }) => name === 'kit')
  expect(tool?.label).toBe('ab')
  expect(tool?.description).toHaveLength(8192)
  expect(tool?.description).toMatch(/^xyz+…$/)
  expect(tool?.tags).toEqual(['t'])
})

test('thousands of bad tools are a few notices and a count', () => {
  const inventory = plugins({ kit: { tools: Array.from({ length: 5000 }, (_, index) => `bad ${index}`) } })
  expect(inventory.notices).toHaveLength(51)
  expect(inventory.notices.at(-1)).toEqual({
    id: 'invalid-tool',
    severity: 'warning',
    message: '4950 more like this',
    path: null,
  })
})
