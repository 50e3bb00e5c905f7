import { approvalDesk } from '../../src/calls/approvals/desk.ts'
import { ToolRun } from '../../src/calls/tool-run.ts'
import { editions } from '../../src/catalog/edition.ts'
import { parseInventory } from '../../src/catalog/inventory-file.ts'
import type { Tool } from '../../src/catalog/types.ts'
import type { Config } from '../../src/config/types.ts'
import type { Tool as PluginTool } from '../../src/plugins/authoring.ts'
import { openView } from '../../src/runtime/open-view.ts'

/*
 * CPU that the guarded path adds to a call without hooks, over calling the tool alone: node test/bench/calls.ts
 * Prints one JSON value in milliseconds of CPU: the median over batches, each the mean of its calls.
 */

const batches = 60
const callsPerBatch = 200
const limits = { medianMs: 0.5 }
const catalogueSize = 1_000

const parameters = {
  type: 'object',
  properties: {
    title: { type: 'string', maxLength: 200 },
    labels: { type: 'array', items: { type: 'string' } },
    due: {
      type: 'object',
      properties: { day: { type: 'string' }, zone: { type: 'string' } },
      required: ['day'],
    },
  },
  required: ['title'],
  additionalProperties: false,
}
const outputSchema = { type: 'object', properties: { id: { type: 'number' } }, required: ['id'] }
const args = { title: 'Crash on startup', labels: ['bug', 'urgent'], due: { day: '2026-07-01', zone: 'UTC' } }
const result = { content: [{ type: 'text' as const, text: 'created 7' }], details: { id: 7 } }

const target: PluginTool = { name: 'tool_0', description: '', parameters, execute: async () => result }
const { signal } = new AbortController()

function openRun(loop: boolean): { readonly run: ToolRun; readonly tools: readonly Tool[] } {
  const tools = Array.from({ length: catalogueSize }, (_, at) => ({
    name: `tool_${at}`,
    description: 'A tool among many',
    parameters,
    outputSchema,
  }))
  const config: Config = { tools: { toolSearch: { mode: 'tools' }, loopDetection: { enabled: loop } } }
  const view = openView({
    config,
    edition: editions['2026.7'],
    request: {},
    entry: null,
    inventory: parseInventory({ plugins: { kit: { tools } } }, 'bench'),
  })
  const run = new ToolRun({
    view: () => view,
    parts: { pluginTool: () => target },
    hooks: { before_tool_call: [], after_tool_call: [] },
    approvals: approvalDesk({ store: null }),
    record: () => {},
    context: { agentId: 'main', sessionKey: 'agent:main:main' },
    clock: Date.now,
    stateDir: null,
    code: null,
  })
  return { run, tools: view.inventory.tools }
}

/** Milliseconds of CPU for one of many calls. */
async function cpuOf(call: (count: number) => Promise<unknown>): Promise<number> {
  const start = process.cpuUsage()
  for (let count = 0; count < callsPerBatch; count++) await call(count)
  const { user, system } = process.cpuUsage(start)
  return (user + system) / 1000 / callsPerBatch
}

async function median(call: (count: number) => Promise<unknown>): Promise<number> {
  const values: number[] = []
  for (let batch = 0; batch < batches; batch++) values.push(await cpuOf(call))
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN
}

async function overhead(loop: boolean, name: 'tool_0' | 'tool_call'): Promise<number> {
  const { run, tools } = openRun(loop)
  const tool = tools.find((each) => each.name === name)
  if (tool === undefined) throw new Error(`no tool ${name}`)
  const call = async (count: number): Promise<void> => {
    // Other arguments each time, as loop detection would rightly stop the same ones.
    const own = { ...args, title: `card ${count}` }
    const given = name === 'tool_0' ? own : { id: 'tool_0', args: own }
    const { status } = await run.call({ tool, args: given, callId: `c${count}`, signal })
    if (status !== 'ok') throw new Error(`the call ended as ${status}`)
  }
  const alone = await median(async () => target.execute('c', args as never, signal))
  return Math.round(((await median(call)) - alone) * 10_000) / 10_000
}

const direct = await overhead(false, 'tool_0')
const withLoopDetection = await overhead(true, 'tool_0')
const throughToolCall = await overhead(true, 'tool_call')
process.stdout.write(
  `${JSON.stringify({ catalogueSize, direct, withLoopDetection, throughToolCall, limits })}\n`,
)
