import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { once } from 'node:events'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { systemFailure } from '../../../src/kernel/system-error.ts'
import { tempDir } from '../../helpers/run-cli.ts'

function thrownBy(work: () => unknown): unknown {
  try {
    work()
  } catch (error) {
    return error
  }
  return expect.unreachable()
}

test('an error about a file says in words what could not be done, to what, and why', async () => {
  const dir = await tempDir()
  const file = join(dir, 'a')
  writeFileSync(file, '')
  const words = (work: () => unknown, named?: string) => systemFailure(thrownBy(work), 'TOOL_FAILED', named)
  expect(words(() => mkdirSync(join(file, 'b')))).toMatchObject({
    code: 'TOOL_FAILED',
    message: `cannot make ${join(file, 'b')}: a part of the path is no directory (ENOTDIR)`,
    hints: ['move away what is in the place of the directory'],
    data: { path: join(file, 'b'), code: 'ENOTDIR' },
  })
  expect(words(() => renameSync(file, join(dir, 'no', 'b')))?.data['path']).toBe(join(dir, 'no', 'b'))
  expect(words(() => readFileSync(dir))?.message).toBe(
    'cannot read a file: a directory is in its place (EISDIR)',
  )
  expect(words(() => readFileSync(dir), dir)?.message).toContain(`cannot read ${dir}:`)
})

test('an error of the network, or of nobody, is left alone', async () => {
  const socket = connect(1, '127.0.0.1')
  const [error]: unknown[] = await once(socket, 'error')
  expect(systemFailure(error, 'TOOL_FAILED')).toBeNull()
  expect(systemFailure(new Error('open'), 'TOOL_FAILED')).toBeNull()
  expect(systemFailure('EACCES', 'TOOL_FAILED')).toBeNull()
})
