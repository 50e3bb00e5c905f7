import { OpenClawError } from '../../kernel/errors.ts'
import { inParallel } from '../parallel.ts'
import { defineScenario, type PayloadRow } from '../scenario.ts'
import { toolSearchChecks } from './tool-search/checks.ts'
import { driveLane, drivePayload } from './tool-search/drive.ts'
import {
  laneIds,
  type LaneId,
  type PayloadEvidence,
  type ToolSearchEvidence,
} from './tool-search/evidence.ts'

/** The catalogue that is measured besides the one that is asked for. */
const largeCatalogue = 1_000

/** The same task in direct mode and in every mode of Tool Search, each with a Gateway of its own. */
export const toolSearchGateway = defineScenario<ToolSearchEvidence>({
  id: 'tool-search-gateway-e2e',
  title:
    'Tool Search reaches the same tools as direct mode, with less in the request and under the same rules',
  limitMs: 180_000,
  async drive(lab, { tools, lanesAtOnce }) {
    const lanes = await inParallel(laneIds, lanesAtOnce, (lane) => driveLane(lab, lane, tools))
    const large = await inParallel(laneIds, lanesAtOnce, (lane) => drivePayload(lab, lane, largeCatalogue))
    return { lanes: byLane(lanes), large: byLane(large) }
  },
  checks: toolSearchChecks,
  payload: ({ lanes, large }) => [
    ...laneIds.map((id) => row(lanes[id])),
    ...laneIds.map((id) => row(large[id])),
  ],
  times: ({ lanes, large }) => [
    ...laneIds.map((id) => ({ lane: id, wallMs: lanes[id].wallMs, ...lanes[id].use })),
    ...laneIds.map((id) => ({
      lane: `${id}, ${largeCatalogue} tools`,
      wallMs: large[id].wallMs,
      ...large[id].use,
    })),
  ],
})

function row({ lane, catalogue, turn }: Pick<PayloadEvidence, 'lane' | 'catalogue' | 'turn'>): PayloadRow {
  return {
    lane,
    catalogue,
    declaredTools: turn.providerDeclaredToolCount,
    toolBytes: turn.providerToolBytes,
    systemPromptBytes: turn.providerSystemPromptBytes,
    requestBytes: turn.providerRawBytes,
  }
}

function byLane<Of extends { readonly lane: LaneId }>(found: readonly Of[]): Readonly<Record<LaneId, Of>> {
  const of = (id: LaneId): Of => {
    const one = found.find(({ lane }) => lane === id)
    if (one === undefined) throw new OpenClawError('INTERNAL', `lane ${id} was left out`)
    return one
  }
  return { direct: of('direct'), code: of('code'), tools: of('tools'), directory: of('directory') }
}
