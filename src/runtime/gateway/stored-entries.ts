import { statSync } from 'node:fs'
import { stableJson } from '../../kernel/stable-json.ts'
import { storeFiles, type StoreOptions } from '../../sessions/store-files.ts'
import { openSessionStore, type StoredSession, type StoreProblem } from '../../sessions/store.ts'

/** A stored session, with what tells one state of it from another as far as its tools depend on it. */
export interface FoundEntry {
  readonly session: StoredSession | null
  readonly stamp: string
  /** Why a store that the session may be in, or those that it comes from, could not be read. */
  readonly problem: string | null
}

interface Known extends FoundEntry {
  readonly files: string
  /** When the files were looked at, in milliseconds of a clock that only goes forward. */
  lookedAt: number
}

/** Milliseconds for which a session counts as unchanged without a look at the files. */
const freshMs = 100

const mostKnown = 1_024

/** Looks sessions up in the stores and reads a store again only when its files have changed. */
export class StoredEntries {
  readonly #places: StoreOptions
  readonly #tell: (problem: StoreProblem) => void
  readonly #known = new Map<string, Known>()

  constructor(places: StoreOptions, tell: (problem: StoreProblem) => void) {
    this.#places = places
    this.#tell = tell
  }

  /** The stored session of a full key. One that is not there may come at any moment: whoever would be refused for that asks for a fresh look. */
  async find(
    target: { readonly agentId: string; readonly sessionKey: string },
    isFresh = false,
  ): Promise<FoundEntry> {
    const { agentId, sessionKey } = target
    const id = `${agentId}\n${sessionKey}`
    const now = performance.now()
    const known = this.#known.get(id)
    if (!isFresh && known !== undefined && now - known.lookedAt < freshMs) return known
    const files = this.#filesStamp(agentId)
    if (known?.files === files) {
      known.lookedAt = now
      return known
    }
    const { session, problems } = await openSessionStore(this.#places).readSessionEntry(target)
    for (const problem of problems) this.#tell(problem)
    const [first] = problems
    const problem = first === undefined ? null : `${first.file}: ${first.message}`
    const found: Known = { session, stamp: stampOf(session), problem, files, lookedAt: now }
    // The line of spawners may lead through stores of other agents.
    if (session?.entry.spawnedBy === undefined) this.#keep(id, found)
    return found
  }

  #keep(id: string, found: Known): void {
    this.#known.delete(id)
    this.#known.set(id, found)
    const [oldest] = this.#known.keys()
    if (this.#known.size > mostKnown && oldest !== undefined) this.#known.delete(oldest)
  }

  /** Size, time and identity of the files that may hold sessions of an agent; a database keeps what is new in a second one. */
  #filesStamp(agentId: string): string {
    return storeFiles(this.#places, agentId)
      .flatMap((file) => (file.endsWith('.sqlite') ? [file, `${file}-wal`] : [file]))
      .map(fileStamp)
      .join('\n')
  }
}

/** What tells one state of a file from another. */
export function fileStamp(file: string): string {
  try {
    const { ino, size, mtimeNs } = statSync(file, { bigint: true })
    return `${ino} ${size} ${mtimeNs}`
  } catch {
    return '-'
  }
}

function stampOf(session: StoredSession | null): string {
  if (session === null) return ''
  const {
    updatedAt: _updatedAt,
    label: _label,
    status: _status,
    pinned: _pinned,
    archived: _archived,
    groups: _groups,
    ...rest
  } = session.entry
  return stableJson(rest)
}
