import { approvalDesk } from '../../../src/calls/approvals/desk.ts'
import type { ApprovalDesk } from '../../../src/calls/approvals/types.ts'
import type { CodeRunner } from '../../../src/calls/code-runner.ts'
import type { CallEvent, CallsEvent, PolicyEvent } from '../../../src/calls/events.ts'
import type { ExecutorParts } from '../../../src/calls/executors.ts'
import { ToolRun } from '../../../src/calls/tool-run.ts'
import type { CallOutcome, ToolResult } from '../../../src/calls/types.ts'
import type { Tool as PluginTool } from '../../../src/plugins/authoring.ts'
import type { Hook, Hooks } from '../../../src/plugins/hooks.ts'
import type { View } from '../../../src/policy/view.ts'
import { open, type Session } from '../policy/open.ts'

type Execute = (
  args: Record<string, unknown>,
  signal: AbortSignal,
  update: (partial: ToolResult) => void,
) => unknown

/** One tool of the plugin `kit`: what it declares, and what it does. */
export interface Declared {
  readonly name: string
  readonly description?: string
  readonly parameters?: object
  readonly outputSchema?: object
  readonly catalogMode?: 'direct-only'
  readonly executionMode?: 'parallel' | 'sequential'
  readonly run?: Execute
}

export interface RunOptions extends Session {
  /** Tools of the plugin `kit`. */
  readonly tools?: readonly Declared[]
  readonly mcp?: Readonly<Record<string, readonly object[]>>
  readonly before?: readonly Hook<'before_tool_call'>['handler'][]
  readonly after?: readonly Hook<'after_tool_call'>['handler'][]
  readonly hooks?: Hooks
  readonly approvals?: ApprovalDesk
  readonly code?: CodeRunner
  readonly parts?: Partial<ExecutorParts>
}

const anything = { type: 'object', properties: {} }

/** The result of a tool that returns one text. */
export function said(text: string, details?: unknown): ToolResult {
  return { content: [{ type: 'text', text }], ...(details !== undefined && { details }) }
}

function hooksOf({ before = [], after = [], hooks }: RunOptions): Hooks {
  const common = { pluginId: 'kit', priority: 0, timeoutMs: 5000 }
  return (
    hooks ?? {
      before_tool_call: before.map((handler) => ({ event: 'before_tool_call', handler, ...common })),
      after_tool_call: after.map((handler) => ({ event: 'after_tool_call', handler, ...common })),
    }
  )
}

/** A run over a session that is given as plain values, with everything that was recorded. */
export class TestRun {
  readonly run: ToolRun
  readonly events: CallsEvent[] = []
  /** The arguments that tools were really run with. */
  readonly ran: { readonly tool: string; readonly args: unknown }[] = []
  view: View
  #calls = 0

  constructor(options: RunOptions = {}) {
    const { tools = [], mcp = {}, parts = {} } = options
    const inventory = {
      plugins: { kit: { tools: tools.map(({ run: _run, ...tool }) => ({ parameters: anything, ...tool })) } },
      mcp: Object.fromEntries(Object.entries(mcp).map(([name, list]) => [name, { tools: list }])),
    }
    this.view = open({ inventory, ...options }).view
    const live = new Map(tools.map((tool) => [tool.name, this.#live(tool)]))
    this.run = new ToolRun({
      view: () => this.view,
      parts: { pluginTool: (_id, name) => live.get(name), ...parts },
      hooks: hooksOf(options),
      approvals: options.approvals ?? approvalDesk({ store: null }),
      record: (event) => this.events.push(event),
      context: { agentId: 'main', sessionKey: 'agent:main:main', runId: 'r1' },
      clock: () => 1_780_000_000_000,
      stateDir: null,
      code: options.code ?? null,
    })
  }

  /** Calls a tool of the inventory by its name. */
  call(
    name: string,
    args: unknown = {},
    more: { signal?: AbortSignal; onUpdate?: (partial: ToolResult) => void } = {},
  ) {
    const tool = this.view.inventory.tools.find((each) => each.name === name)
    if (tool === undefined) throw new Error(`no tool ${name}`)
    this.#calls += 1
    const signal = more.signal ?? new AbortController().signal
    return this.run.call({
      tool,
      args,
      callId: `c${this.#calls}`,
      signal,
      ...(more.onUpdate && { onUpdate: more.onUpdate }),
    })
  }

  get recorded(): CallEvent[] {
    return this.events.filter((event) => event.type === 'call')
  }

  get policy(): PolicyEvent[] {
    return this.events.filter((event) => event.type === 'policy')
  }

  #live({ run = () => said('done'), ...tool }: Declared): PluginTool {
    return {
      description: '',
      parameters: anything,
      ...tool,
      execute: async (_id, params, signal, onUpdate) => {
        this.ran.push({ tool: tool.name, args: structuredClone(params) })
        const update = (partial: ToolResult): void => onUpdate?.(partial)
        return (await run(params, signal ?? new AbortController().signal, update)) as ToolResult
      },
    }
  }
}

/** An outcome in few words: its status with what it says. */
export function brief(outcome: CallOutcome): string {
  if (outcome.status === 'ok') {
    return `ok ${outcome.result.content.map((block) => (block.type === 'text' ? block.text : block.type)).join('|')}`
  }
  return outcome.status === 'blocked'
    ? `blocked by ${outcome.by}: ${outcome.message}`
    : `${outcome.code}: ${outcome.message}`
}
