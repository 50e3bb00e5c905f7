import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { configHome, type ConfigHome } from '../helpers/config-home.ts'
import { projectRoot } from '../helpers/project.ts'
import { isolatedEnv } from '../helpers/run-cli.ts'

const preload = fileURLToPath(new URL('../helpers/fault-fs.ts', import.meta.url))

/** Runs the program with a fault in its file system. */
function runFaulty(home: ConfigHome, fault: string, args: readonly string[]) {
  const count = join(home.home, 'count.txt')
  const result = spawnSync(process.execPath, ['--import', preload, `${projectRoot}bin/run.js`, ...args], {
    cwd: home.home,
    env: {
      ...isolatedEnv(home.home),
      FAULT: fault,
      FAULT_DIR: home.path(''),
      ...(fault === 'count' && { FAULT_COUNT: count }),
    },
    encoding: 'utf8',
    timeout: 30_000,
  })
  return {
    ...result,
    changes: fault === 'count' ? Number(readFileSync(count, 'utf8')) : Number.NaN,
  }
}

const single = {
  name: 'a write of one file',
  files: { 'openclaw.json': `{ tools: { profile: 'coding' } } // kept\n` },
  args: ['config', 'set', 'tools.profile', 'full'],
  changed: ['openclaw.json'],
}
const created = {
  name: 'the first write',
  files: {} as Record<string, string>,
  args: ['config', 'set', 'tools.profile', 'full'],
  changed: ['openclaw.json'],
}
const several = {
  name: 'a write of two files',
  files: {
    'openclaw.json': `{ tools: { $include: './tools.json5' }, gateway: { port: 1 } }\n`,
    'tools.json5': `{ profile: 'coding' } // tools\n`,
  },
  args: ['config', 'patch', '{ tools: { profile: "full" }, gateway: { port: 2 } }'],
  changed: ['openclaw.json', 'tools.json5'],
}

type Scenario = typeof single | typeof created | typeof several

async function start({ files }: Scenario): Promise<ConfigHome> {
  return configHome({ 'keep.txt': '', ...files })
}

/** The texts of the changed files before and after an undisturbed run, and how many changes of the file system that takes. */
async function reference(scenario: Scenario) {
  const home = await start(scenario)
  const before = scenario.changed.map((name) => home.text(name))
  const { status, changes, stderr } = runFaulty(home, 'count', scenario.args)
  expect({ status, stderr: status === 0 ? '' : stderr }).toEqual({ status: 0, stderr: '' })
  expect(changes).toBeGreaterThan(4)
  return { before, after: scenario.changed.map((name) => home.text(name)), changes }
}

const isFull = process.env['OPENCLAW_TEST_FULL'] === '1'

/** Every step at full size, else every fifth from a random one on. */
function stepsOf(changes: number): number[] {
  const stride = isFull ? 1 : 5
  const first = 1 + Math.floor(Math.random() * stride)
  return Array.from({ length: changes }, (_, at) => at + 1).filter((step) => step % stride === first % stride)
}

/** What is left beside the files of a home that nobody needs. */
function litter(home: ConfigHome): string[] {
  return readdirSync(home.path('')).filter((name) => /\.(?:tmp|lock)$/.test(name))
}

describe.each([single, created, several])('$name', (scenario) => {
  test('killed at any step leaves every file whole, and the next write goes through', async () => {
    const { before, after, changes } = await reference(scenario)
    for (const step of stepsOf(changes)) {
      const home = await start(scenario)
      expect(runFaulty(home, `kill:${step}`, scenario.args).signal).toBe('SIGKILL')
      const texts = scenario.changed.map((name) => home.text(name))
      const state = texts.map((text, at) =>
        text === after[at] ? 'new' : text === before[at] ? 'old' : 'torn',
      )
      expect({ step, state }).toEqual({ step, state: state.filter((each) => each !== 'torn') })

      // A write of several files that was cut off is taken back as a whole.
      const isMixed = new Set(state).size > 1
      const next = await home.run(['config', 'set', 'logging.level', 'debug'])
      const recovered = next.stderr.includes('write-recovered')
      expect({ step, code: next.code, recovered, litter: litter(home) }).toEqual({
        step,
        code: 0,
        recovered: isMixed,
        litter: [],
      })

      // Undo knows what happened and what did not.
      expect((await home.run(['config', 'undo'])).code).toBe(0)
      const again = await home.run(['config', 'undo'])
      expect(again.code).toBe(state.every((each) => each === 'new') ? 0 : 1)
      expect(scenario.changed.map((name) => home.text(name))).toEqual(before)
    }
  })

  test.each(['ENOSPC', 'EACCES', 'EROFS'])(
    'that meets %s at any step says so and loses nothing',
    async (code) => {
      const { before, after, changes } = await reference(scenario)
      const ends = new Set<string>()
      for (const step of stepsOf(changes)) {
        const home = await start(scenario)
        const { status, stdout, stderr } = runFaulty(home, `${code}:${step}`, scenario.args)
        const texts = scenario.changed.map((name) => home.text(name))
        // Where renames fail for good, only a later run can take the first file back.
        const isStuck = stderr.includes('could not be taken back')
        const end = status === 0 ? 'done' : isStuck ? 'stuck' : 'refused'
        ends.add(end)
        const expected = { done: after, refused: before, stuck: [before[0], after[1]] }[end]
        expect({ step, end, texts, litter: litter(home) }).toEqual({ step, end, texts: expected, litter: [] })
        expect(stderr).toMatch(end === 'refused' ? /^error: cannot .*; the config is as it was$/m : /(?:)/)
        expect(stderr).not.toContain('    at ')
        expect(stdout === '').toBe(end !== 'done')

        const next = await home.run(['config', 'set', 'logging.level', 'debug'])
        expect({ step, code: next.code, recovered: next.stderr.includes('write-recovered') }).toEqual({
          step,
          code: 0,
          recovered: isStuck,
        })
      }
      // Few steps may all be ones that a write can do without.
      expect(ends.has('refused') || !isFull).toBe(true)
    },
  )
})
