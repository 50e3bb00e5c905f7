import { globSync } from 'node:fs'
import { basename, join } from 'node:path'
import { expect, test } from 'vitest'
import { projectRoot } from '../helpers/project.ts'
import { runCli } from '../helpers/run-cli.ts'

/*
 * Whole conversations about each real config, one file per config, to be read like a transcript: what a newcomer asks in the
 * order they would ask it. A change of any answer shows up as a diff of these files.
 */

const questions = [
  'config validate',
  'tools effective --why',
  'tools explain exec --all-agents',
  'tools explain message',
  'tools diff --to-edition 2026.9',
]

test.each(globSync('fixtures/realconfigs/*', { cwd: projectRoot }).toSorted())('%s', async (file) => {
  const parts: string[] = []
  for (const question of questions) {
    // With nothing installed, so that what tools lack is the same on every machine.
    const env = { PATH: `${projectRoot}node_modules/.bin` }
    const run = await runCli([...question.split(' '), '--config', file], { cwd: projectRoot, env })
    const said = [run.stdout, run.stderr].filter((text) => text !== '').join('--- stderr\n')
    parts.push(`$ openclaw ${question}\n${said}[${run.code}]\n`)
  }
  const text = parts.join('\n').replaceAll(projectRoot, '')
  await expect(text).toMatchFileSnapshot(
    join('__snapshots__', 'realconfigs', `${basename(file, '.json5')}.txt`),
  )
})
