import { isControlName } from '../../../catalog/controls.ts'
import { hydrationLimits } from '../../../tool-search/hydration.ts'
import type { OutsideEnd } from '../../bench.ts'
import { approvalTitle, blockReason, fakePluginId, fakePluginOk, specialTools } from '../../fake-plugin.ts'
import type { Check } from '../../scenario.ts'
import type { LaneEvidence, LaneId, PayloadEvidence, ToolSearchEvidence, Way } from './evidence.ts'

type ToolSearchCheck = Check<ToolSearchEvidence>

const searchLanes = ['code', 'tools', 'directory'] as const

/** The controls each lane must show, and nothing else but direct-only tools and what directory mode adds on a guess. */
const controlsOf: Readonly<Record<LaneId, readonly string[]>> = {
  direct: [],
  code: ['tool_search_code'],
  tools: ['tool_call', 'tool_describe', 'tool_search'],
  directory: ['tool_call', 'tool_describe', 'tool_search'],
}

/** Judges each of some lanes; the first problem counts, with the evidence that shows it. */
function each(
  lanes: readonly LaneId[],
  judge: (lane: LaneEvidence) => string | null,
): ToolSearchCheck['judge'] {
  return (evidence) => {
    for (const id of lanes) {
      const problem = judge(evidence.lanes[id])
      if (problem !== null) return `${id}: ${problem}\n${shown(evidence.lanes[id])}`
    }
    return null
  }
}

/** What somebody needs to see of a lane that failed. */
function shown({ turn, log, ran }: LaneEvidence): string {
  return JSON.stringify({
    plannedTools: turn.providerPlannedTools,
    declaredToolCount: turn.providerDeclaredToolCount,
    input: turn.providerInputSnippet,
    toolOutput: turn.providerToolOutputSnippet.slice(0, 1_000),
    output: turn.gatewayOutputText,
    mentions: { target: log.targetMentions, controls: log.controlMentions },
    ran,
  })
}

/** Whether the turn has really used the target, by the word of everybody concerned. */
function used({ turn, target, ran }: LaneEvidence): string | null {
  if (turn.gatewayStatus !== 200) return `the Gateway answered ${turn.gatewayStatus}`
  if (turn.gatewayOutputText !== `${fakePluginOk} ${target}`) return 'the answer is not that of the tool'
  if (!turn.providerToolOutputSnippet.includes(`${fakePluginOk} ${target}`))
    return 'the model got another result'
  return (ran[target] ?? 0) > 0 ? null : 'the tool was never executed'
}

function plansOf({ turn }: LaneEvidence): string {
  return turn.providerPlannedTools.join(' → ')
}

/** The calls that lead to the target in each lane; directory mode may have its schema in the request already. */
function wayProblem(lane: LaneEvidence): string | null {
  const allowed: Readonly<Record<LaneId, readonly string[]>> = {
    direct: [lane.target],
    code: ['tool_search_code'],
    tools: ['tool_search → tool_call'],
    directory: [lane.target, 'tool_search → tool_call'],
  }
  const plans = plansOf(lane)
  return allowed[lane.lane].includes(plans) ? null : `the model planned ${plans || 'nothing'}`
}

function declaredProblem({ lane, turn, target }: LaneEvidence): string | null {
  const declared = turn.providerDeclaredTools
  const wanted = controlsOf[lane]
  const missing = [...wanted, specialTools.direct].filter((name) => !declared.includes(name))
  if (missing.length > 0) return `${missing.join(', ')} is not in the request`
  const more = declared.filter((name) => name !== specialTools.direct && !wanted.includes(name))
  const most = lane === 'directory' ? hydrationLimits.max : 0
  if (turn.providerDeclaredToolCount > wanted.length + 1 + most)
    return `the request has ${turn.providerDeclaredToolCount} schemas`
  if (lane !== 'directory' && more.length > 0) return `the request also has ${more.join(', ')}`
  return lane !== 'directory' && declared.includes(target)
    ? `the schema of ${target} is in the request`
    : null
}

function smallerThan(direct: PayloadEvidence, lane: PayloadEvidence): string | null {
  const [a, b] = [direct.turn, lane.turn]
  const problems = [
    ['schemas', a.providerDeclaredToolCount, b.providerDeclaredToolCount],
    ['bytes of schemas', a.providerToolBytes, b.providerToolBytes],
    ['bytes', a.providerRawBytes, b.providerRawBytes],
  ] as const
  const found = problems.find(([, whole, part]) => !(part > 0 && part < whole))
  if (found === undefined) return null
  return `${lane.lane} with ${lane.catalogue} tools sends ${found[2]} ${found[0]}, direct mode ${found[1]}`
}

/** One kind of evidence in two sizes. */
function payloadOf(lane: LaneEvidence): PayloadEvidence {
  const { lane: id, catalogue, wallMs, use, turn } = lane
  return { lane: id, catalogue, wallMs, use, turn }
}

/** Judges every attempt to reach the denied tool on one way; there must be some. */
function unreachable(way: Way, leak: (output: string) => string | null): ToolSearchCheck['judge'] {
  return ({ lanes }) => {
    const tried = Object.values(lanes).flatMap(({ lane, attempts }) =>
      attempts.filter((attempt) => attempt.way === way).map((attempt) => ({ lane, ...attempt })),
    )
    if (tried.length === 0) return 'nobody tried'
    for (const { lane, planned, toolOutput, ran } of tried) {
      if (planned.length === 0) return `${lane}: the model made no call`
      if (ran > 0) return `${lane}: the denied tool ran`
      const problem = toolOutput.includes(fakePluginOk) ? 'the model got a result' : leak(toolOutput)
      if (problem !== null) return `${lane}: ${problem}: ${toolOutput.slice(0, 500)}`
    }
    return null
  }
}

const deniedId = `openclaw:${fakePluginId}:${specialTools.denied}`

function outsideProblem(lane: LaneEvidence, over: 'http' | 'rpc'): string | null {
  const { target, denied } = lane[over]
  if (!target.ok) return `over ${over} even ${lane.target} cannot be called: ${said(target)}`
  if (denied.ok || denied.code !== 'not_found') return `over ${over} the denied tool gives ${said(denied)}`
  return over === 'http' && denied.status !== 404 ? `over http it gives status ${denied.status}` : null
}

function said({ ok, status, code, message }: OutsideEnd): string {
  return JSON.stringify({ ok, status, code, message })
}

function blockProblem(lane: LaneEvidence): string | null {
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

function approvalProblem(lane: LaneEvidence): string | null {
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

/** The final call that the log must show, and how often the controls were used on the way to it. */
function callsProblem(lane: LaneEvidence): string | null {
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

function telemetryProblem(lane: LaneEvidence): string | null {
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

function provenanceProblem({ effective, lane }: LaneEvidence): string | null {
  const { source, pluginId, exposure } = effective
  if (source !== 'plugin' || pluginId !== fakePluginId)
    return `tools.effective says ${JSON.stringify(effective)}`
  const wanted = lane === 'direct' ? 'direct' : 'deferred'
  return exposure === wanted ? null : `tools.effective says the tool is ${exposure}, not ${wanted}`
}

/** What the scenario asserts, each by the evidence alone. */
export const toolSearchChecks: readonly ToolSearchCheck[] = [
  {
    id: 'direct-calls-the-tool',
    title: 'Direct mode calls the plugin tool',
    judge: each(['direct'], (lane) => used(lane) ?? wayProblem(lane)),
  },
  {
    id: 'tool-search-calls-the-tool',
    title: 'Tool Search calls the same tool, through its controls',
    judge: each(searchLanes, (lane) => used(lane) ?? wayProblem(lane)),
  },
  {
    id: 'direct-shows-the-schema',
    title: 'Direct mode shows every schema of the plugin to the provider, and no control',
    judge: each(['direct'], ({ turn, target, catalogue }) => {
      const declared = turn.providerDeclaredTools
      if (!declared.includes(target)) return `the schema of ${target} is not in the request`
      if (turn.providerDeclaredToolCount < catalogue)
        return `only ${turn.providerDeclaredToolCount} schemas were sent`
      const control = declared.find(isControlName)
      return control === undefined ? null : `${control} is in the request`
    }),
  },
  {
    id: 'tool-search-shows-only-controls',
    title: 'Tool Search shows only its controls and direct-only tools',
    judge: each(searchLanes, declaredProblem),
  },
  {
    id: 'directory-names-tools',
    title: 'Only directory mode names deferred tools in the prompt',
    judge: each(['direct', ...searchLanes], ({ lane, turn }) => {
      const wanted = lane === 'directory'
      if (turn.hasDirectory !== wanted) return wanted ? 'there is no directory' : 'there is a directory'
      return turn.directoryNamesTarget === wanted
        ? null
        : wanted
          ? 'the tool is not in it'
          : 'the prompt names the tool'
    }),
  },
  {
    id: 'payload-is-smaller',
    title: 'Tool Search sends less than direct mode',
    judge: ({ lanes }) =>
      firstProblem(searchLanes.map((id) => smallerThan(payloadOf(lanes.direct), payloadOf(lanes[id])))),
  },
  {
    id: 'large-payload-is-smaller',
    title: 'Tool Search sends less than direct mode with a thousand tools, and hardly more than with few',
    judge: ({ lanes, large }) =>
      firstProblem(
        searchLanes.map((id) => {
          const problem = smallerThan(large.direct, large[id])
          if (problem !== null || id === 'directory') return problem
          const [few, many] = [lanes[id].turn.providerToolBytes, large[id].turn.providerToolBytes]
          return many <= few ? null : `${id} sends ${few} bytes of schemas with few tools, ${many} with many`
        }),
      ),
  },
  {
    id: 'log-shows-the-calls',
    title: 'The session log shows the call that was made, and by which way',
    judge: each(['direct', ...searchLanes], callsProblem),
  },
  {
    id: 'log-shows-the-bridge',
    title: 'The session log counts searches and bridged calls, and says what the model was sent',
    judge: each(['direct', ...searchLanes], telemetryProblem),
  },
  {
    id: 'provenance-is-known',
    title: 'tools.effective names the plugin behind the tool, and how the model reaches it',
    judge: each(['direct', ...searchLanes], provenanceProblem),
  },
  {
    id: 'denied-is-not-effective',
    title: 'tools.effective does not have the denied tool, and says which step took it',
    judge: each(['direct', ...searchLanes], ({ effective }) => {
      if (effective.listsDenied) return 'the denied tool is listed'
      return effective.hiddenStep === 'tools.deny' ? null : `the step is ${effective.hiddenStep}`
    }),
  },
  {
    id: 'denied-has-no-schema',
    title: 'No request shows the denied tool',
    judge: each(['direct', ...searchLanes], ({ turn }) =>
      turn.providerDeclaredTools.includes(specialTools.denied) ? 'its schema is in the request' : null,
    ),
  },
  {
    id: 'denied-directly',
    title: 'A denied tool cannot be called directly',
    judge: unreachable('direct', () => null),
  },
  {
    id: 'denied-by-search',
    title: 'A denied tool is not found by a search',
    judge: unreachable('search', (output) => (output.includes(deniedId) ? 'the search found it' : null)),
  },
  {
    id: 'denied-by-describe',
    title: 'A denied tool is not described',
    judge: unreachable('describe', (output) =>
      output.includes('"parameters"') || output.includes('that the config denies')
        ? 'it was described'
        : null,
    ),
  },
  {
    id: 'denied-by-call',
    title: 'A denied tool cannot be called by its id',
    judge: unreachable('call', () => null),
  },
  {
    id: 'denied-in-code',
    title: 'A denied tool is not found by a program',
    judge: unreachable('code', (output) => (output.includes(deniedId) ? 'the program found it' : null)),
  },
  {
    id: 'denied-in-code-by-id',
    title: 'A denied tool cannot be called by a program that knows its id',
    judge: unreachable('code-by-id', () => null),
  },
  {
    id: 'denied-over-http',
    title: 'A denied tool cannot be called over HTTP, and others can',
    judge: each(['direct', ...searchLanes], (lane) => outsideProblem(lane, 'http')),
  },
  {
    id: 'denied-over-rpc',
    title: 'A denied tool cannot be called over WebSocket, and others can',
    judge: each(['direct', ...searchLanes], (lane) => outsideProblem(lane, 'rpc')),
  },
  {
    id: 'denied-never-ran',
    title: 'The denied tool was never executed',
    judge: each(['direct', ...searchLanes], ({ ran }) => {
      const count = ran[specialTools.denied] ?? 0
      return count === 0 ? null : `it ran ${count} times`
    }),
  },
  {
    id: 'block-is-reported',
    title: 'A block by a hook is reported to the model and to callers, not bypassed',
    judge: each(['direct', ...searchLanes], blockProblem),
  },
  {
    id: 'approval-is-reported',
    title: 'A missing approval is reported to the model and to callers, not bypassed',
    judge: each(['direct', ...searchLanes], approvalProblem),
  },
  {
    id: 'gateway-ends-cleanly',
    title: 'The Gateway ends by itself when it is asked to',
    judge: each(['direct', ...searchLanes], ({ exitCode }) =>
      exitCode === 0 || exitCode === 130 || exitCode === 143 ? null : `its exit code is ${exitCode}`,
    ),
  },
]

function firstProblem(problems: readonly (string | null)[]): string | null {
  return problems.find((problem) => problem !== null) ?? null
}
