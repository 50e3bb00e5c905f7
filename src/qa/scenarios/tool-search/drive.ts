import { isRecord } from '../../../config/path-value.ts'
import { summarize } from '../../../telemetry/summary.ts'
import { Bench, pluginTools, type OutsideEnd, type Turn } from '../../bench.ts'
import { fakePluginId, specialTools, targetTool } from '../../fake-plugin.ts'
import type { Lab } from '../../lab.ts'
import type {
  Attempt,
  EffectiveEvidence,
  LaneEvidence,
  LaneId,
  LogEvidence,
  OutsideEvidence,
  PayloadEvidence,
  StopEvidence,
  TurnEvidence,
  Way,
} from './evidence.ts'

/** Milliseconds for which a turn waits for somebody to approve the guarded tool; nobody does. */
const approvalMs = 100
const args = { marker: 'normal' }
const turnSession = 'agent:main:qa-turn'
const rulesSession = 'agent:main:qa-rules'

const deniedId = `openclaw:${fakePluginId}:${specialTools.denied}`
const controls = /tool_search_code|tool_search|tool_describe|tool_call/

/** What the model is told to do in each attempt; `direct` is forced by the provider, since no schema of the tool was offered. */
const attempts: Readonly<Record<LaneId, readonly (readonly [Way, string])[]>> = {
  direct: [['direct', 'say done']],
  code: [
    ['direct', 'say done'],
    ['code', check(specialTools.denied, 'code')],
    ['code-by-id', `call tool_search_code ${JSON.stringify({ code: callInCode() })}`],
  ],
  tools: structured(),
  directory: structured(),
}

function structured(): readonly (readonly [Way, string])[] {
  return [
    ['direct', 'say done'],
    ['search', check(specialTools.denied, 'search')],
    ['describe', check(specialTools.denied, 'describe')],
    ['call', `call tool_call ${JSON.stringify({ id: deniedId, args })}`],
  ]
}

function callInCode(): string {
  return `return await openclaw.tools.call(${JSON.stringify(deniedId)}, ${JSON.stringify(args)})`
}

function check(target: string, via?: string): string {
  return `tool search qa check target=${target}${via === undefined ? '' : ` via=${via}`}`
}

function configOf(lane: LaneId): Readonly<Record<string, unknown>> {
  const toolSearch = lane === 'direct' ? false : { enabled: true, mode: lane }
  return { tools: pluginTools([specialTools.denied], { toolSearch }) }
}

/** Runs one lane from the start of its Gateway to its end. */
export async function driveLane(lab: Lab, lane: LaneId, catalogue: number): Promise<LaneEvidence> {
  const begun = performance.now()
  const target = targetTool(catalogue)
  const bench = await lab.step(`${lane}: the Gateway starts with ${catalogue} tools`, () =>
    Bench.open(lab, { name: lane, tools: catalogue, approvalMs, config: configOf(lane) }),
  )
  const turn = await lab.step(`${lane}: a model is asked to use ${target}`, () =>
    bench.turn(turnSession, check(target)),
  )
  const [log, effective] = await lab.step(`${lane}: the session log and the effective tools are read`, () =>
    Promise.all([readLog(bench, target), readEffective(bench, target)]),
  )
  const tried = await lab.step(`${lane}: the model tries to reach a denied tool`, () =>
    tryDenied(bench, lane),
  )
  const [blocked, guarded] = await lab.step(
    `${lane}: the model calls a blocked and a guarded tool`,
    async () => [
      await callStopped(bench, specialTools.blocked),
      await callStopped(bench, specialTools.guarded),
    ],
  )
  const [http, rpc] = await lab.step(
    `${lane}: the same tools are called over HTTP and WebSocket`,
    async () => [
      await callOutside((name) => bench.invokeOverHttp(rulesSession, name, args), target),
      await callOutside((name) => bench.invokeOverRpc(rulesSession, name, args), target),
    ],
  )
  const { code: exitCode } = await lab.step(`${lane}: the Gateway ends`, () => bench.stop())
  return {
    lane,
    catalogue,
    target,
    wallMs: Math.round(performance.now() - begun),
    turn: describeTurn(turn, target),
    log,
    effective,
    attempts: tried,
    blocked,
    guarded,
    http,
    rpc,
    ran: bench.ran,
    exitCode,
  }
}

/** Asks for one turn with a larger catalogue, to see what the model is sent. */
export async function drivePayload(lab: Lab, lane: LaneId, catalogue: number): Promise<PayloadEvidence> {
  return lab.step(`${lane}: one turn with ${catalogue} tools`, async () => {
    const begun = performance.now()
    const target = targetTool(catalogue)
    const name = `${lane}-${catalogue}`
    const bench = await Bench.open(lab, { name, tools: catalogue, approvalMs, config: configOf(lane) })
    const turn = await bench.turn(turnSession, check(target))
    await bench.stop()
    const wallMs = Math.round(performance.now() - begun)
    return { lane, catalogue, wallMs, turn: describeTurn(turn, target) }
  })
}

function describeTurn({ status, text, requests }: Turn, target: string): TurnEvidence {
  const [first] = requests
  const last = requests.at(-1)
  const body = isRecord(first?.body) ? first.body : {}
  const instructions = first?.instructions ?? ''
  return {
    gatewayStatus: status,
    gatewayOutputText: text.slice(0, 300),
    providerRequestCount: requests.length,
    providerRawBytes: first?.rawBytes ?? 0,
    providerToolBytes: Buffer.byteLength(JSON.stringify(body['tools'] ?? [])),
    providerSystemPromptBytes: Buffer.byteLength(instructions),
    providerDeclaredToolCount: first?.tools.length ?? 0,
    providerDeclaredTools: (first?.tools ?? []).slice(0, 100),
    providerPlannedTools: plannedIn(requests),
    providerInputSnippet: (first?.prompt ?? '').slice(0, 500),
    providerToolOutputSnippet: (last?.toolOutput ?? '').slice(0, 4_000),
    hasDirectory: instructions.includes('### Deferred Tool Schemas'),
    directoryNamesTarget: instructions.includes(target),
  }
}

function plannedIn(requests: Turn['requests']): readonly string[] {
  return requests.flatMap(({ planned }) => planned.map(({ name }) => name))
}

async function readLog(bench: Bench, target: string): Promise<LogEvidence> {
  const events = await bench.transcript(turnSession)
  const { searches, describes, calls, finalCalls, sent } = summarize(events)
  const turn = events.findLast(({ record }) => record['customType'] === 'openclaw.turn')?.record['data']
  const said = events.filter(({ message }) => message !== undefined && message.role !== 'user')
  const mentions = (pattern: RegExp | string): number =>
    said.filter(({ record }) => JSON.stringify(record).search(pattern) >= 0).length
  return {
    mode: isRecord(turn) ? String(turn['mode']) : 'none',
    searches,
    describes,
    calls,
    finalCalls: finalCalls.map(({ name, via, source, status }) => ({ name, via, source, status })),
    sent: sent && { tools: sent.tools, toolBytes: sent.toolBytes, deferred: sent.deferred },
    targetMentions: mentions(target),
    controlMentions: mentions(controls),
  }
}

async function readEffective(bench: Bench, target: string): Promise<EffectiveEvidence> {
  const { groups, hidden } = await bench.ask('tools.effective', { sessionKey: turnSession })
  const tools = recordsIn(groups).flatMap((group) => recordsIn(group['tools']))
  const tool = tools.find(({ name }) => name === target)
  const gone = recordsIn(hidden).find(({ id }) => id === specialTools.denied)
  return {
    source: textAt(tool, 'source'),
    pluginId: textAt(tool, 'pluginId'),
    exposure: textAt(tool, 'exposure'),
    listsDenied: tools.some(({ name }) => name === specialTools.denied),
    hiddenStep: textAt(gone, 'step'),
  }
}

function recordsIn(value: unknown): readonly Readonly<Record<string, unknown>>[] {
  return Array.isArray(value) ? value.filter(isRecord) : []
}

function textAt(fields: Readonly<Record<string, unknown>> | undefined, key: string): string | null {
  const value = fields?.[key]
  return typeof value === 'string' ? value : null
}

async function tryDenied(bench: Bench, lane: LaneId): Promise<readonly Attempt[]> {
  const tried: Attempt[] = []
  for (const [way, prompt] of attempts[lane]) {
    const before = bench.ran[specialTools.denied] ?? 0
    if (way === 'direct') bench.mock.fail({ kind: 'unknown-tool', name: specialTools.denied })
    const { requests } = await bench.turn(rulesSession, prompt)
    tried.push({
      way,
      planned: plannedIn(requests),
      toolOutput: (requests.at(-1)?.toolOutput ?? '').slice(0, 1_000),
      ran: (bench.ran[specialTools.denied] ?? 0) - before,
    })
  }
  return tried
}

async function callStopped(bench: Bench, name: string): Promise<StopEvidence> {
  const { requests } = await bench.turn(rulesSession, check(name))
  const output = requests.at(-1)?.toolOutput ?? ''
  return { toolOutput: output.slice(0, 1_000), ran: bench.ran[name] ?? 0 }
}

async function callOutside(
  call: (name: string) => Promise<OutsideEnd>,
  target: string,
): Promise<OutsideEvidence> {
  return {
    target: await call(target),
    denied: await call(specialTools.denied),
    blocked: await call(specialTools.blocked),
    guarded: await call(specialTools.guarded),
  }
}
