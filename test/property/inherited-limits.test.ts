import { expect, test } from 'vitest'
import { isControlTool } from '../../src/catalog/controls.ts'
import { agentIds } from '../../src/config/agents.ts'
import type { View } from '../../src/policy/view.ts'
import { openView } from '../../src/runtime/open-view.ts'
import { readEntry } from '../../src/sessions/entry.ts'
import { inheritedPolicy } from '../../src/tools/sessions/inheritance.ts'
import { randomSession } from './generators.ts'
import { law, runs, seedOf } from './random.ts'
import { Random } from './seeded-random.ts'

/** Tools that a session sees. Controls of Tool Search reach nothing else; tools of a client belong to the run that it asked for, and to no other session. */
function visible({ decisions }: View): ReadonlySet<string> {
  return new Set(
    decisions.flatMap(({ tool, verdict }) =>
      verdict === 'visible' && tool.source !== 'client' && !isControlTool(tool) ? [tool.name] : [],
    ),
  )
}

test('a sub-agent sees no tool that its parent does not see', { timeout: 600_000 }, () => {
  const seed = seedOf('inherited-limits')
  const random = new Random(seed)
  let limited = 0
  for (let run = 0; run < runs(10_000); run++) {
    const source = randomSession(random)
    const parent = openView(source)
    const mine = visible(parent)
    // Nobody can be spawned by a session that sees nothing.
    if (mine.size === 0) continue
    const ids = agentIds(source.config)
    const agentId = ids[run % ids.length] ?? 'main'
    const { sessionKey, subagentDepth } = parent.context
    const child = openView({
      ...source,
      request: { agentId, sessionKey: `agent:${agentId}:subagent:1` },
      entry: readEntry({
        spawnedBy: sessionKey,
        spawnDepth: subagentDepth + 1,
        subagentRole: 'orchestrator',
        ...inheritedPolicy(parent),
      }),
    })
    const more = [...visible(child)].filter((name) => !mine.has(name))
    law(more.length === 0, `${more.join(', ')}: seed ${seed}, run ${run}`)
    law(!parent.context.sandboxed || child.context.sandboxed, `not sandboxed: seed ${seed}, run ${run}`)
    if (parent.decisions.some(({ verdict }) => verdict === 'hidden')) limited += 1
  }
  expect(limited).toBeGreaterThan(0)
})
