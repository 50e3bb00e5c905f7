import { dirname } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { makeDirectory } from '../../config/make-directory.ts'
import { withLock } from '../../config/write/lock.ts'
import { OpenClawError } from '../../kernel/errors.ts'

/** Milliseconds before somebody who waits looks again. */
const lookMs = 2_000

/**
 * Does work while no other program does it for the same file, as soon as that can be. Several Gateways of one state directory would each do
 * what only one has to do; the lock of the one that does ends with it, however it ends. Says once why it has to wait, and whether for another program.
 */
export async function whileLeading(
  file: string,
  signal: AbortSignal,
  onWait: (problem: string, isTaken: boolean) => void,
  work: () => Promise<void>,
): Promise<void> {
  let told = ''
  while (!signal.aborted) {
    let hasBegun = false
    try {
      makeDirectory(dirname(file))
      return await withLock(file, { signal, limitMs: 0 }, () => {
        hasBegun = true
        return work()
      })
    } catch (error) {
      if (hasBegun) throw error
      if (signal.aborted) return
      const isTaken = error instanceof OpenClawError && error.code === 'CONFIG_CONFLICT'
      const why = error instanceof Error ? error.message : String(error)
      const problem = isTaken ? 'another Gateway of this state directory does' : why
      if (problem !== told) onWait(problem, isTaken)
      told = problem
      await sleep(lookMs, undefined, { signal, ref: false }).catch(() => {})
    }
  }
}
