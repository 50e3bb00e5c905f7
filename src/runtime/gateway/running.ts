import { createHash } from 'node:crypto'
import type { CodeRunner } from '../../calls/code-runner.ts'
import type { HostSession, SessionOptions, SessionRef } from '../../gateway/host.ts'
import type { Log } from '../../gateway/log.ts'
import { OpenClawError } from '../../kernel/errors.ts'
import { stableJson } from '../../kernel/stable-json.ts'
import { McpHub } from '../../mcp/hub.ts'
import type { SessionRequest } from '../../sessions/request.ts'
import type { StoreOptions } from '../../sessions/store-files.ts'
import { createRedactor } from '../../telemetry/redaction.ts'
import type { ToolServices } from '../../tools/options.ts'
import type { Case, CaseOptions } from '../case.ts'
import { refuseUnknownLimits } from '../known-limits.ts'
import type { GatewayApprovals } from './approvals.ts'
import type { AcceptedConfig } from './config-state.ts'
import { LiveSession, type SessionParts } from './live-session.ts'
import { openLive, PluginShelf, type LiveCase } from './live-view.ts'
import { StoredEntries, type FoundEntry } from './stored-entries.ts'
import { SessionTargets, unknownSession } from './targets.ts'

/** Sessions that are kept judged. */
const mostSessions = 128

/** What the server has whatever the config says. */
export interface Shared {
  readonly options: CaseOptions
  readonly version: string
  readonly log: Log
  readonly clock: () => number
  readonly approvals: GatewayApprovals
  readonly code: CodeRunner
  readonly services: ToolServices
  /** Told of an MCP server that says its tools have changed. */
  readonly onListChanged: (server: string) => void
}

/** One config in force with what it brings along: connections to MCP servers, plugins, the sessions that were judged by it. */
export class Running {
  readonly each: Case
  readonly revision: number
  readonly hub: McpHub | null
  readonly parts: SessionParts
  readonly entries: StoredEntries
  /** Where its sessions are stored. */
  readonly places: StoreOptions
  /** Of the whole config. */
  readonly hash: string
  readonly #shelf: PluginShelf
  readonly #targets: SessionTargets
  readonly #sessions = new Map<string, Promise<LiveSession>>()

  /** Makes what the config needs; connections to MCP servers stay where their part of the config is as it was `before`. */
  constructor({ each, revision }: AcceptedConfig, before: Running | null, shared: Shared) {
    const { loaded, config } = each
    if (loaded === null) throw new OpenClawError('INTERNAL', 'a server needs a config of this machine')
    const { log, options, clock, services, approvals, code } = shared
    const { cwd, env } = options
    this.each = each
    this.revision = revision
    const isSameMcp = before !== null && stableJson(before.each.config.mcp) === stableJson(config.mcp)
    this.hub = isSameMcp ? before.hub : openHub(each, loaded.home, shared)
    this.parts = {
      hub: this.hub,
      approvals,
      code,
      redactor: createRedactor(config, loaded.authored),
      services,
      env,
      cwd,
      clock,
      tell: (text) => log('warn', text),
    }
    this.places = { stateDir: loaded.stateDir, homeDir: loaded.home, store: config.session?.store }
    this.entries = new StoredEntries(this.places, ({ file, message }) => log('warn', `${file}: ${message}`))
    this.hash = createHash('sha256').update(stableJson(config)).digest('hex')
    this.#shelf = new PluginShelf(each, this.parts.tell)
    this.#targets = new SessionTargets(config)
  }

  /** A session with what a run says about it, whether or not it is stored. Errors as `session`, but for UNKNOWN_SESSION. */
  async open(ref: SessionRef, asked: SessionRequest): Promise<LiveCase> {
    const { target } = this.#targets.find(ref)
    const found = await this.entries.find(target, true)
    const { agentId, sessionKey } = target
    return this.#open({ ...asked, agentId, sessionKey }, found)
  }

  /** A session as it is judged, once for all who ask for it in the same way. Errors: USAGE, UNKNOWN_AGENT, UNKNOWN_SESSION, INPUT_INVALID for a sub-agent whose limits cannot be read. */
  async session(ref: SessionRef, { exists, owner, route }: SessionOptions): Promise<HostSession> {
    const { target, isMain } = this.#targets.find(ref)
    let found = await this.entries.find(target)
    if (found.session === null && exists !== 'any' && !(exists === 'stored-or-main' && isMain)) {
      found = await this.entries.find(target, true)
      if (found.session === null) throw unknownSession(ref, target)
    }
    const { stamp, problem } = found
    const { agentId, sessionKey } = target
    const id = JSON.stringify([agentId, sessionKey, owner !== false, route ?? null, stamp, problem])
    const known = this.#sessions.get(id)
    if (known !== undefined) {
      // Set anew, so that the map stays in the order of use.
      this.#sessions.delete(id)
      this.#sessions.set(id, known)
      return known
    }
    const request = { agentId, sessionKey, ...route, ...(owner === false && { isOwner: false }) }
    const opened = this.#open(request, found).then((live) => LiveSession.open(live, this.parts))
    this.#sessions.set(id, opened)
    opened.catch(() => this.#sessions.delete(id))
    this.#trim()
    return opened
  }

  /** Closes each session as soon as it is open. */
  async closeSessions(): Promise<void> {
    await Promise.all(
      [...this.#sessions.values()].map(async (opened) => {
        const session = await opened.catch(() => null)
        session?.close()
      }),
    )
  }

  async #open(request: SessionRequest, { session, problem }: FoundEntry): Promise<LiveCase> {
    const live = await openLive(this.each, this.#shelf, request, session?.entry ?? null)
    if (problem !== null) refuseUnknownLimits(problem, (await live.each.view()).context)
    return live
  }

  #trim(): void {
    for (const [id, oldest] of this.#sessions) {
      if (this.#sessions.size <= mostSessions) return
      this.#sessions.delete(id)
      oldest.then((session) => session.close()).catch(() => {})
    }
  }
}

function openHub({ config }: Case, home: string, { options, version, onListChanged }: Shared): McpHub | null {
  if (Object.keys(config.mcp?.servers ?? {}).length === 0) return null
  const { cwd, env } = options
  return new McpHub({ config, cwd, env, home, version, onListChanged })
}
