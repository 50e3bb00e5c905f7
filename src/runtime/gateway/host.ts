import { catalogResult, type CatalogResult } from '../../catalog/catalog.ts'
import { buildInventory } from '../../catalog/inventory.ts'
import { agentIds, defaultAgentId } from '../../config/agents.ts'
import type { Config } from '../../config/types.ts'
import type {
  GatewayHost,
  HostSession,
  HostState,
  NewSession,
  SessionOptions,
  SessionRef,
} from '../../gateway/host.ts'
import type { AgentService } from '../../gateway/agent-service.ts'
import type { Log } from '../../gateway/log.ts'
import type { EventName } from '../../gateway/protocol.ts'
import type { Scope } from '../../gateway/scopes.ts'
import type { ApprovalAnswer, StoredApproval } from '../../calls/approvals/types.ts'
import { OpenClawError } from '../../kernel/errors.ts'
import { stableJson } from '../../kernel/stable-json.ts'
import type { SessionRequest } from '../../sessions/request.ts'
import { openSessionStore, type StoredSession } from '../../sessions/store.ts'
import { mainSessionKey } from '../../sessions/target.ts'
import type { Case, CaseOptions } from '../case.ts'
import { editionOf, getConfigValue } from '../config-view.ts'
import type { ToolServices } from '../../tools/options.ts'
import { gatewayServices } from '../core-tools/services.ts'
import { GatewayApprovals } from './approvals.ts'
import { lastingCodeRunner } from './code-runner.ts'
import { ConfigState, type AcceptedConfig } from './config-state.ts'
import { createSession, storedSession } from './create-session.ts'
import { Listing } from './listing.ts'
import type { SessionParts } from './live-session.ts'
import type { LiveCase } from './live-view.ts'
import { Running } from './running.ts'
import { knownAgent } from './targets.ts'

/** Milliseconds that calls over connections of an earlier config have for their end. */
const oldHubMs = 600_000

export interface HostOptions {
  readonly options: CaseOptions
  readonly version: string
  readonly log: Log
  readonly clock: () => number
  readonly agents: (host: RuntimeHost) => AgentService
}

type Listener = (event: EventName, payload: object, scope: Scope) => void

/** This machine's config, sessions and tools, for as long as the server runs. */
export class RuntimeHost implements GatewayHost {
  readonly version: string
  readonly agent: AgentService
  readonly #options: HostOptions
  readonly #config: ConfigState
  readonly #code = lastingCodeRunner()
  readonly #listeners: Listener[] = []
  /** The config that the server was started with. */
  readonly #started: Config
  readonly #closing = new AbortController()
  readonly #listing: Listing
  readonly #approvals: GatewayApprovals
  readonly #services: ToolServices
  #running: Running

  private constructor(config: ConfigState, options: HostOptions) {
    this.#options = options
    this.#config = config
    this.version = options.version
    const { loaded } = config.current.each
    if (loaded === null) throw new OpenClawError('INTERNAL', 'a server needs a config of this machine')
    this.#approvals = new GatewayApprovals(loaded.stateDir, options.clock, (approval) =>
      this.#tell('approvals.requested', { approval }, 'operator.approvals'),
    )
    this.#services = gatewayServices(this)
    this.#listing = new Listing({
      config,
      now: () => this.#running,
      version: options.version,
      signal: this.#closing.signal,
      log: options.log,
    })
    this.#started = config.current.each.config
    this.#running = this.#begin(config.current, null)
    this.agent = options.agents(this)
  }

  /** Reads the config; asks and starts nobody yet. Errors as `openCase`. */
  static async open(options: HostOptions): Promise<RuntimeHost> {
    let host: RuntimeHost | null = null
    const config = await ConfigState.open({
      options: options.options,
      onAccepted: (now) => {
        if (host !== null) host.#accept(now)
      },
      onProblem: (problem) => {
        if (host !== null) host.#tellProblem(problem)
      },
    })
    host = new RuntimeHost(config, options)
    return host
  }

  /** Watches the config and asks MCP servers for their tools, from when the server listens. */
  start(): void {
    this.#config.watch()
    void this.#listing.ask()
    this.#services.automation?.start()
  }

  /** The config in force. */
  get current(): Case {
    return this.#running.each
  }

  get revision(): number {
    return this.#running.revision
  }

  /** Fires when the server ends. */
  get closing(): AbortSignal {
    return this.#closing.signal
  }

  get options(): CaseOptions {
    return this.#options.options
  }

  /** A session of the config in force with what a run says about it, whether or not it is stored. Errors as `session`. */
  async open(ref: SessionRef, asked: SessionRequest): Promise<LiveCase & { readonly revision: number }> {
    const running = this.#running
    return { ...(await running.open(ref, asked)), revision: running.revision }
  }

  /** Waits, for some seconds at most, for MCP servers that are being asked for the first time. Throws the reason of the signal. */
  listed(signal: AbortSignal): Promise<void> {
    return this.#listing.wait(signal)
  }

  get parts(): SessionParts {
    return this.#running.parts
  }

  get state(): HostState {
    const { each, revision } = this.#running
    const { config, file, edition, loaded } = each
    const reports = each.discovered?.servers?.reports ?? []
    return {
      config,
      configFile: file,
      stateDir: loaded?.stateDir ?? '',
      edition: edition.id,
      revision,
      problem: this.#config.problem,
      restartNeeded: needRestart(this.#started, config),
      agents: agentIds(config),
      defaultAgentId: defaultAgentId(config),
      mainSessionKey: mainSessionKey(config, defaultAgentId(config)),
      mcpServers: reports.map(({ name, status }) => ({ name, status })),
    }
  }

  get configHash(): string {
    return this.#running.hash
  }

  onEvent(listener: Listener): void {
    this.#listeners.push(listener)
  }

  async catalog(agentId: string | undefined): Promise<CatalogResult> {
    const { config, edition, discovered, inventory } = this.#running.each
    const agent = agentId === undefined ? defaultAgentId(config) : knownAgent(config, agentId)
    const built = buildInventory({
      edition,
      config,
      agentId: agent,
      ...(inventory && { file: inventory }),
      ...(discovered && { discovered: discovered.source }),
    })
    return catalogResult(built, edition, agent)
  }

  session(ref: SessionRef, options: SessionOptions): Promise<HostSession> {
    return this.#running.session(ref, options)
  }

  async listSessions(agentId: string | undefined): Promise<readonly StoredSession[]> {
    const { config } = this.#running.each
    const agents = agentId === undefined ? agentIds(config) : [knownAgent(config, agentId)]
    const { sessions } = await openSessionStore(this.#running.places).listSessions(agents)
    return sessions
  }

  getSession(ref: SessionRef): Promise<StoredSession> {
    return storedSession(this.#running, ref)
  }

  createSession(wanted: NewSession): ReturnType<GatewayHost['createSession']> {
    return createSession(this.#running, wanted, this.#options.clock())
  }

  config(path: string | undefined): unknown {
    const { loaded } = this.#running.each
    if (loaded === null) throw new OpenClawError('INTERNAL', 'a server needs a config of this machine')
    return getConfigValue(loaded, path, editionOf(loaded, this.#options.options.edition))
  }

  approvals(): readonly StoredApproval[] {
    return this.#approvals.list()
  }

  async decideApproval(id: string, answer: ApprovalAnswer): Promise<StoredApproval> {
    const approval = await this.#approvals.decide(id, answer)
    this.#tell('approvals.resolved', { approval }, 'operator.approvals')
    return approval
  }

  async close(): Promise<void> {
    this.#closing.abort(new OpenClawError('ABORTED', 'the gateway is shutting down'))
    await this.#services.automation?.close()
    await this.#services.sessions?.done()
    this.#config.close()
    await this.#running.closeSessions()
    await Promise.allSettled([
      this.#running.hub?.close(),
      this.#code.close(),
      this.#services.processes?.close(),
      this.#services.browsers?.close(),
    ])
  }

  #tell(event: EventName, payload: object, scope: Scope): void {
    for (const listener of this.#listeners) listener(event, payload, scope)
  }

  #tellProblem(problem: string | null): void {
    const { log } = this.#options
    if (problem === null) log('info', 'the config is valid again')
    else log('error', `the config has changed and is not taken; the last good one stays in force: ${problem}`)
    this.#tell(
      'config.changed',
      { ok: problem === null, problem, revision: this.#running.revision },
      'operator.read',
    )
  }

  #begin(accepted: AcceptedConfig, before: Running | null): Running {
    return new Running(accepted, before, {
      ...this.#options,
      approvals: this.#approvals,
      code: this.#code.run,
      services: this.#services,
      onListChanged: (server) => void this.#listing.ask([server]),
    })
  }

  #accept(now: AcceptedConfig): void {
    const { log } = this.#options
    const before = this.#running
    const running = this.#begin(now, before)
    this.#running = running
    before.closeSessions().catch(() => {})
    const changed = running.hash !== before.hash
    if (changed) {
      const waits = needRestart(this.#started, now.each.config)
      log(
        'info',
        `the config has changed and is in force${waits.length > 0 ? `, but for ${waits.join(', ')}` : ''}`,
      )
      this.#tell(
        'config.changed',
        { ok: true, problem: null, revision: now.revision, restartNeeded: waits },
        'operator.read',
      )
    }
    this.#tell('tools.changed', { revision: now.revision }, 'operator.read')
    if (running.hub !== before.hub) {
      if (before.hub !== null) {
        const { hub } = before
        setTimeout(() => void hub.close(), oldHubMs).unref()
      }
      void this.#listing.ask()
    } else this.#listing.askIfLost()
  }
}

/** Parts of the config that a running server cannot follow (gateway facts §3.7). */
function needRestart(before: Config, now: Config): readonly string[] {
  const parts = { 'gateway.port': 'port', 'gateway.bind': 'bind', 'gateway.auth': 'auth' } as const
  return Object.entries(parts).flatMap(([path, key]) =>
    stableJson(before.gateway?.[key]) === stableJson(now.gateway?.[key]) ? [] : [path],
  )
}
