import { describe, expect, test } from 'vitest'
import { BridgeQueue, type Bridge } from '../../../../src/tool-search/code/bridge.ts'
import { defaultLimits, type RunLimits } from '../../../../src/tool-search/code/limits.ts'

interface Open {
  readonly id: unknown
  readonly end: (value: unknown) => void
}

/** A queue over calls that end when the test says so. */
function newQueue(limits: Partial<RunLimits> = {}) {
  const open: Open[] = []
  const answers: [number, boolean, unknown][] = []
  let room = true
  const wait = (id: unknown) => new Promise<unknown>((resolve) => open.push({ id, end: resolve }))
  const bridge: Bridge = {
    search: ({ query }) => wait(query),
    describe: ({ id }) => wait(id),
    call: ({ args }) => wait(args),
  }
  const queue = new BridgeQueue({
    bridge,
    limits: { ...defaultLimits, ...limits },
    signal: new AbortController().signal,
    answer: (id, ok, json) => answers.push([id, ok, JSON.parse(json)]),
    hasRoom: () => room,
  })
  const take = (id: number, args: readonly [unknown, unknown] = ['x', id], size = 10) =>
    queue.take({ t: 'call', id, method: 'call', args, size })
  return { queue, open, answers, take, setRoom: (has: boolean) => (room = has) }
}

const turn = () => new Promise((resolve) => setImmediate(resolve))

describe('the requests of a child', () => {
  test('run some at a time, in order, and each end makes room for one', async () => {
    const { open, take, answers } = newQueue({ concurrency: 2 })
    for (let id = 1; id <= 5; id++) expect(take(id)).toBe(null)
    expect(open.map(({ id }) => id)).toEqual([1, 2])
    open[1]?.end('two')
    await turn()
    expect(open.map(({ id }) => id)).toEqual([1, 2, 3])
    expect(answers).toEqual([[2, true, 'two']])
  })

  test('wait while the child does not take its answers', () => {
    const { queue, open, take, setRoom } = newQueue()
    setRoom(false)
    take(1)
    expect(open).toEqual([])
    setRoom(true)
    queue.advance()
    expect(open.map(({ id }) => id)).toEqual([1])
  })

  test('are not answered after the end, and those that wait never start', async () => {
    const { queue, open, answers, take } = newQueue({ concurrency: 1 })
    take(1)
    take(2)
    expect(queue.close()).toEqual({ running: 1, waiting: 1 })
    open[0]?.end('late')
    await turn()
    expect(answers).toEqual([])
    expect(open).toHaveLength(1)
  })

  test('are counted by what they ask for', () => {
    const { queue, take } = newQueue()
    take(1)
    queue.take({ t: 'call', id: 2, method: 'search', args: ['q', null], size: 10 })
    queue.take({ t: 'call', id: 3, method: 'describe', args: ['q', null], size: 10 })
    queue.take({ t: 'call', id: 4, method: 'describe', args: [null, null], size: 10 })
    expect(queue.counts).toEqual({ searchCount: 1, describeCount: 2, callCount: 1 })
  })
})

describe('what no intact child would ask for ends the run', () => {
  test.each([
    ['a number used twice', [1, 1], {}, 'it used the number of a call twice'],
    ['a number that goes back', [2, 1], {}, 'it used the number of a call twice'],
    ['too many in all', [1, 2, 3], { calls: 2 }, 'it made more than 2 calls'],
    ['too many open', [1, 2, 3], { pending: 2 }, 'it had more than 2 calls open'],
  ])('%s', (_, ids, limits, problem) => {
    const { take } = newQueue(limits)
    expect(ids.map((id) => take(id)).at(-1)).toBe(problem)
  })

  test('arguments that are too large', () => {
    const { take, open } = newQueue({ valueSize: 2048 })
    expect(take(1, ['x', {}], 3000)).toBe('the arguments of a call were larger than 2 KiB')
    expect(open).toEqual([])
  })

  test('arguments that are nested too deep are an answer', () => {
    const { take, open, answers } = newQueue({ depth: 3 })
    expect(take(1, ['x', [[[1]]]])).toBe(null)
    expect(open).toEqual([])
    expect(answers).toEqual([[1, false, { message: 'the arguments are nested more than 3 levels deep' }]])
  })
})
