import { runCode } from '../../src/tool-search/code/run.ts'
import { shippedChild, testBridge, WatchedPool } from './code-child.ts'

/*
 * Runs abusive snippets one after the other in a program of its own, whose memory nothing else disturbs:
 * node --expose-gc abuse-program.ts RUNS. Prints the growth of its resident memory in MiB after every kind has been
 * run twice, and for each kind of abuse the milliseconds between the deadline and the end of its process.
 */

const timeoutMs = 150
const pad = "'x'.repeat(500000)"

const kinds: Readonly<Record<string, string>> = {
  'busy loop': 'while (true) {}',
  'busy after an await': 'await openclaw.tools.call("echo", {}); for (;;);',
  'microtask loop': 'for (;;) await 0',
  'regular expression': '/^(a+)+$/.test("a".repeat(50) + "b")',
  'big integers': 'let x = 3n; for (;;) x = x * x % (1n << 200000n)',
  'waiting for a call': 'await openclaw.tools.call("hang", {})',
  'heap bomb': 'let h = null; for (;;) h = { h, a: [1, 2, 3, 4] }',
  'buffer bomb': 'const a = []; for (;;) a.push(new Uint8Array(16 * 1024 * 1024).fill(1))',
  'console flood': `for (;;) console.log(${pad})`,
  'flood of calls': 'for (;;) await openclaw.tools.call("echo", {})',
  'flood of calls at once':
    'await Promise.all(Array.from({ length: 5000 }, () => openclaw.tools.call("hang", {})))',
  'large arguments': `for (;;) await openclaw.tools.call("echo", ${pad})`,
  'large results': 'for (;;) await openclaw.tools.call("large", {})',
  'large value': `return Array.from({ length: 100 }, () => ${pad})`,
}

const runs = Number(process.argv[2])
const warmUp = 2 * Object.keys(kinds).length
const pool = new WatchedPool({ size: 1, child: shippedChild })
const bridge = testBridge()
const call: typeof bridge.call = async (args, signal) => {
  if (args.id === 'hang') return new Promise(() => {})
  if (args.id === 'large') return 'y'.repeat(1_000_000)
  return bridge.call(args, signal)
}

function resident(): number {
  globalThis.gc?.()
  return process.memoryUsage.rss() / 1024 / 1024
}

const late: Record<string, number[]> = {}
const names = Object.keys(kinds)
let before = 0
for (let index = 0; index < warmUp + runs; index++) {
  if (index === warmUp) before = resident()
  const name = names[index % names.length] ?? ''
  await pool.ready()
  const startedAt = performance.now()
  await runCode({ code: kinds[name] ?? '', bridge: { ...bridge, call }, pool, limits: { timeoutMs } })
  await pool.last.buried()
  const after = performance.now() - startedAt - timeoutMs
  late[name] = [...(late[name] ?? []), Math.round(after)]
}
const growth = resident() - before
await pool.close()
process.stdout.write(`${JSON.stringify({ growth: Math.round(growth * 10) / 10, late })}\n`)
