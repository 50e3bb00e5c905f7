import { createHash, randomUUID } from 'node:crypto'
import { catalogResult, type CatalogResult } from '../../catalog/catalog.ts'
import { buildInventory } from '../../catalog/inventory.ts'
import { agentIds, agentKey, defaultAgentId, findAgent, requireAgentId } from '../../config/agents.ts'
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
import { showName } from '../../kernel/untrusted-text.ts'
import { McpHub } from '../../mcp/hub.ts'
import { parseSessionKey } from '../../sessions/key.ts'
import { parseModel, type SessionRequest } from '../../sessions/request.ts'
import { saveSessionEntry, writableStore } from '../../sessions/store-write.ts'
import { openSessionStore, type StoredSession } from '../../sessions/store.ts'
import { isMainSession, mainSessionKey, resolveTarget, type SessionTarget } from '../../sessions/target.ts'
import { createRedactor } from '../../telemetry/redaction.ts'
import type { Case, CaseOptions } from '../case.ts'
import { editionOf, getConfigValue } from '../config-view.ts'
import type { ToolServices } from '../../tools/options.ts'
import { gatewayServices } from '../core-tools/services.ts'
import { GatewayApprovals } from './approvals.ts'
import { lastingCodeRunner } from './code-runner.ts'
import { ConfigState, type AcceptedConfig } from './config-state.ts'
import { Listing } from './listing.ts'
import { LiveSession, type SessionParts } from './live-session.ts'
import { openLive, PluginShelf, type LiveCase } from './live-view.ts'
import { StoredEntries } from './stored-entries.ts'

/** Sessions that are kept judged. */
const mostSessions = 128
const mostTargets = 4_096
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

/** A session as callers write it. */
interface KnownTarget {
  readonly target: SessionTarget
  readonly isMain: boolean
}

/** What one config in force brings along. */
interface Running {
  readonly each: Case
  readonly revision: number
  readonly hub: McpHub | null
  readonly parts: SessionParts
  readonly shelf: PluginShelf
  readonly entries: StoredEntries
  readonly hash: string
  readonly sessions: Map<string, Promise<LiveSession>>
  /** Sessions by the way in which callers write them. */
  readonly targets: Map<string, KnownTarget>
}

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
    const { target } = knownTarget(running, ref)
    const { session } = await running.entries.find(target, true)
    const { agentId, sessionKey } = target
    const request = { ...asked, agentId, sessionKey }
    const live = await openLive(running.each, running.shelf, request, session?.entry ?? null)
    return { ...live, revision: running.revision }
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

  async session(ref: SessionRef, { exists, owner, route }: SessionOptions): Promise<HostSession> {
    const running = this.#running
    const { target, isMain } = knownTarget(running, ref)
    let found = await running.entries.find(target)
    if (found.session === null && exists !== 'any' && !(exists === 'stored-or-main' && isMain)) {
      found = await running.entries.find(target, true)
      if (found.session === null) throw unknownSession(ref, target)
    }
    const { session, stamp } = found
    const { agentId, sessionKey } = target
    const id = JSON.stringify([agentId, sessionKey, owner !== false, route ?? null, stamp])
    const known = running.sessions.get(id)
    if (known !== undefined) {
      // Set anew, so that the map stays in the order of use.
      running.sessions.delete(id)
      running.sessions.set(id, known)
      return known
    }
    const request = { agentId, sessionKey, ...route, ...(owner === false && { isOwner: false }) }
    const opened = openLive(running.each, running.shelf, request, session?.entry ?? null).then((live) =>
      LiveSession.open(live, running.parts),
    )
    running.sessions.set(id, opened)
    opened.catch(() => running.sessions.delete(id))
    this.#trim(running)
    return opened
  }

  async listSessions(agentId: string | undefined): Promise<readonly StoredSession[]> {
    const { config } = this.#running.each
    const agents = agentId === undefined ? agentIds(config) : [knownAgent(config, agentId)]
    const { sessions } = await openSessionStore(this.#places()).listSessions(agents)
    return sessions
  }

  async getSession(ref: SessionRef): Promise<StoredSession> {
    const target = targetOf(this.#running.each.config, ref)
    const { session } = await this.#running.entries.find(target, true)
    if (session === null) throw unknownSession(ref, target)
    return session
  }

  async createSession({ label, model, ...ref }: NewSession): Promise<{
    readonly session: StoredSession
    readonly created: boolean
  }> {
    const target = targetOf(this.#running.each.config, ref)
    const { agentId, sessionKey } = target
    if (/(?:^|:)incognito-/i.test(sessionKey)) {
      throw new OpenClawError('INPUT_INVALID', 'session keys with incognito- are reserved')
    }
    const known = await this.#running.entries.find(target, true)
    if (known.session !== null) return { session: known.session, created: false }
    const places = this.#places()
    const store = writableStore(places, agentId) ?? writableStore({ ...places, store: undefined }, agentId)
    if (store === null)
      throw new OpenClawError('INPUT_INVALID', `sessions of agent "${agentId}" cannot be stored`)
    const chosen = model === undefined ? {} : parseModel(model)
    await saveSessionEntry(store, sessionKey, {
      sessionId: randomUUID(),
      updatedAt: this.#options.clock(),
      ...(label !== undefined && { label }),
      ...(chosen.provider !== undefined && { providerOverride: chosen.provider }),
      ...(chosen.model !== undefined && { modelOverride: chosen.model }),
    })
    return { session: await this.getSession(ref), created: true }
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
    const { sessions, hub } = this.#running
    for (const session of await Promise.allSettled(sessions.values())) {
      if (session.status === 'fulfilled') session.value.close()
    }
    await Promise.allSettled([
      hub?.close(),
      this.#code.close(),
      this.#services.processes?.close(),
      this.#services.browsers?.close(),
    ])
  }

  #places() {
    const { loaded, config } = this.#running.each
    if (loaded === null) throw new OpenClawError('INTERNAL', 'a server needs a config of this machine')
    return { stateDir: loaded.stateDir, homeDir: loaded.home, store: config.session?.store }
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

  /** Makes what a config in force needs; connections to MCP servers stay where their part of the config is the same. */
  #begin({ each, revision }: AcceptedConfig, before: Running | null): Running {
    const { loaded, config } = each
    const { clock, log, options, version } = this.#options
    if (loaded === null) throw new OpenClawError('INTERNAL', 'a server needs a config of this machine')
    const { cwd, env } = options
    const isSameMcp = before !== null && stableJson(before.each.config.mcp) === stableJson(config.mcp)
    const hub = isSameMcp
      ? before.hub
      : Object.keys(config.mcp?.servers ?? {}).length === 0
        ? null
        : new McpHub({
            config,
            cwd,
            env,
            home: loaded.home,
            version,
            onListChanged: (server) => void this.#listing.ask([server]),
          })
    const parts: SessionParts = {
      hub,
      approvals: this.#approvals,
      code: this.#code.run,
      redactor: createRedactor(config, loaded.authored),
      services: this.#services,
      env,
      cwd,
      clock,
      tell: (text) => log('warn', text),
    }
    const entries = new StoredEntries(
      { stateDir: loaded.stateDir, homeDir: loaded.home, store: config.session?.store },
      ({ file, message }) => log('warn', `${file}: ${message}`),
    )
    const hash = createHash('sha256').update(stableJson(config)).digest('hex')
    const shelf = new PluginShelf(each, parts.tell)
    return { each, revision, hub, parts, shelf, entries, hash, sessions: new Map(), targets: new Map() }
  }

  #accept(now: AcceptedConfig): void {
    const { log } = this.#options
    const before = this.#running
    const running = this.#begin(now, before)
    this.#running = running
    for (const session of before.sessions.values()) session.then((each) => each.close()).catch(() => {})
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

  #trim({ sessions }: Running): void {
    for (const [id, oldest] of sessions) {
      if (sessions.size <= mostSessions) return
      sessions.delete(id)
      oldest.then((session) => session.close()).catch(() => {})
    }
  }
}

/** Parts of the config that a running server cannot follow (gateway facts §3.7). */
function needRestart(before: Config, now: Config): readonly string[] {
  const parts = { 'gateway.port': 'port', 'gateway.bind': 'bind', 'gateway.auth': 'auth' } as const
  return Object.entries(parts).flatMap(([path, key]) =>
    stableJson(before.gateway?.[key]) === stableJson(now.gateway?.[key]) ? [] : [path],
  )
}

function knownAgent(config: Config, agentId: string): string {
  try {
    return requireAgentId(config, agentId)
  } catch (error) {
    if (!(error instanceof OpenClawError)) throw error
    const { hints, data } = error
    throw new OpenClawError('UNKNOWN_AGENT', `unknown agent id "${showName(agentId)}"`, { hints, data })
  }
}

/** The session that a caller means; the words are those clients know (gateway facts §1.5). */
function targetOf(config: Config, { sessionKey, agentId }: SessionRef): SessionTarget {
  const agent = agentId === undefined ? undefined : knownAgent(config, agentId)
  if (sessionKey === undefined) return resolveTarget(config, { agentId: agent })
  const key = parseSessionKey(sessionKey)
  if (agent !== undefined && key.agentId !== null && agentKey(key.agentId) !== agentKey(agent)) {
    throw new OpenClawError(
      'USAGE',
      `agent id "${showName(agent)}" does not match session agent "${showName(key.agentId)}"`,
      { data: { agentId: agent, sessionAgentId: key.agentId } },
    )
  }
  if (key.agentId !== null && findAgent(config, key.agentId) === undefined) knownAgent(config, key.agentId)
  return resolveTarget(config, { sessionKey, agentId: agent })
}

/** `targetOf`, once for every way to write a session. */
function knownTarget({ targets, each }: Running, ref: SessionRef): KnownTarget {
  const written = `${ref.agentId ?? ''}\n${ref.sessionKey ?? ''}`
  const known = targets.get(written)
  if (known !== undefined) return known
  const target = targetOf(each.config, ref)
  const made = { target, isMain: isMainSession(each.config, target) }
  if (targets.size >= mostTargets) targets.clear()
  targets.set(written, made)
  return made
}

function unknownSession({ sessionKey }: SessionRef, target: SessionTarget): OpenClawError {
  const shown = showName(sessionKey ?? target.sessionKey, 200)
  return new OpenClawError('UNKNOWN_SESSION', `unknown session key "${shown}"`, {
    hints: ['sessions.list names the stored ones', 'sessions.create makes one'],
    data: { sessionKey: target.sessionKey, agentId: target.agentId },
  })
}
