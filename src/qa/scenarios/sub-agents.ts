import { Bench, type CallResult } from '../bench.ts'
import { defineScenario, type Check } from '../scenario.ts'

/** What a parent and its child did. */
export interface SubAgentEvidence {
  readonly done: readonly CallResult[]
  /** What the parent said in the end. */
  readonly said: string
  /** Tools that the child's model was offered. */
  readonly childTools: readonly string[]
  readonly parentTools: readonly string[]
  /** Sessions of the store, as sessions.list names them. */
  readonly sessions: readonly string[]
}

const sessionKey = 'agent:main:qa-parent'
const word = 'CHILD_DONE'

/** Asserted about that. */
export const subAgentChecks: readonly Check<SubAgentEvidence>[] = [
  {
    id: 'child-is-made',
    title: 'A spawned child has a session of its own',
    judge: ({ sessions }) =>
      sessions.some((key) => key.startsWith('agent:main:subagent:'))
        ? null
        : `there are ${sessions.join(' ')}`,
  },
  {
    id: 'child-has-less',
    title:
      'The child is offered no more than its parent, and neither what the parent is denied nor what subagents are',
    judge: ({ childTools, parentTools }) => {
      if (childTools.length === 0) return 'the child was asked nothing'
      const more = childTools.filter((name) => !parentTools.includes(name))
      const denied = childTools.filter((name) => ['exec', 'session_status'].includes(name))
      return more.length + denied.length === 0 ? null : `it was offered ${[...more, ...denied].join(' ')}`
    },
  },
  {
    id: 'result-comes-back',
    title: 'After the yield the parent goes on with what the child said',
    judge: ({ said }) => (said.includes(word) ? null : `the parent said ${said}`),
  },
  {
    id: 'parent-looks',
    title: 'The parent sees its children listed',
    judge: ({ done }) => {
      const listed = done.find(({ tool }) => tool === 'subagents')
      return listed !== undefined && !listed.failed && listed.text.includes('errand')
        ? null
        : `subagents gave ${listed?.text}`
    },
  },
]

/** One agent hands work to another and waits for it. */
export const subAgents = defineScenario<SubAgentEvidence>({
  id: 'sub-agents',
  title: 'A turn spawns a child under its own policy, yields, and goes on with the result',
  limitMs: 60_000,
  async drive(lab) {
    const bench = await lab.step('the Gateway starts with session tools', () =>
      Bench.open(lab, {
        name: 'children',
        tools: 1,
        config: { tools: { allow: ['group:sessions', 'read', 'exec'], deny: ['exec'] } },
      }),
    )
    const lines = [
      `then sessions_spawn ${JSON.stringify({ task: `say ${word}`, label: 'errand' })}`,
      'then subagents {"action":"list"}',
      'then sessions_yield {}',
    ]
    const { requests, text } = await lab.step('a turn spawns a child and yields', () =>
      bench.turn(sessionKey, lines.join('\n')),
    )
    const offered = (isChild: boolean): readonly string[] =>
      requests.find(({ prompt }) => prompt.includes('sessions_spawn') !== isChild)?.tools ?? []
    const done = await bench.results(sessionKey)
    const { sessions } = await bench.ask('sessions.list')
    const keys = Array.isArray(sessions)
      ? sessions.map((each: { readonly key?: unknown }) => String(each.key))
      : []
    await lab.step('the Gateway ends', () => bench.stop())
    return {
      done,
      said: text.slice(0, 2_000),
      childTools: offered(true),
      parentTools: offered(false),
      sessions: keys,
    }
  },
  checks: subAgentChecks,
})
