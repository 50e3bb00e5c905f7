import { describe, expect, test } from 'vitest'
import { lines } from './validation-lines.ts'

const bothLists =
  'allow and alsoAllow cannot both have entries in one scope: move the entries of alsoAllow into allow, or keep alsoAllow alone to widen a profile'

describe('tool policy in a config', () => {
  test.each([
    ['{ tools: { bogus: 1 } }', 'error tools.bogus: unknown key "bogus"'],
    ['{ tools: { profil: "coding" } }', 'error tools.profil: unknown key "profil"; did you mean "profile"?'],
    ['{ tools: { dny: ["exec"] } }', 'error tools.dny: unknown key "dny"; did you mean "deny"?'],
    [
      '{ tools: { profile: "banana" } }',
      'error tools.profile: expected "minimal", "coding", "messaging" or "full", got the string "banana"',
    ],
    [
      '{ tools: { profile: "codin" } }',
      'error tools.profile: expected "minimal", "coding", "messaging" or "full", got the string "codin"; did you mean "coding"?',
    ],
    [
      '{ tools: { deny: "exec" } }',
      'error tools.deny: expected a list of strings, got the string "exec"; did you mean ["exec"]?',
    ],
    [
      '{ tools: { deny: ["exec", 5] } }',
      'error tools.deny[1]: expected a string, got the number 5; did you mean "5"?',
    ],
    ['{ tools: { allow: ["a"], alsoAllow: ["b"] } }', `error tools: ${bothLists}`],
    ['{ tools: { allow: ["a"], alsoAllow: [] } }', 'valid'],
    ['{ tools: { allow: [], alsoAllow: ["b"] } }', 'valid'],
    [
      '{ tools: { byProvider: { "openai/gpt-5": { allow: ["a"], alsoAllow: ["b"] } } } }',
      `error tools.byProvider["openai/gpt-5"]: ${bothLists}`,
    ],
    [
      '{ agents: { list: [{ id: "a", tools: { allow: ["a"], alsoAllow: ["b"] } }] } }',
      `error agents.list[0].tools: ${bothLists}`,
    ],
    [
      '{ agents: { entries: { a: { tools: { allow: ["a"], alsoAllow: ["b"] } } } } }',
      `error agents.entries.a.tools: ${bothLists}`,
    ],
    [
      '{ tools: { sandbox: { tools: { allow: ["a"], alsoAllow: ["b"] } } } }',
      `error tools.sandbox.tools: ${bothLists}`,
    ],
    [
      '{ tools: { subagents: { tools: { allow: ["a"], alsoAllow: ["b"] } } } }',
      `error tools.subagents.tools: ${bothLists}`,
    ],
    [
      '{ tools: { toolsBySender: { "id:1": { allow: ["a"], alsoAllow: ["b"] } } } }',
      `error tools.toolsBySender["id:1"]: ${bothLists}`,
    ],
    [
      '{ channels: { telegram: { groups: { "-100": { tools: { allow: ["a"], alsoAllow: ["b"] } } } } } }',
      `error channels.telegram.groups["-100"].tools: ${bothLists}`,
    ],
    ['{ tools: { allow: ["a"], alsoAllow: ["b"], bogus: 1 } }', 'error tools.bogus: unknown key "bogus"'],
    ['{ tools: { loopDetection: { warningThreshold: 50 } } }', 'valid'],
    [
      '{ tools: { loopDetection: { warningThreshold: 50, criticalThreshold: 20 } } }',
      'error tools.loopDetection.warningThreshold: warningThreshold must be less than criticalThreshold, got 50 and 20',
    ],
    [
      '{ tools: { loopDetection: { criticalThreshold: 30, globalCircuitBreakerThreshold: 30 } } }',
      'error tools.loopDetection.criticalThreshold: criticalThreshold must be less than globalCircuitBreakerThreshold, got 30 and 30',
    ],
    [
      '{ tools: { loopDetection: { warningThreshold: 5, criticalThreshold: 9, globalCircuitBreakerThreshold: 10 } } }',
      'valid',
    ],
    [
      '{ tools: { exec: { mode: "ask", security: "full" } } }',
      'error tools.exec.mode: mode already sets security and ask: remove security, or remove mode; without mode they mean "full"',
    ],
    [
      '{ agents: { list: [{ id: "a", tools: { exec: { mode: "full", security: "allowlist", ask: "on-miss" } } }] } }',
      'error agents.list[0].tools.exec.mode: mode already sets security and ask: remove security and ask, or remove mode; without mode they mean "ask"',
    ],
    ['{ tools: { allow: ["no_such_tool", "group:nothing"] } }', 'valid'],
    ['{ tools: { toolsBySender: { "telegram:bob": { deny: ["exec"] } } } }', 'valid'],
    [
      '{ agents: { defaults: { tools: { profile: "minimal" } } } }',
      'error agents.defaults.tools: agents.defaults has no tools: put the policy under tools (every agent) or under agents.list[].tools (one agent)',
    ],
  ])('2026.7 %s', async (config, expected) => {
    expect(await lines(config)).toBe(expected)
  })

  test.each([
    ['{ tools: { loopDetection: { enabled: true } } }', 'valid'],
    [
      '{ tools: { loopDetection: { warningThreshold: 50 } } }',
      'warning edition-mismatch tools.loopDetection.warningThreshold: belongs to edition 2026.7 and is not read in 2026.9',
    ],
    [
      '{ tools: { exec: { timeoutSec: 5 } } }',
      'warning edition-mismatch tools.exec.timeoutSec: belongs to edition 2026.7 and is not read in 2026.9, which has timeoutSeconds',
    ],
    ['{ tools: { exec: { approvalRunningNoticeMs: 5 } } }', 'valid'],
    ['{ tools: { codeMode: "auto" } }', 'valid'],
    ['{ agents: { list: [{ id: "a" }] } }', 'valid'],
    [
      '{ tools: { profile: "banana" } }',
      'error tools.profile: expected "minimal", "coding", "messaging" or "full", got the string "banana"',
    ],
  ])('2026.9 %s', async (config, expected) => {
    expect(await lines(config, '2026.9')).toBe(expected)
  })

  test.each([
    [
      '{ tools: { exec: { timeoutSeconds: 5 } } }',
      'timeoutSeconds: belongs to edition 2026.9 and is not read in 2026.7, which has timeoutSec',
    ],
    [
      '{ tools: { exec: { approvalRunningNoticeMs: 5 } } }',
      'approvalRunningNoticeMs: belongs to edition 2026.9',
    ],
    [
      '{ tools: { updatePlan: true } }',
      'updatePlan: belongs to edition 2026.9 and is not read in 2026.7, which has tools.experimental.planTool',
    ],
    ['{ tools: { codeMode: "auto" } }', 'tools.codeMode: belongs to edition 2026.9'],
    ['{ tools: { codeMode: { enabled: "auto" } } }', 'tools.codeMode.enabled: belongs to edition 2026.9'],
    [
      '{ agents: { entries: { a: { tools: { swarm: {} } } } } }',
      'agents.entries.a.tools.swarm: belongs to edition 2026.9',
    ],
  ])('a key of the other edition is a warning: %s', async (config, expected) => {
    const said = await lines(config)
    expect(said).toMatch(/^warning edition-mismatch /)
    expect(said).toContain(expected)
  })
})

describe('tools.toolSearch', () => {
  test.each([
    ['true', 'valid'],
    ['{}', 'valid'],
    ['{ mode: "directory", codeTimeoutMs: 999999 }', 'valid'],
    [
      '"true"',
      'error tools.toolSearch: expected true, false or an object, got the string "true"; did you mean true?',
    ],
    [
      '"yes"',
      'error tools.toolSearch: expected true, false or an object, got the string "yes"; did you mean true?',
    ],
    [
      '"ture"',
      'error tools.toolSearch: expected true, false or an object, got the string "ture"; did you mean true?',
    ],
    ['null', 'error tools.toolSearch: expected true, false or an object, got null'],
    [
      '{ mode: "toolz" }',
      'error tools.toolSearch.mode: expected "code", "tools" or "directory", got the string "toolz"; did you mean "tools"?',
    ],
    [
      '{ codeTimeoutMs: "5000" }',
      'error tools.toolSearch.codeTimeoutMs: expected a whole number of at least 1, got the string "5000"; did you mean 5000?',
    ],
    [
      '{ codeTimeoutMs: 5.5 }',
      'error tools.toolSearch.codeTimeoutMs: expected a whole number of at least 1, got the number 5.5',
    ],
    [
      '{ maxSearchLimit: 0 }',
      'error tools.toolSearch.maxSearchLimit: expected a whole number of at least 1, got the number 0',
    ],
    [
      '{ searchDefaultLimit: -3 }',
      'error tools.toolSearch.searchDefaultLimit: expected a whole number of at least 1, got the number -3',
    ],
    ['{ enabeld: true }', 'error tools.toolSearch.enabeld: unknown key "enabeld"; did you mean "enabled"?'],
  ])('%s', async (value, expected) => {
    expect(await lines(`{ tools: { toolSearch: ${value} } }`)).toBe(expected)
  })

  test('is global only', async () => {
    expect(await lines('{ agents: { entries: { a: { tools: { toolSearch: true } } } } }')).toBe(
      'error agents.entries.a.tools.toolSearch: unknown key "toolSearch"; it belongs in tools.toolSearch',
    )
  })
})

describe('typical mistakes of public configs', () => {
  test.each([
    [
      '{ tools: ["run_code", "file_read"] }',
      'error tools: expected an object, got a list of 2; did you mean { allow: ["run_code","file_read"] }?',
    ],
    [
      '{ agents: { list: [{ id: "a", tools: { profile: "default", allow: ["message"] } }] } }',
      'error agents.list[0].tools.profile: expected "minimal", "coding", "messaging" or "full", got the string "default"; did you mean "full"?',
    ],
    [
      '{ agents: { list: [{ id: "b", sandbox: { mode: "lenient" } }] } }',
      'error agents.list[0].sandbox.mode: expected "off", "non-main" or "all", got the string "lenient"; did you mean "non-main"?',
    ],
    [
      '{ agents: { list: [{ id: "main", tools: { bash: { timeoutSec: 5 } } }] } }',
      'error agents.list[0].tools.bash: unknown key "bash"; write "exec" instead',
    ],
    [
      '{ agents: { list: [{ id: "a", deny: ["exec"] }] } }',
      'warning unknown-key agents.list[0].deny: unknown key, not read; it belongs in tools.deny',
    ],
    [
      '{ agents: { defaults: { sandbox: { tools: { deny: ["exec"] } } } } }',
      'warning unknown-key agents.defaults.sandbox.tools: unknown key, not read; it belongs in tools.sandbox.tools',
    ],
    [
      '{ tools: { web: { search: { perplexity: { apiKey: "k" } } } } }',
      'warning edition-mismatch tools.web.search.perplexity: is an older form and not read: settings of a search provider belong in plugins.entries.perplexity.config.webSearch',
    ],
    [
      '{ plugins: { entries: { browser: false } } }',
      'error plugins.entries.browser: expected an object, got false; did you mean { enabled: false }?',
    ],
    ['{ plugins: { alow: ["x"] } }', 'error plugins.alow: unknown key "alow"; did you mean "allow"?'],
    [
      '{ session: { dmscope: "main" } }',
      'error session.dmscope: unknown key "dmscope"; did you mean "dmScope"?',
    ],
    ['{ mcp: { server: {} } }', 'error mcp.server: unknown key "server"; did you mean "servers"?'],
    [
      '{ mcp: { servers: { a: { comand: "x", url: "https://a", type: "sse" } } } }',
      'error mcp.servers.a.comand: unknown key "comand"; did you mean "command"?',
    ],
    [
      '{ gateway: { tools: { alow: [] } } }',
      'error gateway.tools.alow: unknown key "alow"; did you mean "allow"?',
    ],
    [
      '{ gateway: { auth: { token: 5 } } }',
      'error gateway.auth.token: expected a string or an object, got a number',
    ],
    ['{ agents: { list: [{ name: "x" }] } }', 'error agents.list[0].id: is missing: expected a string'],
    [
      '{ agents: { list: [{ id: " " }] } }',
      'error agents.list[0].id: expected a string that is not blank, got the string ""',
    ],
  ])('%s', async (config, expected) => {
    expect(await lines(config)).toBe(expected)
  })
})

test.each([
  '{}',
  '{ agents: { list: [{ id: "a", name: "", tools: { deny: [] } }] } }',
  '{ channels: { telegram: { allowFrom: [1000001, "x"], groups: { "-1001": { requireMention: true, toolsBySender: { "5001": null } } } } } }',
  '{ channels: { modelByChannel: { telegram: { "team.ops[west]": "p/m" } } } }',
  '{ tools: { elevated: { allowFrom: { telegram: [1], "*": ["*"] } }, toolsBySender: { "*": null } } }',
  '{ agents: { list: [{ id: "gh", env: { PAT: "x" } }] } }',
  '{ tools: { media: { audio: { models: [{ provider: "p", model: "m" }] } } }, skills: { entries: { x: { enabled: false } } } }',
  '{ tools: { web: { search: { anything: { goes: 1 } } } } }',
  '{ tools: { codeMode: { enabled: true, timeoutMs: 500, maxOutputBytes: 1000 } } }',
  '{ agents: { list: [{ id: "a" }], entries: {} } }',
])('accepted without a word: %s', async (config) => {
  expect(await lines(config)).toBe('valid')
  expect(await lines(config, '2026.9')).toBe('valid')
})
