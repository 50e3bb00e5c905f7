import { OpenClawError } from '../kernel/errors.ts'
import { systemFailure } from '../kernel/system-error.ts'
import { thrownText } from '../kernel/thrown.ts'
import { cleanText } from '../kernel/untrusted-text.ts'
import type { Executor, Returned } from './executor.ts'
import { deepFreeze } from './snapshot.ts'
import type { Args, CallFailed, CallRequest } from './types.ts'

/** Milliseconds a tool may take unless its executor says otherwise. */
export const callLimitMs = 600_000
const longestMessage = 4_000

/** What came of running a tool: what it returned, or how it failed. */
export type RunEnd = { readonly returned: Returned } | { readonly failure: CallFailed }

/** A failure in the form of an outcome. */
export function failure(error: OpenClawError): CallFailed {
  const { code, message, hints, data } = error
  return { status: 'error', code, message, hints, data }
}

/**
 * Runs a tool until it returns, fails, takes too long or is given up; what comes later of it is dropped. A tool sees the end of the wait by
 * its signal, once, and cannot hold the caller up by not looking.
 */
export async function runTool(
  executor: Executor,
  args: Args,
  request: Pick<CallRequest, 'callId' | 'signal' | 'onUpdate'>,
): Promise<RunEnd> {
  const { callId, signal, onUpdate } = request
  const limitMs = executor.limitMs ?? callLimitMs
  const own = new AbortController()
  const { promise: given, reject } = Promise.withResolvers<never>()
  let isOpen = true
  const end = (reason: unknown): void => {
    isOpen = false
    own.abort(reason)
    reject(reason)
  }
  const onAbort = (): void => end(signal.reason)
  const timer = setTimeout(
    () => end(new OpenClawError('TIMEOUT', `the tool did not finish within ${limitMs / 1000} s`)),
    limitMs,
  )
  signal.addEventListener('abort', onAbort, { once: true })
  try {
    signal.throwIfAborted()
    const running = executor.run(args, {
      callId,
      signal: own.signal,
      onUpdate: (partial) => {
        // A tool that reports after its end, or to a listener that fails, must not break anything.
        if (!isOpen) return
        try {
          onUpdate?.(deepFreeze(partial))
        } catch {
          return
        }
      },
    })
    return { returned: await Promise.race([running, given]) }
  } catch (error) {
    return { failure: failure(toCallError(error, signal)) }
  } finally {
    isOpen = false
    clearTimeout(timer)
    signal.removeEventListener('abort', onAbort)
    given.catch(() => {})
  }
}

/** A thrown value as the failure of a call: our own errors keep their code, others are failures of the tool. */
export function toCallError(thrown: unknown, signal: AbortSignal): OpenClawError {
  if (thrown instanceof OpenClawError) return thrown
  if (signal.aborted && thrown === signal.reason) {
    return new OpenClawError('ABORTED', 'the call was aborted', { cause: thrown })
  }
  const ofSystem = systemFailure(thrown, 'TOOL_FAILED')
  if (ofSystem !== null) return ofSystem
  const message = cleanText(thrownText(thrown), longestMessage).trim()
  return new OpenClawError('TOOL_FAILED', message === '' ? 'the tool failed and did not say why' : message, {
    cause: thrown,
  })
}
