import { Bench, pluginTools } from '../bench.ts'
import { catalogueTool, fakePluginOk } from '../fake-plugin.ts'
import type { Fault } from '../mock-openai/faults.ts'
import { defineScenario, type Check } from '../scenario.ts'

/** One turn whose provider fails once, or for good. */
interface FaultTurn {
  readonly fault: string
  readonly status: number
  readonly text: string
  readonly requests: number
  /** How often the tool ran because of this turn. */
  readonly ran: number
  /** What the model was told, where it called something. */
  readonly toolOutput: string
}

/** Turns with faulty answers of the provider. */
export interface FaultEvidence {
  /** The first answer fails, the next attempt succeeds. */
  readonly passing: readonly FaultTurn[]
  /** The answer after the tool's result fails. */
  readonly afterCall: FaultTurn
  /** The model itself writes nonsense. */
  readonly malformed: FaultTurn
  readonly unknownTool: FaultTurn
  /** The provider refuses for good. */
  readonly refused: FaultTurn
  /** A turn after all of that. */
  readonly last: FaultTurn
  readonly healthy: boolean
  /** Calls in the transcript that have no result. */
  readonly openCalls: number
  /** Whether the key of the provider was in anything that the Gateway said or wrote to its output. */
  readonly leaksKey: boolean
}

const tool = catalogueTool(1)
const sessionKey = 'agent:main:qa-faults'

/** Faults that are over when the model is asked again; a silent provider is given up after its `timeoutSeconds`. */
const passing: readonly Fault[] = [
  { kind: 'status', status: 429, retryAfter: 0 },
  { kind: 'status', status: 500, retryAfter: 0 },
  { kind: 'stall' },
  { kind: 'cut' },
  { kind: 'end' },
  { kind: 'error-event' },
  { kind: 'garbage' },
]

function nameOf(fault: Fault): string {
  return fault.kind === 'status' ? `status ${fault.status}` : fault.kind
}

function fine({ fault, status, text, ran }: FaultTurn): string | null {
  if (status !== 200) return `${fault}: the Gateway answered ${status}: ${text}`
  if (!text.includes(`${fakePluginOk} ${tool}`)) return `${fault}: the agent said ${text}`
  return ran === 1 ? null : `${fault}: the tool ran ${ran} times`
}

/** Asserted about that. */
export const faultChecks: readonly Check<FaultEvidence>[] = [
  {
    id: 'passing-faults-are-survived',
    title: 'A fault that passes costs an attempt, not the turn',
    judge: ({ passing: turns }) => {
      const problem = turns.map(fine).find((each) => each !== null)
      if (problem !== undefined) return problem
      return turns.length === passing.length ? null : `only ${turns.length} faults were tried`
    },
  },
  {
    id: 'provider-is-asked-again',
    title: 'The provider is asked once more for each of them',
    judge: ({ passing: turns }) => {
      const wrong = turns.find(({ requests }) => requests !== 3)
      return wrong === undefined ? null : `${wrong.fault}: the provider got ${wrong.requests} requests`
    },
  },
  {
    id: 'no-call-is-made-twice',
    title: 'A fault after a call does not make the call again',
    judge: ({ afterCall }) => fine(afterCall),
  },
  {
    id: 'malformed-arguments-are-told',
    title: 'Arguments that are no JSON do not run the tool; the model is told',
    judge: ({ malformed: { ran, toolOutput, status } }) => {
      if (ran > 0) return 'the tool ran'
      return status === 200 && /JSON/.test(toolOutput) ? null : `${status}: the model is told ${toolOutput}`
    },
  },
  {
    id: 'unknown-tool-is-told',
    title: 'A tool that nobody has is an error that the model is told of',
    judge: ({ unknownTool: { toolOutput, status } }) =>
      status === 200 && toolOutput.includes('no_such_tool')
        ? null
        : `${status}: the model is told ${toolOutput}`,
  },
  {
    id: 'refusal-is-reported',
    title: 'A refusal for good ends the turn with an error, without further attempts',
    judge: ({ refused: { status, text, requests } }) => {
      if (status < 500) return `the Gateway answered ${status}`
      if (requests !== 1) return `the provider got ${requests} requests`
      return text === '' ? 'the error has no message' : null
    },
  },
  {
    id: 'session-goes-on',
    title: 'The session goes on after all of that',
    judge: ({ last, healthy }) => (healthy ? fine(last) : 'the Gateway is not healthy'),
  },
  {
    id: 'transcript-is-whole',
    title: 'Every call in the transcript has a result',
    judge: ({ openCalls }) => (openCalls === 0 ? null : `${openCalls} calls have none`),
  },
  {
    id: 'key-stays-secret',
    title: 'Nothing that was said shows the key of the provider',
    judge: ({ leaksKey }) => (leaksKey ? 'the key was shown' : null),
  },
]

/** A provider that fails in every way that it can. */
export const providerFaults = defineScenario<FaultEvidence>({
  id: 'provider-faults',
  title: 'Faults of the provider cost attempts, are told to whom they concern, and never repeat a call',
  limitMs: 120_000,
  async drive(lab) {
    const bench = await lab.step('the Gateway starts', () =>
      Bench.open(lab, {
        name: 'faults',
        tools: 1,
        provider: { timeoutSeconds: 1 },
        config: { tools: pluginTools([], { toolSearch: false }) },
      }),
    )
    const said: string[] = []
    const turn = async (fault: Fault | null, prompt = `call ${tool} {"marker":"x"}`): Promise<FaultTurn> => {
      const before = bench.ran[tool] ?? 0
      if (fault !== null) bench.mock.fail(fault)
      const { status, text, requests } = await bench.turnOverRpc(sessionKey, prompt)
      said.push(text)
      return {
        fault: fault === null ? 'none' : nameOf(fault),
        status,
        text: text.slice(0, 500),
        requests: requests.length,
        ran: (bench.ran[tool] ?? 0) - before,
        toolOutput: (requests.at(-1)?.toolOutput ?? '').slice(0, 500),
      }
    }
    const turns: FaultTurn[] = []
    for (const fault of passing) {
      turns.push(await lab.step(`the provider fails once: ${nameOf(fault)}`, () => turn(fault)))
    }
    const afterCall = await lab.step('the provider fails after the call', async () => {
      // The first answer of this turn is the call, the second one fails.
      const begun = turn(null)
      await Promise.race([begun, bench.mock.received(bench.mock.requests.length + 1)])
      bench.mock.fail({ kind: 'status', status: 500, retryAfter: 0 })
      return begun
    })
    const malformed = await lab.step('the model writes arguments that are no JSON', () =>
      turn({ kind: 'malformed-arguments' }),
    )
    const unknownTool = await lab.step('the model calls a tool that nobody has', () =>
      turn({ kind: 'unknown-tool' }),
    )
    const refused = await lab.step('the provider refuses for good', () =>
      turn({ kind: 'status', status: 401 }),
    )
    const last = await lab.step('a turn without any fault', () => turn(null))
    const [events, health] = await lab.step('the transcript and the health are read', () =>
      Promise.all([bench.transcript(sessionKey), bench.ask('health')]),
    )
    const messages = events.flatMap(({ message }) => message ?? [])
    await lab.step('the Gateway ends', () => bench.stop())
    const answered = new Set(messages.map(({ toolCallId }) => toolCallId))
    const calls = messages.flatMap(({ content }) => content.filter(({ type }) => type === 'toolCall'))
    const { stdout, stderr } = bench.gateway.output
    const everything = [...said, stdout, stderr].join('\n')
    return {
      passing: turns,
      afterCall,
      malformed,
      unknownTool,
      refused,
      last,
      healthy: health['ok'] === true,
      openCalls: calls.filter(({ id }) => !answered.has(id)).length,
      leaksKey: lab.secrets.some((secret) => everything.includes(secret)),
    }
  },
  checks: faultChecks,
})
