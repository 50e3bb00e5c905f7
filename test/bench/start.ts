import { fileURLToPath } from 'node:url'
import { childCpu, median } from '../helpers/child-cpu.ts'

/*
 * CPU of one start against an empty program of the same binary: node test/bench/start.ts [command…]
 * Prints one JSON value; `ratio` is the median over alternating pairs, with a warm compile cache.
 */

const pairs = 15
const script = fileURLToPath(new URL('../../bin/run.js', import.meta.url))
const given = process.argv.slice(2)
const command = given.length > 0 ? given : ['tools', 'effective']

const empty: number[] = []
const full: number[] = []
childCpu([script, ...command])
for (let pair = 0; pair < pairs; pair++) {
  empty.push(childCpu(['-e', '0']))
  full.push(childCpu([script, ...command]))
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
