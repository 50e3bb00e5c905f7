import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { findProgram } from '../../tools/programs.ts'
import { attempt } from '../../tools/sandbox/probe.ts'
import { Bench, type CallResult } from '../bench.ts'
import { defineScenario, type Check, type Variables } from '../scenario.ts'

/** What was done in the repository, and what became of it. */
export interface CodingEvidence {
  /** The results of the turn's calls, in order. */
  readonly done: readonly CallResult[]
  readonly source: string
  /** What the model said in the end. */
  readonly said: string
}

const sessionKey = 'agent:main:qa-coding'

const broken = 'add() {\n  # Two numbers in, their sum out.\n  echo $(($1 - $2))\n}\n'
const mended = broken.replace('$1 - $2', '$1 + $2')

/** The test of the repository; it also tells whether what lies outside of the workspace can be seen. */
function testOf(secretFile: string): string {
  return [
    '. ./add.sh',
    `if [ -e '${secretFile}' ]; then echo 'state in reach'; else echo 'state out of reach'; fi`,
    'got=$(add 2 3)',
    'if [ "$got" = 5 ]; then echo "ok: add 2 3 is 5"; exit 0; fi',
    'echo "not ok: add 2 3 is $got, expected 5"; exit 1',
    '',
  ].join('\n')
}

/** Asserted about that. */
export const codingChecks: readonly Check<CodingEvidence>[] = [
  {
    id: 'four-calls',
    title: 'The turn reads, runs the test, edits and runs the test again',
    judge: ({ done }) => {
      const names = done.map(({ tool }) => tool).join(' ')
      return names === 'read exec edit exec' ? null : `it called ${names || 'nothing'}`
    },
  },
  {
    id: 'test-fails-first',
    title: 'The test fails before the edit, and the model is told how',
    judge: ({ done }) =>
      done[1]?.text.includes('not ok: add 2 3 is -1') ? null : `exec said ${done[1]?.text}`,
  },
  {
    id: 'file-is-mended',
    title: 'The edit changes the one line and nothing else',
    judge: ({ source }) => (source === mended ? null : `the file is ${JSON.stringify(source)}`),
  },
  {
    id: 'test-passes-then',
    title: 'The test passes after it',
    judge: ({ done, said }) =>
      done[3]?.text.includes('ok: add 2 3 is 5') &&
      !done[3].text.includes('not ok') &&
      said.includes('ok: add 2 3 is 5')
        ? null
        : `exec said ${done[3]?.text}`,
  },
  {
    id: 'commands-run-in-the-sandbox',
    title: 'The commands run in the sandbox, where the state directory is out of reach',
    judge: ({ done }) => {
      const runs = done.filter(({ tool }) => tool === 'exec')
      const inReach = runs.filter(({ text }) => !text.includes('state out of reach'))
      return runs.length === 2 && inReach.length === 0
        ? null
        : `exec said ${inReach.map(({ text }) => text).join('; ')}`
    },
  },
]

/** Why this machine makes no sandboxes, or null. */
export async function noSandbox(env: Variables): Promise<string | null> {
  const program = findProgram('bwrap', env['PATH'])
  if (program === null) return 'bubblewrap is not installed'
  const args = ['--unshare-all', '--ro-bind', '/', '/', '/bin/sh', '-c', ':']
  const { ok, problem } = await attempt({ file: program, args, cwd: '/', env: {} })
  return ok ? null : `bubblewrap cannot start here: ${problem}`
}

/** An agent mends a failing test in a small repository, and its commands cannot leave it. */
export const codingInSandbox = defineScenario<CodingEvidence>({
  id: 'coding-in-sandbox',
  title: 'A turn mends a failing test in a sandbox that shows the workspace and nothing else',
  limitMs: 90_000,
  skip: noSandbox,
  async drive(lab) {
    const workspace = join(lab.root, 'repository')
    mkdirSync(workspace, { recursive: true })
    const bench = await lab.step('the Gateway starts with a sandbox for every session', () =>
      Bench.open(lab, {
        name: 'coding',
        tools: 1,
        config: {
          agents: {
            defaults: {
              model: { primary: 'mock/mock-model' },
              workspace,
              sandbox: { mode: 'all', workspaceAccess: 'rw' },
            },
          },
        },
      }),
    )
    writeFileSync(join(workspace, 'add.sh'), broken)
    writeFileSync(join(workspace, 'test.sh'), testOf(bench.home.configFile))
    const edit = { path: 'add.sh', oldText: '$1 - $2', newText: '$1 + $2' }
    const lines = [
      'then read {"path":"add.sh"}',
      'then exec {"command":"sh test.sh"}',
      `then edit ${JSON.stringify(edit)}`,
      'then exec {"command":"sh test.sh"}',
    ]
    const { text } = await lab.step('the agent is asked to mend it', () =>
      bench.turn(sessionKey, lines.join('\n')),
    )
    const done = await bench.results(sessionKey)
    await lab.step('the Gateway ends', () => bench.stop())
    return { done, source: readFileSync(join(workspace, 'add.sh'), 'utf8'), said: text.slice(0, 2_000) }
  },
  checks: codingChecks,
})
