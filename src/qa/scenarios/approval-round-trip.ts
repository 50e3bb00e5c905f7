import { isRecord } from '../../config/path-value.ts'
import { Bench, pluginTools, type OutsideEnd } from '../bench.ts'
import { approvalTitle, fakePluginOk, specialTools } from '../fake-plugin.ts'
import { defineScenario, type Check } from '../scenario.ts'

interface Asked {
  readonly end: OutsideEnd
  /** How often the tool had run by then. */
  readonly ran: number
}

/** Questions, answers and what ran because of them. */
export interface ApprovalEvidence {
  /** Nobody waits: over HTTP, and over WebSocket without `confirm`. */
  readonly http: Asked
  readonly rpc: Asked
  /** What the command line lists then. */
  readonly listed: readonly { readonly id: string; readonly state: string; readonly title: string }[]
  /** After a yes from the command line: the same call, and once more. */
  readonly cliExitCode: number | null
  readonly allowed: Asked
  readonly again: Asked
  /** Other arguments than those that were approved. */
  readonly otherArgs: Asked
  /** Calls that wait, answered over WebSocket. */
  readonly confirmed: Asked
  readonly refused: Asked
  /** A model whose call waits, answered with yes. */
  readonly turn: { readonly text: string; readonly ran: number }
}

const guarded = specialTools.guarded
const sessionKey = 'agent:main:qa-approvals'

function waits({ end, ran }: Asked, runs: number): string | null {
  if (end.ok || !end.requiresApproval) return `it gives ${JSON.stringify(end)}`
  return ran === runs ? null : `the tool had run ${ran} times`
}

function ranOnce({ end, ran }: Asked, runs: number): string | null {
  if (!end.ok) return `it gives ${JSON.stringify(end)}`
  return ran === runs ? null : `the tool had run ${ran} times`
}

/** Asserted about that. */
export const approvalChecks: readonly Check<ApprovalEvidence>[] = [
  {
    id: 'http-call-waits',
    title: 'A call over HTTP ends at once, says that it needs a yes and does not run',
    judge: ({ http }) =>
      waits(http, 0) ?? (http.end.status === 403 ? null : `the status is ${http.end.status}`),
  },
  {
    id: 'rpc-call-waits',
    title: 'A call over WebSocket does so, too',
    judge: ({ rpc }) =>
      waits(rpc, 0) ?? (rpc.end.code === 'requires_approval' ? null : `the code is ${rpc.end.code}`),
  },
  {
    id: 'question-is-listed',
    title: 'approvals list shows the question with its title',
    judge: ({ listed }) =>
      listed.some(({ state, title }) => state === 'pending' && title === approvalTitle)
        ? null
        : `it lists ${JSON.stringify(listed)}`,
  },
  {
    id: 'yes-runs-it-once',
    title: 'After approvals allow the same call runs, once',
    judge: ({ cliExitCode, allowed, again }) =>
      (cliExitCode === 0 ? null : `approvals allow ended with ${cliExitCode}`) ??
      ranOnce(allowed, 1) ??
      waits(again, 1),
  },
  {
    id: 'yes-is-for-its-arguments',
    title: 'A yes is for the arguments that were shown',
    judge: ({ otherArgs }) => waits(otherArgs, 1),
  },
  {
    id: 'waiting-call-goes-on',
    title: 'A call that waits goes on when an operator says yes',
    judge: ({ confirmed }) => ranOnce(confirmed, 2),
  },
  {
    id: 'refused-call-ends',
    title: 'A call that waits ends when an operator says no',
    judge: ({ refused }) => {
      if (refused.end.ok || refused.end.code !== 'forbidden') return `it gives ${JSON.stringify(refused.end)}`
      return refused.ran === 2 ? null : `the tool had run ${refused.ran} times`
    },
  },
  {
    id: 'turn-waits-and-goes-on',
    title: 'A turn waits for the yes to its call and goes on with the result',
    judge: ({ turn }) => {
      if (turn.ran !== 3) return `the tool had run ${turn.ran} times`
      return turn.text.includes(`${fakePluginOk} ${guarded}`) ? null : `the agent said ${turn.text}`
    },
  },
]

/** Somebody asks, somebody answers, over every way that there is. */
export const approvalRoundTrip = defineScenario<ApprovalEvidence>({
  id: 'approval-round-trip',
  title: 'A guarded tool runs after a yes, once and with the approved arguments, and never before',
  limitMs: 90_000,
  async drive(lab) {
    const bench = await lab.step('the Gateway starts with a guarded tool', () =>
      Bench.open(lab, {
        name: 'approvals',
        tools: 1,
        config: { tools: pluginTools([], { toolSearch: false }) },
      }),
    )
    const ran = (): number => bench.ran[guarded] ?? 0
    const asked = async (call: Promise<OutsideEnd>): Promise<Asked> => ({ end: await call, ran: ran() })
    const overHttp = (marker: string) => asked(bench.invokeOverHttp(sessionKey, guarded, { marker }))
    const answered = async (marker: string, method: string): Promise<Asked> => {
      const call = asked(bench.invokeOverRpc('agent:main:main', guarded, { marker }, true))
      const id = await questionOf(bench, marker)
      await bench.ask(method, { id })
      return call
    }
    await bench.gateway.listen()
    const [http, rpc] = await lab.step('two calls come that nobody can approve at once', async () => [
      await overHttp('one'),
      await asked(bench.invokeOverRpc('agent:main:main', guarded, { marker: 'rpc' })),
    ])
    const { json } = await lab.step('the questions are listed', () =>
      lab.runJson(bench.home, ['approvals', 'list']),
    )
    const items = isRecord(json) && Array.isArray(json['items']) ? json['items'].filter(isRecord) : []
    const listed = items.map(({ id, state, wanted }) => ({
      id: String(id),
      state: String(state),
      title: titleOf(wanted),
    }))
    const { code: cliExitCode } = await lab.step('a person says yes on the command line', () =>
      lab.run(bench.home, ['approvals', 'allow', http.end.approvalId ?? 'none']),
    )
    const [allowed, again, otherArgs] = await lab.step(
      'the call comes again, and with other arguments',
      async () => [await overHttp('one'), await overHttp('one'), await overHttp('two')],
    )
    const confirmed = await lab.step('a call waits and gets a yes', () =>
      answered('three', 'approvals.allow'),
    )
    const refused = await lab.step('a call waits and gets a no', () => answered('four', 'approvals.deny'))
    const turn = await lab.step('a turn waits and gets a yes', async () => {
      const said = bench.turn(sessionKey, `call ${guarded} {"marker":"five"}`)
      const id = await Promise.race([questionOf(bench, 'five'), said.then(() => null)])
      if (id !== null) await bench.ask('approvals.allow', { id })
      return { text: (await said).text.slice(0, 500), ran: ran() }
    })
    await lab.step('the Gateway ends', () => bench.stop())
    return { http, rpc, listed, cliExitCode, allowed, again, otherArgs, confirmed, refused, turn }
  },
  checks: approvalChecks,
})

/** The id of the question about the call with this marker, as soon as it is asked. */
async function questionOf(bench: Bench, marker: string): Promise<string> {
  const about = (payload: unknown): Readonly<Record<string, unknown>> => {
    const approval = isRecord(payload) ? payload['approval'] : undefined
    return isRecord(approval) ? approval : {}
  }
  const payload = await bench.gateway.event('approvals.requested', (each) => {
    const { args } = about(each)
    return isRecord(args) && args['marker'] === marker
  })
  return String(about(payload)['id'])
}

function titleOf(wanted: unknown): string {
  const first: unknown = Array.isArray(wanted) ? wanted[0] : undefined
  return isRecord(first) ? String(first['title']) : ''
}
