import { hydrationLimits } from '../../../tool-search/hydration.ts'
import { fakePluginOk, specialTools } from '../../fake-plugin.ts'
import type { LaneEvidence, LaneId } from './evidence.ts'

/** The controls each lane must show, and nothing else but direct-only tools and what directory mode adds on a guess. */
const controlsOf: Readonly<Record<LaneId, readonly string[]>> = {
  direct: [],
  code: ['tool_search_code'],
  tools: ['tool_call', 'tool_describe', 'tool_search'],
  directory: ['tool_call', 'tool_describe', 'tool_search'],
}

/** Whether the turn has really used the target, by the word of everybody concerned. */
export function used({ turn, target, ran }: LaneEvidence): string | null {
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
export function wayProblem(lane: LaneEvidence): string | null {
  const allowed: Readonly<Record<LaneId, readonly string[]>> = {
    direct: [lane.target],
    code: ['tool_search_code'],
    tools: ['tool_search → tool_call'],
    directory: [lane.target, 'tool_search → tool_call'],
  }
  const plans = plansOf(lane)
  return allowed[lane.lane].includes(plans) ? null : `the model planned ${plans || 'nothing'}`
}

/** What is wrong with the schemas in the request: missing ones, or more than the lane may show. */
export function declaredProblem({ lane, turn, target }: LaneEvidence): string | null {
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
