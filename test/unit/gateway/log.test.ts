import { mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { LogFile } from '../../../src/gateway/log.ts'
import { tempDir } from '../../helpers/run-cli.ts'

async function openLog(maxBytes: number) {
  const dir = await tempDir()
  const file = join(dir, 'gateway.log')
  const log = new LogFile({ file, maxBytes, archives: 5, clock: () => 0, redact: (text) => text })
  const files = (): readonly string[] => readdirSync(dir).toSorted()
  const messages = (): readonly string[] =>
    files()
      .toReversed()
      .flatMap((name) => readFileSync(join(dir, name), 'utf8').trim().split('\n'))
      .map((line) => JSON.parse(line).message)
  return { dir, log, files, messages }
}

test('many lines at once go over as many files as they need, none larger than it may be', async () => {
  const { dir, log, files, messages } = await openLog(1_024)
  const sent = Array.from({ length: 40 }, (_, index) => `line ${String(index).padStart(3, '0')}`)
  for (const line of sent) log.write('info', line)
  log.close()
  expect(files().length).toBeGreaterThan(2)
  for (const name of files()) expect(statSync(join(dir, name)).size).toBeLessThanOrEqual(1_024)
  expect(messages()).toEqual(sent)
})

test('a line longer than a file has one of its own', async () => {
  const { log, files, messages } = await openLog(1_024)
  const sent = ['before', 'x'.repeat(3_000), 'behind']
  for (const line of sent) log.write('info', line)
  log.close()
  expect(files()).toEqual(['gateway.log', 'gateway.log.1', 'gateway.log.2'])
  expect(messages()).toEqual(sent)
})

test('what comes later goes into no file that is full, or too large by one long line', async () => {
  const { dir, log, files, messages } = await openLog(1_024)
  const long = 'x'.repeat(1_500)
  log.write('info', long)
  log.flush()
  const before = statSync(join(dir, 'gateway.log')).size
  const sent = Array.from({ length: 12 }, (_, index) => `line ${index}`)
  for (const line of sent) log.write('info', line)
  log.close()
  expect(files().map((name) => statSync(join(dir, name)).size)).toEqual([expect.any(Number), before])
  expect(messages()).toEqual([long, ...sent])
})

test('a file that cannot be put away takes the lines all the same', async () => {
  const { dir, log } = await openLog(1_024)
  // Nothing is renamed over a folder.
  for (const number of [1, 2, 3, 4, 5])
    mkdirSync(join(dir, `gateway.log.${number}`, 'full'), { recursive: true })
  for (let count = 0; count < 40; count++) log.write('info', `line ${count}`)
  log.close()
  expect(readFileSync(join(dir, 'gateway.log'), 'utf8').trim().split('\n')).toHaveLength(40)
})
