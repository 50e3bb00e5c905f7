import { expect, test } from 'vitest'
import { parsePath } from '../../src/config/path-syntax.ts'
import { appendIn, setIn, unsetIn } from '../../src/config/path-value.ts'
import { reportOn } from '../../src/config/report/report.ts'
import type { Config } from '../../src/config/types.ts'
import { explainTool } from '../../src/policy/explain.ts'
import { findFixes, type Fix } from '../../src/policy/fixes.ts'
import type { Decision } from '../../src/policy/types.ts'
import type { View } from '../../src/policy/view.ts'
import { openView, type ViewSource } from '../../src/runtime/open-view.ts'
import { randomSession } from './generators.ts'
import { law, runs, seedOf } from './random.ts'
import { Random } from './seeded-random.ts'

const noLocation = () => null

/** Applies what a fix says, read back from its printed form. */
function applied(config: Config, fix: Fix): Config {
  let value: unknown = config
  for (const { op, path, value: item } of fix.edits) {
    const at = parsePath(path)
    if (op === 'set') value = setIn(value, at, item)
    else if (op === 'unset') value = unsetIn(value, at)
    else value = appendIn(value, at, item)
  }
  return value as Config
}

function visible(view: View): Set<string> {
  return new Set(view.decisions.flatMap(({ tool, verdict }) => (verdict === 'visible' ? [tool.name] : [])))
}

function gained(from: Set<string>, to: Set<string>, without: string): string[] {
  return [...to].filter((name) => !from.has(name) && name !== without).toSorted()
}

/** Judges every offered fix from its printed form alone. */
function checkFixes(
  source: ViewSource,
  view: View,
  decision: Decision,
  fixes: readonly Fix[],
  where: string,
): void {
  const name = decision.tool.name
  const before = visible(view)
  law(fixes.length <= 3, `${where}: more than 3 fixes`)
  law(decision.verdict !== 'visible' || fixes.length === 0, `${where}: a fix for a visible tool`)
  const costs = fixes.map((fix) => fix.alsoReveals.length + fix.alsoHides.length)
  law(new Set(costs).size <= 1, `${where}: one fix changes more than another`)
  for (const fix of fixes) {
    const config = applied(source.config, fix)
    const issues = reportOn(config, { edition: source.edition.id, locate: noLocation }).issues
    law(issues.length === 0, `${where}: ${fix.commands.join('; ')} is invalid: ${issues[0]?.message}`)
    const after = visible(openView({ ...source, config }))
    law(after.has(name), `${where}: ${fix.commands.join('; ')} does not work`)
    const [reveals, hides] = [gained(before, after, name), gained(after, before, name)]
    law(String(reveals) === String(fix.alsoReveals), `${where}: reveals ${reveals}, says ${fix.alsoReveals}`)
    law(String(hides) === String(fix.alsoHides), `${where}: hides ${hides}, says ${fix.alsoHides}`)
    law(fix.commands.length === fix.edits.length, `${where}: commands and edits differ`)
  }
}

const minutes = 60_000

test(
  'every offered fix works, is valid and touches nothing else than it says',
  { timeout: 10 * minutes },
  () => {
    const random = new Random(seedOf('fixes'))
    let offered = 0
    for (let run = 0; run < runs(4_000); run++) {
      const source = randomSession(random)
      const view = openView(source)
      const hidden = view.decisions.filter(({ verdict }) => verdict !== 'visible')
      const chosen = [...random.shuffle(hidden).slice(0, 4), random.pick(view.decisions)]
      for (const decision of chosen) {
        const fixes = findFixes(view, decision, {
          reopen: (change) => openView({ ...source, ...change }),
          isValid: (config) =>
            reportOn(config, { edition: source.edition.id, locate: noLocation }).issues.length === 0,
        })
        offered += fixes.length
        checkFixes(source, view, decision, fixes, `run ${run}, ${decision.tool.name}`)
      }
    }
    expect(offered).toBeGreaterThan(runs(1_500))
  },
)

test('explain says what the decision says, for every tool', { timeout: 10 * minutes }, () => {
  const random = new Random(seedOf('explain'))
  for (let run = 0; run < runs(2_000); run++) {
    const source = randomSession(random)
    const view = openView(source)
    const reopen = (change: Partial<Pick<ViewSource, 'config' | 'edition'>>) =>
      openView({ ...source, ...change })
    for (const decision of random.shuffle([...view.decisions]).slice(0, 6)) {
      const { tool, trace, decisive } = decision
      const result = explainTool(view, tool.name, { reopen, locate: noLocation })
      const where = `run ${run}, ${tool.name}`
      const expected = view.exposure(tool) === 'deferred' ? 'deferred' : decision.verdict
      law(result.tool === tool.name && result.known && result.verdict === expected, `${where}: verdict`)
      law(result.trace.length === trace.length, `${where}: trace`)
      law((result.decidedBy?.step ?? null) === (trace[decisive]?.list ?? null), `${where}: decided by`)
      const hiding = trace.filter(({ outcome }) => outcome !== 'pass' && outcome !== 'skipped').length
      law(result.alsoHiddenBy.length === Math.max(0, hiding - 1), `${where}: also hidden by`)
    }
  }
  expect.assertions(0)
})
