import { join } from 'node:path'
import { makeDirectory } from '../../../config/make-directory.ts'
import { withLock } from '../../../config/write/lock.ts'
import { OpenClawError } from '../../../kernel/errors.ts'
import { diskError } from '../errors.ts'
import { journalIds, journalsDir, readJournal, removeJournal } from './journal.ts'
import { settle } from './settle.ts'

/** Ends what patches of killed processes have left half done; most often there is nothing to look at. */
export async function recoverPatches(
  stateDir: string,
  signal: AbortSignal,
  tell: (text: string) => void,
): Promise<void> {
  if (journalIds(stateDir).length === 0) return
  await withJournals(stateDir, signal, async () => settleAll(stateDir, tell))
}

/** The same for whoever holds the lock. */
export function settleAll(stateDir: string, tell: (text: string) => void): void {
  for (const id of journalIds(stateDir)) {
    const journal = readJournal(stateDir, id)
    // A journal that was only begun belongs to a patch that had not begun.
    if (journal === null) removeJournal(stateDir, id)
    else {
      for (const path of settle(stateDir, journal))
        tell(
          `a patch was cut short and ${path} has changed since; the other files of the patch are as before it`,
        )
    }
  }
}

/** Runs work while no other process of this state directory applies a patch. Errors: TOOL_FAILED where that cannot be had. */
export async function withJournals<Result>(
  stateDir: string,
  signal: AbortSignal,
  work: () => Promise<Result>,
): Promise<Result> {
  const dir = journalsDir(stateDir)
  try {
    makeDirectory(dir)
    return await withLock(join(dir, 'journal'), { signal }, work)
  } catch (error) {
    if (error instanceof OpenClawError && error.code.startsWith('CONFIG_')) {
      throw new OpenClawError('TOOL_FAILED', `cannot apply patches now: ${error.message}`, {
        hints: error.hints,
        cause: error,
      })
    }
    throw signal.aborted || error instanceof OpenClawError ? error : diskError(error, dir, 'use')
  }
}
