import type { LaneEvidence } from './evidence.ts'

/** The final call that the log must show, and how often the controls were used on the way to it. */
export function callsProblem(lane: LaneEvidence): string | null {
  const { log, target } = lane
  const [call, ...others] = log.finalCalls
  if (call === undefined) return 'the log shows no call'
  if (others.length > 0) return `the log shows ${log.finalCalls.length} calls`
  if (call.name !== target || call.status !== 'ok' || call.source !== 'openclaw')
    return `the log shows ${JSON.stringify(call)}`
  if (log.targetMentions === 0) return 'the log does not mention the tool'
  if (call.via !== expectedVia(lane)) return `the log says the call was made by ${call.via}`
  const isBridged = call.via !== 'direct'
  return log.controlMentions > 0 === isBridged
    ? null
    : `the log mentions controls ${log.controlMentions} times`
}

function expectedVia(lane: LaneEvidence): 'direct' | 'tool_call' | 'tool_search_code' {
  if (lane.lane === 'code') return 'tool_search_code'
  return lane.turn.providerPlannedTools.includes('tool_call') ? 'tool_call' : 'direct'
}

/** What is wrong with what the log counts and says was sent. */
export function telemetryProblem(lane: LaneEvidence): string | null {
  const { log, turn } = lane
  const mode = lane.lane === 'direct' ? 'off' : lane.lane
  if (log.mode !== mode) return `the log says the mode is ${log.mode}`
  const once = expectedVia(lane) === 'direct' ? 0 : 1
  if (log.searches !== once || log.calls !== once || log.describes !== 0)
    return `the log counts ${log.searches} searches, ${log.describes} descriptions, ${log.calls} calls`
  if (log.sent === null) return 'the log does not say what was sent'
  if (log.sent.tools !== turn.providerDeclaredToolCount)
    return `the log says ${log.sent.tools} schemas were sent; the provider got ${turn.providerDeclaredToolCount}`
  const hasDeferred = log.sent.deferred >= lane.catalogue
  return hasDeferred === (lane.lane !== 'direct')
    ? null
    : `the log says ${log.sent.deferred} tools were deferred`
}
