import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { MockServer } from '../../src/qa/mock-openai/server.ts'
import { agentHome, runAgentCli, shown, startCli, transcriptOf } from '../helpers/agent-home.ts'

const longWords = 'say one two three four five six seven eight nine ten'

/** Waits for a file that a tool writes when it begins. */
async function appears(file: string): Promise<void> {
  while (!existsSync(file)) await new Promise(setImmediate)
}

/** How many items each request has said. */
function inputs({ requests }: MockServer): number[] {
  return requests.map(({ body }) => (body as { input: readonly unknown[] }).input.length)
}

describe('Ctrl-C', () => {
  test('in the middle of an answer ends with 130 and keeps what came of it', async () => {
    const { home, server } = await agentHome()
    server.fail({ kind: 'stall', after: 8 })
    const running = startCli(['agent', '-m', longWords], home)
    await running.shows(/one two/)
    running.child.kill('SIGINT')
    const { code, stdout, stderr } = await running.ended
    expect(code).toBe(130)
    expect(stderr).toBe('error: interrupted\n')
    expect(stdout).toMatch(/^one two[^\n]*\n$/)
    const told = shown(await transcriptOf(home))
    expect(told.slice(0, 3)).toEqual(['session', `user: ${longWords}`, 'model_change'])
    expect(told[3]).toMatch(/^assistant aborted: one two/)
    expect(told).toHaveLength(4)
    // The session goes on.
    expect(await runAgentCli(home, ['-m', 'say fine'])).toMatchObject({ code: 0, stdout: 'fine\n' })
  })

  test('in the middle of a call gives it a result that says so', async () => {
    const { home } = await agentHome()
    const file = join(home, 'held')
    const running = startCli(
      ['agent', '--json', '-m', `call lab_add {"a":1,"b":2}\ncall lab_hold ${JSON.stringify({ file })}`],
      home,
    )
    await appears(file)
    running.child.kill('SIGINT')
    const { code, stdout } = await running.ended
    expect(code).toBe(130)
    expect(JSON.parse(stdout).error.code).toBe('ABORTED')
    expect(shown(await transcriptOf(home)).slice(3)).toEqual([
      expect.stringMatching(/^assistant: → lab_add/),
      'toolResult: 3',
      'toolResult error: No result: interrupted',
      'openclaw.turn',
    ])
    expect(await runAgentCli(home, ['-m', 'say fine'])).toMatchObject({ code: 0, stdout: 'fine\n' })
  })

  test('while it waits for another run of the session begins nothing', async () => {
    const { home, server } = await agentHome()
    const file = join(home, 'held')
    const first = startCli(['agent', '-m', `call lab_hold ${JSON.stringify({ file })}`], home)
    await appears(file)
    const second = startCli(['agent', '-m', 'say second'], home)
    await second.shows(/waiting for another run of this session/)
    second.child.kill('SIGINT')
    expect((await second.ended).code).toBe(130)
    first.child.kill('SIGINT')
    await first.ended
    expect(server.requests.map(({ prompt }) => prompt.slice(0, 9))).toEqual(['call lab_'])
    expect(shown(await transcriptOf(home)).filter((line) => line.startsWith('user'))).toHaveLength(1)
  })
})

describe('a time limit', () => {
  test('ends a run whose provider says nothing', async () => {
    const { home, server } = await agentHome()
    server.fail({ kind: 'stall' })
    const { code, stderr } = await runAgentCli(home, ['-m', longWords, '--timeout', '2'])
    expect(code).toBe(1)
    expect(stderr).toContain('not done after 2 s')
    expect(shown(await transcriptOf(home)).at(-1)).toMatch(/^assistant aborted/)
  })
})

describe('kill -9', () => {
  test('leaves a transcript from which the session goes on, and no lock', async () => {
    const { home, server } = await agentHome()
    const file = join(home, 'held')
    const running = startCli(['agent', '-m', `call lab_hold ${JSON.stringify({ file })}`], home)
    await appears(file)
    running.child.kill('SIGKILL')
    await running.ended
    expect(shown(await transcriptOf(home)).at(-1)).toMatch(/^assistant: → lab_hold/)
    const again = await runAgentCli(home, ['-m', 'say fine'])
    expect(again).toMatchObject({ code: 0, stdout: 'fine\n' })
    expect(server.requests.at(-1)?.raw).toContain('"output":"No result was recorded: the program ended')
  })

  test('in the middle of a line costs that line only', async () => {
    const { home, server } = await agentHome()
    await runAgentCli(home, ['-m', 'say first'])
    const [{ id }] = (await transcriptOf(home)) as [{ id: string }]
    const file = join(home, '.openclaw/agents/main/sessions', `${id}.jsonl`)
    await writeFile(file, `${await readFile(file, 'utf8')}{"type":"message","mess`)
    expect((await runAgentCli(home, ['-m', 'say second'])).code).toBe(0)
    expect(inputs(server)).toEqual([1, 3])
  })
})

describe('runs of one session', () => {
  test('wait for each other and know what was said', async () => {
    const { home, server } = await agentHome()
    const runs = ['one', 'two', 'three'].map((word) => runAgentCli(home, ['-m', `say ${word}`]))
    const results = await Promise.all(runs)
    expect(results.map(({ code }) => code)).toEqual([0, 0, 0])
    expect(inputs(server)).toEqual([1, 3, 5])
  })
})

describe('a provider', () => {
  test.each([
    { fault: { kind: 'status', status: 429, retryAfter: 0 }, says: 'answered with HTTP status 429' },
    { fault: { kind: 'status', status: 500 }, says: 'answered with HTTP status 500' },
    { fault: { kind: 'garbage' }, says: 'its answer is malformed' },
    { fault: { kind: 'error-event' }, says: 'broke its answer off with an error' },
  ] as const)('that fails once is asked again: $says', async ({ fault, says }) => {
    const { home, server } = await agentHome()
    server.fail(fault)
    const { code, stdout, stderr } = await runAgentCli(home, ['-m', 'say fine'])
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'fine\n' })
    expect(stderr).toMatch(/^retry in \d+(?:\.\d)? m?s: mock /)
    expect(stderr).toContain(says)
    expect(shown(await transcriptOf(home)).filter((line) => line.startsWith('assistant'))).toEqual([
      'assistant: fine',
    ])
  })

  test.each([{ kind: 'cut', after: 9 } as const, { kind: 'end', after: 7 } as const])(
    'that breaks off ($kind) is asked again, and nothing is shown twice',
    async (fault) => {
      const { home, server } = await agentHome()
      server.fail(fault)
      const { code, stdout } = await runAgentCli(home, ['-m', longWords])
      expect(code).toBe(0)
      expect(stdout.replaceAll('\n', '')).toBe('one two three four five six seven eight nine ten')
    },
  )

  test('that says something else the second time is shown from its start', async () => {
    let asked = 0
    const { home, server } = await agentHome(
      {},
      {
        script: () => {
          asked += 1
          return { text: asked === 1 ? 'The answer is four, because …' : 'The answer is five.', calls: [] }
        },
      },
    )
    server.fail({ kind: 'cut', after: 6 })
    const { stdout } = await runAgentCli(home, ['-m', 'how many?'])
    expect(stdout.split('\n')).toEqual([expect.stringMatching(/^The answer is/), 'The answer is five.', ''])
  })

  test('that falls silent is given up after its time, exit 6', async () => {
    const { home, server } = await agentHome()
    server.fail({ kind: 'stall' }, 4)
    const config = JSON.parse(await readFile(join(home, '.openclaw/openclaw.json'), 'utf8'))
    config.models.providers.mock.timeoutSeconds = 0.2
    await writeFile(join(home, '.openclaw/openclaw.json'), JSON.stringify(config))
    const { code, stderr } = await runAgentCli(home, ['-m', longWords])
    expect(code).toBe(6)
    expect(stderr.trimEnd().split('\n').at(-1)).toMatch(/^error: mock\/mock-model: it was silent for 0\.2 s/)
    expect(shown(await transcriptOf(home)).at(-1)).toMatch(/^assistant error/)
  })

  test('that is not there is named with its place, exit 6', async () => {
    const { home, server } = await agentHome()
    await server.close()
    const { code, stderr } = await runAgentCli(home, ['-m', 'say fine'])
    expect(code).toBe(6)
    expect(stderr).toContain(`error: mock/mock-model: nothing listens at 127.0.0.1:${server.port}`)
  })
})

test('a reader who goes away ends the run quietly', async () => {
  const { home } = await agentHome({}, { script: () => ({ text: 'x\n'.repeat(500_000), calls: [] }) })
  const running = startCli(['agent', '-m', 'go on'], home)
  await running.shows(/x/)
  running.child.stdout?.destroy()
  const { code, stderr } = await running.ended
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(shown(await transcriptOf(home))).toContain('user: go on')
})
