import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { approvalDesk } from '../../src/calls/approvals/desk.ts'
import { ToolRun } from '../../src/calls/tool-run.ts'
import { editions } from '../../src/catalog/edition.ts'
import { openView } from '../../src/runtime/open-view.ts'
import { createOpenClawCodingTools } from '../../src/tools/coding-tools.ts'
import type { CommandPlace } from '../../src/tools/place.ts'
import { median } from '../helpers/child-cpu.ts'

/*
 * CPU that exec adds to a bare spawn of the same shell command, on this machine, approvals off, when it has been used before:
 * node test/bench/exec.ts
 * Prints one JSON value in milliseconds of CPU, of this process and of what it started: the median over alternating batches.
 */

const batches = 15
const callsPerBatch = 20
const limits = { overheadMs: 15 }
const command = 'echo hello'

const home = mkdtempSync(join(tmpdir(), 'openclaw-bench-'))
const workspace = join(home, 'workspace')
mkdirSync(workspace)
const view = openView({ config: {}, edition: editions['2026.7'], request: {}, entry: null, inventory: null })
const place: CommandPlace = {
  kind: 'host',
  backend: 'host',
  cwd: workspace,
  roots: null,
  elevated: 'off',
  wrap: (planned) => planned,
}
const tools = createOpenClawCodingTools({
  view: () => view,
  runId: 'bench',
  workspace,
  stateDir: home,
  homeDir: home,
  env: process.env,
  clock: Date.now,
  tell: () => {},
  places: { files: async () => place, commands: async () => place },
  services: {},
})
const run = new ToolRun({
  view: () => view,
  parts: { core: (name) => tools.executor(name) },
  hooks: { before_tool_call: [], after_tool_call: [] },
  approvals: approvalDesk({ store: null }),
  record: () => {},
  context: { agentId: 'main', sessionKey: 'agent:main:main' },
  clock: Date.now,
  stateDir: null,
  code: null,
})
const tool = view.inventory.tools.find(({ name }) => name === 'exec')
if (tool === undefined) throw new Error('no tool exec')
const { signal } = new AbortController()
let count = 0

async function call(): Promise<void> {
  count += 1
  const outcome = await run.call({ tool: tool!, args: { command }, callId: `c${count}`, signal })
  if (outcome.status !== 'ok') throw new Error(`the call ended as ${outcome.status}: ${outcome.message}`)
}

async function bare(): Promise<void> {
  const child = spawn('/bin/bash', ['-c', command], { cwd: workspace, stdio: ['ignore', 'pipe', 'pipe'] })
  child.stdout.resume()
  child.stderr.resume()
  await once(child, 'close')
}

/** Milliseconds of CPU of this process, and of children that have ended, in hundredths of a second as Linux counts them. */
function used(): number {
  const { user, system } = process.cpuUsage()
  const stat = readFileSync('/proc/self/stat', 'utf8')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return (user + system) / 1000 + (Number(fields[13]) + Number(fields[14])) * 10
}

async function cpuOf(work: () => Promise<void>): Promise<number> {
  const start = used()
  for (let at = 0; at < callsPerBatch; at++) await work()
  return (used() - start) / callsPerBatch
}

try {
  await cpuOf(bare)
  await cpuOf(call)
  const alone: number[] = []
  const through: number[] = []
  for (let batch = 0; batch < batches; batch++) {
    alone.push(await cpuOf(bare))
    through.push(await cpuOf(call))
  }
  const bareMs = Number(median(alone).toFixed(2))
  const execMs = Number(median(through).toFixed(2))
  const overheadMs = Number(median(through.map((value, at) => value - (alone[at] ?? Number.NaN))).toFixed(2))
  process.stdout.write(
    `${JSON.stringify({ command, batches, callsPerBatch, bareMs, execMs, overheadMs, limits })}\n`,
  )
} finally {
  await tools.close()
  rmSync(home, { recursive: true, force: true })
}
