import { createLookup } from '../../../src/config/env.ts'
import type { AgentEvent, AgentResult, TurnPayload } from '../../../src/agent/events.ts'
import type { Message } from '../../../src/agent/messages.ts'
import type { Candidate } from '../../../src/agent/model-choice.ts'
import { createModel } from '../../../src/agent/providers/model.ts'
import { readModelSettings } from '../../../src/agent/providers/settings.ts'
import { runAgent, type AgentRun } from '../../../src/agent/run.ts'
import { ToolRun } from '../../../src/calls/tool-run.ts'
import type { ApprovalDesk } from '../../../src/calls/approvals/types.ts'
import type { CallsEvent } from '../../../src/calls/events.ts'
import { editions } from '../../../src/catalog/edition.ts'
import { parseInventory } from '../../../src/catalog/inventory-file.ts'
import type { Config } from '../../../src/config/types.ts'
import type { Tool } from '../../../src/plugins/authoring.ts'
import type { Hooks } from '../../../src/plugins/hooks.ts'
import { openView } from '../../../src/runtime/open-view.ts'
import type { View } from '../../../src/policy/view.ts'
import type { MockServer } from '../../../src/qa/mock-openai/server.ts'

/** A session with the tools of one plugin, `lab`, and a model of the mock provider. */
export interface Lab {
  readonly events: AgentEvent[]
  readonly written: Message[]
  readonly turns: TurnPayload[]
  readonly calls: CallsEvent[]
  /** Changes the config of the requests that are to come. */
  reload(config: Config): void
  run(text: string, more?: Partial<AgentRun>): Promise<AgentResult>
}

export interface LabOptions {
  readonly server: MockServer
  readonly tools: readonly Tool[]
  readonly config?: Config
  readonly hooks?: Partial<Hooks>
  readonly approvals?: ApprovalDesk
  /** Models in place of `mock/mock-model`. */
  readonly models?: readonly string[]
}

const nobody: ApprovalDesk = { decide: async () => ({ verdict: 'denied' }) }

/** A lab without waiting times between attempts. */
export function lab({ server, tools, config = {}, hooks = {}, approvals = nobody, models }: LabOptions): Lab {
  const provider = { baseUrl: server.baseUrl, apiKey: 'key-of-the-test', api: 'openai-responses' }
  let base: Config = config
  const withModels = (): Config => ({
    ...base,
    models: { providers: { mock: provider, spare: provider, ...base.models?.providers } },
  })
  const inventory = parseInventory(
    { plugins: { lab: { tools: tools.map(({ execute: _execute, ...declared }) => declared) } } },
    'the inventory of the test',
  )
  const edition = editions['2026.7']
  let known: { readonly from: Config; readonly view: View } | null = null
  const viewNow = (): View => {
    if (known?.from !== base) {
      const view = openView({ config: withModels(), edition, request: {}, entry: undefined, inventory })
      known = { from: base, view }
    }
    return known.view
  }
  const calls: CallsEvent[] = []
  const toolRun = new ToolRun({
    view: viewNow,
    parts: { pluginTool: (_id, name) => tools.find((tool) => tool.name === name) },
    hooks: { before_tool_call: [], after_tool_call: [], ...hooks },
    approvals,
    record: (event) => calls.push(event),
    context: { agentId: 'main', sessionKey: 'agent:main:main' },
    clock: Date.now,
    stateDir: null,
    code: null,
  })
  const candidates = (models ?? ['mock/mock-model']).map((text): Candidate => {
    const [name = '', model = ''] = text.split('/')
    const ref = { provider: name, model }
    return {
      ref,
      open: async () => {
        const all = withModels()
        const lookup = createLookup({}, '/nonexistent', '/nonexistent', all)
        return createModel(
          await readModelSettings(ref, { config: all, lookup, baseDir: '/', home: '/' }),
          '0.0.0',
        )
      },
    }
  })
  const events: AgentEvent[] = []
  const written: Message[] = []
  const turns: TurnPayload[] = []
  return {
    events,
    written,
    turns,
    calls,
    reload: (next) => {
      base = next
    },
    run: (text, more = {}) =>
      runAgent({
        runId: 'run-1',
        agentId: 'main',
        sessionKey: 'agent:main:main',
        sessionId: 'session-1',
        text,
        history: [],
        candidates,
        openTurn: async () => ({ view: viewNow(), tools: toolRun }),
        journal: {
          message: (message) => written.push(message),
          model: () => {},
          turn: (payload) => turns.push(payload),
        },
        emit: (event) => events.push(event),
        signal: new AbortController().signal,
        retries: { attempts: 3, baseMs: 1, longestMs: 5, longestRetryAfterMs: 1000 },
        ...more,
      }),
  }
}

/** Messages in one line each: who said what. */
export function told(messages: readonly Message[]): string[] {
  return messages.map((message) => {
    const parts = message.content.map((part) => {
      if (part.type === 'text') return part.text
      if (part.type === 'toolCall') return `→ ${part.name} ${JSON.stringify(part.arguments)}`
      return `[${part.type}]`
    })
    const state =
      message.role === 'toolResult' && message.isError
        ? ' error'
        : message.role === 'assistant' && !['stop', 'toolUse'].includes(message.stopReason)
          ? ` ${message.stopReason}`
          : ''
    return `${message.role}${state}: ${parts.join(' ')}`
  })
}
