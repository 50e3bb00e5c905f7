import { expect, test } from 'vitest'
import { explainTool } from '../../src/policy/explain.ts'
import { effectiveResult, hides } from '../../src/policy/report.ts'
import type { View } from '../../src/policy/view.ts'
import { openView, type ViewSource } from '../../src/runtime/open-view.ts'
import { randomSession } from './generators.ts'
import { naiveVisible } from './naive-evaluator.ts'
import { law, runs, seedOf } from './random.ts'
import { Random } from './seeded-random.ts'
import { describeSession, shrink } from './shrink.ts'

const toolsPerSession = 10

/** Steps that no edit of a config can open. */
const beyondConfig = new Set([
  'run.tools',
  'model.tools',
  'channel-runtime',
  'inherited',
  'run.toolsAllow',
  'schema',
])

/** Names on which the two evaluators differ. */
function disagreements(view: View): string[] {
  const naive = naiveVisible(view.config, view.edition, view.inventory, view.context)
  return view.decisions.flatMap(({ tool, verdict }) =>
    (verdict === 'visible') === naive.has(tool.name) ? [] : [`${tool.name} is ${verdict}`],
  )
}

function complain(source: ViewSource, where: string): never {
  const smallest = shrink(source, (smaller) => disagreements(openView(smaller)).length > 0)
  const differs = disagreements(openView(smallest)).join(', ')
  throw new Error(`${where}: the naive evaluator disagrees: ${differs}\n${describeSession(smallest)}`)
}

test('the naive evaluator, effective and explain agree on what a session has', { timeout: 600_000 }, () => {
  const seed = seedOf('policy-agreement')
  const random = new Random(seed)
  const seen = { visible: 0, hidden: 0, unavailable: 0 }
  const steps = new Set<string>()
  for (let run = 0; run < runs(100_000 / toolsPerSession); run++) {
    const source = randomSession(random)
    const where = `seed ${seed}, run ${run}`
    const view = openView(source)
    if (disagreements(view).length > 0) complain(source, where)

    const options = { reopen: (change: object) => openView({ ...source, ...change }), locate: () => null }
    const effective = effectiveResult(view, [], options.locate)
    const shown = new Map(effective.groups.flatMap(({ tools }) => tools.map((tool) => [tool.name, tool])))
    const hidden = new Map(effective.hidden.map((tool) => [tool.id, tool]))
    for (const { tool, verdict, trace } of random.some(toolsPerSession, view.decisions)) {
      const told = explainTool(view, tool.name, options)
      const at = `${where}, ${tool.name}`
      seen[verdict] += 1
      law(told.known && told.tool === tool.name && told.source === tool.source, `${at}: which tool`)
      law((told.verdict === 'deferred' ? 'visible' : told.verdict) === verdict, `${at}: verdict`)
      const lost = trace.find((entry) => hides(entry) && beyondConfig.has(entry.step))
      law(lost === undefined || told.fixes.length === 0, `${at}: a fix for what ${lost?.step} hides`)
      law((told.decidedBy === null) === (verdict === 'visible'), `${at}: who decided`)
      law(shown.has(tool.name) === (verdict === 'visible'), `${at}: listed`)
      law((shown.get(tool.name)?.exposure ?? null) === told.exposure, `${at}: exposure`)
      if (verdict === 'visible') continue
      steps.add(told.decidedBy?.step ?? '')
      const listed = hidden.get(tool.name)
      // A Tool Search control that is off is no part of the list.
      if (listed === undefined) law(tool.defect?.step === 'tool-search', `${at}: hidden, but not listed`)
      else {
        const { step, effect, rule, reason } = told.decidedBy ?? {}
        law(listed.verdict === verdict && listed.step === step, `${at}: step`)
        law(listed.effect === effect && listed.rule === rule && listed.reason === reason, `${at}: rule`)
        const others = told.alsoHiddenBy.map((each) => each.step)
        law(listed.alsoHiddenBy.join() === others.join(), `${at}: also hidden by`)
      }
    }
  }
  // A run that met only a few rules would prove little.
  expect(Math.min(...Object.values(seen))).toBeGreaterThan(runs(10_000))
  expect(steps.size).toBeGreaterThan(20)
})
