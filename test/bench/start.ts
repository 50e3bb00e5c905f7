import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

/*
 * CPU of one start against an empty program of the same binary: node test/bench/start.ts [command…]
 * Prints one JSON value; `ratio` is the median over alternating pairs, with a warm compile cache.
 */

const pairs = 15
const script = fileURLToPath(new URL('../../bin/run.js', import.meta.url))
const given = process.argv.slice(2)
const command = given.length > 0 ? given : ['tools', 'effective']

/** CPU milliseconds, user and system, of one child; the shell measures because Node tells nothing about a child's CPU. */
function cpu(args: readonly string[]): number {
  const timed = 'TIMEFORMAT="%U %S"; time "$0" "$@" >/dev/null'
  const { stderr } = spawnSync('bash', ['-c', timed, process.execPath, ...args], { encoding: 'utf8' })
  const times = /([\d.]+) ([\d.]+)\s*$/.exec(stderr)
  if (!times) throw new Error(`no times in: ${stderr}`)
  return (Number(times[1]) + Number(times[2])) * 1000
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN
}

const empty: number[] = []
const full: number[] = []
cpu([script, ...command])
for (let pair = 0; pair < pairs; pair++) {
  empty.push(cpu(['-e', '0']))
  full.push(cpu([script, ...command]))
}
const ratios = full.map((value, index) => value / (empty[index] ?? Number.NaN))
const result = {
  command: command.join(' '),
  pairs,
  emptyMs: Math.round(median(empty)),
  commandMs: Math.round(median(full)),
  ratio: Number(median(ratios).toFixed(2)),
}
process.stdout.write(`${JSON.stringify(result)}\n`)
