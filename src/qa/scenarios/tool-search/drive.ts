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
const approvalMs = 20
const args = { marker: 'normal' }
const turnSession = 'agent:main:qa-turn'
const rulesSession = 'agent:main:qa-rules'

const { denied, blocked, guarded } = specialTools
const deniedId = `openclaw:${fakePluginId}:${denied}`
const controls = /tool_search_code|tool_search|tool_describe|tool_call/

/** A call that the model is told to make, and what it tries that way. */
interface Try {
  readonly way: Way | 'blocked' | 'guarded'
  readonly name: string
  readonly args: object
}

/** A program that tries everything and tells what came of each. */
const program = `
const tried = async (work) => {
  try { return await work() } catch (error) { return { error: error.message } }
}
const { search, call } = openclaw.tools
const args = ${JSON.stringify(args)}
return {
  'code': await tried(async () => {
    const hits = await search(${JSON.stringify(denied)}, { limit: 20 })
    const hit = hits.find(({ name }) => name === ${JSON.stringify(denied)})
    return hit ? { hit, called: await call(hit.id, args) } : { hits }
  }),
  'code-by-id': await tried(() => call(${JSON.stringify(deniedId)}, args)),
  'blocked': await tried(() => call(${JSON.stringify(blocked)}, args)),
  'guarded': await tried(() => call(${JSON.stringify(guarded)}, args)),
}`

const structured: readonly Try[] = [
  { way: 'search', name: 'tool_search', args: { query: denied } },
  { way: 'describe', name: 'tool_describe', args: { id: denied } },
  { way: 'call', name: 'tool_call', args: { id: deniedId, args } },
  { way: 'blocked', name: 'tool_call', args: { id: blocked, args } },
  { way: 'guarded', name: 'tool_call', args: { id: guarded, args } },
]

/** What the model tries in each lane with the tools that it is offered there. */
const tries: Readonly<Record<LaneId, readonly Try[]>> = {
  direct: [
    { way: 'blocked', name: blocked, args },
    { way: 'guarded', name: guarded, args },
  ],
  code: [{ way: 'code', name: 'tool_search_code', args: { code: program } }],
  tools: structured,
  directory: structured,
}

function check(target: string): string {
  return `tool search qa check target=${target}`
}

function configOf(lane: LaneId): Readonly<Record<string, unknown>> {
  const toolSearch = lane === 'direct' ? false : { enabled: true, mode: lane }
  return { tools: pluginTools([denied], { toolSearch }) }
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
  const tried = await lab.step(`${lane}: the model tries denied, blocked and guarded tools`, () =>
    tryAll(bench, lane),
  )
  const [http, rpc] = await lab.step(
    `${lane}: the same tools are called over HTTP and WebSocket`,
    async () => [
      await callOutside((name) => bench.invokeOverHttp(rulesSession, name, args), target),
      await callOutside((name) => bench.invokeOverRpc(rulesSession, name, args), target),
    ],
  )
  const { use } = bench.gateway
  const { code: exitCode } = await lab.step(`${lane}: the Gateway ends`, () => bench.stop())
  return {
    lane,
    catalogue,
    target,
    wallMs: Math.round(performance.now() - begun),
    use,
    turn: describeTurn(turn, target),
    log,
    effective,
    ...tried,
    http,
    rpc,
    ran: bench.ran,
    exitCode,
  }
}

/** Asks for one turn with a larger catalogue, to see what the model is sent; it calls nothing, since another scenario searches more tools than these. */
export async function drivePayload(lab: Lab, lane: LaneId, catalogue: number): Promise<PayloadEvidence> {
  return lab.step(`${lane}: one turn with ${catalogue} tools`, async () => {
    const begun = performance.now()
    const target = targetTool(catalogue)
    const name = `${lane}-${catalogue}`
    const bench = await Bench.open(lab, { name, tools: catalogue, approvalMs, config: configOf(lane) })
    const turn = await bench.turn(turnSession, `say ${check(target)}`)
    const { use } = bench.gateway
    await bench.stop()
    const wallMs = Math.round(performance.now() - begun)
    return { lane, catalogue, wallMs, use, turn: describeTurn(turn, target) }
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
  const gone = recordsIn(hidden).find(({ id }) => id === denied)
  return {
    source: textAt(tool, 'source'),
    pluginId: textAt(tool, 'pluginId'),
    exposure: textAt(tool, 'exposure'),
    listsDenied: tools.some(({ name }) => name === denied),
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

/** Lets the model call a tool that it was not offered, then everything else that it might try, and tells what came of each. */
async function tryAll(
  bench: Bench,
  lane: LaneId,
): Promise<Pick<LaneEvidence, 'attempts' | 'blocked' | 'guarded'>> {
  bench.mock.fail({ kind: 'unknown-tool', name: denied })
  const forced = await bench.turn(rulesSession, 'say done')
  const afterForced = bench.ran[denied] ?? 0
  const lines = tries[lane].map((each) => `call ${each.name} ${JSON.stringify(each.args)}`)
  const turn = await bench.turn(rulesSession, lines.join('\n'))
  const ran = bench.ran
  const outputs = new Map([
    ['direct', { planned: plannedIn(forced.requests), toolOutput: outputsOf(forced).join('\n') }],
    ...resultsOf(turn, lane),
  ])
  const attempt = (way: Way, runs: number): Attempt => ({
    way,
    planned: outputs.get(way)?.planned ?? [],
    toolOutput: (outputs.get(way)?.toolOutput ?? '').slice(0, 16_000),
    ran: runs,
  })
  const stop = (name: 'blocked' | 'guarded'): StopEvidence => ({
    toolOutput: (outputs.get(name)?.toolOutput ?? '').slice(0, 1_000),
    ran: ran[specialTools[name]] ?? 0,
  })
  const others = [...outputs.keys()].filter(
    (way): way is Way => !['direct', 'blocked', 'guarded'].includes(way),
  )
  return {
    attempts: [
      attempt('direct', afterForced),
      ...others.map((way) => attempt(way, (ran[denied] ?? 0) - afterForced)),
    ],
    blocked: stop('blocked'),
    guarded: stop('guarded'),
  }
}

type Output = Pick<Attempt, 'planned' | 'toolOutput'>

/** What the model was told about each try. */
function resultsOf(turn: Turn, lane: LaneId): readonly (readonly [string, Output])[] {
  const outputs = outputsOf(turn)
  const planned = plannedIn(turn.requests)
  const byCall = tries[lane].map(
    ({ way }, at) => [way, { planned: planned.slice(at, at + 1), toolOutput: outputs[at] ?? '' }] as const,
  )
  if (lane !== 'code') return byCall
  const whole = parsed(outputs[0] ?? '')
  const value = isRecord(whole) && isRecord(whole['value']) ? whole['value'] : {}
  return Object.entries(value).map(
    ([way, told]) => [way, { planned, toolOutput: JSON.stringify(told) }] as const,
  )
}

/** The results that the model was sent last, in the order of the calls of this turn; ids are no help, since providers get them in a form of their own. */
function outputsOf({ requests }: Turn): readonly string[] {
  const body = requests.at(-1)?.body
  const results = recordsIn(isRecord(body) ? body['input'] : []).filter(
    ({ type }) => type === 'function_call_output',
  )
  const count = plannedIn(requests).length
  return count === 0 ? [] : results.slice(-count).map(({ output }) => String(output))
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

async function callOutside(
  call: (name: string) => Promise<OutsideEnd>,
  target: string,
): Promise<OutsideEvidence> {
  return {
    target: await call(target),
    denied: await call(denied),
    blocked: await call(blocked),
    guarded: await call(guarded),
  }
}
