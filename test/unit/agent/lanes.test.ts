import { describe, expect, test } from 'vitest'
import { SessionLanes } from '../../../src/agent/lanes.ts'
import { rejection } from './ask.ts'

const never = new AbortController().signal

describe('lanes', () => {
  test('run one session one after the other, others beside it', async () => {
    const lanes = new SessionLanes()
    const log: string[] = []
    const first = Promise.withResolvers<void>()
    const runs = [
      lanes.run('agent:main:main', never, async () => {
        log.push('a begins')
        await first.promise
        log.push('a ends')
      }),
      lanes.run('agent:main:MAIN', never, async () => void log.push('b')),
      lanes.run('agent:main:main', never, async () => void log.push('c')),
    ]
    await lanes.run('agent:main:other', never, async () => void log.push('other'))
    expect(log).toEqual(['a begins', 'other'])
    expect(lanes.isBusy('agent:main:main')).toBe(true)
    first.resolve()
    await Promise.all(runs)
    expect(log).toEqual(['a begins', 'other', 'a ends', 'b', 'c'])
    expect(lanes.isBusy('agent:main:main')).toBe(false)
  })

  test('go on after a run that failed, and after one that was given up while it waited', async () => {
    const lanes = new SessionLanes()
    const log: string[] = []
    const gate = Promise.withResolvers<void>()
    const failing = rejection(
      lanes.run('k', never, async () => {
        await gate.promise
        throw new Error('failed')
      }),
    )
    const controller = new AbortController()
    const given = rejection(lanes.run('k', controller.signal, async () => void log.push('given up')))
    const last = lanes.run('k', never, async () => void log.push('last'))
    controller.abort(new Error('enough'))
    expect((await given).message).toBe('enough')
    expect(log).toEqual([])
    gate.resolve()
    expect((await failing).message).toBe('failed')
    await last
    expect(log).toEqual(['last'])
  })
})
