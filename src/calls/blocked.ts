import type { ErrorCode } from '../kernel/errors.ts'
import type { BlockedBy, CallBlocked, ToolResult } from './types.ts'

/** Results that were made here; a tool that returns the same shape has not been blocked. */
const own = new WeakSet<ToolResult>()

/** Whether a result says that the call was blocked, by the word of the guarded path and not of the tool. */
export function isBlockedResult(result: ToolResult): boolean {
  return own.has(result)
}

const codes: Readonly<Record<BlockedBy, ErrorCode>> = {
  policy: 'TOOL_DENIED',
  'plugin-before-tool-call': 'TOOL_BLOCKED',
  'plugin-hook-failed': 'TOOL_BLOCKED',
  'loop-detection': 'TOOL_BLOCKED',
  'approval-denied': 'TOOL_BLOCKED',
  'approval-expired': 'TOOL_BLOCKED',
  'approval-required': 'APPROVAL_REQUIRED',
}

/** A call that was stopped before the tool ran, with the result that reports it (tool search facts §1.10). */
export function blocked(
  by: BlockedBy,
  reason: string,
  more: { readonly hints?: readonly string[]; readonly data?: Readonly<Record<string, unknown>> } = {},
): CallBlocked {
  const details = Object.freeze({ status: 'blocked', deniedReason: by, reason })
  const content = Object.freeze([Object.freeze({ type: 'text' as const, text: reason })])
  const result: ToolResult = Object.freeze({ content, details })
  own.add(result)
  return {
    status: 'blocked',
    code: codes[by],
    by,
    message: reason,
    hints: more.hints ?? [],
    data: { ...more.data, by, reason },
    result,
  }
}
