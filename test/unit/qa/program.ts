import type { Program } from '../../../src/qa/processes.ts'
import { tempDir } from '../../helpers/run-cli.ts'

/** A program in place of this one: it prints its arguments, waits, or starts a child that waits. */
export async function fakeProgram(): Promise<Program> {
  const dir = await tempDir({
    'program.mjs': `
import { spawn } from 'node:child_process'
import { appendFileSync } from 'node:fs'
const [, , word] = process.argv
if (word === 'family') {
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' })
  appendFileSync(process.argv[1] + '.pids', process.pid + '\\n' + child.pid + '\\n')
}
if (word === 'family' || word === 'wait') setInterval(() => {}, 1000)
else if (word === 'stubborn') {
  process.on('SIGTERM', () => {})
  setInterval(() => {}, 1000)
  console.log('ready')
} else console.log(process.argv.slice(2).join(' '), process.env.HOME, process.env.SECRET_OF_THE_TESTER)
`,
  })
  return { node: process.execPath, script: `${dir}/program.mjs` }
}

/** File with the process ids of a family. */
export function pidsFile({ script }: Program): string {
  return `${script}.pids`
}
