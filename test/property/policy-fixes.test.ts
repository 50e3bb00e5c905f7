import { expect, test } from 'vitest'
import { parsePath } from '../../src/config/path-syntax.ts'
import { appendIn, removeIn, setIn, unsetIn } from '../../src/config/path-value.ts'
import type { Config } from '../../src/config/types.ts'
import { validateConfig } from '../../src/config/validate.ts'
import { explainTool } from '../../src/policy/explain.ts'
import type { Fix } from '../../src/policy/fixes.ts'
import { hides } from '../../src/policy/report.ts'
import type { View } from '../../src/policy/view.ts'
import { openView } from '../../src/runtime/open-view.ts'
import { randomSession } from './generators.ts'
import { law, runs, seedOf } from './random.ts'
import { Random } from './seeded-random.ts'

/** The config after the edits of a fix, made by hand. */
function mended(config: unknown, fix: Fix): unknown {
  return fix.edits.reduce((value, { op, path: text, value: item }) => {
    const path = parsePath(text)
    if (op === 'set') return setIn(value, path, item)
    if (op === 'unset') return unsetIn(value, path)
    return op === 'append' ? appendIn(value, path, item) : removeIn(value, path, item)
  }, config)
}

function visible(view: View): Set<string> {
  return new Set(view.decisions.flatMap(({ tool, verdict }) => (verdict === 'visible' ? [tool.name] : [])))
}

/** Steps that no edit of a config can open. */
const beyondConfig = new Set([
  'run.tools',
  'model.tools',
  'channel-runtime',
  'inherited',
  'run.toolsAllow',
  'schema',
])

test(
  'every offered fix works, leaves a valid config and touches nothing else than it says',
  { timeout: 600_000 },
  async () => {
    const seed = seedOf('policy-fixes')
    const random = new Random(seed)
    const fixed = new Set<string>()
    let offered = 0
    for (let run = 0; run < runs(10_000); run++) {
      const source = randomSession(random)
      const view = openView(source)
      const before = visible(view)
      const hidden = view.decisions.filter(({ verdict }) => verdict !== 'visible')
      if (hidden.length === 0) continue
      for (const { tool, trace, decisive } of random.some(5, hidden)) {
        const where = `seed ${seed}, run ${run}, ${tool.name}`
        const reopen = (change: object): View => openView({ ...source, ...change })
        const { fixes } = explainTool(view, tool.name, { reopen, locate: () => null })
        const lost = trace.find((entry) => hides(entry) && beyondConfig.has(entry.step))
        law(fixes.length === 0 || lost === undefined, `${where}: a fix for what ${lost?.step} hides`)
        for (const fix of fixes) {
          const at = `${where}: ${JSON.stringify(fix.edits)}`
          const config = mended(view.config, fix)
          const validation = await validateConfig(config, { edition: view.edition.id, locate: () => null })
          law(validation.valid, `${at} leaves a broken config`)
          const after = visible(reopen({ config: config as Config }))
          law(after.has(tool.name), `${at} does not help`)
          const reveals = [...after].filter((name) => !before.has(name) && name !== tool.name).toSorted()
          const hiding = [...before].filter((name) => !after.has(name)).toSorted()
          law(
            fix.alsoReveals.join() === reveals.join(),
            `${at} also reveals ${reveals.join()}, not ${fix.alsoReveals.join()}`,
          )
          law(
            fix.alsoHides.join() === hiding.join(),
            `${at} also hides ${hiding.join()}, not ${fix.alsoHides.join()}`,
          )
          law(fix.commands.length === fix.edits.length, `${at}: ${fix.commands.length} commands`)
          offered += 1
          fixed.add(trace[decisive]?.list ?? '')
        }
      }
    }
    expect(offered).toBeGreaterThan(runs(8000))
    expect(fixed.size).toBeGreaterThan(15)
  },
)
