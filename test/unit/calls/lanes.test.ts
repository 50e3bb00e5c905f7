import { expect, test } from 'vitest'
import { Lanes } from '../../../src/calls/lanes.ts'

const live = new AbortController().signal
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

test('no more than the bound run at once, and all of them run', async () => {
  const lanes = new Lanes(3)
  let running = 0
  let most = 0
  const done: number[] = []
  const work = (at: number) => () =>
    lanes.run(false, live, async () => {
      running += 1
      most = Math.max(most, running)
      await turn()
      running -= 1
      done.push(at)
    })
  await Promise.all(Array.from({ length: 20 }, (_, at) => work(at)()))
  expect([most, done.length, running]).toEqual([3, 20, 0])
})

test('openclaw#139407: a call that ends frees its place for the call that follows it', async () => {
  const lanes = new Lanes(16)
  const order: string[] = []
  const run = (name: string) => lanes.run(false, live, async () => void (await turn(), order.push(name)))
  await Promise.all(
    Array.from({ length: 30 }, async (_, at) => {
      await run(`slow ${at}`)
      await run(`note ${at}`)
    }),
  )
  expect(new Set(order).size).toBe(60)
  expect(order).toHaveLength(60)
})

test('who must be alone waits for all, and those that come later wait for it', async () => {
  const lanes = new Lanes(8)
  const log: string[] = []
  const run = (name: string, alone: boolean) =>
    lanes.run(alone, live, async () => {
      log.push(`+${name}`)
      await turn()
      log.push(`-${name}`)
    })
  await Promise.all([run('a', false), run('b', true), run('c', false), run('d', false), run('e', true)])
  expect(log.join(' ')).toBe('+a -a +b -b +c +d -c -d +e -e')
})

test('who gives up while waiting leaves the queue, and frees those behind', async () => {
  const lanes = new Lanes(8)
  const { promise, resolve } = Promise.withResolvers<void>()
  const controller = new AbortController()
  const first = lanes.run(false, live, () => promise)
  const alone = lanes.run(true, controller.signal, async () => 'alone')
  const behind = lanes.run(false, live, async () => 'behind')
  controller.abort(new Error('away'))
  await expect(alone).rejects.toThrow('away')
  expect(await behind).toBe('behind')
  resolve()
  await first
  await expect(lanes.run(false, controller.signal, async () => 'late')).rejects.toThrow('away')
  expect(await lanes.run(true, live, async () => 'free')).toBe('free')
})

test('work that fails frees its place', async () => {
  const lanes = new Lanes(1)
  await expect(lanes.run(true, live, () => Promise.reject(new Error('kaput')))).rejects.toThrow('kaput')
  expect(await lanes.run(false, live, async () => 'next')).toBe('next')
})
