import type { ServerSource } from '../catalog/source.ts'
import type { InventoryNotice } from '../catalog/types.ts'
import type { Config, McpServerConfig } from '../config/types.ts'
import { showName } from '../kernel/untrusted-text.ts'
import { ago } from './age.ts'
import { faultOf, quote, type Fault } from './fault.ts'
import { configFingerprint } from './fingerprint.ts'
import type { McpHub } from './hub.ts'
import { readMemory, writeMemory, type Failures, type SeenList, type ServerMemory } from './list-store.ts'
import type { RemoteTransport, Surroundings } from './settings.ts'

export interface DiscoverOptions extends Surroundings {
  readonly config: Config
  readonly stateDir: string
  /** Milliseconds since 1970. */
  readonly clock: () => number
  /** Whether servers may be started and dialled; else only what was seen last is told. */
  readonly dial: boolean
  /** Names of the servers to dial; the others are as seen last. Absent: every server that is not switched off. */
  readonly only?: readonly string[]
  /** Dials servers that failed repeatedly, too. */
  readonly insist?: boolean
  /** Version of this program, told to servers. */
  readonly version?: string
  readonly signal?: AbortSignal
  /** Milliseconds for all servers together. */
  readonly budgetMs?: number
  /** Connections to use and to leave open for calls; else those that are made here end here. */
  readonly hub?: McpHub
  /** Called whenever a server is done, with the names of those that are not. */
  readonly onProgress?: (waiting: readonly string[]) => void
}

/** How one configured server was found. */
export interface ServerReport {
  readonly name: string
  /** The transport that worked; null where none did or none was tried. */
  readonly transport: 'stdio' | RemoteTransport | null
  readonly status: 'connected' | 'failed' | 'seen' | 'unseen' | 'disabled'
  readonly toolCount: number
  /** Milliseconds since 1970. */
  readonly seenAt: number | null
  readonly cause: Fault | null
  /** Milliseconds since 1970 of the failure, where it was not just now. */
  readonly failedAt: number | null
  readonly latency: { readonly connectMs: number; readonly listMs: number } | null
  readonly serverInfo: { readonly name: string; readonly version: string } | null
  readonly protocolVersion: string | null
  /** What was odd and did no harm. */
  readonly remarks: readonly string[]
}

export interface Discovery {
  readonly servers: readonly ServerSource[]
  readonly notices: readonly InventoryNotice[]
  readonly reports: readonly ServerReport[]
}

const defaultBudgetMs = 90_000
const atOnce = 8
/** So many failures in a row, and a server is left alone for so long (tool search facts §5.4). */
const cooldown = { failures: 3, ms: 60_000 }

interface Candidate {
  readonly name: string
  readonly config: McpServerConfig
  readonly fingerprint: string
  readonly memory: ServerMemory
}

interface Found {
  /** Absent for a server of which nothing at all is known. */
  readonly source?: ServerSource
  readonly report: ServerReport
  readonly notices?: readonly InventoryNotice[]
}

/**
 * Finds the tools of the configured MCP servers: from what was seen last, or by asking. A server that fails costs only itself: it
 * is `failed` with the cause and with the list it had before, if any. Throws nothing but the reason of an aborted signal.
 */
export async function discoverServers(options: DiscoverOptions): Promise<Discovery> {
  const { config, stateDir, only, dial, insist = false } = options
  const now = options.clock()
  const candidates = Object.entries(config.mcp?.servers ?? {}).map(([name, server]): Candidate => {
    const fingerprint = configFingerprint(server)
    return { name, config: server, fingerprint, memory: readMemory(stateDir, name, fingerprint) }
  })
  const dialled = candidates.filter(({ name, config: server, memory }) => {
    const wanted = only === undefined ? server.enabled !== false : only.includes(name)
    return dial && wanted && (insist || !coolsDown(memory.failures, now))
  })
  const asked = dialled.length === 0 ? new Map<Candidate, Found>() : await ask(dialled, options)
  const found = candidates.map((each) => asked.get(each) ?? fromMemory(each, now, dial))
  return {
    servers: found.flatMap(({ source }) => source ?? []),
    notices: found.flatMap(({ notices }) => notices ?? []),
    reports: found.map(({ report }) => report),
  }
}

function coolsDown(failures: Failures | null, now: number): failures is Failures {
  if (failures === null || failures.count < cooldown.failures) return false
  // A clock that was set back must not keep a server out for years.
  return Math.abs(now - failures.lastAt) < cooldown.ms
}

/** What is known of a server that was not asked now. */
function fromMemory(candidate: Candidate, now: number, dial: boolean): Found {
  const { name, config, memory } = candidate
  const { list, failures } = memory
  const isOff = config.enabled === false
  const cause =
    dial && !isOff && coolsDown(failures, now) ? coolingFault(failures, now) : (failures?.cause ?? null)
  const report: ServerReport = {
    ...emptyReport(candidate),
    status: isOff ? 'disabled' : cause?.kind === 'cooldown' ? 'failed' : list === null ? 'unseen' : 'seen',
    cause,
    failedAt: failures?.lastAt ?? null,
  }
  const failed =
    failures === null ? '' : `the last try, ${ago(failures.lastAt, now)}, failed: ${failures.cause.message}`
  if (cause?.kind === 'cooldown') return { report, source: failedSource(candidate, cause, now) }
  if (list !== null) {
    const lastSeen = failed === '' || isOff ? ago(list.seenAt, now) : `${ago(list.seenAt, now)}; ${failed}`
    return { report, source: { ...seenSource(name, list, now), status: 'connected', lastSeen } }
  }
  if (failed === '' || isOff) return { report }
  return { report, source: { name, status: 'failed', error: failed, tools: [] } }
}

function coolingFault({ count, lastAt, cause }: Failures, now: number): Fault {
  const seconds = Math.max(1, Math.ceil((lastAt + cooldown.ms - now) / 1000))
  return {
    kind: 'cooldown',
    message: `it failed ${count} times in a row and is left alone for ${seconds} s more; the last time ${cause.message}`,
  }
}

function seenSource(name: string, list: SeenList, now: number) {
  return {
    name,
    seenAt: new Date(list.seenAt).toISOString(),
    lastSeen: ago(list.seenAt, now),
    tools: list.tools,
  }
}

function failedSource({ name, memory: { list } }: Candidate, cause: Fault, now: number): ServerSource {
  return {
    ...(list === null ? { name, tools: [] } : seenSource(name, list, now)),
    status: 'failed',
    error: cause.message,
  }
}

function emptyReport({ name, memory: { list } }: Candidate): ServerReport {
  return {
    name,
    status: 'unseen',
    toolCount: list?.tools.length ?? 0,
    seenAt: list?.seenAt ?? null,
    cause: null,
    failedAt: null,
    transport: null,
    latency: null,
    serverInfo: null,
    protocolVersion: null,
    remarks: [],
  }
}

/** Asks several servers at once and waits until each has answered, failed or run out of time. */
async function ask(
  candidates: readonly Candidate[],
  options: DiscoverOptions,
): Promise<Map<Candidate, Found>> {
  // Both before any clock starts to run: the protocol library is a third of a second of start-up.
  const [{ McpHub: Hub }] = await Promise.all([import('./hub.ts'), import('./connection.ts')])
  const hub = options.hub ?? new Hub({ ...options, version: options.version ?? '0' })
  const outer = options.signal ?? new AbortController().signal
  const budget = AbortSignal.timeout(options.budgetMs ?? defaultBudgetMs)
  const waiting = new Set(candidates)
  const found = new Map<Candidate, Found>()
  const queue = candidates.values()
  const work = async () => {
    for (const candidate of queue) {
      found.set(candidate, await askOne(candidate, hub, { options, outer, budget }))
      waiting.delete(candidate)
      tell()
    }
  }
  const tell = () => options.onProgress?.([...waiting].map(({ name }) => name))
  tell()
  // All of them end even when one is given up, because each has a process to end.
  const ended = await Promise.allSettled(Array.from({ length: Math.min(atOnce, candidates.length) }, work))
  if (options.hub === undefined) await hub.close()
  for (const end of ended) if (end.status === 'rejected') throw end.reason
  return found
}

interface Asking {
  readonly options: DiscoverOptions
  readonly outer: AbortSignal
  readonly budget: AbortSignal
}

async function askOne(candidate: Candidate, hub: McpHub, { options, outer, budget }: Asking): Promise<Found> {
  const { name, fingerprint, memory } = candidate
  const { stateDir, clock } = options
  const notices = hub.settings(name).ignored.map(({ key, message }): InventoryNotice => ({
    id: 'mcp-config',
    severity: 'warning',
    message: `MCP server "${showName(name)}": ${message}`,
    path: ['mcp', 'servers', name, ...key],
  }))
  try {
    const listing = await hub.list(name, { signal: AbortSignal.any([outer, budget]) })
    const { tools, connection, connectMs, listMs } = listing
    const { transport, serverInfo, protocolVersion, remarks } = connection
    const now = clock()
    writeMemory(stateDir, name, fingerprint, { list: { seenAt: now, tools }, failures: null })
    const report: ServerReport = {
      ...emptyReport(candidate),
      status: 'connected',
      toolCount: tools.length,
      seenAt: now,
      transport,
      latency: { connectMs, listMs },
      serverInfo,
      protocolVersion,
      remarks,
    }
    return { report, notices, source: { name, status: 'connected', tools } }
  } catch (error) {
    outer.throwIfAborted()
    const cause = budget.aborted ? outOfTime(options.budgetMs) : (faultOf(error) ?? unforeseen(error))
    const now = clock()
    const count = (memory.failures?.count ?? 0) + 1
    writeMemory(stateDir, name, fingerprint, { list: memory.list, failures: { count, lastAt: now, cause } })
    const report: ServerReport = { ...emptyReport(candidate), status: 'failed', cause, failedAt: now }
    return { report, notices, source: failedSource(candidate, cause, now) }
  } finally {
    // Its process need not wait for slower servers.
    if (options.hub === undefined) await hub.release(name)
  }
}

function outOfTime(budgetMs = defaultBudgetMs): Fault {
  return {
    kind: 'timeout',
    message: `it was not reached within the ${budgetMs / 1000} s for all servers together`,
  }
}

/** A fault of this program or of the library is one of the server at hand, too: it must not cost the others. */
function unforeseen(error: unknown): Fault {
  return { kind: 'protocol', message: `talking to it failed: ${quote(String(error), [])}` }
}
