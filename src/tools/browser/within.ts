import { OpenClawError } from '../../kernel/errors.ts'
import { cleanLine } from '../../kernel/untrusted-text.ts'

/** Waits for a browser, which a hostile page can keep busy for ever. Errors: TIMEOUT, the signal's reason, TOOL_FAILED with what the driver said. */
export async function within<Value>(
  what: string,
  ms: number,
  signal: AbortSignal,
  work: Promise<Value>,
): Promise<Value> {
  const { promise: ended, reject } = Promise.withResolvers<never>()
  const onAbort = (): void => reject(signal.reason)
  if (signal.aborted) onAbort()
  signal.addEventListener('abort', onAbort, { once: true })
  const tooLong = (): OpenClawError =>
    new OpenClawError('TIMEOUT', `${what} did not end within ${ms / 1000} s`)
  // The driver's own limit, which says more, comes first.
  const timer = setTimeout(() => reject(tooLong()), ms + 1_000)
  try {
    return await Promise.race([work, ended])
  } catch (error) {
    if (signal.aborted) throw signal.reason
    if (error instanceof OpenClawError) throw error
    if (error instanceof Error && error.name === 'TimeoutError') throw tooLong()
    throw new OpenClawError('TOOL_FAILED', `${what} failed: ${driverWords(error)}`, { cause: error })
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', onAbort)
    ended.catch(() => {})
    work.catch(() => {})
  }
}

/** The first line of what the driver says, without the name of its method. */
function driverWords(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error)
  const [line = ''] = text.split('\n', 1)
  return cleanLine(line.replace(/^\w+\.\w+: (?:Error: )?/, ''), 300)
}
