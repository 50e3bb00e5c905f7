/** Exit codes every command may end with (contract §1). */
export const exitCodes = {
  ok: 0,
  failed: 1,
  usage: 2,
  denied: 3,
  approval: 4,
  configInvalid: 5,
  unreachable: 6,
  interrupted: 130,
} as const

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes]

/** The closed set of error codes with the exit code each one ends in. */
export const errorExit = {
  USAGE: exitCodes.usage,
  COMMAND_UNKNOWN: exitCodes.usage,
  CONFIG_NOT_FOUND: exitCodes.failed,
  CONFIG_INVALID: exitCodes.configInvalid,
  CONFIG_CONFLICT: exitCodes.failed,
  CONFIG_READONLY: exitCodes.failed,
  PATH_INVALID: exitCodes.usage,
  PATH_UNSET: exitCodes.failed,
  PATH_UNKNOWN: exitCodes.failed,
  INCLUDE_INVALID: exitCodes.configInvalid,
  UNKNOWN_AGENT: exitCodes.failed,
  UNKNOWN_SESSION: exitCodes.failed,
  UNKNOWN_TOOL: exitCodes.failed,
  AMBIGUOUS_TOOL: exitCodes.failed,
  TOOL_DENIED: exitCodes.denied,
  TOOL_UNAVAILABLE: exitCodes.failed,
  TOOL_BLOCKED: exitCodes.denied,
  APPROVAL_REQUIRED: exitCodes.approval,
  INPUT_INVALID: exitCodes.failed,
  OUTPUT_INVALID: exitCodes.failed,
  TOOL_FAILED: exitCodes.failed,
  TIMEOUT: exitCodes.failed,
  ABORTED: exitCodes.interrupted,
  MEMORY_LIMIT: exitCodes.failed,
  OUTPUT_LIMIT: exitCodes.failed,
  PLUGIN_INVALID: exitCodes.failed,
  MCP_UNREACHABLE: exitCodes.unreachable,
  GATEWAY_UNREACHABLE: exitCodes.unreachable,
  PROVIDER_FAILED: exitCodes.unreachable,
  UNAUTHORIZED: exitCodes.failed,
  INTERNAL: exitCodes.failed,
} as const satisfies Record<string, ExitCode>

export type ErrorCode = keyof typeof errorExit

/** The one error class of the project: `message` says what and where, `hints` say what to do, `data` is for scripts. */
export class OpenClawError extends Error {
  readonly code: ErrorCode
  readonly hints: readonly string[]
  readonly data: Readonly<Record<string, unknown>>

  constructor(
    code: ErrorCode,
    message: string,
    options: {
      hints?: readonly string[]
      data?: Readonly<Record<string, unknown>>
      cause?: unknown
    } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.name = 'OpenClawError'
    this.code = code
    this.hints = options.hints ?? []
    this.data = options.data ?? {}
  }

  /** Exit code of a command that ends with this error. */
  get exitCode(): ExitCode {
    return errorExit[this.code]
  }
}

/** The failure envelope of `--json` (contract §1). */
export function toEnvelope(error: OpenClawError): {
  error: {
    code: ErrorCode
    message: string
    hints: readonly string[]
    data: Readonly<Record<string, unknown>>
  }
} {
  return {
    error: { code: error.code, message: error.message, hints: error.hints, data: error.data },
  }
}
