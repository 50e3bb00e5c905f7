import { mkdtempSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { childCpu, median } from '../helpers/child-cpu.ts'

/*
 * CPU of `config set` against an empty program of the same binary, on a small commented config and on one of 2 MiB:
 * node test/bench/config-set.ts. Prints one JSON value a line; `aboveStartMs` is what the large file costs on top of the small.
 */

const pairs = 15
const script = fileURLToPath(new URL('../../bin/run.js', import.meta.url))
const home = mkdtempSync(join(tmpdir(), 'openclaw-bench-'))
const file = join(home, '.openclaw', 'openclaw.json')
const env = { ...process.env, HOME: home }

const small = `// work
{
  tools: {
    profile: 'coding', // for everybody
    deny: ['exec'],
  },
  agents: { list: [{ id: 'main' }, { id: 'work' }] },
}
`

function large(): string {
  const lines = [small.trimEnd().slice(0, -1), '  channels: {']
  for (let size = 0, at = 0; size < 2 * 1024 * 1024; at++) {
    const line = `    channel${at}: { enabled: true, groups: { 'g${at}': { requireMention: true } } }, // number ${at}`
    lines.push(line)
    size += line.length + 1
  }
  return `${[...lines, '  },', '}'].join('\n')}\n`
}

function measure(text: string): { emptyMs: number; commandMs: number; ratio: number } {
  const empty: number[] = []
  const full: number[] = []
  for (let pair = -1; pair < pairs; pair++) {
    writeFileSync(file, text)
    const idle = childCpu(['-e', '0'])
    const busy = childCpu([script, 'config', 'set', 'tools.profile', 'full'], { env, cwd: home })
    // The first pair warms the compile cache.
    if (pair < 0) continue
    empty.push(idle)
    full.push(busy)
  }
  const ratios = full.map((value, at) => value / (empty[at] ?? Number.NaN))
  return { emptyMs: median(empty), commandMs: median(full), ratio: Number(median(ratios).toFixed(2)) }
}

try {
  mkdirSync(join(home, '.openclaw'))
  const little = measure(small)
  process.stdout.write(
    `${JSON.stringify({ command: 'config set', bytes: small.length, pairs, ...little })}\n`,
  )
  const text = large()
  const much = measure(text)
  const aboveStartMs = Math.round(much.commandMs - little.commandMs)
  process.stdout.write(
    `${JSON.stringify({ command: 'config set', bytes: text.length, pairs, ...much, aboveStartMs })}\n`,
  )
} finally {
  rmSync(home, { recursive: true, force: true })
}
