import { statSync } from 'node:fs'
import { agentIds, requireAgentId } from '../config/agents.ts'
import { OpenClawError } from '../kernel/errors.ts'
import type { Notice } from '../kernel/path.ts'
import { suggest } from '../kernel/suggest.ts'
import type { SessionEntry } from '../sessions/entry.ts'
import { tryParseSessionKey, type SessionKind } from '../sessions/key.ts'
import { earlierJournal, journalFile } from '../sessions/journal.ts'
import { openSessionStore, type StoredSession, type StoreProblem } from '../sessions/store.ts'
import { resolveTarget } from '../sessions/target.ts'
import { transcriptFile } from '../sessions/transcript.ts'
import { openCase, type Case, type CaseOptions } from './case.ts'

/** A session as `sessions list` has it; times are ISO, null where the store does not say. */
export interface SessionItem {
  readonly key: string
  readonly agentId: string
  readonly sessionId: string | null
  readonly kind: SessionKind
  readonly label: string | null
  readonly channel: string | null
  readonly provider: string | null
  readonly model: string | null
  readonly spawnedBy: string | null
  readonly updatedAt: string | null
  /** The store that has it. */
  readonly file: string
}

/** A file with what happened in a session. */
export interface LogFile {
  /** `transcript`: the conversation; `journal`: calls from the command line. */
  readonly kind: 'transcript' | 'journal'
  readonly file: string
  readonly layout: 'jsonl' | 'sqlite'
  readonly bytes: number
}

/** A session with its files. */
export interface FoundSession {
  readonly key: string
  readonly agentId: string
  /** Null for one that only the journal knows. */
  readonly stored: StoredSession | null
  readonly logs: readonly LogFile[]
  readonly notices: readonly Notice[]
}

/** The answer of `sessions show`: a session with what the store says of it, where it is stored. */
export interface ShownSession extends Partial<SessionItem> {
  readonly key: string
  readonly agentId: string
  readonly stored: boolean
  readonly entry?: SessionEntry
  readonly logs: readonly LogFile[]
  readonly notices: readonly Notice[]
}

/** Lists the stored sessions of all agents or of one, the latest first. UNKNOWN_AGENT. */
export async function listSessions(
  options: CaseOptions,
  agent: string | undefined,
): Promise<{ readonly items: readonly SessionItem[]; readonly notices: readonly Notice[] }> {
  const each = await openCase(options, { request: {} })
  const agents = agent === undefined ? agentIds(each.config) : [requireAgentId(each.config, agent)]
  const { sessions, problems } = await storeOf(each).listSessions(agents)
  return { items: sessions.map((session) => sessionItem(session)), notices: problems.map(problemNotice) }
}

/** Finds a session by its key, `main` being the default agent's. Errors: USAGE for a malformed key, UNKNOWN_AGENT, UNKNOWN_SESSION with near keys. */
export async function findSession(options: CaseOptions, text: string): Promise<FoundSession> {
  const each = await openCase(options, { request: {} })
  const { agentId, sessionKey } = resolveTarget(each.config, { sessionKey: text })
  const store = storeOf(each)
  const { session, problems } = await store.readSessionEntry({ agentId, sessionKey })
  const logs = [...transcriptOf(session), ...journalsOf(each, agentId, sessionKey)]
  if (session === null && logs.length === 0) {
    const known = await store.listSessions(agentIds(each.config))
    throw unknownSession(
      sessionKey,
      known.sessions.map(({ key }) => key),
    )
  }
  return {
    key: session?.key ?? sessionKey,
    agentId,
    stored: session,
    logs,
    notices: problems.map(problemNotice),
  }
}

function storeOf({ loaded, config }: Case) {
  if (loaded === null) throw new OpenClawError('INTERNAL', 'sessions of a config that is not on this machine')
  return openSessionStore({ stateDir: loaded.stateDir, homeDir: loaded.home, store: config.session?.store })
}

function unknownSession(key: string, keys: readonly string[]): OpenClawError {
  const rest = key.toLowerCase()
  const part = keys.filter((known) => known.toLowerCase().includes(rest.replace(/^agent:[^:]*:/, '')))
  const near = [...new Set([...suggest(key, keys), ...part])].slice(0, 3)
  return new OpenClawError('UNKNOWN_SESSION', `no session "${key}" is stored, and no call of it was logged`, {
    hints: [...near, 'openclaw sessions list'],
    data: { sessionKey: key, suggestions: near },
  })
}

function problemNotice({ file, message }: StoreProblem): Notice {
  return {
    id: 'session-store-unreadable',
    severity: 'warning',
    message: `${file}: ${message}`,
    location: null,
  }
}

/** A stored session in the form of lists. */
export function sessionItem({ key, agentId, entry, file }: StoredSession): SessionItem {
  return {
    key,
    agentId,
    sessionId: entry.sessionId ?? null,
    kind: tryParseSessionKey(key)?.kind ?? 'other',
    label: entry.label ?? null,
    channel: entry.channel ?? tryParseSessionKey(key)?.channel ?? null,
    provider: entry.provider ?? null,
    model: entry.model ?? null,
    spawnedBy: entry.spawnedBy ?? null,
    updatedAt: entry.updatedAt === undefined ? null : isoTime(entry.updatedAt),
    file,
  }
}

/** A found session in the form in which it is shown. */
export function shownSession({ key, agentId, stored, logs, notices }: FoundSession): ShownSession {
  return {
    key,
    agentId,
    stored: stored !== null,
    ...(stored && { ...sessionItem(stored), entry: stored.entry }),
    logs,
    notices,
  }
}

function isoTime(time: number): string | null {
  return time > 8.64e15 ? null : new Date(time).toISOString()
}

function transcriptOf(session: StoredSession | null): LogFile[] {
  if (session === null) return []
  if (session.layout === 'sqlite') {
    if (session.entry.sessionId === undefined) return []
    return logFile('transcript', session.file, 'sqlite')
  }
  const file = transcriptFile(session)
  return file === null ? [] : logFile('transcript', file, 'jsonl')
}

function journalsOf({ loaded }: Case, agentId: string, sessionKey: string): LogFile[] {
  const file = loaded && journalFile(loaded.stateDir, agentId, sessionKey)
  if (file === null) return []
  return [earlierJournal(file), file].flatMap((each) => logFile('journal', each, 'jsonl'))
}

function logFile(kind: LogFile['kind'], file: string, layout: LogFile['layout']): LogFile[] {
  const stats = statSync(file, { throwIfNoEntry: false })
  return stats?.isFile() ? [{ kind, file, layout, bytes: stats.size }] : []
}
