import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { approvalsDirectory, ApprovalStore } from '../../src/calls/approvals/store.ts'
import { question } from '../helpers/approval-program.ts'
import { tempDir } from '../helpers/run-cli.ts'

const program = fileURLToPath(new URL('../helpers/approval-program.ts', import.meta.url))
const run = promisify(execFile)

async function words(stateDir: string, whats: readonly (readonly string[])[]): Promise<string[]> {
  const runs = await Promise.all(whats.map((what) => run(process.execPath, [program, stateDir, ...what])))
  return runs.map(({ stdout }) => stdout.trim())
}

test('of many processes that take the same yes, one gets it', async () => {
  const stateDir = await tempDir()
  const store = new ApprovalStore(stateDir, Date.now)
  store.decide(store.ask(question(0)).id, 'allow-once')
  const said = await words(
    stateDir,
    Array.from({ length: 8 }, () => ['use']),
  )
  expect(said.toSorted()).toEqual([...Array<string>(7).fill('no'), 'ran'])
})

test('of many processes that answer, one is heard', async () => {
  const stateDir = await tempDir()
  const store = new ApprovalStore(stateDir, Date.now)
  store.ask(question(0))
  const said = await words(stateDir, [
    ['decide', 'allow'],
    ['decide', 'deny'],
    ['decide', 'allow'],
    ['decide', 'deny'],
  ])
  expect(said.filter((word) => word === 'too late')).toHaveLength(3)
  const heard = said.find((word) => word !== 'too late')
  expect(store.find(question(0))?.state).toBe(heard)
})

test('a kill at any moment leaves no yes that nobody gave, and a store that goes on', async () => {
  const stateDir = await tempDir()
  const rounds = process.env['OPENCLAW_TEST_FULL'] === '1' ? 60 : 6
  for (let round = 0; round < rounds; round++) {
    const child = spawn(process.execPath, [program, stateDir, 'churn'], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    await once(child.stdout, 'data')
    // The moment is what this test varies; nothing is waited for.
    await delay(Math.random() * 60)
    child.kill('SIGKILL')
    await once(child, 'close')
    const store = new ApprovalStore(stateDir, Date.now)
    // Every third was denied and all others were allowed, so whatever still counts says which it must be.
    const wrong = store.list().filter(({ state, args }) => {
      const isDenied = Number(Object(args).at) % 3 === 0
      return (state === 'allowed' && isDenied) || (state === 'denied' && !isDenied)
    })
    expect(wrong).toEqual([])
    const asked = store.ask(question(-1 - round))
    expect(store.decide(asked.id, 'allow-once').state).toBe('allowed')
    expect(store.use(asked.id)).toBe(true)
  }
  const files = readdirSync(approvalsDirectory(stateDir)).filter((name) => name.endsWith('.draft'))
  expect(files.length).toBeLessThanOrEqual(rounds)
})
