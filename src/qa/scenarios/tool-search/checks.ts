import { isControlName } from '../../../catalog/controls.ts'
import { fakePluginId, fakePluginOk, specialTools } from '../../fake-plugin.ts'
import type { Check } from '../../scenario.ts'
import type { LaneEvidence, LaneId, ToolSearchEvidence, Way } from './evidence.ts'
import { callsProblem, telemetryProblem } from './log-checks.ts'
import { payloadOf, smallerThan } from './payload-checks.ts'
import { approvalProblem, blockProblem, outsideProblem } from './refusal-checks.ts'
import { declaredProblem, used, wayProblem } from './turn-checks.ts'

type ToolSearchCheck = Check<ToolSearchEvidence>

const searchLanes = ['code', 'tools', 'directory'] as const

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

const deniedId = `openclaw:${fakePluginId}:${specialTools.denied}`

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
