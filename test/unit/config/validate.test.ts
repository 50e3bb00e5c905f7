import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { loadConfig } from '../../../src/config/load.ts'
import type { Config } from '../../../src/config/types.ts'
import { maxDepth } from '../../../src/config/oddity.ts'
import { validateConfig } from '../../../src/config/validate.ts'
import { projectRoot } from '../../helpers/project.ts'
import { home } from './homes.ts'
import { lines, linesOf } from './validation-lines.ts'

describe('warnings', () => {
  test.each([
    [
      '{ mcpServers: {} }',
      'warning unknown-key mcpServers: unknown section, not read; it belongs in mcp.servers',
    ],
    ['{ tool: {} }', 'warning unknown-key tool: unknown section, not read; did you mean "tools"?'],
    ['{ tokenOptimization: {} }', 'warning unknown-key tokenOptimization: unknown section, not read'],
    [
      '{ telegram: { botToken: "x" } }',
      'warning unknown-key telegram: unknown section, not read; it belongs in channels.telegram',
    ],
    [
      '{ gateway: { token: "x" } }',
      'warning unknown-key gateway.token: unknown key, not read; it belongs in gateway.auth.token',
    ],
    [
      '{ agents: { list: [{ id: "a" }], entries: { b: {} } } }',
      'warning shadowed-rule agents.list: is not read, because agents.entries names the agents; move what is still needed there',
    ],
    [
      '{ mcp: { servers: { a: { url: "mcp://x.example.com" , transport: "sse" } } } }',
      'warning mcp-config mcp.servers.a.url: "mcp://" is not an address a server can be reached at: write http:// or https://',
    ],
    [
      '{ mcp: { servers: { a: { url: "x.example.com/mcp" , transport: "sse" } } } }',
      'warning mcp-config mcp.servers.a.url: is not a full address: it must begin with http:// or https://',
    ],
    [
      '{ mcp: { servers: { a: { url: "https://x/mcp", transport: "sse", env: { A: "b" } } } } }',
      'warning mcp-config mcp.servers.a.env: is not used: a remote server has no environment here; pass values in headers, or start the server with command',
    ],
    [
      '{ mcp: { servers: { a: { url: "https://x/mcp" } } } }',
      'info mcp-config mcp.servers.a: no transport is set, so streamable-http is tried first and sse after it; other versions use sse alone, so name it: transport: "streamable-http"',
    ],
    [
      '{ mcp: { servers: { a: { enabled: true } } } }',
      'warning mcp-config mcp.servers.a: the server has neither command nor url, so it cannot be started',
    ],
    [
      '{ mcp: { servers: { a: { command: "x", url: "https://x/mcp" } } } }',
      'warning mcp-config mcp.servers.a.url: is not read, because command is set and wins',
    ],
    [
      '{ mcp: { servers: { a: { command: "x", env: { A: "b" } }, b: { url: "${BASE}/mcp", type: "http" } } } }',
      'valid',
    ],
    [
      '{ plugins: { entries: { p: { config: { apiKey: { source: "env", var: "P_KEY" } } } } } }',
      'warning secret-ref plugins.entries.p.config.apiKey: a secret reference has no key "var"; the name to look up is called id',
    ],
    [
      '{ gateway: { auth: { token: { source: "env" } } } }',
      'warning secret-ref gateway.auth.token: a secret reference needs id: the name to look up',
    ],
    [
      '{ gateway: { auth: { token: { source: "env", provider: "default", id: "gw-token" } } } }',
      'warning secret-ref gateway.auth.token: the id of a secret reference is a variable name: capital letters, digits and _',
    ],
    ['{ gateway: { auth: { token: { source: "file", id: "/run/secrets/gw" } } } }', 'valid'],
    ['{ hooks: { x: { source: "env", target: "a", other: "b" } } }', 'valid'],
    ['{ hooks: { match: { source: "file", path: "x" } } }', 'valid'],
    [
      '{ secrets: { providers: { default: { source: "env" }, files: { source: "file", path: "/s" } } } }',
      'valid',
    ],
    [
      '{ agents: { list: [{ id: "Main" }, { id: "b" }, { id: "main " }] } }',
      'warning duplicate-id agents.list[2].id: an agent with this id stands before it; this one is not read',
    ],
    [
      '{ agents: { entries: { main: {}, MAIN: {} } } }',
      'warning duplicate-id agents.entries.MAIN: an agent with this id stands before it; this one is not read',
    ],
  ])('%s', async (config, expected) => {
    expect(await lines(config)).toBe(expected)
  })
})

test.each([
  ['2026.7', '2026.9.1', 'edition 2026.9 and is judged as 2026.7'],
  ['2026.9', '2026.4.12', 'edition 2026.7 and is judged as 2026.9'],
  ['2026.9', '2026.8.0', null],
  ['2026.7', '2026.7.1', null],
  ['2026.9', 'unknown', null],
] as const)('judged as %s, last written by %s', async (edition, lastTouchedVersion, said) => {
  const { warnings } = await validateConfig({ meta: { lastTouchedVersion } }, { edition, locate: () => null })
  expect(warnings.map(({ id, message }) => `${id}: ${message}`)).toEqual(
    said === null
      ? []
      : [`edition-mismatch: meta.lastTouchedVersion: the config was last written by ${said} here`],
  )
})

const agent = (keys: string) => `{ agents: { list: [{ id: "a", ${keys} }] } }`
const provider = (keys: string) => `{ models: { providers: { p: { ${keys} } } } }`

test.each([
  [agent('tool: {}'), 'agents.list[0].tool', 'tools'],
  [agent('workpsace: "x"'), 'agents.list[0].workpsace', 'workspace'],
  [agent('sandbox: { workspaceAcess: "ro" }'), 'agents.list[0].sandbox.workspaceAcess', 'workspaceAccess'],
  [agent('sandbox: { MODE: "all", mode: "off" }'), 'agents.list[0].sandbox.MODE', 'mode'],
  [agent('model: { fallback: [] }'), 'agents.list[0].model.fallback', 'fallbacks'],
  ['{ agents: { defaults: { imageModal: "a/b" } } }', 'agents.defaults.imageModal', 'imageModel'],
  [provider('baseURL: "http://x"'), 'models.providers.p.baseURL', 'baseUrl'],
  [provider('api_key: "x"'), 'models.providers.p.api_key', 'apiKey'],
  [
    provider('models: [{ id: "m", compat: { supportTools: false } }]'),
    'models.providers.p.models[0].compat.supportTools',
    'supportsTools',
  ],
  [
    '{ channels: { irc: { groups: { g: { toolBySender: {} } } } } }',
    'channels.irc.groups.g.toolBySender',
    'toolsBySender',
  ],
  ['{ commands: { ownerAllowForm: [] } }', 'commands.ownerAllowForm', 'ownerAllowFrom'],
])('a key that is nearly a known one is told: %s', async (config, path, meant) => {
  expect(await lines(config)).toBe(
    `warning unknown-key ${path}: unknown key, not read; did you mean "${meant}"?`,
  )
})

test.each([
  agent(
    'identity: {}, memory: {}, models: {}, params: {}, groupChat: {}, humanDelay: {}, runtime: {}, thinkingDefault: "x"',
  ),
  agent('subagents: { thinking: "x", requireAgentId: true, models: [] }, heartbeat: { lightContext: true }'),
  agent('sandbox: { browser: {}, prune: {}, ssh: {}, workspaceRoot: "x", perSession: true }'),
  '{ agents: { defaults: { compaction: {}, contextPruning: {}, typingMode: "x", repoRoot: "x", maxConcurrent: 1 } } }',
  provider(
    'contextWindow: 1, request: {}, agentRuntime: {}, region: "x", authHeader: true, header: {}, headers: {}, oauth: {}',
  ),
  provider(
    'models: [{ id: "m", contextTokens: 1, params: {}, headers: {}, modes: [], cost: { tieredPricing: [] } }]',
  ),
  '{ commands: { native: true, text: true, mcp: true, plugins: true, allowFrom: {}, ownerDisplay: "x" } }',
  '{ channels: { signal: { account: "+1", group: {}, dm: {} } } }',
])('keys of other programs are no slips: %s', async (config) => {
  expect(await lines(config)).toBe('valid')
})

test('servers under the wrong key get their own remarks', async () => {
  expect(await lines('{ mcpServers: { a: { url: "mcp://x", env: {}, type: "http" }, b: { command: "b" } } }'))
    .toMatchInlineSnapshot(`
    "warning unknown-key mcpServers: unknown section, not read; it belongs in mcp.servers
    warning mcp-config mcpServers.a.url: "mcp://" is not an address a server can be reached at: write http:// or https://
    warning mcp-config mcpServers.a.env: is not used: a remote server has no environment here; pass values in headers, or start the server with command"
  `)
})

function nest(depth: number): unknown {
  return JSON.parse(`{"hooks":{"x":${'['.repeat(depth)}${']'.repeat(depth)}}}`)
}

describe('bad values', () => {
  test.each(['__proto__', 'constructor', 'prototype'])('%s is not allowed anywhere', async (key) => {
    for (const place of [
      '{"@":1}',
      '{"messages":{"a":[{"@":{}}]}}',
      '{"tools":{"@":1}}',
      '{"tools":{"byProvider":{"@":{}}}}',
    ]) {
      const said = await linesOf(JSON.parse(place.replace('@', key)))
      expect(said).toMatch(
        new RegExp(`^error \\S*${key}: the key "${key}" is not allowed anywhere in a config$`),
      )
    }
  })

  test('numbers without an end', async () => {
    expect(
      await lines(
        '{ models: { providers: { p: { models: [{ id: "m", maxTokens: Infinity }] } } }, hooks: { x: NaN } }',
      ),
    ).toMatchInlineSnapshot(`
      "error models.providers.p.models[0].maxTokens: expected a finite number, got Infinity
      error hooks.x: expected a finite number, got NaN"
    `)
  })

  test('nesting deeper than the limit', async () => {
    expect(await linesOf(nest(maxDepth - 3))).toBe('valid')
    expect(await linesOf(nest(5000))).toMatch(/^error hooks\.x\[0\]\S+: is nested deeper than 500 levels$/)
  })

  test('a secret is never shown', async () => {
    const said = await lines(
      '{ gateway: { auth: { token: ["s3cret"], password: 5 } }, mcp: { servers: { a: { command: "a", env: { A: ["s3cret"] }, headers: "s3cret" } } }, models: { providers: { p: { apiKey: false, headers: "s3cret" } } } }',
    )
    expect(said).not.toContain('s3cret')
    expect(said).toMatchInlineSnapshot(`
      "error gateway.auth.token: expected a string or an object, got a list of 1
      error gateway.auth.password: expected a string or an object, got a number
      error mcp.servers.a.env.A: expected a string, a number, true, false or an object, got a list of 1
      error mcp.servers.a.headers: expected an object, got a string
      error models.providers.p.apiKey: expected a string or an object, got false
      error models.providers.p.headers: expected an object, got a string"
    `)
  })

  test('a secret in the wrong place is not shown either', async () => {
    const said = await lines(
      '{ gateway: { auth: "s3cret" }, mcp: { servers: { a: { command: "a", args: "run --token s3cret" } } }, plugins: { entries: { p: { config: "token=s3cret" } } } }',
    )
    expect(said).toMatchInlineSnapshot(`
      "error gateway.auth: expected an object, got a string
      error mcp.servers.a.args: expected a list of strings, got the string "run --token __OPENCLAW_REDACTED__"
      error plugins.entries.p.config: expected an object, got the string "token=__OPENCLAW_REDACTED__""
    `)
  })

  test('text of a config cannot steer a terminal and stays short', async () => {
    const value = {
      tools: { profile: `\u001B[2J${'x'.repeat(500)}`, [`a\u001B]0;t\u0007`]: 1 },
      [`\u202Ex${'y'.repeat(500)}`]: {},
    }
    const { issues, warnings } = await validateConfig(value, { edition: '2026.7', locate: () => null })
    const said = [...issues, ...warnings].map(({ message }) => message)
    expect(said).toHaveLength(3)
    expect(said.join(' ')).not.toMatch(/[\p{Cc}\p{Cf}]/u)
    expect(Math.max(...said.map((message) => message.length))).toBeLessThan(300)
  })
})

test('all errors are listed in file order with their places', async () => {
  const directory = home({
    'openclaw.json': `{
  tools: {
    profile: "codin",
    deny: "exec",
    $include: "./more.json5",
  },
  unknownTop: 1,
  agents: { list: [
    { tools: { alow: [] } },
  ] },
}`,
    'more.json5': '{\n  exec: { host: "mars" },\n}',
  })
  const loaded = await loadConfig({
    file: join(directory, 'openclaw.json'),
    env: {},
    cwd: directory,
    home: directory,
  })
  const { issues, warnings } = await validateConfig(loaded.config, {
    edition: '2026.7',
    locate: loaded.locate,
  })
  const text = JSON.stringify([...issues, ...warnings], null, 1).replaceAll(directory, '<home>')
  expect(text).toMatchInlineSnapshot(`
    "[
     {
      "path": "tools.exec.host",
      "message": "expected \\"auto\\", \\"sandbox\\", \\"gateway\\" or \\"node\\", got the string \\"mars\\"",
      "expected": "\\"auto\\", \\"sandbox\\", \\"gateway\\" or \\"node\\"",
      "got": "the string \\"mars\\"",
      "location": {
       "file": "<home>/more.json5",
       "path": "tools.exec.host",
       "line": 2,
       "column": 17
      }
     },
     {
      "path": "tools.profile",
      "message": "expected \\"minimal\\", \\"coding\\", \\"messaging\\" or \\"full\\", got the string \\"codin\\"; did you mean \\"coding\\"?",
      "expected": "\\"minimal\\", \\"coding\\", \\"messaging\\" or \\"full\\"",
      "got": "the string \\"codin\\"",
      "location": {
       "file": "<home>/openclaw.json",
       "path": "tools.profile",
       "line": 3,
       "column": 14
      },
      "suggestion": "\\"coding\\""
     },
     {
      "path": "tools.deny",
      "message": "expected a list of strings, got the string \\"exec\\"; did you mean [\\"exec\\"]?",
      "expected": "a list of strings",
      "got": "the string \\"exec\\"",
      "location": {
       "file": "<home>/openclaw.json",
       "path": "tools.deny",
       "line": 4,
       "column": 11
      },
      "suggestion": "[\\"exec\\"]"
     },
     {
      "path": "agents.list[0].id",
      "message": "is missing: expected a string",
      "expected": "a string",
      "got": "nothing",
      "location": {
       "file": "<home>/openclaw.json",
       "path": "agents.list[0]",
       "line": 9,
       "column": 5
      }
     },
     {
      "path": "agents.list[0].tools.alow",
      "message": "unknown key \\"alow\\"; did you mean \\"allow\\"?",
      "location": {
       "file": "<home>/openclaw.json",
       "path": "agents.list[0].tools.alow",
       "line": 9,
       "column": 22
      },
      "suggestion": "allow"
     },
     {
      "id": "unknown-key",
      "severity": "warning",
      "message": "unknownTop: unknown section, not read",
      "location": {
       "file": "<home>/openclaw.json",
       "path": "unknownTop",
       "line": 7,
       "column": 15
      }
     }
    ]"
  `)
})

test('a list of ten thousand wrong entries is reported quickly and in full', async () => {
  const deny = Array.from({ length: 10_000 }, (_, index) => index)
  const before = process.cpuUsage()
  const { issues } = await validateConfig({ tools: { deny } }, { edition: '2026.7', locate: () => null })
  expect(process.cpuUsage(before).user / 1_000).toBeLessThan(2_000)
  expect(issues).toHaveLength(101)
  expect(issues.at(-1)?.message).toBe('9900 more entries of this list are wrong')
})

test('ten thousand good entries take a moment', async () => {
  const names = Array.from({ length: 10_000 }, (_, index) => `tool_${index}`)
  const config = {
    tools: {
      deny: names,
      toolsBySender: Object.fromEntries(names.map((name) => [`id:${name}`, { allow: names.slice(0, 5) }])),
    },
  }
  const before = process.cpuUsage()
  expect(await linesOf(config)).toBe('valid')
  expect(process.cpuUsage(before).user / 1_000).toBeLessThan(2_000)
})

describe('real configs', () => {
  const folder = join(projectRoot, 'fixtures/realconfigs')

  test.each(readdirSync(folder))('%s is valid', async (name) => {
    const loaded = await loadConfig({ file: join(folder, name), env: {}, cwd: folder, home: folder })
    const version = loaded.config.meta?.lastTouchedVersion
    const edition = version?.startsWith('2026.9') ? '2026.9' : '2026.7'
    const { valid, issues, warnings } = await validateConfig(loaded.config, {
      edition,
      locate: loaded.locate,
    })
    expect(issues).toEqual([])
    expect(valid).toBe(true)
    const said = warnings.map(({ message, location }) => `${location?.line}: ${message}`).join('\n')
    expect(said).toBe(traps[name] ?? '')
  })
})

describe('a config beside one that has nothing to report', () => {
  const tools = { deny: ['exec'] }
  const agents = { list: [{ id: 'a' }] }
  const plain: Config = { tools, agents }

  test.each<[string, object]>([
    ['itself', plain],
    ['another section that is wrong', { ...plain, session: { scop: 'x' } }],
    ['a section that became wrong', { ...plain, tools: { deny: 'exec' } }],
    ['a section that warns', { ...plain, gateway: { token: 'x' } }],
    ['a section of another name', { tools, agent: agents }],
    ['a section in the place of another', { tools: agents, agents }],
    ['an agent that is there twice', { tools, agents: { list: [...agents.list, { id: 'a' }] } }],
    ['the stamp of another edition', { ...plain, meta: { lastTouchedVersion: '2026.9.1' } }],
    ['a key that no config needs', { ...plain, channels: JSON.parse('{ "__proto__": {} }') }],
    ['a list', [tools]],
  ])('%s: the same answer as alone', async (_what, value) => {
    const options = { edition: '2026.7', locate: () => null } as const
    expect((await validateConfig(plain, options)).warnings).toEqual([])
    const alone = await validateConfig(value, options)
    expect(await validateConfig(value, { ...options, beside: plain })).toEqual(alone)
    expect(alone.issues.length + alone.warnings.length > 0).toBe(value !== plain)
  })

  test('objects it shares are not looked at again', async () => {
    const looked: string[] = []
    const watched = new Proxy(structuredClone(tools), {
      ownKeys: (target) => (looked.push('tools'), Reflect.ownKeys(target)),
    })
    const before: Config = { tools: watched, agents }
    const options = { edition: '2026.7', locate: () => null } as const
    await validateConfig({ ...before, session: {} }, options)
    expect(looked).not.toEqual([])
    looked.length = 0
    await validateConfig({ ...before, session: {} }, { ...options, beside: before })
    expect(looked).toEqual([])
  })
})

/** What the comments at the top of these files promise; every other file is accepted without a word. */
const traps: Readonly<Record<string, string>> = {
  '11-network-ops-60-mcp-wrong-key.json5': `6: tokenOptimization: unknown section, not read
8: security: unknown section, not read
9: mcpServers: unknown section, not read; it belongs in mcp.servers
16: mcpServers.ci-mcp: no transport is set, so streamable-http is tried first and sse after it; other versions use sse alone, so name it: transport: "streamable-http"
16: mcpServers.ci-mcp.env: is not used: a remote server has no environment here; pass values in headers, or start the server with command
17: mcpServers.metrics-mcp: no transport is set, so streamable-http is tried first and sse after it; other versions use sse alone, so name it: transport: "streamable-http"
17: mcpServers.metrics-mcp.url: "mcp://" is not an address a server can be reached at: write http:// or https://
17: mcpServers.metrics-mcp.env: is not used: a remote server has no environment here; pass values in headers, or start the server with command
19: mcpServers.docs-search: no transport is set, so streamable-http is tried first and sse after it; other versions use sse alone, so name it: transport: "streamable-http"`,
  '13-teams-slack-plugins-allow.json5':
    '22: plugins.entries.perplexity.config.webSearch.apiKey: a secret reference has no key "var"; the name to look up is called id',
  '21-team-entries-mcp-deny-globs.json5': `6: mcp.servers.example: no transport is set, so streamable-http is tried first and sse after it; other versions use sse alone, so name it: transport: "streamable-http"
6: mcp.servers.brain: no transport is set, so streamable-http is tried first and sse after it; other versions use sse alone, so name it: transport: "streamable-http"`,
}
