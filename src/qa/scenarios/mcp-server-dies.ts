import { join } from 'node:path'
import { isRecord } from '../../config/path-value.ts'
import { Bench, type Turn } from '../bench.ts'
import { catalogueTool, fakePluginOk } from '../fake-plugin.ts'
import { labServer, labServerFile, livingIn, startsIn } from '../mcp-fixture.ts'
import { defineScenario, type Check } from '../scenario.ts'

interface TurnSeen {
  readonly status: number
  readonly planned: readonly string[]
  readonly text: string
}

/** What happened around the death of an MCP server. */
export interface McpDeathEvidence {
  readonly before: TurnSeen
  readonly during: TurnSeen
  readonly after: TurnSeen
  /** Results in the transcript of the turn in which the server died, by tool. */
  readonly results: readonly { readonly name: string; readonly isError: boolean }[]
  /** Calls in the transcript that have no result. */
  readonly openCalls: number
  readonly healthy: boolean
  /** How often the server was started. */
  readonly starts: number
  /** Servers that live after the Gateway has ended. */
  readonly orphans: number
}

const sessionKey = 'agent:main:qa-mcp'
const neighbour = catalogueTool(1)

function seen({ status, text, requests }: Turn): TurnSeen {
  return {
    status,
    text: text.slice(0, 600),
    planned: requests.flatMap(({ planned }) => planned.map(({ name }) => name)),
  }
}

/** Waits until the Gateway knows the tools of the server, which it asks in the background. */
async function connected(bench: Bench): Promise<void> {
  await bench.gateway.listen()
  for (;;) {
    const since = bench.gateway.eventCount
    const { mcp } = await bench.ask('health')
    if (Array.isArray(mcp) && mcp.some((each) => isRecord(each) && each['status'] === 'connected')) return
    await bench.gateway.event('tools.changed', () => true, since)
  }
}

/** Asserted about that. */
export const mcpDeathChecks: readonly Check<McpDeathEvidence>[] = [
  {
    id: 'server-answers',
    title: 'The model can call a tool of the server',
    judge: ({ before }) => (before.text.includes('ECHO one') ? null : `the agent said ${before.text}`),
  },
  {
    id: 'death-is-reported',
    title: 'The call in which the server dies is an error that the model is told of',
    judge: ({ results }) => {
      const died = results.find(({ name }) => name === 'lab__die')
      return died?.isError === true ? null : `the result is ${JSON.stringify(died ?? null)}`
    },
  },
  {
    id: 'turn-goes-on',
    title: 'The turn goes on to its end',
    judge: ({ during }) =>
      during.status === 200 && during.text.includes('lab__die') ? null : `${during.status}: ${during.text}`,
  },
  {
    id: 'neighbour-is-unharmed',
    title: 'A call of another tool in the same message succeeds',
    judge: ({ during, results }) => {
      const call = results.find(({ name }) => name === neighbour)
      const isFine = call?.isError === false && during.text.includes(`${fakePluginOk} ${neighbour}`)
      return isFine ? null : `the result is ${JSON.stringify(call ?? null)}`
    },
  },
  {
    id: 'server-is-started-again',
    title: 'The next turn finds the server alive again',
    judge: ({ after, starts }) => {
      if (!after.text.includes('ECHO two')) return `the agent said ${after.text}`
      return starts >= 2 ? null : `the server was started ${starts} times`
    },
  },
  {
    id: 'transcript-is-whole',
    title: 'Every call in the transcript has a result',
    judge: ({ openCalls }) => (openCalls === 0 ? null : `${openCalls} calls have none`),
  },
  {
    id: 'gateway-is-healthy',
    title: 'The Gateway stays healthy',
    judge: ({ healthy }) => (healthy ? null : 'its health says otherwise'),
  },
  {
    id: 'no-orphans',
    title: 'No server outlives the Gateway',
    judge: ({ orphans }) => (orphans === 0 ? null : `${orphans} still live`),
  },
]

/** A server of the MCP config that ends while a model waits for it. */
export const mcpServerDies = defineScenario<McpDeathEvidence>({
  id: 'mcp-server-dies',
  title: 'An MCP server that dies in the middle of a turn costs one call, not the turn',
  limitMs: 60_000,
  async drive(lab) {
    const pidFile = join(lab.root, 'server-pids.txt')
    const script = join(lab.root, 'mcp', '.openclaw', labServerFile)
    const server = labServer({ node: lab.node, script, pidFile })
    const bench = await lab.step('the Gateway starts with an MCP server', () =>
      Bench.open(lab, {
        name: 'mcp',
        tools: 2,
        files: server.files,
        config: {
          mcp: { servers: server.servers },
          tools: { profile: 'minimal', alsoAllow: ['group:plugins', 'lab__*'], toolSearch: false },
        },
      }),
    )
    await lab.step('the server has said which tools it has', () => connected(bench))
    const before = await lab.step('the model calls a tool of the server', () =>
      bench.turn(sessionKey, 'call lab__echo {"text":"one"}'),
    )
    const during = await lab.step('the server dies during a call, beside a call of a plugin', () =>
      bench.turn(sessionKey, `call lab__die {}\ncall ${neighbour} {"marker":"beside"}`),
    )
    const after = await lab.step('the model calls the server again', () =>
      bench.turn(sessionKey, 'call lab__echo {"text":"two"}'),
    )
    const messages = await lab.step('the transcript and the health are read', async () =>
      (await bench.transcript(sessionKey)).flatMap(({ message }) => message ?? []),
    )
    const health = await bench.ask('health')
    await lab.step('the Gateway ends', () => bench.stop())
    const results = messages.filter(({ role }) => role === 'toolResult')
    const calls = messages.flatMap(({ content }) => content.filter(({ type }) => type === 'toolCall'))
    const answered = new Set(results.map(({ toolCallId }) => toolCallId))
    return {
      before: seen(before),
      during: seen(during),
      after: seen(after),
      results: results.map(({ toolName = '', isError = false }) => ({ name: toolName, isError })),
      openCalls: calls.filter(({ id }) => !answered.has(id)).length,
      healthy: health['ok'] === true,
      starts: startsIn(pidFile),
      orphans: livingIn(pidFile).length,
    }
  },
  checks: mcpDeathChecks,
})
