import type { OutsideEnd } from '../../bench.ts'
import { approvalTitle, blockReason, specialTools } from '../../fake-plugin.ts'
import type { LaneEvidence } from './evidence.ts'

/** What is wrong with the answers that a caller outside gets about the denied tool and the target. */
export function outsideProblem(lane: LaneEvidence, over: 'http' | 'rpc'): string | null {
  const { target, denied } = lane[over]
  if (!target.ok) return `over ${over} even ${lane.target} cannot be called: ${said(target)}`
  if (denied.ok || denied.code !== 'not_found') return `over ${over} the denied tool gives ${said(denied)}`
  return over === 'http' && denied.status !== 404 ? `over http it gives status ${denied.status}` : null
}

function said({ ok, status, code, message }: OutsideEnd): string {
  return JSON.stringify({ ok, status, code, message })
}

/** What is wrong with how a block by a hook is reported. */
export function blockProblem(lane: LaneEvidence): string | null {
  const { blocked, http, rpc } = lane
  if (blocked.ran > 0 || (lane.ran[specialTools.blocked] ?? 0) > 0) return 'the blocked tool ran'
  if (!blocked.toolOutput.includes(blockReason))
    return `the model is told ${JSON.stringify(blocked.toolOutput)}`
  if (
    http.blocked.status !== 403 ||
    http.blocked.code !== 'tool_call_blocked' ||
    !says(http.blocked, blockReason)
  )
    return `over http it gives ${said(http.blocked)}`
  if (rpc.blocked.ok || rpc.blocked.code !== 'forbidden' || !says(rpc.blocked, blockReason))
    return `over rpc it gives ${said(rpc.blocked)}`
  return null
}

function says({ message }: OutsideEnd, text: string): boolean {
  return message.includes(text)
}

/** What is wrong with how a missing approval is reported. */
export function approvalProblem(lane: LaneEvidence): string | null {
  const { guarded, http, rpc } = lane
  if (guarded.ran > 0 || (lane.ran[specialTools.guarded] ?? 0) > 0) return 'the guarded tool ran'
  if (!/approv/i.test(guarded.toolOutput)) return `the model is told ${JSON.stringify(guarded.toolOutput)}`
  if (http.guarded.status !== 403 || !http.guarded.requiresApproval || !says(http.guarded, approvalTitle))
    return `over http it gives ${said(http.guarded)}`
  if (
    rpc.guarded.code !== 'requires_approval' ||
    !rpc.guarded.requiresApproval ||
    !says(rpc.guarded, approvalTitle)
  )
    return `over rpc it gives ${said(rpc.guarded)}`
  return null
}
