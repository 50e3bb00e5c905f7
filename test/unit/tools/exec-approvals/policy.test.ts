import { describe, expect, test } from 'vitest'
import { filePolicy, parseApprovals } from '../../../../src/tools/exec-approvals/file.ts'
import { execPolicy } from '../../../../src/tools/exec-approvals/policy.ts'
import type { Config } from '../../../../src/config/types.ts'
import { gateHome } from '../../../helpers/command-gate.ts'

const policy = (config: object, file: object | null = null, agentId = 'main') =>
  execPolicy(
    config as Config,
    agentId,
    filePolicy(file && parseApprovals('/s/exec-approvals.json', JSON.stringify(file)), agentId),
  )

const exec = (fields: object, own?: object) => ({
  tools: { exec: fields },
  ...(own && { agents: { list: [{ id: 'main' }, { id: 'work', tools: { exec: own } }] } }),
})

describe('the config', () => {
  test.each([
    ['nothing', {}, 'full off false'],
    ['deny', { mode: 'deny' }, 'deny off false'],
    ['allowlist', { mode: 'allowlist' }, 'allowlist off false'],
    ['ask', { mode: 'ask' }, 'allowlist on-miss false'],
    ['auto', { mode: 'auto' }, 'allowlist on-miss true'],
    ['full', { mode: 'full' }, 'full off false'],
    ['security alone', { security: 'allowlist' }, 'allowlist off false'],
    ['ask alone', { ask: 'always' }, 'full always false'],
    ['a pair', { security: 'allowlist', ask: 'always' }, 'allowlist always false'],
  ])('%s', (_what, fields, expected) => {
    const { security, ask, review } = policy(exec(fields))
    expect(`${security} ${ask} ${review}`).toBe(expected)
  })

  test.each([
    [
      'a mode replaces what is inherited',
      { security: 'deny', ask: 'always' },
      { mode: 'ask' },
      'allowlist on-miss false',
    ],
    [
      'a half clears a mode and inherits the other half',
      { mode: 'auto' },
      { security: 'full' },
      'full on-miss false',
    ],
    ['and the other way round', { mode: 'auto' }, { ask: 'always' }, 'allowlist always false'],
    ['nothing inherits the mode', { mode: 'auto' }, {}, 'allowlist on-miss true'],
  ])('of an agent: %s', (_what, global, own, expected) => {
    const { security, ask, review } = policy(exec(global, own), null, 'WORK')
    expect(`${security} ${ask} ${review}`).toBe(expected)
  })

  test('says where it says so', () => {
    expect(policy(exec({ mode: 'deny' })).securityFrom).toEqual({ name: 'config', path: 'tools.exec.mode' })
    expect(policy(exec({}, { security: 'deny' }), null, 'work').securityFrom.path).toBe(
      'agents.list[1].tools.exec.security',
    )
  })
})

describe('the approvals file', () => {
  test('makes it stricter, never more lenient', () => {
    expect(policy({}, { defaults: { security: 'deny', ask: 'always' } })).toMatchObject({
      security: 'deny',
      ask: 'always',
      securityFrom: { name: 'exec-approvals', path: 'defaults.security' },
    })
    expect(
      policy(exec({ security: 'deny', ask: 'always' }), { defaults: { security: 'full', ask: 'off' } }),
    ).toMatchObject({ security: 'deny', ask: 'always', securityFrom: { name: 'config' } })
  })

  test('of an agent goes before that for every agent, and that before the defaults', () => {
    const file = {
      version: 1,
      defaults: { security: 'deny', ask: 'always', askFallback: 'full' },
      agents: { '*': { security: 'allowlist', ask: 'on-miss' }, Work: { security: 'full' } },
    }
    expect(policy({}, file, 'work')).toMatchObject({ security: 'full', ask: 'on-miss', askFallback: 'full' })
    expect(policy({}, file, 'other')).toMatchObject({
      security: 'allowlist',
      securityFrom: { path: 'agents.*.security' },
    })
    expect(policy({}, { defaults: file.defaults }, 'other').security).toBe('deny')
  })

  test('has entries for every agent before those of one', () => {
    const file = parseApprovals(
      'f',
      JSON.stringify({
        agents: {
          work: { allowlist: [{ pattern: 'b' }, { pattern: '' }, 3, null] },
          '*': { allowlist: ['a'] },
        },
        defaults: { allowlist: [{ pattern: 'none' }] },
      }),
    )
    expect(filePolicy(file, 'work').allowlist).toEqual([{ pattern: 'a' }, { pattern: 'b' }])
    expect(filePolicy(file, 'main').allowlist).toEqual([{ pattern: 'a' }])
  })

  test('answers for silence with the stricter of its word and the security in force', () => {
    const fallback = (askFallback: string | undefined, security: string) =>
      policy({}, { defaults: { security, askFallback } }).askFallback
    expect(fallback('full', 'allowlist')).toBe('allowlist')
    expect(fallback('full', 'full')).toBe('full')
    expect(fallback(undefined, 'full')).toBe('deny')
  })

  test('may be JSON5, as people write it', () => {
    const file = parseApprovals('f', "\ufeff{ version: 1, defaults: { security: 'deny', }, /* mine */ }")
    expect(filePolicy(file, 'main').security?.word).toBe('deny')
    expect(() => parseApprovals('f', "{\n  defaults: { security: 'deny'\n")).toThrow(
      'f: it is no JSON5: line 3, column 1: expected ',
    )
  })

  test.each([
    [{ version: 2 }, 'version 2 is not known'],
    [{ defaults: [] }, 'defaults is no object'],
    [{ agents: { main: 3 } }, 'agents.main is no object'],
    [{ agents: { main: { ask: 'never' } } }, 'agents.main.ask is "never", not one of off, on-miss, always'],
    [{ agents: { main: { allowlist: {} } } }, 'agents.main.allowlist is no list'],
  ])('that says what nobody understands is an error: %j', (file, message) => {
    expect(() => policy({}, file)).toThrow(message)
  })
})

describe('a call', () => {
  const asking = { defaults: { security: 'full', ask: 'off' } }

  test('can make it stricter', async () => {
    const home = await gateHome()
    expect(await home.judge('git')).toEqual({ verdict: 'run' })
    expect(await home.judge('git', { ask: 'always' })).toMatchObject({ verdict: 'ask' })
    expect(await home.judge('git', { security: 'deny' })).toMatchObject({ verdict: 'deny', layer: 'call' })
    expect(await home.judge('git', { security: 'allowlist' })).toMatchObject({
      verdict: 'deny',
      layer: 'call',
    })
    expect(await home.judge('git', { security: 'allowlist', ask: 'on-miss' })).toMatchObject({
      verdict: 'ask',
    })
  })

  test('cannot make it more lenient', async () => {
    const strict = await gateHome({ approvals: { defaults: { security: 'deny', ask: 'always' } } })
    expect(await strict.judge('git', { security: 'full', ask: 'off' })).toMatchObject({ verdict: 'deny' })
    const asked = await gateHome({ session: { config: exec({ ask: 'always' }) } })
    expect(await asked.judge('git', { ask: 'off' })).toMatchObject({ verdict: 'ask' })
  })

  test('from a channel cannot bring up questions where none are asked', async () => {
    const session = { context: { channel: 'telegram' } }
    const quiet = await gateHome({ session, approvals: asking })
    expect(await quiet.judge('git', { ask: 'always' })).toEqual({ verdict: 'run' })
    const loud = await gateHome({ session: { ...session, config: exec({ mode: 'ask' }) } })
    expect(await loud.judge('git', { ask: 'always' })).toMatchObject({
      verdict: 'ask',
      wanted: { lasting: false },
    })
  })

  test('in a sandbox is not this machine’s business', async () => {
    const home = await gateHome({ approvals: { defaults: { security: 'deny' } } })
    expect(await home.judge('git', { place: { kind: 'sandbox', elevated: 'off' } })).toEqual({
      verdict: 'run',
    })
  })

  test('with elevated full skips questions only where nothing is asked or limited', async () => {
    const place = { kind: 'host', elevated: 'full' } as const
    const open = await gateHome({ approvals: asking })
    expect(await open.judge('git', { place, ask: 'always' })).toEqual({ verdict: 'run' })
    expect(await open.judge('git', { place: { ...place, elevated: 'ask' }, ask: 'always' })).toMatchObject({
      verdict: 'ask',
    })
    const limited = await gateHome({ approvals: { defaults: { security: 'allowlist', ask: 'on-miss' } } })
    expect(await limited.judge('git', { place })).toMatchObject({ verdict: 'ask' })
  })
})

describe('a question', () => {
  const wantedOf = async (approvals: object, command: string, config: object = {}) => {
    const home = await gateHome({ approvals, session: { config } })
    const verdict = await home.judge(command)
    if (verdict.verdict !== 'ask') throw new Error(`${command} is ${verdict.verdict}`)
    return verdict.wanted
  }
  const onMiss = { security: 'allowlist', ask: 'on-miss' }

  test('waits half an hour, and silence is a no', async () => {
    expect(await wantedOf({ defaults: onMiss }, 'whoami')).toMatchObject({
      pluginId: 'exec-approvals',
      title: 'Run whoami',
      timeoutMs: 1_800_000,
      timeoutBehavior: 'deny',
      lasting: true,
    })
  })

  test('may take silence for a yes', async () => {
    const behavior = async (askFallback: string, security: string, command: string) =>
      (
        await wantedOf(
          {
            defaults: { security, ask: 'always', askFallback },
            agents: { main: { allowlist: [{ pattern: 'git' }] } },
          },
          command,
        )
      ).timeoutBehavior
    expect(await behavior('full', 'full', 'whoami')).toBe('allow')
    expect(await behavior('full', 'allowlist', 'whoami')).toBe('deny')
    expect(await behavior('full', 'allowlist', 'git status')).toBe('allow')
    expect(await behavior('allowlist', 'full', 'git status')).toBe('allow')
    expect(await behavior('allowlist', 'full', 'whoami')).toBe('deny')
    expect(await behavior('deny', 'full', 'git status')).toBe('deny')
  })

  test('keeps secrets and hidden characters to itself', async () => {
    const { description } = await wantedOf(
      { defaults: onMiss },
      'curl -H "Authorization: Bearer sk-abcdefghijklmnopqrstuvwx" x \u202e\u001b[2K',
    )
    expect(description).not.toContain('abcdefghijklmnop')
    expect(description).not.toContain('\u202e')
    expect(description).not.toContain('\u001b')
  })
})
