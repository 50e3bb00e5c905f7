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
  async drive(lab, { tools }) {
    const inLanes = async <Result>(
      work: (lane: LaneId) => Promise<Result>,
    ): Promise<Record<LaneId, Result>> => ({
      direct: await work('direct'),
      code: await work('code'),
      tools: await work('tools'),
      directory: await work('directory'),
    })
    return {
      lanes: await inLanes((lane) => driveLane(lab, lane, tools)),
      large: await inLanes((lane) => drivePayload(lab, lane, largeCatalogue)),
    }
  },
  checks: toolSearchChecks,
  payload: ({ lanes, large }) => [
    ...laneIds.map((id) => row(lanes[id])),
    ...laneIds.map((id) => row(large[id])),
  ],
  times: ({ lanes, large }) => [
    ...laneIds.map((id) => ({ lane: id, wallMs: lanes[id].wallMs })),
    ...laneIds.map((id) => ({ lane: `${id}, ${largeCatalogue} tools`, wallMs: large[id].wallMs })),
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
