import { expect, test } from 'vitest'
import { withProgress } from '../../../src/ui/progress.ts'

/** As much of a terminal as progress needs; `shown` resolves when something is written. */
function terminal(isTTY: boolean) {
  const written: string[] = []
  const { promise: shown, resolve } = Promise.withResolvers<void>()
  const stream = {
    isTTY,
    columns: 20,
    write: (text: string) => {
      written.push(text)
      resolve()
      return true
    },
  }
  return { stream, written, shown }
}

test('shows after a while, in one line, and is gone in the end', async () => {
  const { stream, written, shown } = terminal(true)
  const result = await withProgress(stream, async (show) => {
    show('waiting for a server with a long name')
    await shown
    show('waiting for b')
    return 7
  })
  expect(result).toBe(7)
  expect(written).toEqual(['\r\u001B[Kwaiting for a serve', '\r\u001B[Kwaiting for b', '\r\u001B[K'])
})

test('says nothing of what is quick, nor where nobody watches', async () => {
  const quick = terminal(true)
  await withProgress(quick.stream, async (show) => show('soon'))
  const piped = terminal(false)
  await withProgress(piped.stream, async (show) => {
    show('waiting')
    await new Promise((resolve) => setTimeout(resolve, 350))
  })
  expect([...quick.written, ...piped.written]).toEqual([])
})

test('is gone after a failure, too', async () => {
  const { stream, written, shown } = terminal(true)
  const work = withProgress(stream, async (show) => {
    show('waiting')
    await shown
    throw new Error('no')
  })
  await expect(work).rejects.toThrow('no')
  expect(written.at(-1)).toBe('\r\u001B[K')
})
