import { rm } from 'node:fs/promises'
import { agentIds, agentKey } from '../../config/agents.ts'
import { OpenClawError } from '../../kernel/errors.ts'
import { cleanLine, showName } from '../../kernel/untrusted-text.ts'
import type { View } from '../../policy/view.ts'
import { tryParseSessionKey } from '../../sessions/key.ts'
import {
  removeSessionEntry,
  saveSessionEntry,
  writableStore,
  type EntryFields,
} from '../../sessions/store-write.ts'
import { openSessionStore, type StoredSession } from '../../sessions/store.ts'
import { transcriptFile } from '../../sessions/transcript.ts'
import { mainSessionKey, resolveTarget } from '../../sessions/target.ts'
import { isKeptToItself } from '../bounds.ts'
import type { CodingToolOptions } from '../options.ts'
import { reachFrom } from './visibility.ts'

/** A session that another one may see; its entry is empty where it is not stored. */
export type SeenStored = Pick<StoredSession, 'agentId' | 'key' | 'entry'> & {
  /** Null for one that nobody has stored yet. */
  readonly stored: StoredSession | null
}

/** The session stores as one session sees them. */
export class SessionShelf {
  readonly #options: CodingToolOptions
  #problems: readonly string[] = []

  constructor(options: CodingToolOptions) {
    this.#options = options
  }

  /** What kept stores from being read when the sessions were last looked at: what is in them is missing, and not gone. */
  get problems(): readonly string[] {
    return this.#problems
  }

  get view(): View {
    return this.#options.view()
  }

  /** Stored sessions that this one may see, the latest first. */
  async visible(): Promise<readonly SeenStored[]> {
    const all = await this.#all()
    const reaches = reachFrom(this.view, all)
    return all.filter(reaches).map((session) => ({ ...session, stored: session }))
  }

  /** The session itself. */
  async own(): Promise<SeenStored> {
    const { agentId, sessionKey } = this.view.context
    const { session } = await openSessionStore(this.#places()).readSessionEntry({ agentId, sessionKey })
    return { agentId, key: sessionKey, entry: session?.entry ?? {}, stored: session }
  }

  /** A session by its key; `main` is that of the own agent. UNKNOWN_SESSION for one that is not there or may not be seen, which sound the same. */
  async find(written: string, mayBeNew = false): Promise<SeenStored> {
    const target = this.#target(written)
    if (target === null) throw unknownSession(written)
    const { agentId, sessionKey } = target
    if (sessionKey.toLowerCase() === this.view.context.sessionKey.toLowerCase()) return this.own()
    const all = await this.#all()
    const known = all.find(({ key }) => key.toLowerCase() === sessionKey.toLowerCase())
    const reaches = reachFrom(this.view, all)
    if (known !== undefined && reaches(known)) return { ...known, stored: known }
    const fresh = { agentId, key: sessionKey, entry: {} }
    const isMain = mainSessionKey(this.view.config, agentId).toLowerCase() === sessionKey.toLowerCase()
    if (known === undefined && mayBeNew && isMain && reaches(fresh)) return { ...fresh, stored: null }
    throw unknownSession(written, this.#problems)
  }

  /** The only visible session with a label, of an agent where one is named. INPUT_INVALID for several. */
  async labelled(label: string, agentId: string | undefined): Promise<SeenStored> {
    const wanted = label.trim().toLowerCase()
    const found = (await this.visible()).filter(
      (session) =>
        session.entry.label?.trim().toLowerCase() === wanted &&
        (agentId === undefined || agentKey(session.agentId) === agentKey(agentId)),
    )
    const [first, second] = found
    if (first === undefined) throw unknownSession(label, this.#problems)
    if (second === undefined) return first
    throw new OpenClawError('INPUT_INVALID', `${found.length} sessions have the label "${showName(label)}"`, {
      hints: found.slice(0, 5).map(({ key }) => `sessionKey: ${key}`),
    })
  }

  /** Refuses changes of other sessions to one that may have less than its agent; its own sub-agents are not others. Error: TOOL_DENIED. */
  requireOwn({ key, entry }: SeenStored): void {
    const { context } = this.view
    const own = context.sessionKey.toLowerCase()
    if (!isKeptToItself(context) || key.toLowerCase() === own || entry.spawnedBy?.toLowerCase() === own)
      return
    throw new OpenClawError('TOOL_DENIED', `this session may change itself only, not ${showName(key, 200)}`)
  }

  /** Writes fields of a session's entry. TOOL_UNAVAILABLE for one in a database, which is only read. */
  async save(
    { agentId, key, stored }: Pick<SeenStored, 'agentId' | 'key' | 'stored'>,
    fields: EntryFields,
  ): Promise<void> {
    const places = this.#places()
    const file = writableStore(places, agentId) ?? writableStore({ ...places, store: undefined }, agentId)
    if (file === null || stored?.layout === 'sqlite') {
      const why = 'it is kept in the database of another installation, which is only read'
      throw new OpenClawError('TOOL_UNAVAILABLE', `the session ${key} cannot be changed: ${why}`)
    }
    await saveSessionEntry(file, key, fields)
  }

  /** Removes a session with what was said in it. */
  async remove({ agentId, key }: Pick<SeenStored, 'agentId' | 'key'>): Promise<void> {
    const { session } = await openSessionStore(this.#places()).readSessionEntry({ agentId, sessionKey: key })
    if (session === null || session.layout !== 'json') return
    await removeSessionEntry(session.file, key)
    const file = transcriptFile(session)
    if (file !== null) await rm(file, { force: true })
  }

  async #all(): Promise<readonly StoredSession[]> {
    const { config } = this.view
    const { sessions, problems } = await openSessionStore(this.#places()).listSessions(agentIds(config))
    this.#problems = problems.map(({ file, message }) => cleanLine(`${file}: ${message}`, 500))
    return sessions
  }

  #places() {
    const { stateDir, homeDir } = this.#options
    return { stateDir, homeDir, store: this.view.config.session?.store }
  }

  #target(written: string): { readonly agentId: string; readonly sessionKey: string } | null {
    const { config, context } = this.view
    const key = tryParseSessionKey(written)
    if (key === null) return null
    try {
      return resolveTarget(config, { sessionKey: written, agentId: key.agentId ?? context.agentId })
    } catch (error) {
      if (error instanceof OpenClawError) return null
      throw error
    }
  }
}

function unknownSession(written: string, problems: readonly string[] = []): OpenClawError {
  return new OpenClawError(
    'UNKNOWN_SESSION',
    `no session "${showName(written, 200)}" that this one may see`,
    {
      hints: [
        ...problems,
        'sessions_list shows those it may see',
        'tools.sessions.visibility and tools.agentToAgent say which',
      ],
      data: { sessionKey: written.slice(0, 200) },
    },
  )
}
