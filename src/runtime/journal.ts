import type { LogTarget } from '../calls/call-log.ts'
import { systemFailure } from '../kernel/system-error.ts'
import { journalFile, rotateJournal } from '../sessions/journal.ts'
import { SessionLog } from '../sessions/session-log.ts'
import type { Case } from './case.ts'

/** Where the calls of a session from the command line are written. */
export interface Journal {
  readonly target: LogTarget
  readonly close: () => void
}

/** A journal whose entries can wait a moment, to be written together. */
export interface PatientJournal extends Journal {
  /** From now on entries wait for `release`. */
  hold(): void
  release(): void
}

/** Opens the journal with the first entry; where there is no state directory, or it cannot be written, entries go nowhere, which is told once. */
export function openJournal(
  each: Case,
  options: {
    readonly agentId: string
    readonly sessionKey: string
    readonly cwd: string
    readonly tell: (text: string) => void
  },
): PatientJournal {
  const { agentId, sessionKey, cwd, tell } = options
  const file = each.loaded && journalFile(each.loaded.stateDir, agentId, sessionKey)
  let log: SessionLog | null = null
  let isLost = file === null
  let isHolding = false
  const lose = (error: unknown): void => {
    isLost = true
    const why = systemFailure(error, 'INTERNAL', file ?? undefined) ?? error
    tell(`this call is not logged: ${why instanceof Error ? why.message : String(why)}`)
  }
  const attempt = (write: (log: SessionLog) => string): string => {
    if (isLost || file === null) return ''
    try {
      if (log === null) {
        rotateJournal(file)
        log = new SessionLog({ file, header: { id: sessionKey, cwd }, clock: Date.now })
        if (isHolding) log.hold()
      }
      return write(log)
    } catch (error) {
      lose(error)
      return ''
    }
  }
  const settle = (work: (log: SessionLog) => void): void => {
    if (log === null) return
    try {
      work(log)
    } catch (error) {
      if (!isLost) lose(error)
    }
  }
  return {
    target: {
      message: (message) => attempt((open) => open.message(message)),
      custom: (type, data) => attempt((open) => open.custom(type, data)),
    },
    hold: () => {
      isHolding = true
      log?.hold()
    },
    release: () => {
      isHolding = false
      settle((open) => open.release())
    },
    close: () => settle((open) => open.close()),
  }
}
