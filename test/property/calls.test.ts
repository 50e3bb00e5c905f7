import { expect, test } from 'vitest'
import { approvalDesk } from '../../src/calls/approvals/desk.ts'
import type { CodeRunner } from '../../src/calls/code-runner.ts'
import type { CallsEvent } from '../../src/calls/events.ts'
import type { Executor } from '../../src/calls/executor.ts'
import { ToolRun } from '../../src/calls/tool-run.ts'
import type { CallOutcome } from '../../src/calls/types.ts'
import { isControlName } from '../../src/catalog/controls.ts'
import { catalogId } from '../../src/catalog/ids.ts'
import type { Tool } from '../../src/catalog/types.ts'
import type { Tool as PluginTool } from '../../src/plugins/authoring.ts'
import type { View } from '../../src/policy/view.ts'
import { openView, type ViewSource } from '../../src/runtime/open-view.ts'
import { randomSession } from './generators.ts'
import { naiveVisible } from './naive-evaluator.ts'
import { law, runs, seedOf } from './random.ts'
import { Random } from './seeded-random.ts'

type Asked = Parameters<CodeRunner>[0]['bridge']

const toolsPerSession = 6
const signal = new AbortController().signal
const nobody = { before_tool_call: [], after_tool_call: [] }
const noCounts = { searchCount: 0, describeCount: 0, callCount: 0 }

/** A run in which everything that exists could be executed, so that only the gate keeps anything from running. */
class OpenRun {
  readonly executed: string[] = []
  readonly events: CallsEvent[] = []
  readonly run: ToolRun
  /** What the next snippet does. */
  snippet: (tools: Asked) => Promise<unknown> = async () => null
  #calls = 0

  constructor(view: View) {
    const note = (name: string) => {
      this.executed.push(name)
      return { content: [{ type: 'text' as const, text: 'ran' }] }
    }
    const executor = (name: string): Executor => ({ run: async () => ({ result: note(name) }) })
    const plugin = (name: string): PluginTool => ({
      name,
      description: '',
      parameters: {},
      execute: async () => note(name),
    })
    const hub = {
      callTool: async (server: string, name: string) => {
        const tool = view.inventory.tools.find(
          (each) => each.mcpServer === server && each.mcpToolName === name,
        )
        return { ...note(tool?.name ?? '?'), details: { mcpServer: server, mcpTool: name }, isError: false }
      },
    }
    const code: CodeRunner = async ({ bridge }) => ({
      ok: true,
      value: await this.snippet(bridge),
      logs: [],
      telemetry: noCounts,
    })
    this.run = new ToolRun({
      view: () => view,
      // Only that one method of a hub is used.
      parts: { core: executor, pluginTool: (_id, name) => plugin(name), hub: hub as never },
      hooks: nobody,
      approvals: approvalDesk({ store: null }),
      record: (event) => this.events.push(event),
      context: { agentId: view.context.agentId, sessionKey: view.context.sessionKey },
      clock: () => 0,
      stateDir: null,
      code,
    })
  }

  call(tool: Tool, args: unknown): Promise<CallOutcome> {
    this.#calls += 1
    return this.run.call({ tool, args, callId: `c${this.#calls}`, signal })
  }

  /** What a snippet is told: the answer, or the error as the guest sees it. */
  async inCode(ask: (tools: Asked) => Promise<unknown>): Promise<unknown> {
    this.snippet = (tools) =>
      ask(tools).catch((error: unknown) => ({ thrown: String(error), ...Object(error) }))
    const result = await this.run.runCode('…', signal)
    return result.ok ? result.value : null
  }
}

/** A session with Tool Search in some mode, and often with a wide profile, so that both sides of the gate are met. */
function session(random: Random): ViewSource {
  const source = randomSession(random)
  const mode = random.pick(['code', 'tools', 'directory'] as const)
  const tools = { ...source.config.tools, toolSearch: random.chance(0.9) ? { mode } : false }
  const harness = random.chance(0.9) ? { harness: 'openclaw' as const } : {}
  return { ...source, config: { ...source.config, tools }, request: { ...source.request, ...harness } }
}

/** Every way in which a model or its snippet may ask for a tool. */
function waysTo(open: OpenRun, view: View, { name }: Tool, id: string): (() => Promise<unknown>)[] {
  const control = (wanted: string) => view.inventory.tools.find((tool) => tool.name === wanted)!
  const asked = (wanted: string, args: object) => () => open.call(control(wanted), args)
  return [
    asked('tool_call', { id: name, args: {} }),
    asked('tool_call', { id, args: {} }),
    asked('tool_call', { name, toolId: id }),
    asked('tool_call', { args: { id: name } }),
    asked('tool_describe', { id: name }),
    asked('tool_describe', { id }),
    asked('tool_search', { query: name }),
    asked('tool_search', {
      queries: [
        { query: name, limit: 20 },
        { query: id, limit: 20 },
      ],
    }),
    () => open.run.search({ query: name, limit: 20 }, { callId: 's', signal }),
    ...[name, id].flatMap((selector) => [
      () => open.inCode((tools) => tools.call({ id: selector, args: {} }, signal)),
      () => open.inCode((tools) => tools.describe({ id: selector }, signal)),
      () => open.inCode((tools) => tools.search({ query: selector, limit: 20 }, signal)),
    ]),
  ]
}

/** Ids of tools that an answer gives away, whether as hits, envelopes or suggestions; what was asked for is no news. */
function revealed(answer: unknown): Set<string> {
  const found = new Set<string>()
  const walk = (value: unknown): void => {
    if (Array.isArray(value)) value.forEach(walk)
    if (typeof value !== 'object' || value === null) return
    for (const [key, member] of Object.entries(value)) {
      if ((key === 'id' || key === 'name') && typeof member === 'string') found.add(member)
      if ((key === 'suggestions' || key === 'hints' || key === 'ids') && Array.isArray(member))
        for (const each of member) found.add(String(each))
      walk(member)
    }
  }
  walk(answer)
  return found
}

test(
  'nothing hidden is callable, describable, found or named on any path',
  { timeout: 600_000 },
  async () => {
    const seed = seedOf('calls')
    const random = new Random(seed)
    const seen = { hidden: 0, found: 0, called: 0 }
    for (let round = 0; round < runs(2_000); round++) {
      const view = openView(session(random))
      const visible = naiveVisible(view.config, view.edition, view.inventory, view.context)
      const candidates = view.inventory.tools.filter(({ name }) => !isControlName(name))
      for (const tool of random.some(toolsPerSession, candidates)) {
        const open = new OpenRun(view)
        const id = catalogId(tool)
        const at = `seed ${seed}, round ${round}, ${tool.name}`
        const direct = await open.call(tool, {})
        law((direct.status === 'ok') === open.executed.includes(tool.name), `${at}: ran, and says so`)
        const answers: unknown[] = []
        for (const way of waysTo(open, view, tool, id)) answers.push(await way())
        if (visible.has(tool.name)) {
          if (open.executed.length > 0) seen.called += 1
          const entry = open.run.catalogue.byId.get(id)
          if (entry === undefined) continue
          const hits = await open.inCode((tools) => tools.search({ query: id, limit: 1 }, signal))
          law(JSON.stringify(hits).includes(JSON.stringify(id)), `${at}: found first by its own id`)
          seen.found += 1
          continue
        }
        seen.hidden += 1
        law(open.executed.length === 0, `${at}: hidden, and ran`)
        law(direct.status !== 'ok', `${at}: hidden, and called`)
        for (const answer of answers) {
          const names = revealed(answer)
          // The call that was refused is named by whoever made it; nothing else may name it.
          law(
            !names.has(tool.name) && !names.has(id),
            `${at}: hidden, and named in ${JSON.stringify(answer)}`,
          )
        }
        const policy = open.events.filter((event) => event.type === 'policy')
        law(
          policy.some((event) => event.tool === tool.name),
          `${at}: an attempt without a record`,
        )
        law(
          policy.every(({ kind }) => kind !== 'blocked'),
          `${at}: refused for another reason`,
        )
      }
    }
    // A run that met one side only would prove little.
    expect(Math.min(...Object.values(seen))).toBeGreaterThan(runs(1_000))
  },
)
