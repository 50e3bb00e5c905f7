import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { globSync, readFileSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { journalIds } from '../../src/tools/files/patch/journal.ts'
import { recoverPatches } from '../../src/tools/files/patch/recover.ts'
import { start, states, type FailedAt } from '../helpers/file-program.ts'
import { isolatedEnv, tempDir } from '../helpers/run-cli.ts'

const program = fileURLToPath(new URL('../helpers/file-program.ts', import.meta.url))
const isFull = process.env['OPENCLAW_TEST_FULL'] === '1'
const timeout = isFull ? 900_000 : 60_000
const [first, second] = states()
// With its compile cache, which many short lives need.
const env = isolatedEnv(tmpdir())

async function begin(): Promise<string> {
  const dir = await tempDir()
  start(dir)
  return dir
}

/** Every file below the workspace, helpers of a patch included. */
function tree(dir: string): Record<string, string> {
  const names = globSync(['**/*', '**/.*'], { cwd: join(dir, 'workspace') })
  const files = names.filter((name) => statSync(join(dir, 'workspace', name)).isFile())
  return Object.fromEntries(files.map((name) => [name, readFileSync(join(dir, 'workspace', name), 'utf8')]))
}

/** Which of the two states the files are in, after recovery; anything else fails. */
async function sideOf(dir: string): Promise<'first' | 'second'> {
  await recoverPatches(join(dir, 'state'), new AbortController().signal, (text) => expect(text).toBeNull())
  const found = tree(dir)
  const side = found['there'] === undefined ? 'first' : 'second'
  expect(found).toEqual(side === 'first' ? first : second)
  expect(journalIds(join(dir, 'state'))).toEqual([])
  return side
}

test('a kill in the place of any change leaves the files on one side', { timeout }, async () => {
  const whole = await begin()
  const counted = spawnSync(process.execPath, [program, 'step', whole], { encoding: 'utf8', env })
  expect(counted.stderr).toBe('')
  const changes: readonly string[] = JSON.parse(counted.stdout)
  expect(changes.length).toBeGreaterThan(40)
  expect(tree(whole)).toEqual(second)
  // Renames are where a patch could be halved; of everything else a few will do.
  const steps = changes
    .map((name, at) => ({ name, step: at + 1 }))
    .filter(({ name }) => isFull || name === 'renameSync' || Math.random() < 0.03)
  const sides = new Set<string>()
  for (const { step } of steps) {
    const dir = await begin()
    const { signal } = spawnSync(process.execPath, [program, 'step', dir, String(step)], { env })
    expect({ step, signal }).toEqual({ step, signal: 'SIGKILL' })
    sides.add(await sideOf(dir))
  }
  expect([...sides].toSorted()).toEqual(['first', 'second'])
})

test('a disk that fails at any change fails the patch whole, or not at all', { timeout }, async () => {
  const dir = await tempDir()
  const { stdout, stderr } = spawnSync(process.execPath, [program, 'fail', dir, isFull ? '1' : '6'], {
    encoding: 'utf8',
    env,
  })
  expect(stderr).toBe('')
  const ends: readonly FailedAt[] = JSON.parse(stdout)
  expect(ends.length).toBeGreaterThan(isFull ? 40 : 6)
  expect(new Set(ends.map(({ code }) => code))).toEqual(new Set(['done', 'TOOL_FAILED']))
  for (const { at, name, code } of ends) {
    const one = join(dir, String(at))
    // What a failed patch says is true at once, before anybody has mended anything.
    const now = code === 'done' ? 'second' : 'first'
    const names = Object.keys(tree(one)).filter((each) => !each.includes('.openclaw-'))
    expect({ at, name, names: names.toSorted() }).toEqual({
      at,
      name,
      names: Object.keys(now === 'first' ? first : second).toSorted(),
    })
    expect({ at, name, side: await sideOf(one) }).toEqual({ at, name, side: now })
  }
})

test('kills at random moments, one after the other, never leave half a patch', { timeout }, async () => {
  const dir = await begin()
  const rounds = isFull ? 200 : 20
  const sides: string[] = []
  for (let round = 0; round < rounds; round++) {
    const child = spawn(process.execPath, [program, 'patch', dir], {
      stdio: ['ignore', 'pipe', 'inherit'],
      env,
    })
    await once(child.stdout, 'data')
    // The moment is what this test varies; nothing is waited for.
    await delay(Math.random() * 60)
    child.kill('SIGKILL')
    await once(child, 'close')
    // Every other time the next program has to mend it by itself.
    if (round % 2 === 1 || round === rounds - 1) sides.push(await sideOf(dir))
  }
  expect(sides).toHaveLength(rounds / 2)
})
