import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync, readdirSync, writeFileSync, renameSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import JSON5 from 'json5'
import { expect, test } from 'vitest'
import { configHome, type ConfigHome } from '../helpers/config-home.ts'
import { projectRoot } from '../helpers/project.ts'
import { isolatedEnv } from '../helpers/run-cli.ts'
import { random, runs, seedOf } from '../property/random.ts'

const commented = `// kept
{
  // why
  tools: { profile: 'coding' }, // trailing
  channels: {},
}
`

function start(home: ConfigHome, args: readonly string[]) {
  return spawn(process.execPath, [`${projectRoot}bin/run.js`, ...args], {
    cwd: home.home,
    env: isolatedEnv(home.home),
    stdio: ['ignore', 'ignore', 'pipe'],
  })
}

async function set(
  home: ConfigHome,
  path: string,
  value: string,
): Promise<{ code: unknown; stderr: string }> {
  const child = start(home, ['config', 'set', path, value])
  let stderr = ''
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()))
  const [code] = await once(child, 'close')
  return { code, stderr }
}

/** Runs numbered jobs, so many at a time. */
async function inFlight(total: number, width: number, job: (at: number) => Promise<void>): Promise<void> {
  let next = 0
  const worker = async (): Promise<void> => {
    while (next < total) await job(next++)
  }
  await Promise.all(Array.from({ length: width }, worker))
}

test('sets of different keys at the same time: none lost, each exit 0', { timeout: 600_000 }, async () => {
  const home = await configHome({ 'openclaw.json': commented })
  const total = runs(200)
  await inFlight(total, 32, async (at) => {
    const { code, stderr } = await set(home, `channels.c${at}.enabled`, 'true')
    expect({ at, code, stderr }).toEqual({ at, code: 0, stderr: '' })
  })
  const text = home.text() ?? ''
  expect(Object.keys(JSON5.parse(text).channels).toSorted()).toEqual(
    Array.from({ length: total }, (_, at) => `c${at}`).toSorted(),
  )
  for (const comment of ['// kept', '// why', '// trailing']) expect(text).toContain(comment)
  const audit = readFileSync(home.path('config-audit.ndjson'), 'utf8').trim().split('\n')
  expect(audit.map((line) => JSON.parse(line)).length).toBe(total)
  expect(readdirSync(home.path('')).filter((name) => /\.(?:tmp|lock)$/.test(name))).toEqual([])
})

test(
  'kill -9 at random moments: always a whole file, at most the running edit lost',
  { timeout: 1_800_000 },
  async () => {
    const seed = seedOf('config-kill')
    const next = random(seed)
    const home = await configHome({ 'openclaw.json': commented })
    const total = runs(500)
    const expected = new Set<string>()
    const maybe = new Set<string>()
    let killed = 0
    await inFlight(total, 3, async (at) => {
      const key = `k${at}`
      maybe.add(key)
      const child = start(home, ['config', 'set', `channels.${key}.enabled`, 'true'])
      let open = true
      const closed = once(child, 'close')
      void closed.then(() => (open = false))
      await Promise.race([closed, sleep(20 + next() * 400)])
      if (open) child.kill('SIGKILL')
      const [code] = await closed
      if (code === 0) expected.add(key)
      else killed += 1
      const { channels } = JSON5.parse(readFileSync(home.path('openclaw.json'), 'utf8'))
      for (const each of expected) expect(Object.keys(channels)).toContain(each)
    })
    const found = Object.keys(JSON5.parse(home.text() ?? '').channels)
    for (const each of found) expect(maybe).toContain(each)
    expect(killed).toBeGreaterThan(0)
    const { code, stderr } = await set(home, 'channels.last.enabled', 'true')
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(readdirSync(home.path('')).filter((name) => /\.(?:tmp|lock)$/.test(name))).toEqual([])
  },
)

test('another program that writes at the same time loses nothing either', { timeout: 300_000 }, async () => {
  const home = await configHome({
    'openclaw.json': `{\n  tools: { profile: 'coding' },\n  channels: {},\n}\n`,
  })
  const file = home.path('openclaw.json')
  const writer = { on: true, marks: 0 }
  // Writes as an editor does, with a whole new file, and knows nothing of locks.
  const other = (async () => {
    for (; writer.on; writer.marks++) {
      const text = readFileSync(file, 'utf8')
      writeFileSync(`${file}.other`, `${text}// mark ${writer.marks}\n`)
      if (readFileSync(file, 'utf8') === text) renameSync(`${file}.other`, file)
      await sleep(25)
    }
  })()
  const total = runs(100)
  await inFlight(total, 4, async (at) => {
    const { code, stderr } = await set(home, `channels.c${at}.enabled`, 'true')
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  })
  writer.on = false
  await other
  expect(writer.marks).toBeGreaterThan(3)
  expect(existsSync(file)).toBe(true)
  expect(JSON5.parse(home.text() ?? '').tools).toEqual({ profile: 'coding' })
})
