import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { JobStore } from '../../src/tools/automation/store.ts'
import { projectRoot } from '../helpers/project.ts'
import { tempDir } from '../helpers/run-cli.ts'

const kills = process.env['OPENCLAW_TEST_FULL'] === undefined ? 12 : 200

test(`no job that was stored is lost, whenever its writer is killed (${kills} times)`, async () => {
  const dir = await tempDir()
  const store = new JobStore(dir, (text) => expect.unreachable(text))
  let known = 0
  for (let round = 0; round < kills; round += 1) {
    const writer = spawn(process.execPath, [`${projectRoot}test/helpers/job-writer.ts`, dir, String(known)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    let said = ''
    writer.stdout.setEncoding('utf8').on('data', (text: string) => (said += text))
    const ended = once(writer, 'close')
    await once(writer.stdout, 'data')
    // Some way into the next write, another one each round.
    for (let turns = 0; turns < round * 7; turns += 1) await new Promise((resolve) => setImmediate(resolve))
    writer.kill('SIGKILL')
    await ended
    const last = Number(said.trim().split('\n').at(-1))
    const ids = store.list().map(({ id }) => id)
    expect(ids.slice(0, last + 1)).toEqual(Array.from({ length: last + 1 }, (_, at) => `j${at}`))
    // The write that was under way may have been made; nothing else was.
    expect(ids.length - last).toBeLessThanOrEqual(2)
    known = ids.length
  }
  await store.update((jobs) => jobs.slice(1))
  expect(readdirSync(join(dir, 'cron')).toSorted()).toEqual(['jobs.json', 'jobs.json.bak'])
}, 120_000)
