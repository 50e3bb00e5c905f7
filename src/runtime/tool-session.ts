import { randomBytes } from 'node:crypto'
import { approvalDesk, type Prompt } from '../calls/approvals/desk.ts'
import { ApprovalStore } from '../calls/approvals/store.ts'
import type { CodeRunner } from '../calls/code-runner.ts'
import { ToolRun } from '../calls/tool-run.ts'
import type { InventorySource } from '../catalog/source.ts'
import { OpenClawError } from '../kernel/errors.ts'
import type { Notice } from '../kernel/path.ts'
import type { ServerReport } from '../mcp/discovery.ts'
import { McpHub } from '../mcp/hub.ts'
import type { Backends } from '../plugins/backends.ts'
import type { View } from '../policy/view.ts'
import type { SessionRequest } from '../sessions/request.ts'
import { createRedactor } from '../telemetry/redaction.ts'
import type { CodingTools } from '../tools/coding-tools.ts'
import type { ToolServices } from '../tools/options.ts'
import type { AskUser } from '../tools/sessions/ask.ts'
import { openCase, type Case, type CaseOptions, type CaseQuery } from './case.ts'
import { stampOf } from './config-stamp.ts'
import { corePart, openCoreTools } from './core-tools/open.ts'
import { localServices } from './core-tools/services.ts'
import type { ElevatedTurn } from './elevated.ts'
import { openJournal, type Journal } from './journal.ts'
import { requireKnownLimits } from './known-limits.ts'
import { loadPlugins, withLivePlugins, type LivePlugins } from './live-plugins.ts'
import { askServers, serverNotices, type DialOptions } from './mcp-servers.ts'
import { SessionCalls } from './session-calls.ts'

/** What a session that runs tools is opened with. */
export interface ToolSessionOptions {
  readonly options: CaseOptions
  readonly query: CaseQuery
  readonly dial: DialOptions & { readonly version: string; readonly signal: AbortSignal }
  /** Answers to approvals: a person, or a yes given in advance. */
  readonly prompt?: Prompt | undefined
  readonly yes?: boolean | undefined
  /** Answers to questions of agents: by a person. */
  readonly askUser?: AskUser | undefined
  readonly code: CodeRunner | null
  /** Where calls are written; else into the journal of calls from the command line. */
  readonly journal?: ((each: Case, view: View) => Journal) | undefined
  /** Listen to what servers say about their tools; `refresh` then asks them again. */
  readonly follow?: boolean | undefined
  /** The program makes one call and ends. */
  readonly once?: boolean | undefined
  /** Names the run, where whoever begins it wants to know it again. */
  readonly runId?: string | undefined
  /** What this program offers to built-in tools, where sessions share it. */
  readonly services?: ToolServices | undefined
  /** Where plugins and this session say what is beside the answer. */
  readonly tell: (text: string) => void
}

const nothing: InventorySource = { plugins: [], servers: [], client: [], channel: [], providers: {} }

/** A session whose tools can really be called from here: plugins run in this process, MCP servers are dialled when they are needed. */
export class ToolSession {
  readonly run: ToolRun
  readonly runId: string
  readonly services: ToolServices
  /** What was ordered about elevated for the turn that is under way. */
  readonly elevated: ElevatedTurn = {}
  /** The calls of this session, and where they are written. */
  readonly log: SessionCalls
  readonly #options: ToolSessionOptions
  readonly #plugins: LivePlugins
  readonly #hub: McpHub | null
  readonly #core: CodingTools | null
  readonly #dialled = new Map<string, ServerReport>()
  readonly #notices: Notice[] = []
  readonly #changed = new Set<string>()
  #each: Case
  #stamp: string
  #source: InventorySource
  #view: View

  private constructor(each: Case, view: View, plugins: LivePlugins, options: ToolSessionOptions) {
    const { loaded, config } = each
    const { cwd, env } = options.options
    this.#each = each
    this.#stamp = stampOf(each)
    this.#options = options
    this.#plugins = plugins
    this.#source = withLivePlugins(each.discovered?.source ?? nothing, plugins)
    this.#view = each.discovered === null ? view : each.rediscover(view, this.#source)
    this.#hub =
      loaded && each.inventory === null
        ? new McpHub({
            config,
            cwd,
            env,
            home: loaded.home,
            version: options.dial.version,
            ...(options.follow === true && { onListChanged: (server) => void this.#changed.add(server) }),
          })
        : null
    this.services = options.services ?? localServices(options, options.once === true ? 'call' : 'run')
    this.runId = options.runId ?? `cli-${randomBytes(4).toString('hex')}`
    const { agentId, sessionKey } = view.context
    const journal =
      options.journal?.(each, view) ?? openJournal(each, { agentId, sessionKey, cwd, tell: options.tell })
    this.log = new SessionCalls(journal, createRedactor(config, loaded?.authored), {
      runId: this.runId,
      view: () => this.#view,
      telemetry: () => this.run.telemetry(),
    })
    this.#core = openCoreTools({
      each,
      backends: plugins.backends,
      view: () => this.#view,
      runId: this.runId,
      env,
      cwd,
      clock: Date.now,
      tell: options.tell,
      services: this.services,
      elevated: this.elevated,
    })
    const store = loaded === null ? null : new ApprovalStore(loaded.stateDir, Date.now)
    this.run = new ToolRun({
      view: () => this.#view,
      parts: {
        ...corePart(this.#core, each),
        pluginTool: (pluginId, name) => plugins.tool(pluginId, name),
        ...(this.#hub && { hub: this.#hub }),
        ...(each.inventory !== null && {
          declaredOnly: 'an inventory stands in for this machine, and nothing here can run what it declares',
        }),
      },
      hooks: plugins.hooks,
      approvals: approvalDesk({
        store,
        prompt: options.prompt,
        yes: options.yes,
        ...(loaded !== null && {
          // Few calls have a yes for always, and no start should pay for it.
          keep: async (approval) => {
            const { keepAnswer } = await import('./lasting-answers.ts')
            await keepAnswer(loaded.stateDir, approval, Date.now())
          },
        }),
      }),
      record: (event) => this.log.record(event),
      context: { agentId, sessionKey, runId: this.runId },
      clock: Date.now,
      stateDir: loaded?.stateDir ?? null,
      code: view.context.supports.permission ? options.code : null,
    })
    process.once('exit', this.log.end)
  }

  /** Reads the case and runs the code of its plugins; dials nobody yet. Errors as `openCase`. */
  static async open(options: ToolSessionOptions): Promise<ToolSession> {
    const { tell } = options
    const each = await openCase(options.options, options.query)
    const view = await each.view()
    requireKnownLimits(each, view)
    const logger = {
      debug: () => {},
      info: tell,
      warn: tell,
      error: tell,
    }
    const plugins = await loadPlugins(each, view, logger)
    return new ToolSession(each, view, plugins, options)
  }

  /** The config with the session, as it was read last. */
  get each(): Case {
    return this.#each
  }

  /** What plugins bring besides tools and hooks. */
  get backends(): Backends {
    return this.#plugins.backends
  }

  /** The session as it is judged by what is known now. */
  get view(): View {
    return this.#view
  }

  /** What was odd about plugins and servers. */
  get notices(): readonly Notice[] {
    return [...this.each.notices, ...this.#plugins.notices, ...this.#notices]
  }

  /** How a server was found, if it was asked. */
  report(server: string): ServerReport | undefined {
    return this.#dialled.get(server)
  }

  /** Names of servers that are on and were not asked yet. */
  get undialled(): readonly string[] {
    if (this.#hub === null) return []
    return Object.entries(this.each.config.mcp?.servers ?? {}).flatMap(([name, { enabled }]) =>
      enabled === false || this.#dialled.has(name) ? [] : [name],
    )
  }

  /** Asks servers for their tools and judges the session again by what they say; connections stay open for calls. */
  async dial(servers: readonly string[]): Promise<void> {
    const { loaded, config, locate } = this.each
    if (this.#hub === null || loaded === null || servers.length === 0) return
    const { options, dial } = this.#options
    const input = {
      loaded,
      config,
      locate,
      cwd: options.cwd,
      env: options.env,
      dial: { ...dial, only: servers, hub: this.#hub },
    }
    const found = await askServers(input)
    for (const report of found.reports)
      if (servers.includes(report.name)) this.#dialled.set(report.name, report)
    const fresh = new Map(found.servers.map((server) => [server.name, server]))
    // Those asked earlier said it better than what was remembered of them.
    const kept = this.#source.servers.filter(
      ({ name }) => !fresh.has(name) || (this.#dialled.has(name) && !servers.includes(name)),
    )
    const taken = new Set(kept.map(({ name }) => name))
    const rest = found.servers.filter(({ name }) => !taken.has(name))
    this.#source = { ...this.#source, servers: [...kept, ...rest] }
    this.#view = this.each.rediscover(this.#view, this.#source)
    this.#notices.push(...serverNotices(found, input))
  }

  /**
   * Judges the session anew, for this model, by the config as it is now and by what servers have said since; a config that has become invalid
   * is not taken, and that is told. Code of plugins and connections to servers stay as they are.
   */
  async refresh(model: Pick<SessionRequest, 'provider' | 'model'>): Promise<View> {
    await this.#reload()
    const changed = [...this.#changed]
    this.#changed.clear()
    await this.dial(changed)
    const { provider, model: id } = this.#view.context
    if (provider !== model.provider || id !== model.model) {
      this.#view = this.#each.withModel(this.#view, model)
    }
    return this.#view
  }

  async #reload(): Promise<void> {
    const stamp = stampOf(this.#each)
    if (stamp === this.#stamp) return
    this.#stamp = stamp
    const { options, query, tell } = this.#options
    try {
      const each = await openCase(options, query)
      const found = withLivePlugins(each.discovered?.source ?? nothing, this.#plugins)
      const dialled = this.#source.servers.filter(({ name }) => this.#dialled.has(name))
      const servers = found.servers.map(
        (server) => dialled.find(({ name }) => name === server.name) ?? server,
      )
      this.#source = { ...found, servers }
      this.#view = each.rediscover(await each.view(), this.#source)
      this.#each = each
      this.#stamp = stampOf(each)
    } catch (error) {
      if (!(error instanceof OpenClawError)) throw error
      tell(`the config has changed and is not taken: ${error.message}`)
    }
  }

  /** Writes the calls that a control's call made. */
  writeNested(callId: string): void {
    this.log.writeNested(callId)
  }

  /** Ends a turn of a model in the log. */
  endTurn(turn: Parameters<SessionCalls['endTurn']>[0]): void {
    this.log.endTurn(turn)
  }

  /** Ends the turn in the log, and every connection. */
  async close(): Promise<void> {
    process.removeListener('exit', this.log.end)
    try {
      this.log.end()
    } finally {
      // What this program runs for other sessions ends before the program does.
      if (this.#options.services === undefined) await this.services.sessions?.done()
      await Promise.all([this.#core?.close(), this.#hub?.close()])
      if (this.#options.services === undefined) await this.services.processes?.close()
    }
  }
}

/** A session for the time of some work; it is closed however the work ends. */
export async function withToolSession<Result>(
  options: ToolSessionOptions,
  work: (session: ToolSession) => Promise<Result>,
): Promise<Result> {
  const session = await ToolSession.open(options)
  try {
    return await work(session)
  } finally {
    await session.close()
  }
}
