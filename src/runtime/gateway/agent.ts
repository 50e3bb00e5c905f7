import type { AgentResult } from '../../agent/events.ts'
import { SessionLanes } from '../../agent/lanes.ts'
import { CallLog, type TurnFacts } from '../../calls/call-log.ts'
import type { Executor } from '../../calls/executor.ts'
import { ToolRun } from '../../calls/tool-run.ts'
import type { InventorySource } from '../../catalog/source.ts'
import type { Tool } from '../../catalog/types.ts'
import type { AgentService, ClientTool, RunRequest } from '../../gateway/agent-service.ts'
import type { Backends } from '../../plugins/backends.ts'
import type { View } from '../../policy/view.ts'
import { parseModel, type SessionRequest } from '../../sessions/request.ts'
import type { CodingTools } from '../../tools/coding-tools.ts'
import type { ToolServices } from '../../tools/options.ts'
import { Transcript } from '../agent-journal.ts'
import { answerIn, inLane, type RunSession } from '../agent-run.ts'
import type { Case } from '../case.ts'
import { corePart, openCoreTools } from '../core-tools/open.ts'
import type { ElevatedTurn } from '../elevated.ts'
import type { RuntimeHost } from './host.ts'
import type { LiveCase } from './live-view.ts'

/** Runs agents in this process: by the config that is in force when a turn begins, over the connections that are there. */
export class RuntimeAgents implements AgentService {
  readonly #host: RuntimeHost
  readonly #lanes = new SessionLanes()

  constructor(host: RuntimeHost) {
    this.#host = host
  }

  async run(request: RunRequest): Promise<AgentResult> {
    const { message, directive, emit, signal, stream } = request
    const host = this.#host
    const { options, parts, version } = host
    await host.listed(signal)
    const first = await openRun(host, request)
    return inLane(first, this.#lanes, { signal, tell: parts.tell }, async () => {
      const transcript = new Transcript(parts.tell)
      const session = new AgentTurns(host, request, first, transcript)
      const asked = { text: message, directive, emit, signal, options, version, tell: parts.tell, stream }
      try {
        return await parts.approvals.waiting(() => answerIn(session, transcript, asked))
      } finally {
        await session.close()
      }
    })
  }
}

interface OpenRun extends LiveCase {
  readonly view: View
  readonly revision: number
}

/** The session of a run as the config in force has it, with the tools that its client brings along. */
async function openRun(host: RuntimeHost, request: RunRequest): Promise<OpenRun> {
  const { agentId, sessionKey, model, owner, bounds, clientTools = [] } = request
  const asked: SessionRequest = {
    ...(model !== undefined && parseModel(model)),
    ...(!owner && { isOwner: false }),
    ...bounds,
  }
  const live = await host.open({ agentId, sessionKey }, asked)
  const view = await live.each.view()
  if (clientTools.length === 0) return { ...live, view }
  const source: InventorySource = { ...live.source, client: clientTools.map(declared) }
  return { ...live, source, view: live.each.rediscover(view, source) }
}

function declared({ name, description, parameters }: ClientTool): object {
  return { name, ...(description !== undefined && { description }), ...(parameters && { parameters }) }
}

/** The tools of one run, judged anew for every request to the model. */
class AgentTurns implements RunSession {
  readonly run: ToolRun
  readonly runId: string
  readonly elevated: ElevatedTurn
  readonly #host: RuntimeHost
  readonly #request: RunRequest
  readonly #log: CallLog
  readonly #core: CodingTools | null
  #now: OpenRun

  constructor(host: RuntimeHost, request: RunRequest, first: OpenRun, transcript: Transcript) {
    this.#host = host
    this.#request = request
    this.#now = first
    this.runId = request.runId
    const { client, owner } = request
    this.elevated =
      client !== undefined && owner ? { origin: { channel: 'webchat', sender: { id: client } } } : {}
    const { parts } = host
    const { agentId, sessionKey, supports } = first.view.context
    this.#log = new CallLog(transcript.target, parts.redactor)
    this.#core = openCoreTools({
      ...parts,
      each: first.each,
      backends: first.plugins.backends,
      view: () => this.#now.view,
      runId: this.runId,
    })
    this.run = new ToolRun({
      view: () => this.#now.view,
      parts: {
        ...corePart(this.#core, first.each),
        pluginTool: (pluginId, name) => this.#now.plugins.tool(pluginId, name),
        ...(parts.hub && { hub: parts.hub }),
        client: (tool) => this.#client(tool),
      },
      hooks: first.plugins.hooks,
      approvals: parts.approvals.desk,
      record: this.#log.record,
      context: { agentId, sessionKey, runId: this.runId },
      clock: parts.clock,
      stateDir: first.each.loaded?.stateDir ?? null,
      code: supports.permission ? parts.code : null,
    })
  }

  get each(): Case {
    return this.#now.each
  }

  get backends(): Backends {
    return this.#now.plugins.backends
  }

  get view(): View {
    return this.#now.view
  }

  get services(): ToolServices {
    return this.#host.parts.services
  }

  async refresh(model: Pick<SessionRequest, 'provider' | 'model'>): Promise<View> {
    if (this.#host.revision !== this.#now.revision) this.#now = await openRun(this.#host, this.#request)
    const { provider, model: id } = this.#now.view.context
    if (provider !== model.provider || id !== model.model) {
      const view = this.#now.each.withModel(this.#now.view, model)
      this.#now = { ...this.#now, view }
    }
    return this.#now.view
  }

  /** Ends what built-in tools have started for this run alone. */
  async close(): Promise<void> {
    await this.#core?.close()
  }

  writeNested(callId: string): void {
    this.#log.writeNested(callId)
  }

  endTurn(turn: Pick<TurnFacts, 'sent' | 'telemetry'>): void {
    this.#log.endTurn({ runId: this.runId, origin: 'model', view: this.#now.view, ...turn })
  }

  #client({ name }: Tool): Executor | undefined {
    const { runClientTool } = this.#request
    if (runClientTool === undefined) return undefined
    return {
      run: async (args, { callId, signal }) => {
        const text = await runClientTool({ callId, name, args }, signal)
        return { result: { content: [{ type: 'text', text }] } }
      },
    }
  }
}
