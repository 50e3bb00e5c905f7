import { describe, expect, test } from 'vitest'
import { LoopGuard } from '../../../src/calls/loop/guard.ts'
import { outcomeText, type CallEnd } from '../../../src/calls/loop/outcome.ts'
import { loopSettings } from '../../../src/calls/loop/settings.ts'
import type { Args } from '../../../src/calls/types.ts'
import type { Config } from '../../../src/config/types.ts'

const told = (text: string, details?: unknown, failed = false): CallEnd => ({
  failed,
  content: [{ type: 'text', text }],
  details,
})

type Written = NonNullable<NonNullable<Config['tools']>['loopDetection']>

const guardOf = (loopDetection: Written, edition: '2026.7' | '2026.9' = '2026.7'): LoopGuard =>
  new LoopGuard(loopSettings({ tools: { loopDetection } }, 'main', edition))

/** What is said of each of `count` calls: `-` for nothing, the detector in small letters for a warning, in capitals where it blocks. */
function play(
  guard: LoopGuard,
  count: number,
  call: (at: number) => { readonly tool: string; readonly args?: Args; readonly end: CallEnd },
): string[] {
  return Array.from({ length: count }, (_, at) => {
    const { tool, args = {}, end } = call(at)
    const verdict = guard.check(tool, args)
    if ('blocked' in verdict) return verdict.blocked.detector.toUpperCase()
    verdict.open.settle(end)
    return verdict.warning?.detector ?? '-'
  })
}

/** Runs of equal words with their length. */
function runs(words: readonly string[]): string {
  const counted: [string, number][] = []
  for (const word of words) {
    const last = counted.at(-1)
    if (last?.[0] === word) last[1] += 1
    else counted.push([word, 1])
  }
  return counted.map(([word, count]) => `${count}×${word}`).join(' ')
}

const on = { enabled: true } as const

describe('what repeats', () => {
  const same = { tool: 'exec', args: { command: 'cat x' }, end: told('same') }

  test('the same call with the same outcome is warned about, then blocked', () => {
    expect(runs(play(guardOf(on), 35, () => same))).toBe('10×- 10×generic_repeat 15×GENERIC_REPEAT')
  })

  test('the order of arguments and what they say makes no difference, their values do', () => {
    const guard = guardOf({ enabled: true, warningThreshold: 1, criticalThreshold: 2 })
    const calls = [
      { a: 1, b: [{ c: 2 }] },
      { b: [{ c: 2 }], a: 1 },
      { a: 1, b: [{ c: 3 }] },
    ]
    const said = play(guard, 3, (at) => ({ tool: 't', args: calls[at] ?? {}, end: told('x') }))
    expect(said).toEqual(['-', 'generic_repeat', '-'])
  })

  test('another outcome is progress, however often the call is made', () => {
    const said = play(guardOf(on), 35, (at) => ({ ...same, end: told(`line ${at}`) }))
    expect(runs(said)).toBe('10×- 25×generic_repeat')
  })

  test('a change of the outcome in between starts the count anew', () => {
    const guard = guardOf({ enabled: true, warningThreshold: 2, criticalThreshold: 3 })
    const outcomes = ['a', 'a', 'b', 'b', 'b', 'b']
    const said = play(guard, 6, (at) => ({ ...same, end: told(outcomes[at] ?? '') }))
    expect(runs(said)).toBe('2×- 3×generic_repeat 1×GENERIC_REPEAT')
  })

  test('calls of other tools in between hide nothing', () => {
    const guard = guardOf({
      enabled: true,
      warningThreshold: 2,
      criticalThreshold: 3,
      detectors: { pingPong: false },
    })
    const said = play(guard, 9, (at) =>
      at % 2 === 0 ? same : { tool: 'note', args: { at }, end: told(`n${at}`) },
    )
    expect(said.filter((_, at) => at % 2 === 0)).toEqual([
      '-',
      '-',
      'generic_repeat',
      'GENERIC_REPEAT',
      'GENERIC_REPEAT',
    ])
  })

  test('without the detector for repeats the breaker still ends it', () => {
    const guard = guardOf({ enabled: true, detectors: { genericRepeat: false } })
    expect(runs(play(guard, 35, () => same))).toBe('30×- 5×GLOBAL_CIRCUIT_BREAKER')
  })

  test('polling has its own detector, and the breaker', () => {
    const poll = { tool: 'process', args: { action: 'poll', sessionId: 's' }, end: told('running') }
    expect(runs(play(guardOf(on), 25, () => poll))).toBe(
      '10×- 10×known_poll_no_progress 5×KNOWN_POLL_NO_PROGRESS',
    )
    const off = guardOf({ enabled: true, detectors: { knownPollNoProgress: false } })
    expect(runs(play(off, 35, () => poll))).toBe('30×- 5×GLOBAL_CIRCUIT_BREAKER')
    const moving = play(guardOf(on), 40, (at) => ({ ...poll, end: told(`${at} %`) }))
    expect(runs(moving)).toBe('40×-')
  })

  test('two calls in turn are warned about, and blocked when neither changes anything', () => {
    const turns = (end: (at: number) => CallEnd) => (at: number) => ({
      tool: at % 2 === 0 ? 'read' : 'write',
      args: { path: 'a' },
      end: end(at),
    })
    expect(
      runs(
        play(
          guardOf(on),
          24,
          turns(() => told('same')),
        ),
      ),
    ).toBe('10×- 10×ping_pong 4×PING_PONG')
    expect(
      runs(
        play(
          guardOf(on),
          24,
          turns((at) => told(`${at}`)),
        ),
      ),
    ).toBe('10×- 14×ping_pong')
  })

  test('the same outcome for ever other arguments is churn in the later edition, and only told', () => {
    const call = (at: number) => ({ tool: 'search', args: { query: `${at}` }, end: told('no results') })
    expect(runs(play(guardOf({}, '2026.9'), 30, call))).toBe('10×- 20×argument_churn')
    expect(runs(play(guardOf(on), 30, call))).toBe('30×-')
  })

  test('a name that is no tool is refused after ten times', () => {
    const guard = guardOf(on)
    const said = Array.from({ length: 12 }, () => guard.checkUnknown('ghost')?.detector ?? '-')
    expect(runs(said)).toBe('10×- 2×unknown_tool_repeat')
    expect(guard.checkUnknown('other')).toBeNull()
  })

  test('off means nothing is found, but for a run that lost its thread', () => {
    expect(runs(play(guardOf({ enabled: false }), 40, () => same))).toBe('40×-')
    const quiet = guardOf({})
    expect(runs(play(quiet, 40, () => same))).toBe('40×-')
    quiet.compacted()
    expect(runs(play(quiet, 5, () => same))).toBe('3×- 2×POST_COMPACTION')
    const off = guardOf({ enabled: false })
    off.compacted()
    expect(runs(play(off, 5, () => same))).toBe('5×-')
  })

  test('after a compaction one other call, or another outcome, is enough to go on', () => {
    const other = guardOf({})
    other.compacted()
    const mixed = play(other, 6, (at) => (at === 1 ? { tool: 'note', end: told('n') } : same))
    expect(runs(mixed)).toBe('6×-')
    const changing = guardOf({})
    changing.compacted()
    expect(runs(play(changing, 6, (at) => ({ ...same, end: told(`${at}`) })))).toBe('6×-')
  })

  test('a history shorter than the thresholds does not switch them off', () => {
    const guard = guardOf({ enabled: true, historySize: 3 })
    expect(runs(play(guard, 25, () => same))).toBe('10×- 10×generic_repeat 5×GENERIC_REPEAT')
  })
})

describe('what is no change of an outcome', () => {
  const equal = (a: CallEnd, b: CallEnd): boolean => outcomeText(a) === outcomeText(b)
  const failing = (text: string): CallEnd => told(text, { exitCode: 1 })

  test.each([
    ['a time stamp', 'error at 2026-06-17T10:00:01.123Z', 'error at 2026-06-17T10:00:07.999Z'],
    ['a time with a zone', 'at 2026-06-17 10:00:01 +0200', 'at 2026-06-17 11:30:01 +0200'],
    ['a time of day', '[10:00:01] failed', '[23:59:59] failed'],
    ['a time in a log', 'Jun 17 10:00:01 host x', 'Jun  8 09:12:44 host x'],
    ['seconds since 1970', 'ts=1780000000 no', 'ts=1780000007 no'],
    ['an attempt', 'attempt 1/5 failed', 'attempt 4/5 failed'],
    ['a retry', 'Retry #2: refused', 'Retry #3: refused'],
    ['an ordinal', '2nd attempt', '3rd attempt'],
    ['a duration', 'failed after 1.2s', 'failed after 3m 4s'],
    ['milliseconds', 'took 120ms', 'took 7 ms'],
    ['a process', 'pid 401 died', 'pid 17 died'],
    ['a process in a log', 'sshd[123]: no', 'sshd[99]: no'],
    ['a warning of node', '(node:123) Warning', '(node:456) Warning'],
    ['a request id', 'request id: 7f3a9c21', 'request id: 9b1d0e42'],
    ['a uuid', 'job 4f6c1a52-0000-4000-8000-0123456789ab', 'job 11111111-2222-4333-8444-555555555555'],
    ['a temporary file', 'cannot open /tmp/x.Ab12', 'cannot open /tmp/x.Zz99'],
    ['an address in memory', 'at 0x7ffd3a10', 'at 0x7ffe9b20'],
  ])('in a failure: %s', (_, a, b) => {
    expect(equal(failing(a), failing(b))).toBe(true)
    // The same words from a call that worked are news.
    expect(equal(told(a), told(b))).toBe(false)
  })

  test.each([
    ['error numbers', 'errno 2', 'errno 13'],
    ['HTTP states', 'HTTP 500', 'HTTP 503'],
    ['ports', 'connect 127.0.0.1:8080 refused', 'connect 127.0.0.1:9090 refused'],
    ['counts', '12 tests failed', '11 tests failed'],
    ['places in files', 'a.ts:12:34 oops', 'a.ts:15:40 oops'],
    ['versions', 'needs 1.2.3', 'needs 1.2.4'],
  ])('but in a failure, too: %s', (_, a, b) => {
    expect(equal(failing(a), failing(b))).toBe(false)
  })

  test.each([
    ['the id of a message', { ok: true, messageId: 'm1' }, { ok: true, messageId: 'm2' }],
    ['when it was sent', { ok: true, ts: 1, durationMs: 5 }, { ok: true, ts: 2, durationMs: 9 }],
    [
      'which process runs',
      { status: 'running', sessionId: 'calm-fox', pid: 4 },
      { status: 'running', sessionId: 'red-owl', pid: 9 },
    ],
  ])('in details: %s, also where the text repeats it', (_, a, b) => {
    expect(equal(told('ok', a), told('ok', b))).toBe(true)
    expect(equal(told(JSON.stringify(a), a), told(JSON.stringify(b, null, 2), b))).toBe(true)
  })

  test('also where a text repeats it in words', () => {
    const sent = (id: string) => told(`Sent as ${id}.`, { messageId: id })
    const started = (session: string, pid: number) =>
      told(`Runs in ${session}, process ${pid}.`, { status: 'running', sessionId: session, pid })
    expect(equal(sent('m17'), sent('m18'))).toBe(true)
    expect(equal(started('calm-fox', 4012), started('red-owl', 977))).toBe(true)
    expect(equal(told('Sent as m17.', {}), told('Sent as m18.', {}))).toBe(false)
  })

  test('ids of things and processes of finished calls are news', () => {
    expect(equal(told('', { id: 17 }), told('', { id: 18 }))).toBe(false)
    expect(equal(told('', { status: 'done', pid: 1 }), told('', { status: 'done', pid: 2 }))).toBe(false)
  })

  test('pictures count by their bytes; failing and working are two outcomes', () => {
    const image = (data: string): CallEnd => ({ failed: false, content: [{ type: 'image', data }] })
    expect(equal(image('AAAA'), image('AAAA'))).toBe(true)
    expect(equal(image('AAAA'), image('BBBB'))).toBe(false)
    expect(equal(told('x'), told('x', undefined, true))).toBe(false)
  })
})

describe('settings', () => {
  const numbers = (config: Config, agent = 'main', edition: '2026.7' | '2026.9' = '2026.7') => {
    const { enabled, warningThreshold, criticalThreshold, globalCircuitBreakerThreshold } = loopSettings(
      config,
      agent,
      edition,
    )
    return [enabled, warningThreshold, criticalThreshold, globalCircuitBreakerThreshold]
  }
  const loop = (loopDetection: Written): Config => ({ tools: { loopDetection } })

  test.each([
    ['nothing', {}, [false, 10, 20, 30]],
    ['on', { enabled: true }, [true, 10, 20, 30]],
    ['a warning above critical', { warningThreshold: 50 }, [false, 50, 51, 52]],
    ['critical above the breaker', { criticalThreshold: 40 }, [false, 10, 40, 41]],
    ['a breaker below critical', { globalCircuitBreakerThreshold: 5 }, [false, 10, 20, 21]],
  ] as const)('%s', (_, written, expected) => {
    expect(numbers(loop(written))).toEqual(expected)
  })

  test('an agent overlays the global ones field by field, its detectors, too', () => {
    const config: Config = {
      tools: {
        loopDetection: {
          enabled: true,
          warningThreshold: 3,
          detectors: { pingPong: false, genericRepeat: false },
        },
      },
      agents: {
        entries: {
          work: { tools: { loopDetection: { criticalThreshold: 7, detectors: { genericRepeat: true } } } },
        },
      },
    }
    expect(numbers(config, 'work')).toEqual([true, 3, 7, 30])
    expect(loopSettings(config, 'work', '2026.7').detectors).toMatchObject({
      pingPong: false,
      genericRepeat: true,
    })
    expect(numbers(config)).toEqual([true, 3, 20, 30])
  })

  test('the later edition is on and has fixed numbers', () => {
    expect(numbers({}, 'main', '2026.9')).toEqual([true, 10, 20, 30])
    expect(numbers(loop({ enabled: false, warningThreshold: 3 }), 'main', '2026.9')).toEqual([
      false,
      10,
      20,
      30,
    ])
  })
})

describe('reports', () => {
  test('openclaw#40144: runs that each do the same are no loop', () => {
    const said = Array.from({ length: 8 }, () =>
      play(guardOf({ enabled: true, warningThreshold: 6, criticalThreshold: 10 }), 2, (at) =>
        at === 0
          ? { tool: 'read', args: { path: 'status.md' }, end: told('fine') }
          : { tool: 'message', args: { text: 'fine' }, end: told('sent') },
      ),
    )
    expect(new Set(said.flat())).toEqual(new Set(['-']))
  })

  test('openclaw#70546: the same call with the same result is blocked by the breaker at the latest', () => {
    const said = play(
      guardOf({
        enabled: true,
        warningThreshold: 10,
        criticalThreshold: 20,
        globalCircuitBreakerThreshold: 30,
      }),
      35,
      () => ({
        tool: 'exec',
        args: { command: 'cat x' },
        end: told('same'),
      }),
    )
    expect(said.findIndex((word) => word === word.toUpperCase() && word !== '-')).toBeLessThanOrEqual(30)
  })

  test('openclaw#93917: volatile text in a failure hides no loop', () => {
    const guard = guardOf({ enabled: true, warningThreshold: 2, criticalThreshold: 3 })
    const said = play(guard, 5, (at) => ({
      tool: 'exec',
      args: { command: './flaky.sh' },
      end: told(`error at 2026-06-17T10:00:0${at}.123Z attempt ${at} pid 40${at}`, { exitCode: 1 }),
    }))
    expect(said).toEqual(['-', '-', 'generic_repeat', 'GENERIC_REPEAT', 'GENERIC_REPEAT'])
  })

  test('openclaw#89090: a message that is sent again and again is a loop whatever its ids', () => {
    const said = play(guardOf(on), 25, (at) => ({
      tool: 'message',
      args: { action: 'send', to: 'u1', text: 'done' },
      end: told(`{"ok":true,"messageId":"m${at}"}`, { ok: true, messageId: `m${at}` }),
    }))
    expect(said.at(-1)).toBe('GENERIC_REPEAT')
  })

  test('openclaw#25627: starting the same command in the background is no progress', () => {
    const said = play(guardOf(on), 12, (at) => ({
      tool: 'exec',
      args: { command: './scan.sh' },
      end: told(`running in session s-${at * 7919} (pid ${at + 400})`, {
        status: 'running',
        sessionId: `s-${at * 7919}`,
        pid: at + 400,
      }),
    }))
    expect(said.at(-1)).toBe('generic_repeat')
  })

  test('a business workflow over many people is no loop', () => {
    const said = play(guardOf({ enabled: true, warningThreshold: 8, criticalThreshold: 15 }), 20, (at) => ({
      tool: 'crm_search',
      args: { name: `person ${at}` },
      end: told(`record ${at}`),
    }))
    expect(new Set(said)).toEqual(new Set(['-']))
  })
})
