import { spawn } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { once } from 'node:events'
import type { Bridge } from '../../src/tool-search/code/bridge.ts'
import { builtChild } from '../../src/tool-search/code/child-file.ts'
import type { LockedChild } from '../../src/tool-search/code/locked-child.ts'
import { CodePool } from '../../src/tool-search/code/pool.ts'
import { runCode } from '../../src/tool-search/code/run.ts'
import { projectRoot } from '../helpers/project.ts'

/*
 * What a snippet costs against an empty program of the same binary: node test/bench/code.ts
 * Prints one JSON value: wall milliseconds (medians over alternating rounds), their ratios to `node -e 0`, and the CPU
 * milliseconds of 100 calls one after the other, in parent and child together. Exits with 1 when a bound is missed.
 */

const rounds = Number(process.argv[2] ?? 25)
const calls = 100
const bounds = { warm: 0.15, cold: 1.7, callsCpuMs: 30 }

/** Remembers the child it handed out last. */
class WatchedPool extends CodePool {
  last: LockedChild | undefined

  override async acquire(): Promise<LockedChild> {
    this.last = await super.acquire()
    return this.last
  }
}

const file = builtChild(`${projectRoot}dist`)
const cold = new WatchedPool({ size: 0, child: file })
const warm = new WatchedPool({ size: 1, child: file })

const silent: Bridge = {
  search: async () => [],
  describe: async () => ({}),
  call: async () => ({}),
}

async function wall(action: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  await action()
  return performance.now() - start
}

async function emptyProgram(): Promise<void> {
  await once(spawn(process.execPath, ['-e', '0'], { env: {}, stdio: 'ignore' }), 'close')
}

async function run(pool: CodePool, code = 'return 1', bridge: Bridge = silent): Promise<void> {
  const result = await runCode({ code, bridge, pool })
  if (!result.ok) throw new Error(result.error.message)
}

/** CPU milliseconds of all threads of a process so far (Linux). */
function cpuOf(pid: number): number {
  const directory = `/proc/${pid}/task`
  const nanoseconds = readdirSync(directory).map((thread) =>
    Number(readFileSync(`${directory}/${thread}/schedstat`, 'latin1').split(' ')[0]),
  )
  return nanoseconds.reduce((sum, each) => sum + each, 0) / 1e6
}

/** CPU of parent and child between the first and the last of the calls. */
async function cpuOfCalls(): Promise<number> {
  const total = (): number => {
    const { user, system } = process.cpuUsage()
    return (user + system) / 1000 + cpuOf(warm.last?.pid ?? 0)
  }
  let seen = 0
  let begun = 0
  let ended = 0
  const call = async (): Promise<unknown> => {
    if (seen === 0) begun = total()
    if (seen === calls) ended = total()
    seen++
    return { content: [{ type: 'text', text: 'ok' }] }
  }
  const code = `for (let i = 0; i <= ${calls}; i++) await openclaw.tools.call('openclaw:core:read', { path: 'file-' + i })`
  await run(warm, code, { ...silent, call })
  return ended - begun
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN
}

const empty: number[] = []
const colds: number[] = []
const warms: number[] = []
const cpus: number[] = []
for (let round = -2; round < rounds; round++) {
  // Before each measurement everything that the one before has left behind is done.
  await warm.ready()
  const warmMs = await wall(() => run(warm))
  await warm.ready()
  const emptyMs = await wall(emptyProgram)
  const coldMs = await wall(() => run(cold))
  const cpuMs = process.platform === 'linux' ? await cpuOfCalls() : Number.NaN
  if (round < 0) continue
  empty.push(emptyMs)
  colds.push(coldMs)
  warms.push(warmMs)
  cpus.push(cpuMs)
}
await Promise.all([warm.close(), cold.close()])

const round = (value: number): number => Number(value.toFixed(2))
const ratios = {
  warm: median(warms) / median(empty),
  cold: median(colds) / median(empty),
  callsCpuMs: median(cpus),
}
const missed = Object.entries(bounds).filter(([name, bound]) => Reflect.get(ratios, name) > bound)
const result = {
  rounds,
  emptyMs: round(median(empty)),
  coldMs: round(median(colds)),
  warmMs: round(median(warms)),
  coldRatio: round(ratios.cold),
  warmRatio: round(ratios.warm),
  calls,
  callsCpuMs: round(ratios.callsCpuMs),
  bounds,
  missed: missed.map(([name]) => name),
}
process.stdout.write(`${JSON.stringify(result)}\n`)
process.exitCode = missed.length > 0 ? 1 : 0
