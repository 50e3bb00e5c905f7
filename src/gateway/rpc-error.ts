import { OpenClawError, type ErrorCode } from '../kernel/errors.ts'
import { suggest } from '../kernel/suggest.ts'
import type { RpcError, RpcErrorCode } from './protocol.ts'

const codes: Readonly<Partial<Record<ErrorCode, RpcErrorCode>>> = {
  USAGE: 'INVALID_REQUEST',
  INPUT_INVALID: 'INVALID_REQUEST',
  UNKNOWN_AGENT: 'INVALID_REQUEST',
  UNKNOWN_SESSION: 'INVALID_REQUEST',
  UNKNOWN_TOOL: 'INVALID_REQUEST',
  AMBIGUOUS_TOOL: 'INVALID_REQUEST',
  PATH_INVALID: 'INVALID_REQUEST',
  PATH_UNSET: 'INVALID_REQUEST',
  PATH_UNKNOWN: 'INVALID_REQUEST',
  CONFIG_CONFLICT: 'INVALID_REQUEST',
  TOOL_DENIED: 'FORBIDDEN',
  TOOL_BLOCKED: 'FORBIDDEN',
  APPROVAL_REQUIRED: 'FORBIDDEN',
  UNAUTHORIZED: 'FORBIDDEN',
}

/** Names that the protocol has for what our own codes mean (gateway facts §1.3). */
const detailCodes: Readonly<Partial<Record<ErrorCode, string>>> = { UNKNOWN_AGENT: 'UNKNOWN_AGENT_ID' }

/** An error as the protocol says it: `details.code` keeps our own code, beside hints and data. What nobody foresaw says nothing of its inside. */
export function toRpcError(thrown: unknown, method: string): RpcError {
  if (!(thrown instanceof OpenClawError) || thrown.code === 'INTERNAL') {
    return { code: 'UNAVAILABLE', message: `${method} failed: internal error`, details: { code: 'INTERNAL' } }
  }
  const { code, message, hints, data } = thrown
  const { retryAfterMs, rpcCode, ...rest } = data
  return {
    code: isRpcCode(rpcCode) ? rpcCode : (codes[code] ?? 'UNAVAILABLE'),
    message: codes[code] === undefined && rpcCode === undefined ? `${method} failed: ${message}` : message,
    details: { code: detailCodes[code] ?? code, ...(hints.length > 0 && { hints }), ...rest },
    ...(typeof retryAfterMs === 'number' && { retryable: true, retryAfterMs }),
  }
}

function isRpcCode(value: unknown): value is RpcErrorCode {
  return value === 'APPROVAL_NOT_FOUND'
}

/** The error of a caller who asks for what no server has (gateway facts §1.3). */
export function unknownMethod(method: string, known: readonly string[]): RpcError {
  const suggestions = suggest(method.slice(0, 120), known)
  return {
    code: 'INVALID_REQUEST',
    message: `unknown method: ${method.slice(0, 120)}`,
    details: {
      code: 'UNKNOWN_METHOD',
      hints: suggestions.map((each) => `did you mean ${each}?`),
      suggestions,
    },
  }
}

/** The error of a caller who lacks a scope (gateway facts §1.3). */
export function missingScope(scope: string): RpcError {
  return {
    code: 'FORBIDDEN',
    message: `missing scope: ${scope}`,
    details: { code: 'MISSING_SCOPE', missingScope: scope, requiredScopes: [scope] },
  }
}
