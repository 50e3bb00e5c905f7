import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { withLock } from '../../../../src/config/write/lock.ts'
import { OpenClawError } from '../../../../src/kernel/errors.ts'
import { tempDir } from '../../../helpers/run-cli.ts'

const lockModule = fileURLToPath(new URL('../../../../src/config/write/lock.ts', import.meta.url))

/** A process that takes the lock, says so, and keeps it until it is told to stop. */
async function holder(file: string) {
  const source = `
    import { withLock } from ${JSON.stringify(lockModule)}
    await withLock(${JSON.stringify(file)}, {}, async () => {
      console.log('held')
      await new Promise((resolve) => process.stdin.once('data', resolve))
    })
    process.exit()
  `
  const child = spawn(process.execPath, ['--input-type=module', '-e', source], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  await once(child.stdout, 'data')
  return child
}

async function codeOf(work: Promise<unknown>): Promise<string> {
  try {
    await work
    return 'done'
  } catch (error) {
    return error instanceof OpenClawError ? error.code : String(error)
  }
}

const nothing = async (): Promise<void> => {}

test('one at a time, in this process and others, and no trace afterwards', async () => {
  const file = join(await tempDir({ 'openclaw.json': '{}' }), 'openclaw.json')
  const child = await holder(file)
  expect(await codeOf(withLock(file, { limitMs: 50 }, nothing))).toBe('CONFIG_CONFLICT')
  let waits = 0
  const onWait = (): void => {
    waits += 1
    child.stdin.end('go')
  }
  expect(await withLock(file, { onWait }, async () => 'mine')).toBe('mine')
  expect(waits).toBe(1)
  expect(readdirSync(dirname(file))).toEqual(['openclaw.json'])
})

test('a holder that was killed holds nothing, whatever the clock says', async () => {
  const file = join(await tempDir({ 'openclaw.json': '{}' }), 'openclaw.json')
  const child = await holder(file)
  child.kill('SIGKILL')
  await once(child, 'close')
  expect(existsSync(join(dirname(file), '.openclaw.json.lock'))).toBe(true)
  expect(await codeOf(withLock(file, { limitMs: 50 }, nothing))).toBe('done')
  expect(readdirSync(dirname(file))).toEqual(['openclaw.json'])
})

test('a holder that stands still keeps its lock', async () => {
  const file = join(await tempDir({ 'openclaw.json': '{}' }), 'openclaw.json')
  const child = await holder(file)
  child.kill('SIGSTOP')
  expect(await codeOf(withLock(file, { limitMs: 200 }, nothing))).toBe('CONFIG_CONFLICT')
  child.kill('SIGCONT')
  child.stdin.end('go')
  await once(child, 'close')
  expect(await codeOf(withLock(file, { limitMs: 50 }, nothing))).toBe('done')
})

test('work that fails gives the lock back', async () => {
  const file = join(await tempDir({ 'openclaw.json': '{}' }), 'openclaw.json')
  const failing = withLock(file, {}, async () => {
    throw new OpenClawError('USAGE', 'no')
  })
  expect(await codeOf(failing)).toBe('USAGE')
  expect(await codeOf(withLock(file, { limitMs: 0 }, nothing))).toBe('done')
})

test('where no lock can be taken the error says why', async () => {
  const directory = await tempDir({})
  const missing = join(directory, 'none', 'openclaw.json')
  expect(await codeOf(withLock(missing, { limitMs: 0 }, nothing))).toBe('CONFIG_READONLY')
})
