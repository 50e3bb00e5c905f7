import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, test } from 'vitest'
import { configJsonSchema } from '../../../src/config/json-schema.ts'
import { parsePath } from '../../../src/config/path-syntax.ts'
import { runtimeDefaults, schemaAt, suggestKeys } from '../../../src/config/schema-walk.ts'
import { editionIds, type EditionId } from '../../../src/kernel/edition-id.ts'
import { formatPath } from '../../../src/kernel/path.ts'

function facts(path: string, edition: EditionId = '2026.7'): string {
  const info = schemaAt(parsePath(path), edition)
  if (!info) return `unknown; near: ${suggestKeys(parsePath(path), edition).join(', ') || 'nothing'}`
  const { kind, expected, known, sensitive, edition: owner } = info
  return [
    kind,
    expected,
    ...(known ? [] : ['not described']),
    ...(info.default === undefined ? [] : [`default ${JSON.stringify(info.default)}`]),
    ...(info.inheritedFrom ? [`from ${formatPath(info.inheritedFrom)}`] : []),
    ...(sensitive ? ['secret'] : []),
    ...(owner === null ? [] : [`only ${owner}`]),
  ].join('; ')
}

describe('what the schema says about a path', () => {
  test.each([
    ['tools', 'object; an object'],
    ['tools.profile', 'choice; "minimal", "coding", "messaging" or "full"'],
    ['tools.deny', 'list; a list of strings'],
    ['tools.deny[0]', 'string; a string'],
    ['tools.byProvider', 'record; an object'],
    ['tools.byProvider["openai/gpt-5"].profile', 'choice; "minimal", "coding", "messaging" or "full"'],
    ['tools.toolsBySender["*"].deny', 'list; a list of strings'],
    ['tools.toolSearch', 'union; true, false or an object; default false'],
    ['tools.toolSearch.codeTimeoutMs', 'integer; a whole number of at least 1; default 10000'],
    ['tools.toolSearch.searchDefaultLimit', 'integer; a whole number of at least 1; default 8'],
    ['tools.toolSearch.maxSearchLimit', 'integer; a whole number of at least 1; default 20'],
    ['tools.updatePlan', 'boolean; true or false; only 2026.9'],
    ['agents.defaults.subagents.maxSpawnDepth', 'integer; a whole number from 1 to 5; default 1'],
    [
      'agents.list[0].tools.exec.host',
      'choice; "auto", "sandbox", "gateway" or "node"; from tools.exec.host',
    ],
    [
      'agents.entries.work.sandbox.mode',
      'choice; "off", "non-main" or "all"; from agents.defaults.sandbox.mode',
    ],
    ['agents.entries.work.tools.deny', 'list; a list of strings'],
    ['agents.entries.work.name', 'string; a string'],
    ['gateway.auth.token', 'union; a string or an object; secret'],
    ['channels.telegram.groups["-100"].tools.deny', 'list; a list of strings'],
    ['channels.telegram.botToken', 'any; any value; not described'],
    ['messages.tts.provider', 'any; any value; not described'],
    ['tools.dny', 'unknown; near: tools.deny'],
    ['tools.toolSearch.maxSerchLimit', 'unknown; near: tools.toolSearch.maxSearchLimit'],
    ['tools.exec.timeoutSecs', 'unknown; near: tools.exec.timeoutSec'],
    ['agents.list[0].tools.toolSearch', 'unknown; near: tools.toolSearch'],
    ['agents.defaults.tools.profile', 'unknown; near: tools'],
    ['tools.deny.first', 'unknown; near: nothing'],
    ['tools.profile.x', 'unknown; near: nothing'],
    ['tool.deny', 'unknown; near: tools'],
    ['mcpServers', 'unknown; near: mcp.servers'],
    ['tools.toString', 'unknown; near: nothing'],
  ])('%s', (path, expected) => {
    expect(facts(path)).toBe(expected)
  })

  test('defaults and suggestions follow the edition', () => {
    expect(facts('tools.toolSearch', '2026.9')).toMatchInlineSnapshot(
      `"union; true, false or an object; default {"enabled":true,"mode":"tools"}"`,
    )
    expect(facts('agents.defaults.subagents.maxSpawnDepth', '2026.9')).toMatchInlineSnapshot(
      `"integer; a whole number from 1 to 5; default 5"`,
    )
    expect(facts('tools.exec.timeoutSecs', '2026.9')).toMatchInlineSnapshot(
      `"unknown; near: tools.exec.timeoutSeconds"`,
    )
  })

  test('keys of an object are those of the edition', () => {
    expect(schemaAt(['tools', 'loopDetection'], '2026.9')?.keys).toEqual(['enabled'])
    expect(schemaAt(['tools', 'toolSearch'], '2026.7')?.keys).toMatchInlineSnapshot(`
      [
        "enabled",
        "mode",
        "codeTimeoutMs",
        "searchDefaultLimit",
        "maxSearchLimit",
      ]
    `)
    expect(schemaAt(['agents', 'defaults'], '2026.7')?.keys).not.toContain('tools')
  })
})

test('run-time defaults, and what differs in 2026.9', () => {
  const [old, recent] = [runtimeDefaults('2026.7'), runtimeDefaults('2026.9')]
  expect(Object.fromEntries(old)).toMatchInlineSnapshot(`
    {
      "agents.defaults.experimental.localModelLean": false,
      "agents.defaults.memorySearch.enabled": true,
      "agents.defaults.sandbox.backend": "auto",
      "agents.defaults.sandbox.limits.fileMb": 1024,
      "agents.defaults.sandbox.limits.memoryMb": 2048,
      "agents.defaults.sandbox.limits.processes": 512,
      "agents.defaults.sandbox.limits.tmpMb": 256,
      "agents.defaults.sandbox.mode": "off",
      "agents.defaults.sandbox.network": false,
      "agents.defaults.sandbox.sessionToolsVisibility": "spawned",
      "agents.defaults.sandbox.workspaceAccess": "none",
      "agents.defaults.subagents.maxSpawnDepth": 1,
      "browser.enabled": true,
      "browser.headless": true,
      "browser.noSandbox": false,
      "browser.ssrfPolicy.dangerouslyAllowPrivateNetwork": false,
      "channels.webhook.accounts.*.retries": 3,
      "channels.webhook.accounts.*.timeoutSeconds": 10,
      "channels.webhook.retries": 3,
      "channels.webhook.timeoutSeconds": 10,
      "cron.enabled": true,
      "cron.maxConcurrentRuns": 2,
      "env.shellEnv.enabled": false,
      "env.shellEnv.timeoutMs": 15000,
      "gateway.auth.rateLimit.exemptLoopback": true,
      "gateway.auth.rateLimit.lockoutMs": 300000,
      "gateway.auth.rateLimit.maxAttempts": 10,
      "gateway.auth.rateLimit.windowMs": 60000,
      "gateway.http.endpoints.chatCompletions.enabled": false,
      "gateway.http.endpoints.responses.enabled": false,
      "gateway.port": 18789,
      "logging.maxFileBytes": 16777216,
      "mcp.servers.*.connectTimeout": 30,
      "mcp.servers.*.enabled": true,
      "mcp.servers.*.sslVerify": true,
      "mcp.servers.*.supportsParallelToolCalls": false,
      "mcp.servers.*.timeout": 60,
      "mcp.sessionIdleTtlMs": 600000,
      "models.mode": "merge",
      "models.providers.*.models[].compat.supportsTools": true,
      "models.providers.*.models[].input": [
        "text",
      ],
      "models.providers.*.models[].maxTokens": 8192,
      "models.providers.*.models[].reasoning": false,
      "plugins.enabled": true,
      "session.dmScope": "main",
      "session.mainKey": "main",
      "session.scope": "per-sender",
      "tools.agentToAgent.enabled": false,
      "tools.codeMode": false,
      "tools.elevated.enabled": true,
      "tools.exec.applyPatch.enabled": true,
      "tools.exec.applyPatch.workspaceOnly": true,
      "tools.exec.ask": "off",
      "tools.exec.host": "auto",
      "tools.exec.security": "full",
      "tools.fs.workspaceOnly": false,
      "tools.loopDetection.criticalThreshold": 20,
      "tools.loopDetection.detectors.genericRepeat": true,
      "tools.loopDetection.detectors.knownPollNoProgress": true,
      "tools.loopDetection.detectors.pingPong": true,
      "tools.loopDetection.enabled": false,
      "tools.loopDetection.globalCircuitBreakerThreshold": 30,
      "tools.loopDetection.historySize": 30,
      "tools.loopDetection.postCompactionGuard.windowSize": 3,
      "tools.loopDetection.unknownToolThreshold": 10,
      "tools.loopDetection.warningThreshold": 10,
      "tools.sessions.visibility": "tree",
      "tools.toolSearch": false,
      "tools.toolSearch.codeTimeoutMs": 10000,
      "tools.toolSearch.maxSearchLimit": 20,
      "tools.toolSearch.mode": "code",
      "tools.toolSearch.searchDefaultLimit": 8,
      "tools.web.fetch.cacheTtlMinutes": 15,
      "tools.web.fetch.enabled": true,
      "tools.web.fetch.maxChars": 50000,
      "tools.web.fetch.maxRedirects": 5,
      "tools.web.fetch.maxResponseBytes": 2000000,
      "tools.web.fetch.readability": true,
      "tools.web.fetch.ssrfPolicy.dangerouslyAllowPrivateNetwork": false,
      "tools.web.fetch.timeoutSeconds": 30,
      "tools.web.fetch.useTrustedEnvProxy": false,
      "tools.web.search.cacheTtlMinutes": 15,
      "tools.web.search.enabled": true,
      "tools.web.search.maxResults": 5,
      "tools.web.search.timeoutSeconds": 30,
    }
  `)
  const changed = [...new Set([...old.keys(), ...recent.keys()])].filter(
    (path) => JSON.stringify(old.get(path)) !== JSON.stringify(recent.get(path)),
  )
  const table = changed.map(
    (path) => `${path}: ${JSON.stringify(old.get(path))} -> ${JSON.stringify(recent.get(path))}`,
  )
  expect(table.join('\n')).toMatchInlineSnapshot(`
    "tools.loopDetection.enabled: false -> true
    tools.loopDetection.historySize: 30 -> undefined
    tools.loopDetection.warningThreshold: 10 -> undefined
    tools.loopDetection.unknownToolThreshold: 10 -> undefined
    tools.loopDetection.criticalThreshold: 20 -> undefined
    tools.loopDetection.globalCircuitBreakerThreshold: 30 -> undefined
    tools.loopDetection.detectors.genericRepeat: true -> undefined
    tools.loopDetection.detectors.knownPollNoProgress: true -> undefined
    tools.loopDetection.detectors.pingPong: true -> undefined
    tools.loopDetection.postCompactionGuard.windowSize: 3 -> undefined
    tools.codeMode: false -> "auto"
    tools.toolSearch: false -> {"enabled":true,"mode":"tools"}
    tools.agentToAgent.enabled: false -> true
    tools.sessions.visibility: "tree" -> "all"
    agents.defaults.subagents.maxSpawnDepth: 1 -> 5
    tools.swarm.enabled: undefined -> false"
  `)
})

describe('the published JSON Schema', () => {
  test.each([undefined, ...editionIds])(
    'compiles strictly and gives its own defaults a place: %s',
    (edition) => {
      const schema = configJsonSchema(edition)
      const ajv = new Ajv2020({ strict: true, strictTypes: false, strictRequired: false })
      ajv.addVocabulary(['x-edition', 'x-sensitive'])
      const accepts = ajv.compile(schema)
      expect(accepts({ tools: { profile: 'coding' } })).toBe(true)
      expect(accepts({ tools: { profil: 'coding' } })).toBe(false)
      expect(accepts({ agents: { defaults: { tools: {} } } })).toBe(false)
      expect(JSON.stringify(schema)).not.toMatch(/"x-(?!edition|sensitive)/)
    },
  )

  test('names the edition, its defaults and what it no longer reads', () => {
    expect(configJsonSchema('2026.9')).toMatchObject({
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      $id: 'urn:openclaw:config:2026.9',
      title: 'OpenClaw config, edition 2026.9',
      $defs: {
        Tools: { properties: { toolSearch: { default: { enabled: true, mode: 'tools' } } } },
        Exec: {
          properties: {
            timeoutSec: { 'x-edition': '2026.7', deprecated: true, type: 'number' },
            timeoutSeconds: { 'x-edition': '2026.9', type: 'number' },
          },
        },
      },
    })
    expect(JSON.stringify(configJsonSchema())).not.toContain('deprecated')
  })

  test('describes every key', () => {
    const nameless: string[] = []
    const visit = (node: unknown, path: string): void => {
      if (typeof node !== 'object' || node === null) return
      for (const [key, child] of Object.entries(node)) {
        if (key === 'not' || key === 'default') continue
        if (key === 'properties') {
          for (const [name, property] of Object.entries(child)) {
            if (!JSON.stringify(property).includes('"description"')) nameless.push(`${path}.${name}`)
            visit(property, `${path}.${name}`)
          }
        } else visit(child, `${path}/${key}`)
      }
    }
    visit(configJsonSchema(), '')
    expect(nameless).toEqual([])
  })
})
