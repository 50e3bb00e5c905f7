import { describe, expect, test } from 'vitest'
import { bearer, judgeSecret, sameSecret } from '../../../src/gateway/auth.ts'
import { AuthLimit, usualAuthLimit } from '../../../src/gateway/auth-limit.ts'
import { Idempotency, keptMs } from '../../../src/gateway/idempotency.ts'
import { originProblem } from '../../../src/gateway/origin.ts'
import { holds, operatorScopes, type Scope } from '../../../src/gateway/scopes.ts'
import { gatewayHost, gatewayPort, listenSettings, profilePort } from '../../../src/gateway/settings.ts'

describe('secrets', () => {
  test.each([
    ['the same', 'abc', 'abc', true],
    ['another', 'abc', 'abd', false],
    ['a longer one', 'abcd', 'abc', false],
    ['none', '', 'abc', false],
  ])('%s', (_what, given, expected, same) => {
    expect(sameSecret(given, expected)).toBe(same)
  })

  test('either field may carry it, and blanks are none', () => {
    const auth = { mode: 'password', secret: 's' } as const
    expect(judgeSecret(auth, [undefined, 's'])).toBe('ok')
    expect(judgeSecret(auth, ['', undefined])).toBe('missing')
    expect(judgeSecret(auth, ['x', 'y'])).toBe('mismatch')
    expect(judgeSecret({ mode: 'none' }, [])).toBe('ok')
  })
})

test.each([
  ['Bearer abc', 'abc'],
  ['bearer  abc ', 'abc'],
  ['Bearer three short words', 'three short words'],
  [`Bearer ${Buffer.from('schlüssel').toString('latin1')}`, 'schlüssel'],
  // The last byte of this letter alone would be a blank.
  [`Bearer ${Buffer.from('voilà').toString('latin1')}`, 'voilà'],
  ['Bearer ', undefined],
  ['Basic abc', undefined],
])('the header %j holds %j', (header, secret) => {
  expect(bearer(header)).toBe(secret)
})

test('a header of nothing but bytes that look like blanks is read in no time', { timeout: 10_000 }, () => {
  // Looked at pair by pair this takes most of a minute.
  expect(bearer(`Bearer ${'\u00A0 '.repeat(60_000)}`)).toHaveLength(119_999)
  expect(bearer(`Bearer ${' '.repeat(60_000)}`)).toBeUndefined()
})

describe('failed logins', () => {
  const far = '203.0.113.7'
  const open = (more: object = {}) => {
    let now = 0
    const limit = new AuthLimit({ ...usualAuthLimit, ...more }, () => now)
    return { limit, pass: (ms: number) => (now += ms) }
  }

  test('lock an address out after ten within a minute, for five minutes', () => {
    const { limit, pass } = open()
    for (let count = 0; count < 9; count++) limit.fail(far)
    expect(limit.waitMs(far)).toBe(0)
    limit.fail(far)
    expect(limit.waitMs(far)).toBe(300_000)
    expect(limit.waitMs('203.0.113.8')).toBe(0)
    pass(300_000)
    expect(limit.waitMs(far)).toBe(0)
  })

  test('are forgotten after a minute, and after a success', () => {
    const { limit, pass } = open()
    for (let count = 0; count < 9; count++) limit.fail(far)
    pass(60_000)
    limit.fail(far)
    expect(limit.waitMs(far)).toBe(0)
    for (let count = 0; count < 8; count++) limit.fail(far)
    limit.succeed(far)
    limit.fail(far)
    expect(limit.waitMs(far)).toBe(0)
  })

  test.each(['127.0.0.1', '::1', '::ffff:127.0.0.1'])(
    'of %s count only where the config says so',
    (address) => {
      const exempt = open()
      const counted = open({ exemptLoopback: false })
      for (let count = 0; count < 20; count++) {
        exempt.limit.fail(address)
        counted.limit.fail(address)
      }
      expect(exempt.limit.waitMs(address)).toBe(0)
      expect(counted.limit.waitMs(address)).toBeGreaterThan(0)
    },
  )
})

describe('origins', () => {
  const rules = { allowed: ['https://ui.example'], open: false }

  test.each([
    ['a program', {}, null],
    ['the own page', { origin: 'http://127.0.0.1:1', host: '127.0.0.1:1' }, null],
    ['a listed page', { origin: 'https://UI.example', host: '127.0.0.1:1' }, null],
    ['a page on another port', { origin: 'http://127.0.0.1:2', host: '127.0.0.1:1' }, 'may not ask'],
    ['a sandboxed page', { origin: 'null', host: '127.0.0.1:1' }, 'may not ask'],
    ['another site', { origin: 'https://evil.example', host: '127.0.0.1:1' }, 'may not ask'],
  ])('%s', (_what, headers, problem) => {
    expect(originProblem(headers, rules) ?? 'answered').toContain(problem ?? 'answered')
  })

  test('without a secret, no other name of this machine is answered', () => {
    const open = { allowed: [], open: true }
    for (const host of ['localhost:1', '127.0.0.1:1', '[::1]:1'])
      expect(originProblem({ host }, open)).toBeNull()
    expect(originProblem({ host: 'evil.example:1' }, open)).toContain('not known as')
  })
})

describe('scopes', () => {
  test('imply each other as documented, and no more', () => {
    const implied = (scope: Scope): readonly Scope[] => operatorScopes.filter((each) => holds([scope], each))
    expect(implied('operator.admin')).toEqual(operatorScopes)
    expect(implied('operator.write')).toEqual([
      'operator.read',
      'operator.write',
      'operator.talk',
      'operator.sessions.read',
      'operator.sessions.write',
    ])
    expect(implied('operator.approvals')).toEqual(['operator.approvals'])
    expect(holds([], 'operator.read')).toBe(false)
  })
})

describe('idempotency keys', () => {
  const open = () => {
    let now = 0
    let runs = 0
    const kept = new Idempotency<{ readonly ok: boolean; readonly run: number }>(
      { isSuccess: ({ ok }) => ok, bytes: () => 10 },
      () => now,
    )
    const work = (ok: boolean) => async () => ({ ok, run: ++runs })
    return { kept, work, pass: (ms: number) => (now += ms) }
  }

  test('keep a success for ten minutes', async () => {
    const { kept, work, pass } = open()
    expect(await kept.run('k', 'a', work(true))).toEqual({ ok: true, run: 1 })
    pass(keptMs - 1)
    expect(await kept.run('k', 'a', work(true))).toEqual({ ok: true, run: 1 })
    pass(1)
    expect(await kept.run('k', 'a', work(true))).toEqual({ ok: true, run: 2 })
  })

  test('keep no failure, and nothing that was thrown', async () => {
    const { kept, work } = open()
    await kept.run('k', 'a', work(false))
    expect(await kept.run('k', 'a', work(true))).toEqual({ ok: true, run: 2 })
    const thrown = kept.run('t', 'a', async () => Promise.reject(new Error('no')))
    await expect(thrown).rejects.toThrow('no')
    expect(await kept.run('t', 'a', work(true))).toMatchObject({ ok: true })
  })

  test('share what is under way, refuse other arguments, and are told from each other', async () => {
    const { kept, work } = open()
    const [one, two] = await Promise.all([kept.run('k', 'a', work(true)), kept.run('k', 'a', work(true))])
    expect(one).toBe(two)
    await expect(kept.run('k', 'b', work(true))).rejects.toMatchObject({ code: 'INPUT_INVALID' })
    expect(await kept.run('other', 'b', work(true))).toEqual({ ok: true, run: 2 })
  })

  test('are refused when too many are kept, and again taken when some have gone', async () => {
    const { kept, work, pass } = open()
    for (let count = 0; count < 10_000; count++) await kept.run(`k${count}`, 'a', work(true))
    await expect(kept.run('more', 'a', work(true))).rejects.toMatchObject({ code: 'TOOL_UNAVAILABLE' })
    pass(keptMs)
    expect(await kept.run('more', 'a', work(true))).toMatchObject({ ok: true })
  })
})

describe('settings', () => {
  test.each([
    ['the flag', { port: 1 }, { OPENCLAW_GATEWAY_PORT: '2' }, 1],
    ['the variable', {}, { OPENCLAW_GATEWAY_PORT: '2' }, 2],
    ['the variable with a host', {}, { OPENCLAW_GATEWAY_PORT: '[::1]:2' }, 2],
    ['the config', {}, {}, 3],
  ])('the port is that of %s', (_what, flags, env, port) => {
    expect(gatewayPort({ gateway: { port: 3 } }, env, flags)).toBe(port)
  })

  test('a named profile has a port of its own', () => {
    expect(gatewayPort({}, {}, {})).toBe(18_789)
    expect(gatewayPort({}, {}, { profile: 'work' })).toBe(profilePort('work'))
    expect(profilePort('work')).not.toBe(profilePort('play'))
    expect(() => gatewayPort({}, { OPENCLAW_GATEWAY_PORT: 'x' }, {})).toThrow('is no port')
  })

  test.each([
    [undefined, '127.0.0.1'],
    ['Loopback', '127.0.0.1'],
    ['lan', '0.0.0.0'],
    ['192.168.0.5', '192.168.0.5'],
    ['::1', '::1'],
  ])('bind %s listens on %s', (bind, host) => {
    expect(gatewayHost({}, { bind })).toBe(host)
  })

  test('what cannot be is CONFIG_INVALID', () => {
    const invalid = expect.objectContaining({ code: 'CONFIG_INVALID' })
    expect(() => gatewayHost({}, { bind: 'lann' })).toThrow(invalid)
    expect(() => listenSettings({ gateway: { bind: 'lan', auth: { mode: 'none' } } }, {}, {})).toThrow(
      invalid,
    )
    expect(() => listenSettings({ gateway: { auth: { mode: 'trusted-proxy' } } }, {}, {})).toThrow(invalid)
  })
})
