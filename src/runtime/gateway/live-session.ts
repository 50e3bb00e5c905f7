import { randomUUID } from 'node:crypto'
import { CallLog, type LogTarget } from '../../calls/call-log.ts'
import type { CodeRunner } from '../../calls/code-runner.ts'
import type { CallEvent, CallsEvent } from '../../calls/events.ts'
import { ToolRun } from '../../calls/tool-run.ts'
import type { Args, CallOutcome } from '../../calls/types.ts'
import { toolKey } from '../../catalog/names.ts'
import type { Tool } from '../../catalog/types.ts'
import type { HostSession, OutsideCall } from '../../gateway/host.ts'
import { JsonText } from '../../gateway/protocol.ts'
import type { McpHub } from '../../mcp/hub.ts'
import type { View } from '../../policy/view.ts'
import type { CodingTools } from '../../tools/coding-tools.ts'
import type { ToolServices } from '../../tools/options.ts'
import type { Redactor } from '../../telemetry/redaction.ts'
import { effectiveTools, explainInCase } from '../answers.ts'
import type { Case, CaseOptions } from '../case.ts'
import { corePart, openCoreTools } from '../core-tools/open.ts'
import { openJournal, type PatientJournal } from '../journal.ts'
import { targetNotices } from '../notices.ts'
import { skillNames } from '../skills.ts'
import { openSearch } from '../tool-search.ts'
import { withSessionDenied } from './session-denied.ts'
import type { GatewayApprovals } from './approvals.ts'
import type { LiveCase } from './live-view.ts'

/** What the sessions of one config share. */
export interface SessionParts {
  readonly hub: McpHub | null
  readonly approvals: GatewayApprovals
  readonly code: CodeRunner
  readonly redactor: Redactor
  /** What this program offers to built-in tools. */
  readonly services: ToolServices
  readonly env: CaseOptions['env']
  readonly cwd: string
  readonly clock: () => number
  readonly tell: (text: string) => void
}

/** Calls that are summed up together, at most, and milliseconds after the first of them. */
const callsInTurn = 500
const turnMs = 1_000
/** Milliseconds that entries wait for others to be written with. */
const writeMs = 25

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
  readonly #core: CodingTools | null
  readonly #parts: SessionParts
  /** Whatever journal is open. */
  readonly #target: LogTarget = {
    message: (message) => this.#journal.target.message(message),
    custom: (type, data) => this.#journal.target.custom(type, data),
  }
  #journal: PatientJournal
  readonly #log: CallLog
  /** Calls whose end is still to be written. */
  #ended: CallEvent[] = []
  #flushing: NodeJS.Immediate | null = null
  #turn: { calls: number; readonly timer: NodeJS.Timeout } | null = null
  #running = 0
  #writing: NodeJS.Timeout | null = null
  #effective: Promise<JsonText> | null = null
  #isClosed = false

  private constructor({ each, plugins }: LiveCase, view: View, parts: SessionParts) {
    const { agentId, sessionKey } = view.context
    this.agentId = agentId
    this.sessionKey = sessionKey
    this.denied = deniedOutside(view)
    this.view = outsideView(view, this.denied)
    this.#parts = parts
    this.#each = each
    this.#journal = this.#openJournal()
    this.#log = new CallLog(this.#target, parts.redactor)
    this.#core = openCoreTools({
      ...parts,
      each,
      backends: plugins.backends,
      view: () => this.view,
      runId: 'gateway',
    })
    this.#run = new ToolRun({
      view: () => this.view,
      parts: {
        ...corePart(this.#core, each),
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

  /** Judges a session. */
  static async open(live: LiveCase, parts: SessionParts): Promise<LiveSession> {
    return new LiveSession(live, await live.each.view(), parts)
  }

  async call({ tool, args, callId, signal, confirm }: OutsideCall): Promise<CallOutcome> {
    this.#running += 1
    try {
      const call = () => this.#run.call({ tool, args, callId, signal })
      return await (confirm ? this.#parts.approvals.waiting(call) : call())
    } finally {
      this.#running -= 1
      if (this.#isClosed) this.close()
    }
  }

  check(tool: Tool, args: unknown): Promise<Args> {
    return this.#run.calls.check(tool, args)
  }

  effective(): Promise<JsonText> {
    this.#effective ??= this.#judge()
    return this.#effective
  }

  async #judge(): Promise<JsonText> {
    const [view, result] = await Promise.all([this.#each.view(), effectiveTools(this.#each, true)])
    return new JsonText(withSessionDenied(view, result))
  }

  async explain(name: string): Promise<object> {
    const result = await explainInCase(this.#each, name, skillNames(this.#each))
    return { ...result, notices: targetNotices(this.#each, await this.#each.view()) }
  }

  async search(query: string, limit?: number): Promise<object> {
    const search = await openSearch(this.#each, limit)
    return { ...(await search.one(query)), notices: search.notices }
  }

  /** Writes what is to be written and closes the journal as soon as no call is under way. */
  close(): void {
    this.#isClosed = true
    if (this.#running > 0) return
    this.#endTurn()
    this.#journal.close()
    void this.#core?.close()
  }

  #openJournal(): PatientJournal {
    const { cwd, tell } = this.#parts
    return openJournal(this.#each, { agentId: this.agentId, sessionKey: this.sessionKey, cwd, tell })
  }

  #record(event: CallsEvent): void {
    this.#log.record(event)
    if (event.type !== 'call') return
    if (event.outcome.status === 'error') {
      const { code, message } = event.outcome
      this.#parts.tell(`${event.tool.name} failed (${code}, ${event.callId}): ${message}`)
    }
    if (event.parentCallId !== undefined) return
    this.#ended.push(event)
    // Whoever waits for the answer gets it first.
    this.#flushing ??= setImmediate(() => this.#flush())
  }

  /** Puts the calls that have ended into the journal, which writes them a little later. */
  #flush(): void {
    if (this.#flushing !== null) clearImmediate(this.#flushing)
    this.#flushing = null
    const ended = this.#ended
    if (ended.length === 0) return
    this.#ended = []
    this.#journal.hold()
    this.#writing ??= setTimeout(() => this.#release(), writeMs).unref()
    for (const event of ended) this.#log.write(event)
    this.#turn ??= { calls: 0, timer: setTimeout(() => this.#endTurn(), turnMs).unref() }
    this.#turn.calls += ended.length
    if (this.#turn.calls >= callsInTurn) this.#endTurn()
  }

  #release(): void {
    if (this.#writing !== null) clearTimeout(this.#writing)
    this.#writing = null
    this.#journal.release()
  }

  /** Sums up the calls since the last time; an outside caller has no turns of its own. */
  #endTurn(): void {
    this.#flush()
    if (this.#turn === null) return
    clearTimeout(this.#turn.timer)
    this.#turn = null
    const telemetry = this.#run.telemetry()
    const runId = `gateway-${randomUUID().slice(0, 8)}`
    this.#log.endTurn({ runId, origin: 'operator', sent: null, view: this.view, telemetry })
    this.#release()
    // A journal that has grown large gives way to a new one when it is opened.
    this.#journal.close()
    this.#journal = this.#openJournal()
  }
}
