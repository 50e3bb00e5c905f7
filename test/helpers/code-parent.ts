import { runCode } from '../../src/tool-search/code/run.ts'
import { shippedChild, testBridge, WatchedPool } from './code-child.ts'

/*
 * A program with a pool, for tests of how its children end with it: node code-parent.ts HOW BARE?
 * Prints the ids of its children as JSON, and then ends in the given way or waits to be killed.
 */

const [how, bare] = process.argv.slice(2)
const launchers = bare === 'bare' ? { launchers: [{ walls: [], prefix: [] }] } : {}
const pool = new WatchedPool({ size: 2, child: shippedChild, ...launchers })
await pool.ready()
const spare = await pool.acquire()

function tell(): void {
  process.stdout.write(`${JSON.stringify(pool.children.map(({ pid }) => pid))}\n`)
}

if (how === 'end') {
  tell()
} else if (how === 'exit') {
  tell()
  process.exit(0)
} else {
  const running = runCode({ code: 'for (;;);', bridge: testBridge(), pool, limits: { timeoutMs: 4000 } })
  while (pool.children.length < 2) await new Promise((resolve) => setImmediate(resolve))
  tell()
  await running
  await spare.buried()
}
