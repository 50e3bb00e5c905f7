import { Bench, pluginTools } from '../bench.ts'
import { catalogueTool, fakePluginOk, specialTools } from '../fake-plugin.ts'
import { defineScenario, type Check } from '../scenario.ts'

/** A Gateway with ten thousand tools. */
export interface LargeEvidence {
  readonly catalogue: number
  readonly startMs: number
  /** The first turn makes the index, the second one has it. */
  readonly firstTurnMs: number
  readonly secondTurnMs: number
  readonly text: string
  readonly planned: readonly string[]
  readonly declaredTools: readonly string[]
  readonly requestBytes: number
  /** Largest request of the turn, with the answer of the search in it. */
  readonly largestRequestBytes: number
  readonly searchOutputChars: number
  readonly effectiveTools: number
  readonly peakBytes: number | null
  readonly ran: Readonly<Record<string, number>>
}

const catalogue = 10_000
const target = catalogueTool(7_331)
const sessionKey = 'agent:main:qa-large'

/** Bounds that a catalogue of any size has to keep, far above what is measured. */
const most = { requestBytes: 16_384, searchChars: 32_768, turnMs: 20_000, peakBytes: 768 * 1024 * 1024 }

/** Asserted about that. */
export const largeChecks: readonly Check<LargeEvidence>[] = [
  {
    id: 'tool-is-found',
    title: 'The model finds one tool among ten thousand and calls it',
    judge: ({ text, planned, ran }) => {
      if (planned.join(' → ') !== 'tool_search → tool_call') return `the model planned ${planned.join(' → ')}`
      if (text !== `${fakePluginOk} ${target}`) return `the agent said ${text}`
      return ran[target] === 2 ? null : `the tool ran ${ran[target] ?? 0} times`
    },
  },
  {
    id: 'all-tools-are-known',
    title: 'The session has all of them',
    judge: ({ effectiveTools }) =>
      effectiveTools >= catalogue ? null : `tools.effective lists ${effectiveTools}`,
  },
  {
    id: 'request-stays-small',
    title: 'The request holds controls only and stays small',
    judge: ({ declaredTools, requestBytes }) => {
      if (requestBytes > most.requestBytes) return `it has ${requestBytes} bytes`
      const own = declaredTools.find((name) => name.startsWith('fake_plugin') && name !== specialTools.direct)
      return own === undefined ? null : `it has the schema of ${own}`
    },
  },
  {
    id: 'search-answer-is-bounded',
    title: 'The answer of a search stays small, too',
    judge: ({ searchOutputChars }) =>
      searchOutputChars > 0 && searchOutputChars <= most.searchChars
        ? null
        : `it has ${searchOutputChars} characters`,
  },
  {
    id: 'turns-are-in-time',
    title: 'A turn ends within reasonable time',
    judge: ({ firstTurnMs, secondTurnMs }) =>
      Math.max(firstTurnMs, secondTurnMs) <= most.turnMs
        ? null
        : `they took ${firstTurnMs} and ${secondTurnMs} ms`,
  },
  {
    id: 'memory-is-bounded',
    title: 'The Gateway stays within its memory',
    judge: ({ peakBytes }) =>
      peakBytes === null || peakBytes <= most.peakBytes
        ? null
        : `it had ${Math.round(peakBytes / 1024 / 1024)} MiB`,
  },
]

/** The same as in the Tool Search scenario, with a catalogue far larger than anybody has. */
export const largeCatalogue = defineScenario<LargeEvidence>({
  id: 'ten-thousand-tools',
  title: 'Ten thousand tools start, are searched and called within bounds',
  limitMs: 120_000,
  async drive(lab) {
    const begun = performance.now()
    const bench = await lab.step(`the Gateway starts with ${catalogue} tools`, () =>
      Bench.open(lab, {
        name: 'large',
        tools: catalogue,
        config: { tools: pluginTools([specialTools.denied], { toolSearch: { mode: 'tools' } }) },
      }),
    )
    const startMs = Math.round(performance.now() - begun)
    const ask = async () => {
      const from = performance.now()
      const turn = await bench.turn(sessionKey, `tool search qa check target=${target}`)
      return { ...turn, ms: Math.round(performance.now() - from) }
    }
    const first = await lab.step('a model looks for one of them', ask)
    const second = await lab.step('and once more', ask)
    const { groups } = await lab.step('the Gateway lists what the session has', () =>
      bench.ask('tools.effective', { sessionKey }),
    )
    const { peakBytes } = bench.gateway.use
    await lab.step('the Gateway ends', () => bench.stop())
    const listed = Array.isArray(groups) ? groups.flatMap(({ tools }) => tools) : []
    return {
      catalogue,
      startMs,
      firstTurnMs: first.ms,
      secondTurnMs: second.ms,
      text: second.text.slice(0, 300),
      planned: second.requests.flatMap(({ planned }) => planned.map(({ name }) => name)),
      declaredTools: (second.requests[0]?.tools ?? []).slice(0, 50),
      requestBytes: first.requests[0]?.rawBytes ?? 0,
      largestRequestBytes: Math.max(0, ...first.requests.map(({ rawBytes }) => rawBytes)),
      searchOutputChars: first.requests[1]?.toolOutput.length ?? 0,
      effectiveTools: listed.length,
      peakBytes,
      ran: bench.ran,
    }
  },
  checks: largeChecks,
})
