import type { BridgeCounts } from './bridge.ts'
import type { Position } from './protocol.ts'

/** Why a run has no value (contract §5). */
export type CodeErrorCode =
  | 'timeout'
  | 'memory'
  | 'aborted'
  | 'invalid_input'
  | 'thrown'
  | 'unavailable'
  | 'output_limit'

export interface CodeError {
  readonly code: CodeErrorCode
  /** Without the name of a plain `Error` in front. */
  readonly message: string
  /** Where in the snippet, from one, if it is known. */
  readonly line?: number
  readonly column?: number
}

/** What every run has, however it ended. */
export interface CodeOutput {
  /** One entry for each `console` call. */
  readonly logs: readonly string[]
  /** Present when console output was cut; the last entry of `logs` says so, too. */
  readonly truncated?: true
  /** What the author of the snippet should know besides: calls that did not run, or did not end. */
  readonly notes?: readonly string[]
  readonly telemetry: BridgeCounts
}

/** How a run ended; a value is JSON. */
export type CodeResult = CodeOutput &
  ({ readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly error: CodeError })

export function codeError(code: CodeErrorCode, message: string, position: Position | null = null): CodeError {
  return { code, message, ...position }
}

/** The error of a run that its caller has given up, with the caller's reason if it says something. */
export function abortion(reason: unknown): CodeError {
  const cause = reason instanceof Error && reason.name !== 'AbortError' ? `: ${reason.message}` : ''
  return codeError('aborted', `the run was aborted${cause}`)
}
