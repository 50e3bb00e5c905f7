import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { array, assert, nat, oneof, property, record } from 'fast-check'
import { describe, expect, test } from 'vitest'
import { keptBytes, Output } from '../../../../src/tools/commands/output.ts'
import { lastPart, outputText } from '../../../../src/tools/commands/output-text.ts'
import { longestFile, Spill } from '../../../../src/tools/commands/spill.ts'
import { tempDir } from '../../../helpers/run-cli.ts'

async function output(): Promise<Output> {
  return new Output(new Spill(await tempDir(), 'exec-test'))
}

const textOf = (made: Output, place = 0, isRunning = false) => outputText(made, place, isRunning)

describe('output', () => {
  test('stays in memory while it is small', async () => {
    const made = await output()
    made.push(Buffer.from('a\n'))
    made.push(Buffer.from('b\n'))
    expect(textOf(made)).toEqual({ text: 'a\nb\n', skipped: 0, end: 4, isBinary: false })
    expect(textOf(made, 2)).toMatchObject({ text: 'b\n', end: 4 })
    expect(made).toMatchObject({ file: null, isCut: false, total: 4 })
  })

  test('goes into a file that only its owner can read when it is more, byte for byte', async () => {
    const state = await tempDir()
    const made = new Output(new Spill(state, 'exec-test'))
    const lines = Array.from({ length: 60_000 }, (_, at) => `line ${at}\n`)
    for (const line of lines) made.push(Buffer.from(line))
    made.close()
    const file = join(state, 'exec-output/exec-test.log')
    expect(made).toMatchObject({ file, isCut: true, lost: 0 })
    expect(readFileSync(file, 'utf8')).toBe(lines.join(''))
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(statSync(join(state, 'exec-output')).mode & 0o777).toBe(0o700)
    const { text, skipped } = textOf(made)
    expect(text.length).toBe(keptBytes)
    expect(lines.join('').endsWith(text)).toBe(true)
    expect(skipped).toBe(made.total - keptBytes)
  })

  test('is the end of what was pushed, in whatever pieces', async () => {
    const noise = Buffer.from(Array.from({ length: 3 * keptBytes }, (_, at) => (at * 7919) % 251))
    const piece = record({ at: nat(keptBytes), length: oneof(nat(9), nat(2 * keptBytes)) })
    const state = await tempDir()
    let name = 0
    assert(
      property(array(piece, { maxLength: 8 }), (pieces) => {
        const chunks = pieces.map(({ at, length }) => noise.subarray(at, at + length))
        const made = new Output(new Spill(state, String((name += 1))))
        for (const each of chunks) made.push(each)
        const all = Buffer.concat(chunks)
        const { bytes, skipped, end } = made.from(0)
        expect(end).toBe(all.length)
        expect(skipped).toBe(Math.max(0, all.length - keptBytes))
        expect(bytes.equals(all.subarray(skipped))).toBe(true)
        made.close()
        expect(made.file === null || readFileSync(made.file).equals(all)).toBe(true)
      }),
      { numRuns: 40 },
    )
  })

  test('takes more than a file may hold, in bounded memory, and says what is lost', async () => {
    const made = await output()
    const chunk = Buffer.alloc(1024 * 1024, 'x')
    const before = process.memoryUsage().rss
    for (let count = 0; count < 100; count++) made.push(chunk)
    expect(made.lost).toBe(100 * chunk.length - longestFile)
    expect(statSync(made.file ?? '').size).toBe(longestFile)
    expect(process.memoryUsage().rss - before).toBeLessThan(64 * 1024 * 1024)
  })

  test('costs the file alone where it cannot be written', async () => {
    const state = await tempDir({ 'exec-output': 'a file in its way' })
    const made = new Output(new Spill(state, 'exec-test'))
    made.push(Buffer.alloc(keptBytes, 'a'))
    made.push(Buffer.from('end'))
    expect(made).toMatchObject({ file: null, lost: keptBytes + 3 })
    expect(textOf(made).text.endsWith('aend')).toBe(true)
  })
})

describe('output as text', () => {
  const shown = async (bytes: string | Buffer) => {
    const made = await output()
    made.push(Buffer.from(bytes))
    return textOf(made).text
  }

  test.each([
    ['colours', '\u001B[31mred\u001B[0m\n', 'red\n'],
    ['a title', '\u001B]0;owned\u0007text', 'text'],
    ['progress', 'a 10%\ra 20%\ra 30%\ndone\n', 'a 30%\ndone\n'],
    ['progress at the end', '10%\r20%\r', '20%\n'],
    ['Windows lines', 'a\r\nb\r\n', 'a\nb\n'],
    ['NUL between names', 'a\0b\0', 'a\u2400b\u2400'],
    ['bidi', 'a\u202Eb', 'ab'],
  ])('%s', async (_, given, expected) => {
    expect(await shown(given)).toBe(expected)
  })

  test('marks what is no UTF-8, and knows what is no text at all', async () => {
    expect(await shown(Buffer.from([0x61, 0xff, 0x62]))).toBe('a\uFFFDb')
    const made = await output()
    made.push(Buffer.from(Array.from({ length: 500 }, (_, at) => (at * 37) % 256)))
    expect(textOf(made).isBinary).toBe(true)
  })

  test('is read at once, whatever it is made of', async () => {
    const start = performance.now()
    for (const piece of [
      '\r',
      '\r\rx',
      '\r\n',
      '\n\r',
      ' ',
      '\t\n',
      '\u001B',
      '\u001B[1',
      '\u001B]0;',
      '\0',
      '\u00E9',
    ]) {
      const made = await output()
      made.push(Buffer.from(piece.repeat(keptBytes / 2)))
      textOf(made)
    }
    // One expression that looks again from every character of a row would need minutes.
    expect(performance.now() - start).toBeLessThan(10_000)
  })

  test('waits for the rest of a character while the command runs', async () => {
    const made = await output()
    const bytes = Buffer.from('né€😀')
    let place = 0
    let read = ''
    for (const byte of bytes) {
      made.push(Buffer.from([byte]))
      const part = textOf(made, place, true)
      place = part.end
      read += part.text
    }
    expect(read).toBe('né€😀')
    expect(textOf(made, place - 4, false).text).toBe('😀')
  })

  test('begins with a whole character where the beginning is gone', async () => {
    const made = await output()
    made.push(Buffer.from(`${'€'.repeat(keptBytes / 3 + 10)}`))
    expect(textOf(made).text.startsWith('€')).toBe(true)
  })

  test('lastPart begins with a line where one is near', () => {
    expect(lastPart('abc', 3)).toBe('abc')
    expect(lastPart('one\ntwo\nthree and more', 16)).toBe('three and more')
    expect(lastPart('x'.repeat(100), 10)).toBe('x'.repeat(10))
  })
})
