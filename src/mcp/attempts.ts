import { ProtocolError, SdkError, SdkErrorCode, SdkHttpError, SseError } from '@modelcontextprotocol/client'
import { isRecord } from '../catalog/source.ts'
import { httpBody } from './cause.ts'
import { faultError, type Fault } from './fault.ts'
import type { RemoteTransport, ServerSettings } from './settings.ts'

/** One way to reach a server. */
export interface Attempt {
  readonly transport: 'stdio' | RemoteTransport
  /** Whether to speak the revision of 2026-07-28, which begins otherwise than those before it. */
  readonly modern: boolean
}

/** The ways to reach a server that are left, and why those before failed. */
export class Attempts {
  readonly #left: Attempt[]
  readonly #failed: { readonly attempt: Attempt; readonly fault: Fault }[] = []

  constructor(settings: ServerSettings) {
    const transports = settings.kind === 'remote' ? settings.transports : ['stdio' as const]
    this.#left = transports.map((transport) => ({ transport, modern: false }))
  }

  next(): Attempt | undefined {
    return this.#left.shift()
  }

  /** Takes note of a failure. Another way is tried only where the server has said that this one is wrong; one that is down or refuses a login stays so. */
  failed(attempt: Attempt, error: unknown, fault: Fault): void {
    this.#failed.push({ attempt, fault })
    if (!attempt.modern && attempt.transport !== 'sse' && refusesInitialize(error)) {
      this.#left.unshift({ transport: attempt.transport, modern: true })
    } else if (!attempt.modern && !refusesTransport(error)) this.#left.length = 0
  }

  /** Why no way worked. */
  failure(): Error {
    // A server that knew no newer revision either is judged by what it said to the older one.
    const faults = this.#failed.filter(({ attempt }) => !attempt.modern)
    const [first] = faults
    if (first === undefined || faults.length === 1) {
      return faultError(first?.fault.kind ?? 'config', first?.fault.message ?? 'there is no way to reach it')
    }
    const told = faults.map(({ attempt, fault }) => `over ${attempt.transport} ${fault.message}`)
    return faultError(faults.at(-1)?.fault.kind ?? first.fault.kind, told.join('; '))
  }
}

const methodNotFound = -32_601
const unsupportedVersion = -32_022

/** Whether a server knows no `initialize`, as those of the newest revision need not. */
function refusesInitialize(error: unknown): boolean {
  if (ProtocolError.isInstance(error)) return isVersionError(error.code)
  if (SdkHttpError.isInstance(error)) return isVersionError(errorCode(httpBody(error)))
  // The SDK's words where a server answers with a revision that has no initialize.
  return (
    error instanceof Error && /protocol version is not supported: 20(?:2[6-9]|[3-9]\d)-/.test(error.message)
  )
}

function isVersionError(code: number): boolean {
  return code === methodNotFound || code === unsupportedVersion
}

/** The code of a JSON-RPC error in the body of a refusal, or 0. */
function errorCode(body: string): number {
  try {
    const value: unknown = JSON.parse(body)
    const error = isRecord(value) ? value['error'] : undefined
    return isRecord(error) && typeof error['code'] === 'number' ? error['code'] : 0
  } catch {
    return 0
  }
}

/** Whether an answer means that nobody speaks this transport at the address. */
function refusesTransport(error: unknown): boolean {
  if (SdkHttpError.isInstance(error)) return isWrongPlace(error.status)
  if (error instanceof SseError) return isWrongPlace(error.code)
  return SdkError.isInstance(error) && error.code === SdkErrorCode.ClientHttpUnexpectedContent
}

function isWrongPlace(status: number | undefined): boolean {
  return status !== undefined && status >= 400 && status < 500 && status !== 401 && status !== 403
}
