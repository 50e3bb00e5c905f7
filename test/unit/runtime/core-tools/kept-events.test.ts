import { appendFileSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { keptEvents } from '../../../../src/runtime/core-tools/kept-events.ts'
import { tempDir } from '../../../helpers/run-cli.ts'

async function queue() {
  const dir = await tempDir()
  const told: string[] = []
  const open = () =>
    keptEvents(
      () => dir,
      (text) => told.push(text),
    )
  return { dir, told, open, path: join(dir, 'events') }
}

test('what waits for a session outlives the program, and is taken once', async () => {
  const { open, told } = await queue()
  open().push('agent:main:A/b', 'one\ntwo')
  open().push('agent:main:other', 'not yours')
  open().push('agent:main:a/B', 'three')
  expect(open().count('agent:main:a/b')).toBe(2)
  expect(open().take('agent:main:a/b')).toEqual(['one\ntwo', 'three'])
  expect(open().take('agent:main:a/b')).toEqual([])
  expect(open().count('agent:main:a/b')).toBe(0)
  expect(open().take('agent:main:other')).toEqual(['not yours'])
  expect(told).toEqual([])
})

test('a line that was cut short, and a taking that was, lose nothing else', async () => {
  const { open, path } = await queue()
  open().push('s', 'first')
  const [name = ''] = readdirSync(path)
  appendFileSync(join(path, name), '"half')
  open().push('s', 'second')
  writeFileSync(join(path, `${name}.1.taken`), '"before"\n')
  expect(open().take('s')).toHaveLength(3)
  expect(readdirSync(path)).toEqual([])
})

test('a file that grows large keeps the latest', async () => {
  const { open } = await queue()
  const events = open()
  for (let at = 0; at < 300; at += 1) events.push('s', `${at} ${'x'.repeat(15_000)}`)
  const texts = events.take('s').map((text) => text.split(' ', 1)[0])
  expect(texts).toEqual(Array.from({ length: 50 }, (_, at) => String(250 + at)))
})

test('where the disk takes nothing texts wait in memory, and what cannot be taken does not count', async () => {
  const { open, path, told } = await queue()
  writeFileSync(path, 'in the way')
  const events = open()
  events.push('s', 'one')
  expect(events.count('s')).toBe(1)
  expect(events.take('s')).toEqual(['one'])
  expect(told[0]).toContain('what sessions are to hear of is not kept: ')
  rmSync(path)
  events.push('s', 'two')
  const [name = ''] = readdirSync(path)
  // Nothing can be read from there.
  mkdirSync(join(path, `${name}.2.taken`))
  expect(events.take('s')).toEqual([])
  expect(events.count('s')).toBe(0)
})
