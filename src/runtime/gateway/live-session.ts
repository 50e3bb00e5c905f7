import { CallLog } from '../../calls/call-log.ts'
import type { CodeRunner } from '../../calls/code-runner.ts'
import type { CallEvent, CallsEvent } from '../../calls/events.ts'
import { ToolRun } from '../../calls/tool-run.ts'
import type { Args, CallOutcome } from '../../calls/types.ts'
import { toolKey } from '../../catalog/names.ts'
import type { InventorySource } from '../../catalog/source.ts'
import type { Tool } from '../../catalog/types.ts'
import type { HostSession, OutsideCall } from '../../gateway/host.ts'
import type { McpHub } from '../../mcp/hub.ts'
import type { EffectiveResult } from '../../policy/report.ts'
import type { View } from '../../policy/view.ts'
import type { Redactor } from '../../telemetry/redaction.ts'
import { effectiveTools, explainInCase } from '../answers.ts'
import type { Case } from '../case.ts'
import { openJournal, type Journal } from '../journal.ts'
import { loadPlugins, withLivePlugins, type LivePlugins } from '../live-plugins.ts'
import { targetNotices } from '../notices.ts'
import { skillNames } from '../skills.ts'
import { openSearch } from '../tool-search.ts'
import type { GatewayApprovals } from './approvals.ts'

/** What the sessions of one config share. */
export interface SessionParts {
  readonly hub: McpHub | null
  readonly approvals: GatewayApprovals
  readonly code: CodeRunner
  readonly redactor: Redactor
  readonly cwd: string
  readonly clock: () => number
  readonly tell: (text: string) => void
}

const nothing: InventorySource = { plugins: [], servers: [], client: [], channel: [], providers: {} }

/** Names that callers outside cannot call: the edition's list without what the config lifts, and what it adds (gateway facts §1.7). */
export function deniedOutside({ config, edition }: Pick<View, 'config' | 'edition'>): ReadonlySet<string> {
  const { allow = [], deny = [] } = config.gateway?.tools ?? {}
  const lifted = new Set(allow.map((name) => toolKey(name, edition)))
  const builtIn = edition.httpDeny.map((name) => toolKey(name, edition))
  return new Set([
    ...builtIn.filter((name) => !lifted.has(name)),
    ...deny.map((name) => toolKey(name, edition)),
  ])
}

/** A session as callers outside get it; what they cannot call is not offered by Tool Search either. */
function outsideView(view: View, denied: ReadonlySet<string>): View {
  return {
    ...view,
    exposure: (tool) => (denied.has(toolKey(tool.name, view.edition)) ? null : view.exposure(tool)),
  }
}

/** A session of one config while the server runs: judged once, its tools at hand. */
export class LiveSession implements HostSession {
  readonly agentId: string
  readonly sessionKey: string
  readonly view: View
  readonly denied: ReadonlySet<string>
  readonly #each: Case
  readonly #run: ToolRun
  readonly #parts: SessionParts
  readonly #journal: Journal
  readonly #logs = new Map<string, { readonly log: CallLog; event: CallEvent | null }>()
  #effective: Promise<EffectiveResult> | null = null
  #isClosed = false

  private constructor(each: Case, view: View, plugins: LivePlugins, parts: SessionParts) {
    const { agentId, sessionKey } = view.context
    this.agentId = agentId
    this.sessionKey = sessionKey
    this.denied = deniedOutside(view)
    this.view = outsideView(view, this.denied)
    this.#parts = parts
    this.#each = { ...each, view: async (id) => (id === undefined ? view : each.view(id)) }
    this.#journal = openJournal(each, { agentId, sessionKey, cwd: parts.cwd, tell: parts.tell })
    this.#run = new ToolRun({
      view: () => this.view,
      parts: {
        pluginTool: (pluginId, name) => plugins.tool(pluginId, name),
        ...(parts.hub && { hub: parts.hub }),
      },
      hooks: plugins.hooks,
      approvals: parts.approvals.desk,
      record: (event) => this.#record(event),
      context: { agentId, sessionKey, runId: 'gateway' },
      clock: parts.clock,
      stateDir: each.loaded?.stateDir ?? null,
      code: view.context.supports.permission ? parts.code : null,
    })
  }

  /** Judges a session and runs the code of its plugins. */
  static async open(each: Case, parts: SessionParts): Promise<LiveSession> {
    const view = await each.view()
    if (each.discovered?.plugins == null) return new LiveSession(each, view, noPlugins, parts)
    const { tell } = parts
    const logger = { debug: () => {}, info: tell, warn: tell, error: tell }
    const plugins = await loadPlugins(each, view, logger)
    for (const { message } of plugins.notices) tell(message)
    const source = withLivePlugins(each.discovered.source ?? nothing, plugins)
    return new LiveSession(each, each.rediscover(view, source), plugins, parts)
  }

  async call({ tool, args, callId, signal, confirm }: OutsideCall): Promise<CallOutcome> {
    const entry: { readonly log: CallLog; event: CallEvent | null } = {
      log: new CallLog(this.#journal.target, this.#parts.redactor),
      event: null,
    }
    this.#logs.set(callId, entry)
    try {
      const call = () => this.#run.call({ tool, args, callId, signal })
      return await (confirm ? this.#parts.approvals.waiting(call) : call())
    } finally {
      this.#logs.delete(callId)
      if (entry.event !== null) entry.log.write(entry.event)
      entry.log.endTurn({
        runId: callId,
        origin: 'operator',
        sent: null,
        view: this.view,
        telemetry: this.#run.telemetry(),
      })
      if (this.#isClosed) this.close()
    }
  }

  check(tool: Tool, args: unknown): Promise<Args> {
    return this.#run.calls.check(tool, args)
  }

  effective(): Promise<EffectiveResult> {
    this.#effective ??= effectiveTools(this.#each, true)
    return this.#effective
  }

  async explain(name: string): Promise<object> {
    const result = await explainInCase(this.#each, name, skillNames(this.#each))
    return { ...result, notices: targetNotices(this.#each, await this.#each.view()) }
  }

  async search(query: string, limit?: number): Promise<object> {
    const search = await openSearch(this.#each, limit)
    return { ...(await search.one(query)), notices: search.notices }
  }

  /** Closes the journal as soon as no call writes to it. */
  close(): void {
    this.#isClosed = true
    if (this.#logs.size === 0) this.#journal.close()
  }

  #record(event: CallsEvent): void {
    const root = ('parentCallId' in event ? event.parentCallId : undefined) ?? event.callId
    const entry = this.#logs.get(root)
    if (entry === undefined) return
    entry.log.record(event)
    if (event.type === 'call' && event.callId === root) entry.event = event
    if (event.type === 'call' && event.outcome.status === 'error') {
      const { code, message } = event.outcome
      this.#parts.tell(`${event.tool.name} failed (${code}, ${event.callId}): ${message}`)
    }
  }
}

const noPlugins: LivePlugins = {
  sources: new Map(),
  hooks: { before_tool_call: [], after_tool_call: [] },
  tool: () => undefined,
  notices: [],
}
