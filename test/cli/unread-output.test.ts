import { execFile, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { constants, existsSync, openSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, onTestFinished, test } from 'vitest'
import { startMockServer } from '../../src/qa/mock-openai/server.ts'
import { projectRoot } from '../helpers/project.ts'
import { isolatedEnv, tempDir } from '../helpers/run-cli.ts'

const limit = 30_000

describe.runIf(process.platform === 'linux')('a pipe that is full, with a reader that never reads', () => {
  async function start(line: string, stderr: 'pipe' | 'full' = 'pipe') {
    const home = await tempDir({ '.openclaw/openclaw.json': '{ toolz: {} }' })
    const pipe = join(home, 'pipe')
    execFileSync('mkfifo', [pipe])
    openSync(pipe, constants.O_RDONLY | constants.O_NONBLOCK)
    const full = openSync(pipe, 'w')
    writeSync(full, Buffer.alloc(65_536))
    const child = spawn(process.execPath, [`${projectRoot}bin/run.js`, ...line.split(' ')], {
      env: isolatedEnv(home),
      cwd: home,
      timeout: limit,
      killSignal: 'SIGKILL',
      stdio: ['ignore', full, stderr === 'full' ? full : 'pipe'],
    })
    return { child, closed: once(child, 'close'), home }
  }

  test('Ctrl-C ends the command', async () => {
    const { child, closed } = await start('tools effective')
    // A notice says that it has begun.
    await once(child.stderr!, 'data')
    child.kill('SIGINT')
    expect(await closed).toEqual([130, null])
  })

  test('the time limit ends it', async () => {
    const { closed } = await start('tools effective --timeout 1')
    expect(await closed).toEqual([1, null])
  })

  test.each(['gateway run --port 0', 'gateway run --port 0 --json'])(
    '%s still ends in order',
    async (line) => {
      const { child, closed, home } = await start(line, 'full')
      const log = join(home, '.openclaw/logs/gateway.log')
      await expect.poll(() => existsSync(log), { timeout: limit }).toBe(true)
      child.kill('SIGTERM')
      expect(await closed).toEqual([0, null])
    },
  )
})

test('all that an agent says reaches a reader that takes its time', async () => {
  const server = await startMockServer()
  onTestFinished(() => server.close())
  const home = await tempDir({
    '.openclaw/openclaw.json': JSON.stringify({
      agents: { defaults: { model: { primary: 'mock/mock-model' } } },
      models: {
        providers: { mock: { baseUrl: server.baseUrl, apiKey: 'k', api: 'openai-responses' } },
      },
    }),
  })
  // More than a pipe has room for.
  const said = 'abcdefghi '.repeat(12_000).trimEnd()
  const words = [`${projectRoot}bin/run.js`, 'agent', '--message', `say ${said}`]
  const { stdout } = await promisify(execFile)(
    'sh',
    ['-c', '"$0" "$@" | (sleep 2; cat)', process.execPath, ...words],
    { env: isolatedEnv(home), cwd: home, timeout: limit },
  )
  expect(stdout).toBe(`${said}\n`)
})
