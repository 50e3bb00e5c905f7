import { thrownText } from '../kernel/thrown.ts'
import { takeStray } from '../plugins/strays.ts'

/**
 * Runs work that runs code of plugins. What that code prints goes to stderr, because stdout carries the answer alone; what it throws where nobody
 * waits goes to `warn` and costs that plugin only, while any other stray exception ends the command as it does elsewhere. Both hold until the work
 * is done or given up, before anybody reports on it.
 */
export async function withForeignOutput<Result>(
  signal: AbortSignal,
  warn: (message: string) => void,
  work: () => Promise<Result>,
): Promise<Result> {
  const { stdout, stderr } = process
  const write = stdout.write
  const restore = (): void => {
    stdout.write = write
    process.setUncaughtExceptionCaptureCallback(null)
  }
  stdout.write = stderr.write.bind(stderr)
  process.setUncaughtExceptionCaptureCallback((thrown: unknown) => {
    const stray = takeStray(thrown)
    if (stray === null) {
      restore()
      process.emit('uncaughtException', thrown instanceof Error ? thrown : new Error(thrownText(thrown)))
    } else if (!stray.endedCall) warn(stray.message)
  })
  signal.addEventListener('abort', restore, { once: true })
  try {
    return await work()
  } finally {
    restore()
    signal.removeEventListener('abort', restore)
  }
}
