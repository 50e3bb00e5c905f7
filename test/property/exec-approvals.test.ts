import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { gateHome, onlyListed, putProgram, type GateHome } from '../helpers/command-gate.ts'
import { law, runs, seedOf } from './random.ts'
import { Random } from './seeded-random.ts'
import { damaged, respelled, shellLine } from './shell-lines.ts'

const approvals = onlyListed([
  { pattern: 'ok1' },
  { pattern: '{bin}/ok2' },
  { pattern: '/usr/bin/tr', argPattern: '^a b$' },
])

async function machine(): Promise<GateHome> {
  const home = await gateHome({ approvals })
  for (const name of ['ok1', 'ok2', 'bad'])
    putProgram(home.bin, name, `echo ${name} >> ${home.stateDir}/ran\ncat >/dev/null`)
  for (const name of ['bad', 'ok1', '-c']) putProgram(home.workdir, name, `echo bad >> ${home.stateDir}/ran`)
  return home
}

const verdictOf = async (home: GateHome, line: string) => (await home.judge(line)).verdict

/** Programs that a shell starts for a line. */
function really(home: GateHome, shell: string, line: string): readonly string[] {
  const log = join(home.stateDir, 'ran')
  rmSync(log, { force: true })
  spawnSync(shell, ['-c', line], {
    cwd: home.workdir,
    env: { PATH: home.path, HOME: home.workdir, x: 'bad', y: '; bad' },
    timeout: 10_000,
    stdio: ['ignore', 'ignore', 'ignore'],
  })
  return existsSync(log) ? readFileSync(log, 'utf8').trimEnd().split('\n') : []
}

const shells = ['/bin/bash', '/bin/dash'].filter((shell) => existsSync(shell))

test('a line that may run starts nothing which is not on the list, in any shell', async () => {
  const random = new Random(seedOf('lines that may run'))
  const home = await machine()
  let ran = 0
  for (let left = runs(2_500); left > 0; left--) {
    const whole = shellLine(random)
    const line = random.chance(0.6) ? damaged(whole, random) : whole
    if ((await verdictOf(home, line)) !== 'run') continue
    for (const shell of shells) {
      const started = really(home, shell, line)
      ran += started.length
      law(!started.includes('bad'), `${shell} ran bad for ${JSON.stringify(line)}`)
    }
  }
  // A gate that lets nothing run would prove nothing.
  expect(ran).toBeGreaterThan(50)
}, 240_000)

test('what is added to a chain never turns a no into a yes', async () => {
  const random = new Random(seedOf('chains'))
  const home = await machine()
  let refused = 0
  for (let left = runs(10_000); left > 0; left--) {
    const [line, more] = [shellLine(random, 2, 0.3), shellLine(random, 1, 0.1)]
    if ((await verdictOf(home, line)) === 'run') continue
    refused++
    const chain = random.pick([
      `${line}\n${more}`,
      `${more}\n${line}`,
      `{ ${more}\n} && { ${line}\n}`,
      `{ ${line}\n} || { ${more}\n}`,
      `{ ${line}\n} | { ${more}\n}`,
      `( ${more}\n) & ( ${line}\n)`,
      `ok1 "$(${line}\n)"`,
      `if ${more}\nthen ${line}\nfi`,
    ])
    law(
      (await verdictOf(home, chain)) !== 'run',
      `${JSON.stringify(line)} is refused and ${JSON.stringify(chain)} is not`,
    )
  }
  expect(refused).toBeGreaterThan(100)
}, 120_000)

test('another way to spell the same words gives the same verdict', async () => {
  const random = new Random(seedOf('spellings'))
  const home = await machine()
  const seen = new Set<string>()
  const names = [
    'ok1',
    'ok2',
    'bad',
    'tr',
    '/usr/bin/tr',
    'env',
    'timeout',
    'nice',
    'sh',
    'xargs',
    './ok1',
    'wc',
    'head',
  ]
  const args = [
    'a',
    'b',
    '5',
    '-n',
    '-c',
    'ok1',
    'bad',
    'ok1 bad',
    "it's",
    'a"b',
    '$x',
    '`bad`',
    '-l',
    'PATH=.',
    'LANG=C',
    '*',
    '~',
    ';',
    '{}',
  ]
  for (let left = runs(10_000); left > 0; left--) {
    const argv = [random.pick(names), ...random.some(random.below(4), args)]
    const spelled = () => argv.map((word) => respelled(word, random)).join(' ')
    const [one, other] = [spelled(), spelled()]
    const verdict = await verdictOf(home, one)
    seen.add(verdict)
    law(verdict === (await verdictOf(home, other)), `${one} is ${verdict} and ${other} is not`)
  }
  expect(seen).toEqual(new Set(['run', 'deny']))
}, 120_000)
