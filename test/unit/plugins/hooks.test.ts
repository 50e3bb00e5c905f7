import { expect, test } from 'vitest'
import type { HookHandlers } from '../../../src/plugins/authoring.ts'
import { orderHooks, runAfterToolCall, runBeforeToolCall, type Hook } from '../../../src/plugins/hooks.ts'

const context = { agentId: 'main', sessionKey: 'agent:main:main' }
const call = { toolName: 'exec', params: { command: 'ls', cwd: '/' } }

type Before = HookHandlers['before_tool_call']

/** A hook of plugin `p` whose answer is given as somebody's code would give it. */
function before(answer: unknown, more: Partial<Hook<'before_tool_call'>> = {}): Hook<'before_tool_call'> {
  // What a hook answers is a stranger's; the types only help its author.
  const handler = (typeof answer === 'function' ? answer : () => answer) as Before
  return { event: 'before_tool_call', pluginId: 'p', handler, priority: 0, timeoutMs: 1000, ...more }
}

const never = (): Promise<never> => new Promise(() => {})

test('hooks run by priority, then as they were registered', () => {
  const named = (pluginId: string, priority: number) => before(undefined, { pluginId, priority })
  const ordered = orderHooks([
    { before_tool_call: [named('a', 0), named('b', 10)], after_tool_call: [] },
    { before_tool_call: [named('c', 10), named('d', -1), named('e', 0)], after_tool_call: [] },
  ])
  expect(ordered.before_tool_call.map((hook) => hook.pluginId)).toEqual(['b', 'c', 'a', 'e', 'd'])
})

test('no hooks and hooks without a word let the call proceed as it is', async () => {
  for (const hooks of [[], [before(undefined), before(null), before({}), before({ block: false })]]) {
    expect(await runBeforeToolCall(hooks, call, context)).toEqual({
      decision: 'proceed',
      params: call.params,
      approvals: [],
    })
  }
})

test('arguments are merged, and each hook sees what the earlier ones made of them', async () => {
  const seen: unknown[] = []
  const hooks = [
    before((event: { params: object }) => {
      seen.push(event.params)
      return { params: { cwd: '/tmp' } }
    }),
    before(async (event: { params: { command: string } }) => {
      seen.push({ ...event.params })
      // Changing the event itself changes nothing.
      event.params.command = 'rm'
      return { params: { extra: 1 } }
    }),
    before((event: { params: object }) => void seen.push(event.params)),
  ]
  expect(await runBeforeToolCall(hooks, call, context)).toEqual({
    decision: 'proceed',
    params: { command: 'ls', cwd: '/tmp', extra: 1 },
    approvals: [],
  })
  expect(seen).toEqual([
    { command: 'ls', cwd: '/' },
    { command: 'ls', cwd: '/tmp' },
    { command: 'ls', cwd: '/tmp', extra: 1 },
  ])
  expect(call.params).toEqual({ command: 'ls', cwd: '/' })
})

test('a hook is told the call and whose it is', async () => {
  let told: unknown
  const hook = before((...args: unknown[]) => void (told = args))
  await runBeforeToolCall([hook], { ...call, toolCallId: 't1' }, { ...context, runId: 'r1' })
  expect(told).toEqual([
    { ...call, toolCallId: 't1' },
    { ...context, runId: 'r1' },
  ])
})

test.each<[string, unknown, string]>([
  ['a block with a reason', { block: true, blockReason: 'not on Fridays' }, 'asked: not on Fridays'],
  ['a block without one', { block: true }, 'asked: Tool call blocked by plugin hook'],
  ['a block with a blank one', { block: true, blockReason: '  ' }, 'asked: Tool call blocked by plugin hook'],
  ['a block with escapes', { block: true, blockReason: '\u001b[31mno\u202e' }, 'asked: no'],
  [
    'a throw',
    () => {
      throw new TypeError('boom')
    },
    'failed: the before_tool_call hook of plugin p failed (TypeError: boom), so the call is blocked',
  ],
  [
    'a throw of no error',
    () => Promise.reject('gone'),
    'failed: the before_tool_call hook of plugin p failed (threw gone), so the call is blocked',
  ],
  [
    'no end',
    never,
    'failed: the before_tool_call hook of plugin p failed (it took longer than 20 ms), so the call is blocked',
  ],
  [
    'a yes',
    true,
    'failed: the before_tool_call hook of plugin p answered with no object, so the call is blocked',
  ],
  [
    'a block in words',
    { block: 'true' },
    'failed: the before_tool_call hook of plugin p answered with a block that is neither true nor false, so the call is blocked',
  ],
  [
    'arguments in a list',
    { params: ['ls'] },
    'failed: the before_tool_call hook of plugin p answered with params that are no object, so the call is blocked',
  ],
  [
    'an approval without a title',
    { requireApproval: { description: 'x' } },
    'failed: the before_tool_call hook of plugin p asked for an approval without a title, so the call is blocked',
  ],
])('blocks: %s', async (_what, answer, expected) => {
  let later = false
  const hooks = [before(answer, { timeoutMs: 20 }), before(() => void (later = true))]
  const outcome = await runBeforeToolCall(hooks, call, context)
  expect(outcome.decision === 'block' && `${outcome.cause}: ${outcome.reason}`).toBe(expected)
  expect(later).toBe(false)
})

test('approvals are collected, bounded and with their defaults; a later block still wins', async () => {
  const asking = before({
    params: { cwd: '/safe' },
    requireApproval: { title: 'T'.repeat(100), description: 'D'.repeat(600), severity: 'odd', timeoutMs: -1 },
  })
  const again = before(
    { requireApproval: { title: 'Sure?', severity: 'critical', timeoutMs: 1e9, timeoutBehavior: 'allow' } },
    { pluginId: 'q' },
  )
  expect(await runBeforeToolCall([asking, again], call, context)).toEqual({
    decision: 'proceed',
    params: { command: 'ls', cwd: '/safe' },
    approvals: [
      {
        pluginId: 'p',
        title: `${'T'.repeat(79)}…`,
        description: `${'D'.repeat(511)}…`,
        severity: 'warning',
        timeoutMs: null,
        timeoutBehavior: 'deny',
      },
      {
        pluginId: 'q',
        title: 'Sure?',
        description: '',
        severity: 'critical',
        timeoutMs: 600_000,
        timeoutBehavior: 'allow',
      },
    ],
  })
  expect(
    await runBeforeToolCall([asking, before({ block: true }, { pluginId: 'r' })], call, context),
  ).toEqual({
    decision: 'block',
    pluginId: 'r',
    reason: 'Tool call blocked by plugin hook',
    cause: 'asked',
  })
})

test('what goes wrong after a call is told and changes nothing', async () => {
  const seen: unknown[] = []
  const after = (handler: unknown, pluginId: string): Hook<'after_tool_call'> => ({
    event: 'after_tool_call',
    pluginId,
    handler: handler as HookHandlers['after_tool_call'],
    priority: 0,
    timeoutMs: 20,
  })
  const ended = { ...call, result: { content: [{ type: 'text', text: 'ok' }] }, durationMs: 3 } as const
  const hooks = [
    after((event: { result: { content: unknown[] } }) => void event.result.content.pop(), 'a'),
    after(() => Promise.reject(new Error('late')), 'b'),
    after(never, 'c'),
    after((...args: unknown[]) => void seen.push(args), 'd'),
  ]
  expect(await runAfterToolCall(hooks, ended, context)).toEqual([
    { pluginId: 'b', problem: 'Error: late' },
    { pluginId: 'c', problem: 'it took longer than 20 ms' },
  ])
  expect(seen).toEqual([[ended, context]])
})
