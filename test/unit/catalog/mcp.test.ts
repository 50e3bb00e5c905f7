import { describe, expect, test } from 'vitest'
import { safeServerNames } from '../../../src/catalog/sources/mcp-names.ts'
import { brought, inventoryOf, told } from './inventories.ts'

const servers = (value: unknown, config = {}) => inventoryOf({ mcp: value }, config)

const safe = (...names: string[]): string =>
  names.map((name) => `${name} → ${safeServerNames(names).get(name)}`).join('\n')

describe('server names', () => {
  test('characters, first letter, length, clashes, the reserved prefix', () => {
    expect(
      safe(
        'github',
        'mail box',
        '9lives',
        ' padded ',
        '_x',
        'mcp',
        'Ünï',
        `long${'g'.repeat(40)}`,
        `long${'g'.repeat(41)}`,
      ),
    ).toMatchInlineSnapshot(`
      "github → github
      mail box → mail-box
      9lives → mcp-9lives
       padded  → padded
      _x → mcp-_x
      mcp → mcp-mcp
      Ünï → mcp--n-
      longgggggggggggggggggggggggggggggggggggggggg → longgggggggggggggggggggggggggg
      longggggggggggggggggggggggggggggggggggggggggg → longgggggggggggggggggggggggg-2"
    `)
  })

  test('a safe name keeps itself beside look-alikes, in whatever order they come', () => {
    expect(safe('a b', 'a.b', 'a-b', 'A-B')).toMatchInlineSnapshot(`
      "a b → a-b-3
      a.b → a-b-4
      a-b → a-b-2
      A-B → A-B"
    `)
    expect([...safeServerNames(['A-B', 'a-b', 'a.b', 'a b'])].toSorted()).toEqual(
      [...safeServerNames(['a b', 'a.b', 'a-b', 'A-B'])].toSorted(),
    )
  })
})

test('tool names that differ in a replaced character stay apart and map back', () => {
  const inventory = servers({
    cat: { tools: ['catalog.query', 'catalog query', 'catalog-query', 'catalog_query', 'Catalog-Query'] },
  })
  const mapped = inventory.tools.flatMap((tool) =>
    tool.source === 'mcp' ? [[tool.name, tool.mcpToolName]] : [],
  )
  expect(mapped).toMatchInlineSnapshot(`
    [
      [
        "cat__Catalog-Query",
        "Catalog-Query",
      ],
      [
        "cat__catalog-query-2",
        "catalog query",
      ],
      [
        "cat__catalog-query-3",
        "catalog-query",
      ],
      [
        "cat__catalog-query-4",
        "catalog.query",
      ],
      [
        "cat__catalog_query",
        "catalog_query",
      ],
    ]
  `)
  expect(told(inventory)).toMatchInlineSnapshot(
    `"info invalid-tool: MCP server "cat": offered under other names: "catalog query" as cat__catalog-query-2, "catalog-query" as cat__catalog-query-3, "catalog.query" as cat__catalog-query-4; 2 tools not concerned"`,
  )
})

test('where every name of a server changes, nothing is said of the others', () => {
  expect(told(servers({ s: { tools: ['a b'] } }))).toBe(
    'info invalid-tool: MCP server "s": offered under other names: "a b" as s__a-b',
  )
})

const pairs = (list: string[]): string =>
  servers({ s: { tools: list } })
    .tools.map((tool) => `${tool.name} ${tool.mcpToolName}`)
    .join('\n')

test('names do not depend on the order in which a server lists its tools', () => {
  const tools = ['a.b', 'a b', 'a-b', 'a-b-2', 'a/b', 'A-B']
  expect(pairs(tools.toReversed())).toBe(pairs(tools))
})

test('unusable names are quarantined or changed, the rest stays, nothing is lost in silence', () => {
  const inventory = servers({
    svc: {
      tools: [
        'ok',
        'bad name!',
        'töol',
        ' padded ',
        '3d',
        'mcp__x',
        'x'.repeat(129),
        'esc\u001B[31m',
        'rtl\u202Eoverride',
        'y'.repeat(600),
        '',
        { title: 'nameless' },
        'ok',
      ],
    },
  })
  expect(brought(inventory)).toMatchInlineSnapshot(`
    "svc__bad-name- (mcp svc)
    svc__esc--31m (mcp svc) ! mcp: its name has invisible or control characters
    svc__mcp__x (mcp svc)
    svc__ok (mcp svc)
    svc__padded (mcp svc)
    svc__rtl-override (mcp svc) ! mcp: its name has invisible or control characters
    svc__t-ol (mcp svc)
    svc__tool-3d (mcp svc)
    svc__xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx (mcp svc)
    svc__yyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyy (mcp svc) ! mcp: its name is longer than 512 characters"
  `)
  expect(told(inventory)).toMatchInlineSnapshot(`
    "warning duplicate-id: MCP server "svc" lists the tool "ok" twice; the first one counts
    warning invalid-tool: MCP server "svc": 2 tools without a name left out
    warning invalid-tool: MCP server "svc": unusable names, unavailable: "esc\\u{1b}[31m" (svc__esc--31m), "rtl\\u{202e}override" (svc__rtl-override), "yyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyy…" (svc__yyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyy); 7 tools not concerned
    info invalid-tool: MCP server "svc": offered under other names: " padded " as svc__padded, "3d" as svc__tool-3d, "bad name!" as svc__bad-name-, "töol" as svc__t-ol, "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx…" as svc__xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx; 2 tools not concerned"
  `)
})

test('a tool never takes the name of a plugin tool', () => {
  const inventory = inventoryOf({
    plugins: { kit: { tools: ['github__create_issue'] } },
    mcp: { github: { tools: ['create_issue'] } },
  })
  expect(brought(inventory)).toMatchInlineSnapshot(`
    "github__create_issue (plugin kit)
    github__create_issue-2 (mcp github)"
  `)
})

test('servers that are down, off or from the cache', () => {
  const cases: readonly [string, object, object][] = [
    ['failed', { status: 'failed', tools: ['a', 'b'] }, {}],
    ['failed with a cause', { status: 'failed', error: 'spawn x\n\u001B[31mENOENT', tools: ['a'] }, {}],
    ['connecting', { status: 'connecting', tools: ['a'] }, {}],
    ['failed, no tools known', { status: 'failed' }, {}],
    ['off in the inventory', { enabled: false, tools: ['a'] }, {}],
    ['off in config', { status: 'failed', tools: ['a'] }, { enabled: false }],
    ['as last seen', { seenAt: '2026-09-01T10:00:00Z', tools: ['a'] }, {}],
  ]
  const lines = cases.map(([name, server, entry]) => {
    const inventory = servers({ git: server }, { mcp: { servers: { git: entry } } })
    return `${name}\n${brought(inventory)}\n${told(inventory)}`
  })
  expect(lines.join('\n\n')).toMatchInlineSnapshot(`
    "failed
    git__a (mcp git) ! mcp: MCP server "git" could not be reached
    git__b (mcp git) ! mcp: MCP server "git" could not be reached
    warning mcp-unreachable: MCP server "git" could not be reached; its 2 tools are unavailable

    failed with a cause
    git__a (mcp git) ! mcp: MCP server "git" could not be reached: spawn x ENOENT
    warning mcp-unreachable: MCP server "git" could not be reached: spawn x ENOENT; its tool is unavailable

    connecting
    git__a (mcp git) ! mcp: MCP server "git" is still connecting
    info mcp-unreachable: MCP server "git" is still connecting; its tool is unavailable

    failed, no tools known

    warning mcp-unreachable: MCP server "git" could not be reached

    off in the inventory
    git__a (mcp git) ! mcp: MCP server "git" is switched off


    off in config
    git__a (mcp git) ! mcp: MCP server "git" is switched off


    as last seen
    git__a (mcp git)
    info mcp-stale: the tools of MCP server "git" are as seen at 2026-09-01T10:00:00Z"
  `)
})

const duck = (toolFilter: object) =>
  servers(
    { 'duck db': { tools: ['query', 'list_tables', 'drop_table'] } },
    { mcp: { servers: { 'duck db': { toolFilter } } } },
  )

const left = (toolFilter: object): string =>
  duck(toolFilter)
    .tools.filter((tool) => tool.source === 'mcp' && tool.defect === undefined)
    .map((tool) => tool.mcpToolName)
    .join(' ')

describe('toolFilter', () => {
  test.each([
    [{}, 'drop_table list_tables query'],
    [{ include: [] }, 'drop_table list_tables query'],
    [{ include: ['query'] }, 'query'],
    [{ include: ['duck-db__query'] }, 'query'],
    [{ include: ['duck db__query'] }, 'query'],
    [{ include: ['*_table*'] }, 'drop_table list_tables'],
    [{ include: ['duck-db__*'] }, 'drop_table list_tables query'],
    [{ include: ['Query'] }, ''],
    [{ include: ['qu?ry'] }, ''],
    [{ exclude: ['drop_*'] }, 'list_tables query'],
    [{ include: ['*'], exclude: ['duck-db__drop_table'] }, 'list_tables query'],
    [{ include: ['query'], exclude: ['query'] }, ''],
  ])('%j leaves %s', (filter, expected) => {
    expect(left(filter)).toBe(expected)
  })

  test('says which list decided', () => {
    const inventory = duck({ include: ['query', 'drop_table'], exclude: ['x', 'drop_*'] })
    const defects = inventory.tools.flatMap((tool) =>
      tool.defect === undefined ? [] : [[tool.name, tool.defect]],
    )
    expect(defects).toMatchInlineSnapshot(`
      [
        [
          "duck-db__drop_table",
          {
            "path": [
              "mcp",
              "servers",
              "duck db",
              "toolFilter",
              "exclude",
              1,
            ],
            "reason": "toolFilter.exclude of MCP server "duck db" names it",
            "rule": "drop_*",
            "step": "mcp",
          },
        ],
        [
          "duck-db__list_tables",
          {
            "path": [
              "mcp",
              "servers",
              "duck db",
              "toolFilter",
              "include",
            ],
            "reason": "toolFilter.include of MCP server "duck db" does not name it",
            "rule": "toolFilter.include",
            "step": "mcp",
          },
        ],
      ]
    `)
    expect(told(inventory)).toBe(
      'warning mcp-filter-matches-nothing: "x" in toolFilter.exclude of MCP server "duck db" matches none of its tools; known names: drop_table, list_tables, query',
    )
  })

  test('an include list that names nothing of the server is told with the names it has', () => {
    const inventory = duck({ include: ['duck_query'] })
    expect(told(inventory)).toMatchInlineSnapshot(
      `"warning mcp-filter-matches-nothing: toolFilter.include of MCP server "duck db" matches none of its 3 tools; known names: drop_table, list_tables, query"`,
    )
    expect(inventory.notices[0]?.path).toEqual(['mcp', 'servers', 'duck db', 'toolFilter', 'include'])
  })
})

test('every reason of one tool is kept, in pipeline order', () => {
  const inventory = servers(
    {
      job: {
        status: 'failed',
        tools: [{ name: 'run', execution: { taskSupport: 'required' }, inputSchema: 5 }],
      },
    },
    { mcp: { servers: { job: { toolFilter: { exclude: ['run'] } } } } },
  )
  expect(brought(inventory)).toMatchInlineSnapshot(
    `"job__run (mcp job) ! mcp: MCP server "job" could not be reached ! mcp: toolFilter.exclude of MCP server "job" names it ! schema: it can only run as a task, which is not supported (execution.taskSupport is "required") ! schema: its input schema is not an object"`,
  )
})

test('a bad schema or a task takes out one tool, not the server', () => {
  const inventory = servers({
    fin: {
      tools: [
        { name: 'ok', inputSchema: { type: 'object', properties: { q: { type: 'string' } } } },
        { name: 'poly', inputSchema: { oneOf: [{ type: 'object', required: ['a'] }, { type: 'object' }] } },
        {
          name: 'far',
          inputSchema: { type: 'object', properties: { a: { $ref: 'https://x.test/s.json' } } },
        },
        { name: 'task', execution: { taskSupport: 'required' } },
        { name: 'task_optional', execution: { taskSupport: 'optional' } },
      ],
    },
  })
  expect(brought(inventory)).toMatchInlineSnapshot(`
    "fin__far (mcp fin) ! schema: its input schema has an external $ref: https://x.test/s.json
    fin__ok (mcp fin)
    fin__poly (mcp fin)
    fin__task (mcp fin) ! schema: it can only run as a task, which is not supported (execution.taskSupport is "required")
    fin__task_optional (mcp fin)"
  `)
  expect(told(inventory)).toMatchInlineSnapshot(
    `"warning schema-quarantined: MCP tool fin__far is unavailable: its input schema has an external $ref: https://x.test/s.json"`,
  )
})

test('schemas are given a root that every provider accepts', () => {
  const inventory = servers({
    flux: {
      tools: [
        { name: 'a', inputSchema: {} },
        { name: 'b', inputSchema: { type: 'object' } },
        { name: 'c', inputSchema: { properties: { q: { type: 'string' } } } },
        { name: 'd', inputSchema: { anyOf: [{ type: 'object' }] } },
        'e',
      ],
    },
  })
  const schemas = inventory.tools.flatMap((tool) => (tool.source === 'mcp' ? [tool.parameters] : []))
  expect(schemas).toEqual([
    { type: 'object', properties: {} },
    { type: 'object', properties: {} },
    { type: 'object', properties: { q: { type: 'string' } } },
    { type: 'object', properties: {}, anyOf: [{ type: 'object' }] },
    { type: 'object', properties: {} },
  ])
})

test('a title wins over annotations and name; calls run side by side where config says so', () => {
  const tools = [
    { name: 'a', title: 'Tool\u001B[0m A', annotations: { title: 'x', readOnlyHint: true } },
    { name: 'b', annotations: { title: 'Tool B' } },
    { name: 'c', title: '' },
  ]
  const inventory = servers(
    { s: { tools } },
    { mcp: { servers: { s: { supportsParallelToolCalls: true } } } },
  )
  const mcp = inventory.tools.filter((tool) => tool.source === 'mcp')
  expect(mcp.map((tool) => [tool.label, tool.executionMode])).toEqual([
    ['Tool A', 'parallel'],
    ['Tool B', 'parallel'],
    ['c', 'parallel'],
  ])
})
