import { chmodSync, existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { approvalDesk, type Prompt } from '../../../src/calls/approvals/desk.ts'
import { approvalsDirectory, ApprovalStore } from '../../../src/calls/approvals/store.ts'
import type { ApprovalQuestion, WantedApproval } from '../../../src/calls/approvals/types.ts'
import type { BeforeToolCallResult } from '../../../src/plugins/authoring.ts'
import { tempDir } from '../../helpers/run-cli.ts'
import { brief, TestRun } from './run.ts'

const minute = 60_000
const live = new AbortController().signal

let stateDir: string
let now: number
let store: ApprovalStore
beforeEach(async () => {
  stateDir = await tempDir()
  now = Date.parse('2026-07-01T12:00:00Z')
  store = new ApprovalStore(stateDir, () => now)
})

const wanted = (more: Partial<WantedApproval> = {}): WantedApproval => ({
  pluginId: 'guard',
  title: 'Wipe?',
  description: '',
  severity: 'warning',
  timeoutMs: null,
  timeoutBehavior: 'deny',
  ...more,
})

const question = (more: Partial<ApprovalQuestion> = {}): ApprovalQuestion => ({
  tool: { id: 'openclaw:kit:wipe', name: 'wipe', source: 'openclaw' },
  args: { path: '/a' },
  agentId: 'main',
  sessionKey: 'agent:main:main',
  wanted: [wanted()],
  schema: { type: 'object' },
  ...more,
})

const states = () => store.list().map(({ id, state }) => [id, state])
const headless = () => approvalDesk({ store })

describe('the store', () => {
  test('a question waits until it is answered, and a yes is good for one run', async () => {
    const first = await headless().decide(question(), live)
    expect(first).toEqual({
      verdict: 'pending',
      id: expect.stringMatching(/^[0-9a-f]{8}$/),
      expiresAt: '2026-07-01T12:30:00.000Z',
    })
    const id = first.verdict === 'pending' ? first.id : ''
    // The same question is not asked twice.
    expect(await headless().decide(question(), live)).toMatchObject({ id })
    expect(store.decide(id, 'allow-once')).toMatchObject({ id, state: 'allowed' })
    expect(await headless().decide(question(), live)).toEqual({ verdict: 'allowed' })
    expect(states()).toEqual([])
    const again = await headless().decide(question(), live)
    expect(again).toMatchObject({ verdict: 'pending' })
    expect(again).not.toMatchObject({ id })
  })

  test.each([
    ['other arguments', question({ args: { path: '/b' } })],
    ['one argument more', question({ args: { path: '/a', force: true } })],
    ['another tool', question({ tool: { id: 'openclaw:other:wipe', name: 'wipe', source: 'openclaw' } })],
    ['another agent', question({ agentId: 'work' })],
    ['a changed schema', question({ schema: { type: 'object', properties: {} } })],
    ['somebody else who asks', question({ wanted: [wanted({ pluginId: 'other' })] })],
    ['one more who asks', question({ wanted: [wanted(), wanted({ pluginId: 'other' })] })],
  ])('a yes is not one to %s', async (_, other) => {
    store.decide(store.ask(question()).id, 'allow-always')
    expect(await headless().decide(question(), live)).toEqual({ verdict: 'allowed' })
    expect(await headless().decide(other, live)).toMatchObject({ verdict: 'pending' })
  })

  test('a yes for one run is for its session, one for always for the agent', async () => {
    const elsewhere = question({ sessionKey: 'agent:main:telegram:direct:1' })
    store.decide(store.ask(question()).id, 'allow-once')
    expect(await headless().decide(elsewhere, live)).toMatchObject({ verdict: 'pending' })
    store.decide(store.ask(question({ args: { path: '/z' } })).id, 'allow-always')
    expect(await headless().decide({ ...elsewhere, args: { path: '/z' } }, live)).toEqual({
      verdict: 'allowed',
    })
  })

  test('wording, the order of arguments and who asks first make no other question', async () => {
    const two = [wanted({ pluginId: 'a' }), wanted({ pluginId: 'b' })]
    store.decide(store.ask(question({ args: { a: 1, b: 2 }, wanted: two })).id, 'allow-always')
    const same = question({
      args: { b: 2, a: 1 },
      wanted: [
        wanted({ pluginId: 'b', title: 'At 12:01?' }),
        wanted({ pluginId: 'a', severity: 'critical' }),
      ],
    })
    expect(await headless().decide(same, live)).toEqual({ verdict: 'allowed' })
  })

  test('openclaw#61233: a yes for always holds for the same call', async () => {
    store.decide(store.ask(question()).id, 'allow-always')
    for (let day = 0; day < 3; day++) {
      now += 24 * 60 * minute
      expect(await headless().decide(question(), live)).toEqual({ verdict: 'allowed' })
    }
    expect(store.list()).toMatchObject([{ state: 'always', expiresAt: null }])
  })

  test('a question expires as a no; the yes to it expires, too', async () => {
    const { id } = store.ask(question())
    now += 30 * minute
    expect(states()).toEqual([])
    expect(() => store.decide(id, 'allow-once')).toThrow('expired at 2026-07-01T12:30:00.000Z')
    const second = store.ask(question())
    expect(second.id).not.toBe(id)
    now += 29 * minute
    expect(store.decide(second.id, 'allow-once').expiresAt).toBe('2026-07-01T13:29:00.000Z')
    now += 30 * minute
    expect(await headless().decide(question(), live)).toMatchObject({ verdict: 'pending' })
  })

  test('a hook says how long its question waits; the shortest of several counts', () => {
    const two = [wanted({ timeoutMs: 5000 }), wanted({ pluginId: 'b', timeoutMs: 2000 })]
    expect(store.ask(question({ wanted: two })).expiresAt).toBe('2026-07-01T12:00:02.000Z')
  })

  test('a clock that was set back gives no question a second life', () => {
    store.decide(store.ask(question()).id, 'allow-once')
    now -= 3 * 24 * 60 * minute
    expect(states()).toEqual([])
  })

  test('a no holds until it expires, also against a yes in advance', async () => {
    store.decide(store.ask(question()).id, 'deny')
    expect(await headless().decide(question(), live)).toEqual({ verdict: 'denied' })
    expect(await approvalDesk({ store, yes: true }).decide(question(), live)).toEqual({ verdict: 'denied' })
    now += 31 * minute
    expect(await headless().decide(question(), live)).toMatchObject({ verdict: 'pending' })
  })

  test('an answer is given once; a yes for always can be taken back', () => {
    const { id } = store.ask(question())
    store.decide(id, 'allow-once')
    expect(() => store.decide(id, 'deny')).toThrow(`approval ${id} is allowed already`)
    const always = store.ask(question({ args: {} })).id
    store.decide(always, 'allow-always')
    expect(() => store.decide(always, 'allow-once')).toThrow('is allowed always already')
    expect(store.decide(always, 'deny').state).toBe('denied')
    expect(() => store.decide(always, 'deny')).toThrow(`there is no approval "${always}"`)
  })

  test('ids may be cut short as long as they are clear', () => {
    const { id } = store.ask(question())
    expect(store.decide(` ${id.slice(0, 4).toUpperCase()} `, 'allow-once').id).toBe(id)
    for (const wrong of ['', id.slice(0, 3), 'zzzzzzzz', '../../etc/passwd'])
      expect(() => store.decide(wrong, 'deny')).toThrow(`there is no approval "${wrong}"`)
  })

  test('secrets in arguments are not kept, long arguments not at all', () => {
    const secret = 'sk-abcdefghijklmnopqrstuv'
    store.ask(question({ args: { apiKey: 'hunter2hunter2', note: `use ${secret}` } }))
    now += 1
    store.ask(question({ args: { text: 'x'.repeat(20_000) } }))
    const files = readdirSync(approvalsDirectory(stateDir))
    const all = files.map((name) => readFileSync(join(approvalsDirectory(stateDir), name), 'utf8')).join('\n')
    expect(all).not.toContain('hunter2hunter2')
    expect(all).not.toContain(secret)
    expect(all).not.toContain('x'.repeat(1000))
    expect(store.list().map(({ args }) => args === null)).toEqual([false, true])
  })

  test('files are for the owner alone', () => {
    store.ask(question())
    const directory = approvalsDirectory(stateDir)
    expect(statSync(directory).mode & 0o777).toBe(0o700)
    for (const name of readdirSync(directory))
      expect(statSync(join(directory, name)).mode & 0o777).toBe(0o600)
  })

  test('old questions are cleared away, and there are never more than 100', () => {
    for (let count = 0; count < 105; count++) {
      now += 1
      store.ask(question({ args: { count } }))
    }
    expect(store.list()).toHaveLength(100)
    expect(store.list()[0]?.args).toEqual({ count: 5 })
    now += 3 * 24 * 60 * minute
    store.ask(question())
    expect(readdirSync(approvalsDirectory(stateDir))).toHaveLength(1)
  })
})

describe('damage', () => {
  const write = (name: string, text: string): void =>
    writeFileSync(join(approvalsDirectory(stateDir), name), text)

  test.each([
    ['half a file', '{"format":1,"id":"aaaaaaaa","binding":{"once'],
    ['nothing', ''],
    ['another format', '{"format":2}'],
    ['fields of other kinds', '{"format":1,"id":"aaaaaaaa","binding":7,"tool":{},"wanted":[]}'],
    ['a list', '[]'],
  ])('a question that is %s asks nothing', async (_, text) => {
    store.ask(question({ args: {} }))
    write('aaaaaaaa.json', text)
    expect(store.list()).toHaveLength(1)
    expect(await headless().decide(question(), live)).toMatchObject({ verdict: 'pending' })
  })

  test.each([
    '',
    '{',
    '{"format":1,"answer":"allow-alwa',
    '{"answer":"sure","at":"2026-07-01T12:00:00Z"}',
    '{"answer":"allow-once"}',
  ])('an answer of %o is a no', async (text) => {
    const { id } = store.ask(question())
    write(`${id}.answer.json`, text)
    expect(await headless().decide(question(), live)).toEqual({ verdict: 'denied' })
  })

  test('an answer without its question is nobody’s, and so is a question under another id', async () => {
    const { id } = store.ask(question())
    store.decide(id, 'allow-once')
    const directory = approvalsDirectory(stateDir)
    const text = readFileSync(join(directory, `${id}.json`), 'utf8')
    rmSync(join(directory, `${id}.json`))
    expect(states()).toEqual([])
    write('bbbbbbbb.json', text)
    expect(states()).toEqual([])
  })

  test('drafts of a writer that died are no questions', () => {
    store.ask(question())
    write('cccccccc.json.999.draft', '{"format":1')
    expect(store.list()).toHaveLength(1)
  })

  test('a directory that cannot be written is said, and nothing runs', async () => {
    chmodSync(stateDir, 0o500)
    writeFileSync(`${stateDir}x`, '')
    const broken = new ApprovalStore(`${stateDir}x`, () => now)
    await expect(approvalDesk({ store: broken }).decide(question(), live)).rejects.toThrow(
      'it is no directory',
    )
    rmSync(`${stateDir}x`)
    chmodSync(stateDir, 0o700)
  })
})

describe('a person', () => {
  const typing =
    (answer: 'allow-once' | 'allow-always' | 'deny'): Prompt =>
    async () =>
      answer
  const silent: Prompt = (_question, signal) =>
    new Promise((resolve) => signal.addEventListener('abort', () => resolve(null), { once: true }))

  test.each([
    ['allow-once', 'allowed', []],
    ['allow-always', 'allowed', ['always']],
    ['deny', 'denied', []],
  ] as const)('who says %s', async (answer, verdict, stored) => {
    expect(await approvalDesk({ store, prompt: typing(answer) }).decide(question(), live)).toEqual({
      verdict,
    })
    expect(store.list().map(({ state }) => state)).toEqual(stored)
  })

  test('is not asked again after always', async () => {
    await approvalDesk({ store, prompt: typing('allow-always') }).decide(question(), live)
    const never: Prompt = () => Promise.reject(new Error('asked'))
    expect(await approvalDesk({ store, prompt: never }).decide(question(), live)).toEqual({
      verdict: 'allowed',
    })
  })

  test.each([
    ['deny', 'deny', 'expired'],
    ['allow', 'allow', 'allowed'],
    ['allow', 'deny', 'expired'],
  ] as const)('who does not answer: %s and %s', async (first, second, verdict) => {
    const two = [
      wanted({ timeoutMs: 5, timeoutBehavior: first }),
      wanted({ timeoutMs: 5, timeoutBehavior: second }),
    ]
    expect(await approvalDesk({ store, prompt: silent }).decide(question({ wanted: two }), live)).toEqual({
      verdict,
    })
  })

  test('is left alone when the call is given up', async () => {
    const controller = new AbortController()
    const asked = approvalDesk({ store, prompt: silent }).decide(question(), controller.signal)
    controller.abort(new Error('away'))
    await expect(asked).rejects.toThrow('away')
    expect(states()).toEqual([])
  })

  test('nobody and no store: no', async () => {
    expect(await approvalDesk({ store: null }).decide(question(), live)).toEqual({ verdict: 'denied' })
  })
})

describe('a call', () => {
  const asking = (result: BeforeToolCallResult) => [() => result]

  test('is bound to the arguments that hooks left, and runs with exactly those', async () => {
    const run = new TestRun({
      tools: [{ name: 'wipe' }],
      approvals: headless(),
      before: [() => ({ params: { path: '/safe' } }), () => ({ requireApproval: { title: 'Wipe?' } })],
    })
    const outcome = await run.call('wipe', { path: '/' })
    expect(brief(outcome)).toBe('blocked by approval-required: wipe needs an approval: Wipe?')
    const [{ id, args } = { id: '', args: null }] = store.list()
    expect(args).toEqual({ path: '/safe' })
    expect(outcome).toMatchObject({
      code: 'APPROVAL_REQUIRED',
      hints: [`openclaw approvals allow ${id}`, `openclaw approvals deny ${id}`],
      data: { approvalId: id, command: `openclaw approvals allow ${id}` },
    })
    store.decide(id, 'allow-once')
    expect((await run.call('wipe', { path: '/other' })).status).toBe('ok')
    expect(run.ran).toEqual([{ tool: 'wipe', args: { path: '/safe' } }])
    expect((await run.call('wipe', { path: '/' })).status).toBe('blocked')
  })

  test('a block of a later hook wins over a question', async () => {
    const run = new TestRun({
      tools: [{ name: 'wipe' }],
      approvals: headless(),
      before: [
        ...asking({ requireApproval: { title: 'Wipe?' } }),
        ...asking({ block: true, blockReason: 'no' }),
      ],
    })
    expect(brief(await run.call('wipe'))).toBe('blocked by plugin-before-tool-call: no')
    expect(store.list()).toEqual([])
  })

  test.each([
    ['deny', 'blocked by approval-denied: Denied by user: Wipe?'],
    ['allow-once', 'ok done'],
  ] as const)('after %s', async (answer, expected) => {
    const approvals = approvalDesk({ store, prompt: async () => answer })
    const run = new TestRun({
      tools: [{ name: 'wipe' }],
      approvals,
      before: asking({ requireApproval: { title: 'Wipe?' } }),
    })
    expect(brief(await run.call('wipe'))).toBe(expected)
    expect(run.policy.map(({ kind }) => kind)).toEqual(answer === 'deny' ? ['approval'] : [])
  })

  test('what cannot be called is not asked about', async () => {
    const run = new TestRun({
      tools: [{ name: 'wipe', parameters: { type: 'object', required: ['x'] } }],
      approvals: headless(),
      before: asking({ requireApproval: { title: 'Wipe?' } }),
    })
    expect((await run.call('wipe')).status).toBe('error')
    expect(existsSync(approvalsDirectory(stateDir))).toBe(false)
  })
})

test('a place where nothing can be stored is named, with the way out', async () => {
  const home = await tempDir({ approvals: '' })
  const blocked = new ApprovalStore(home, () => now)
  const directory = join(home, 'approvals')
  const shown = { code: 'CONFIG_READONLY', hints: [`move ${directory} away`] }
  expect(() => blocked.list()).toThrow(expect.objectContaining(shown))
  expect(() => blocked.ask(question())).toThrow(
    `approvals cannot be read from ${directory}: it is no directory`,
  )
  expect(() => blocked.use('0a1b2c3d')).toThrow(
    `approvals cannot be stored in ${directory}: it is no directory`,
  )
})
