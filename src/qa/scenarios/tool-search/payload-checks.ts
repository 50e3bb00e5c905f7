import type { LaneEvidence, PayloadEvidence } from './evidence.ts'

/** What a lane sends no less of than direct mode. */
export function smallerThan(direct: PayloadEvidence, lane: PayloadEvidence): string | null {
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
export function payloadOf(lane: LaneEvidence): PayloadEvidence {
  const { lane: id, catalogue, wallMs, use, turn } = lane
  return { lane: id, catalogue, wallMs, use, turn }
}
