import { expect, test, vi } from 'vitest'
import type { BrowserSession } from '../../../../src/tools/browser/session.ts'
import { browserShelf } from '../../../../src/tools/browser/shelf.ts'
import type { CodingToolOptions } from '../../../../src/tools/options.ts'
import { open } from '../../policy/open.ts'

/** Only what a shelf looks at. */
function optionsOf(sessionKey: string, browser: object = {}): CodingToolOptions {
  const { view } = open({ context: { sessionKey }, config: { browser } })
  return { view: () => view } as CodingToolOptions
}

function maker() {
  const ended: number[] = []
  let count = 0
  const make = (): BrowserSession => {
    count += 1
    const own = count
    return { stop: async () => ended.push(own) > 0 } as unknown as BrowserSession
  }
  return { make, ended }
}

test('a session keeps its browser, and has none of another one', () => {
  const { make, ended } = maker()
  const shelf = browserShelf()
  const first = shelf.of(optionsOf('agent:main:main'), make)
  expect(shelf.of(optionsOf('agent:main:main'), make)).toBe(first)
  expect(shelf.of(optionsOf('agent:main:other'), make)).not.toBe(first)
  expect(ended).toEqual([])
})

test('other rules of the config end it', () => {
  const { make, ended } = maker()
  const shelf = browserShelf()
  shelf.of(optionsOf('agent:main:main'), make)
  shelf.of(optionsOf('agent:main:main', { ssrfPolicy: { allowedHostnames: [] } }), make)
  expect(ended).toEqual([1])
})

test('one that nobody uses is ended after a while, and all are in the end', async () => {
  vi.useFakeTimers()
  try {
    const { make, ended } = maker()
    const shelf = browserShelf(1000)
    shelf.of(optionsOf('agent:main:main'), make)
    shelf.of(optionsOf('agent:main:other'), make)
    vi.advanceTimersByTime(900)
    shelf.of(optionsOf('agent:main:other'), make)
    vi.advanceTimersByTime(900)
    expect(ended).toEqual([1])
    await shelf.close()
    expect(ended).toEqual([1, 2])
    vi.advanceTimersByTime(5000)
    expect(ended).toEqual([1, 2])
  } finally {
    vi.useRealTimers()
  }
})
