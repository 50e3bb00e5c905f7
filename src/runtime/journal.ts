import type { LogTarget } from '../calls/call-log.ts'
import { journalFile, rotateJournal } from '../sessions/journal.ts'
import { SessionLog } from '../sessions/session-log.ts'
import type { Case } from './case.ts'

/** Where the calls of a session from the command line are written. */
export interface Journal {
  readonly target: LogTarget
  readonly close: () => void
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
): Journal {
  const { agentId, sessionKey, cwd, tell } = options
  const file = each.loaded && journalFile(each.loaded.stateDir, agentId, sessionKey)
  let log: SessionLog | null = null
  let isLost = file === null
  const attempt = (write: (log: SessionLog) => string): string => {
    if (isLost || file === null) return ''
    try {
      if (log === null) {
        rotateJournal(file)
        log = new SessionLog({ file, header: { id: sessionKey, cwd }, clock: Date.now })
      }
      return write(log)
    } catch (error) {
      isLost = true
      tell(`this call is not logged: ${error instanceof Error ? error.message : String(error)}`)
      return ''
    }
  }
  return {
    target: {
      message: (message) => attempt((open) => open.message(message)),
      custom: (type, data) => attempt((open) => open.custom(type, data)),
    },
    close: () => log?.close(),
  }
}
