import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { Processes } from '../../../src/qa/processes.ts'
import { defineScenario, type Scenario } from '../../../src/qa/scenario.ts'
import type { SuiteEvent } from '../../../src/qa/run-scenario.ts'
import { runSuite, type SuiteOptions } from '../../../src/qa/suite.ts'
import type { SuiteResult } from '../../../src/qa/summary.ts'
import { projectRoot } from '../../helpers/project.ts'
import { tempDir } from '../../helpers/run-cli.ts'
import { livingIn } from '../../helpers/mcp.ts'
import { fakeProgram, pidsFile } from './program.ts'

/** A scenario that finds a number and asserts that it is even. */
const even = defineScenario<{ readonly number: number }>({
  id: 'even',
  title: 'Numbers are even',
  limitMs: 10_000,
  drive: async (lab, { tools }) => ({ number: await lab.step('a number is found', async () => tools) }),
  checks: [
    {
      id: 'is-even',
      title: 'It is even',
      judge: ({ number }) => (number % 2 === 0 ? null : `it is ${number}`),
    },
  ],
  payload: ({ number }) => [
    {
      lane: 'direct',
      catalogue: 36,
      declaredTools: 36,
      toolBytes: 12_345,
      systemPromptBytes: 10,
      requestBytes: 20_000,
    },
    {
      lane: 'code',
      catalogue: 36,
      declaredTools: 2,
      toolBytes: 700,
      systemPromptBytes: 10,
      requestBytes: 1_000 + number,
    },
  ],
  times: () => [{ lane: 'direct', wallMs: 1_000, cpuMs: 400, peakBytes: null }],
})

const broken = defineScenario<never>({
  id: 'broken',
  title: 'Steps may throw',
  limitMs: 10_000,
  drive: (lab) =>
    lab.step('something is tried', async () => {
      throw new Error('it did not work')
    }),
  checks: [],
})

async function optionsOf(
  scenarios: readonly Scenario[],
  more: Partial<SuiteOptions> = {},
): Promise<SuiteOptions> {
  return {
    scenarios,
    settings: { tools: 36, lanesAtOnce: 1 },
    concurrency: 1,
    outputDir: join(await tempDir(), 'reports'),
    tempDir: await tempDir(),
    program: await fakeProgram(),
    env: { PATH: process.env.PATH, SECRET_OF_THE_TESTER: 'x' },
    version: '1.2.3',
    providerMode: 'mock-openai',
    signal: new AbortController().signal,
    clock: Date.now,
    onEvent: () => {},
    ...more,
  }
}

/** The report with everything that differs from run to run replaced. */
function reportOf({ files }: SuiteResult): string {
  return (
    readFileSync(files.report, 'utf8')
      .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME')
      .replaceAll(/(Duration ms: )\d+/g, '$1N')
      // A step's time is left out when it rounds to nothing, which differs from run to run, too.
      .replaceAll(/^( +- \[[ x]\] .*?)(?: \(\d+ ms\))?$/gm, '$1')
      .replaceAll(/\(\d+ ms\)/g, '(N ms)')
      .replaceAll(/ \(\d+(?:\.\d+)? ms\)\.$/gm, ' (N ms).')
      .replaceAll(/\d+ ms – \d+ ms/g, 'N – N')
      .replaceAll(/(\| even +\| direct \| +1,000 \|) +[\d.,]+ \|/g, '$1 N |')
      .replaceAll(/1 lanes, [\d,]+ ms each (.*), [\d.]+ times/g, '1 lanes, N ms each $1, N times')
      .replaceAll(/Node [\d.]+, \w+/g, 'Node N, OS')
      .replaceAll(/right before and after \([\d.]+ ms\)/g, 'right before and after (N ms)')
  )
}

describe('a suite', () => {
  test('reports what was done, what is true and what the model was sent', async () => {
    const result = await runSuite(await optionsOf([even, broken]))
    expect(result.counts).toEqual({ total: 2, passed: 1, skipped: 0, failed: 1 })
    expect(reportOf(result)).toMatchInlineSnapshot(`
      "# OpenClaw QA Scenario Suite

      - Started: TIME
      - Finished: TIME
      - Duration ms: N
      - Passed: 1
      - Failed: 1
      - Provider: mock-openai, model mock/mock-model
      - Program: openclaw 1.2.3, Node N, OS

      ## What the model was sent

      The first request of one turn, as the provider received it.

      | Catalogue | Lane   | Schemas | Schema bytes | Prompt bytes | Request bytes | Of direct |
      | --------: | ------ | ------: | -----------: | -----------: | ------------: | --------- |
      |        36 | direct |      36 |       12,345 |           10 |        20,000 | 100 %     |
      |        36 | code   |       2 |          700 |           10 |         1,036 | 5.2 %     |

      ## How long it took

      From the start of a Gateway to its end, against \`node -e 0\` right before and after (N ms). Lanes may run at the same time, other scenarios do not.

      - even: 1 lanes, N ms each of the whole wall time, N times \`node -e 0\`

      | Scenario | Lane   | Milliseconds | Times node -e 0 | CPU of the Gateway | Peak MiB |
      | -------- | ------ | -----------: | --------------: | -----------------: | -------: |
      | even     | direct |        1,000 | N |                400 |        – |

      ## Scenarios

      ### even

      Numbers are even.

      - Status: pass
      - Duration ms: N
      - Steps:
        - [x] a number is found
        - [x] It is even

      ### broken

      Steps may throw.

      - Status: fail
      - Duration ms: N
      - Steps:
        - [ ] something is tried
          it did not work
      - Details: it did not work

      ## Timeline

      - N – N: even (pass)
      - N – N: broken (fail)

      ## Notes

      - Scenarios at the same time: 1.
      - Every scenario had a home of its own; all processes it started and all its files are gone.
      - \`qa-evidence.json\` holds what the checks were judged by, \`qa-suite-summary.json\` this report for programs.
      "
    `)
    const evidence: unknown = JSON.parse(readFileSync(result.files.evidence, 'utf8'))
    expect(evidence).toMatchObject({ scenarios: { even: { number: 36 }, broken: null } })
    const { outputDir: _dir, files: _files, ...summary } = result
    expect(JSON.parse(readFileSync(result.files.summary, 'utf8'))).toEqual(summary)
  })

  test('fails with a check, and says which one', async () => {
    const { scenarios, counts } = await runSuite(
      await optionsOf([even], { settings: { tools: 7, lanesAtOnce: 1 } }),
    )
    expect(counts.failed).toBe(1)
    expect(scenarios[0]).toMatchObject({ status: 'fail', details: 'It is even: it is 7' })
    expect(scenarios[0]?.steps.map(({ name, status, details }) => [name, status, details])).toEqual([
      ['a number is found', 'pass', undefined],
      ['It is even', 'fail', 'it is 7'],
    ])
  })

  test('skips what this machine cannot run, and says why', async () => {
    const elsewhere = defineScenario<never>({
      id: 'elsewhere',
      title: 'It needs another machine',
      limitMs: 10_000,
      skip: async ({ PATH }) => (PATH === undefined ? null : 'no such machine'),
      drive: () => Promise.reject(new Error('it ran')),
      checks: [],
    })
    const { scenarios, counts } = await runSuite(await optionsOf([elsewhere, even]))
    expect(scenarios[0]).toMatchObject({
      id: 'elsewhere',
      status: 'skip',
      details: 'no such machine',
      steps: [],
    })
    expect(counts).toEqual({ total: 2, passed: 1, skipped: 1, failed: 0 })
  })

  test('tells of everything in order', async () => {
    const events: string[] = []
    const tell = (event: SuiteEvent): void => {
      if (event.type === 'begin') events.push(`begin ${event.scenarios.length}`)
      else if (event.type === 'step-begin') events.push(`> ${event.name}`)
      else if (event.type === 'step-end') events.push(`< ${event.step.name} ${event.step.status}`)
      else events.push(`${event.type} ${event.id}`)
    }
    await runSuite(await optionsOf([even], { onEvent: tell }))
    expect(events).toEqual([
      'begin 1',
      'scenario-begin even',
      '> a number is found',
      '< a number is found pass',
      '> It is even',
      '< It is even pass',
      'scenario-end even',
    ])
  })

  test('ends a scenario that takes too long, and everything it has started', async () => {
    const slow = defineScenario<never>({
      id: 'slow',
      title: 'Time runs out',
      limitMs: 3_000,
      drive: async (lab) => {
        const home = lab.home('home', {})
        const running = lab.run(home, ['family'])
        await lab.step('it waits', () => running)
        throw new Error('not reached')
      },
      checks: [],
    })
    const options = await optionsOf([slow])
    const { scenarios } = await runSuite(options)
    expect(scenarios[0]?.details).toBe('TIMEOUT: slow took longer than 3000 ms')
    expect(readFileSync(pidsFile(options.program), 'utf8').split('\n')).toHaveLength(3)
    expect(await livingIn(pidsFile(options.program))).toEqual([])
    expect(readdirSync(options.tempDir)).toEqual([])
  })

  test('gives programs a home of their own and nothing of the tester’s settings', async () => {
    const shows = defineScenario<{ readonly stdout: string; readonly dir: string; readonly config: string }>({
      id: 'shows',
      title: 'Homes are isolated',
      limitMs: 10_000,
      drive: async (lab) => {
        const home = lab.home('mine', { tools: { deny: ['exec'] } })
        const { stdout } = await lab.run(home, ['hello'])
        return { stdout, dir: home.dir, config: readFileSync(home.configFile, 'utf8') }
      },
      checks: [
        {
          id: 'home',
          title: 'Home',
          judge: ({ stdout, dir }) => (stdout === `hello ${dir} undefined\n` ? null : stdout),
        },
        { id: 'config', title: 'Config', judge: ({ config }) => (config.includes('"exec"') ? null : config) },
      ],
    })
    const options = await optionsOf([shows])
    const { scenarios } = await runSuite(options)
    expect(scenarios[0]?.details).toBeUndefined()
    expect(readdirSync(options.tempDir)).toEqual([])
  })

  test('shows no secret of a scenario in any report', async () => {
    let secret = ''
    const chatty = defineScenario<{ readonly said: string }>({
      id: 'chatty',
      title: 'Secrets stay secret',
      limitMs: 10_000,
      drive: async (lab) => {
        secret = lab.secret()
        return { said: `the token is ${secret}` }
      },
      checks: [{ id: 'says', title: 'It says', judge: ({ said }) => said }],
    })
    const { files } = await runSuite(await optionsOf([chatty]))
    const texts = Object.values(files).map((file) => readFileSync(file, 'utf8'))
    expect(secret).not.toBe('')
    expect(texts.filter((text) => text.includes(secret))).toEqual([])
    expect(texts.filter((text) => text.includes('the token is'))).toHaveLength(3)
  })

  test('runs no more scenarios at the same time than it may', async () => {
    let running = 0
    let most = 0
    const counted = (id: string): Scenario =>
      defineScenario<null>({
        id,
        title: 'Scenarios share the machine',
        limitMs: 10_000,
        drive: async (lab) => {
          running += 1
          most = Math.max(most, running)
          await lab.run(lab.home('home', {}), ['hello'])
          running -= 1
          return null
        },
        checks: [],
      })
    const four = ['a', 'b', 'c', 'd'].map(counted)
    const { counts } = await runSuite(await optionsOf(four, { concurrency: 2 }))
    expect([counts.passed, most]).toEqual([4, 2])
  })

  test('leaves nothing behind when it is interrupted', async () => {
    const abort = new AbortController()
    const waiting = defineScenario<never>({
      id: 'waiting',
      title: 'Interrupts end it',
      limitMs: 60_000,
      drive: async (lab) => {
        const running = lab.run(lab.home('home', {}), ['wait'])
        abort.abort(new Error('enough'))
        await running
        throw new Error('not reached')
      },
      checks: [],
    })
    const options = await optionsOf([waiting], { signal: abort.signal })
    await expect(runSuite(options)).rejects.toThrow('enough')
    expect(readdirSync(options.tempDir)).toEqual([])
  })

  test('needs a folder that it can write', async () => {
    const dir = await tempDir({ file: '' })
    const options = await optionsOf([even], { outputDir: join(dir, 'file', 'reports') })
    await expect(runSuite(options)).rejects.toMatchObject({
      code: 'USAGE',
      message: expect.stringContaining('--output-dir: cannot make'),
    })
    expect(existsSync(join(dir, 'file', 'reports'))).toBe(false)
  })
})

describe('a process', () => {
  test('that does not end when it is asked is killed', async () => {
    const processes = new Processes()
    const running = processes.startProgram(await fakeProgram(), ['stubborn'], { env: {}, cwd: '/' })
    await running.find(/ready/)
    const { code, signal } = await running.end(50)
    expect([code, signal]).toEqual([null, 'SIGKILL'])
  })

  test('is not waited for in vain when it ends without saying what is looked for', async () => {
    const processes = new Processes()
    const running = processes.startProgram(await fakeProgram(), ['hello'], { env: {}, cwd: '/' })
    expect(await running.find(/never said/)).toBeNull()
  })

  test('dies with the one that has started it, however that died', async () => {
    const program = await fakeProgram()
    const starter = `
      import { Processes } from ${JSON.stringify(`${projectRoot}src/qa/processes.ts`)}
      const running = new Processes().startProgram(${JSON.stringify(program)}, ['wait'], { env: {}, cwd: '/' })
      console.log(running.pid)`
    const parent = spawn(process.execPath, ['--input-type=module', '-e', starter], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const [pid] = await once(parent.stdout, 'data')
    const { script } = program
    writeFileSync(`${script}.child`, String(pid))
    expect(await livingIn(`${script}.child`)).toHaveLength(1)
    parent.kill('SIGKILL')
    await expect.poll(() => livingIn(`${script}.child`), { timeout: 10_000 }).toEqual([])
  })

  test('that cannot be started is an error', async () => {
    const running = new Processes().start('/nonexistent/program', [], { env: {}, cwd: '/' })
    await expect(running.ended).rejects.toThrow('ENOENT')
  })
})
