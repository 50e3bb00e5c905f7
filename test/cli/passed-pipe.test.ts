import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { projectRoot } from '../helpers/project.ts'
import { isolatedEnv, tempDir } from '../helpers/run-cli.ts'

/** Runs a line of bash in which `openclaw` is the built program. */
async function bash(line: string): Promise<string> {
  const script = `openclaw() { "${process.execPath}" "${projectRoot}bin/run.js" "$@"; }; ${line}`
  return execFileSync('bash', ['-c', script], { encoding: 'utf8', env: isolatedEnv(await tempDir()) })
}

test('a config and an inventory may come from <(a command)', async () => {
  const inventory = `echo '{ plugins: { notes: { tools: ["note_add"] } } }'`
  const config = `echo '{ tools: { profile: "minimal", alsoAllow: ["notes"] } }'`
  const names = await bash(
    `openclaw tools effective --output names --config <(${config}) --inventory <(${inventory})`,
  )
  expect(names).toBe('session_status\nnote_add\n')
})
