import { OpenClawError } from '../kernel/errors.ts'
import { hurryOutputs } from './streams.ts'

/**
 * Runs work that Ctrl-C, a time limit or a stray exception may end first, as ABORTED, TIMEOUT or INTERNAL; the signal given
 * to the work is aborted in the first two cases. A second Ctrl-C ends the process at once.
 */
export async function withinBounds<Result>(
  work: (signal: AbortSignal) => Promise<Result>,
  timeoutSeconds: number | undefined,
): Promise<Result> {
  const controller = new AbortController()
  const { promise: ended, reject } = Promise.withResolvers<never>()
  const end = (error: OpenClawError) => {
    hurryOutputs()
    controller.abort(error)
    reject(error)
  }
  const onInterrupt = () => end(new OpenClawError('ABORTED', 'interrupted'))
  const onTimeout = () =>
    end(
      new OpenClawError('TIMEOUT', `not done after ${timeoutSeconds} s`, {
        hints: ['a larger --timeout'],
        data: { timeoutSeconds },
      }),
    )
  process.once('SIGINT', onInterrupt)
  process.once('uncaughtException', reject)
  const timer = timeoutSeconds === undefined ? undefined : setTimeout(onTimeout, timeoutSeconds * 1000)
  try {
    return await Promise.race([work(controller.signal), ended])
  } finally {
    clearTimeout(timer)
    process.removeListener('SIGINT', onInterrupt)
    process.removeListener('uncaughtException', reject)
  }
}

/**
 * Runs a server: Ctrl-C, SIGTERM and the time limit abort the signal given to the work, whose own end counts. A second signal ends the process
 * at once.
 */
export async function untilStopped<Result>(
  work: (signal: AbortSignal) => Promise<Result>,
  timeoutSeconds: number | undefined,
): Promise<Result> {
  const controller = new AbortController()
  const stop = () => {
    hurryOutputs()
    controller.abort(new OpenClawError('ABORTED', 'stopped'))
  }
  const signals = ['SIGINT', 'SIGTERM'] as const
  for (const name of signals) process.once(name, stop)
  const timer = timeoutSeconds === undefined ? undefined : setTimeout(stop, timeoutSeconds * 1000)
  try {
    return await work(controller.signal)
  } finally {
    clearTimeout(timer)
    for (const name of signals) process.removeListener(name, stop)
  }
}
