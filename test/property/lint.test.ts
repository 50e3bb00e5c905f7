import { expect, test } from 'vitest'
import { parsePath } from '../../src/config/path-syntax.ts'
import { getIn, setIn, unsetIn } from '../../src/config/path-value.ts'
import type { Config } from '../../src/config/types.ts'
import { formatPath, type Notice, type Path } from '../../src/kernel/path.ts'
import { lint } from '../../src/policy/lint.ts'
import type { View } from '../../src/policy/view.ts'
import { openView } from '../../src/runtime/open-view.ts'
import { randomSession } from './generators.ts'
import { law, runs, seedOf } from './random.ts'
import { Random } from './seeded-random.ts'

const locate = (path: Path) => ({ file: '', path: formatPath(path), line: 1, column: 1 })

const visible = (view: View): string =>
  view.decisions
    .flatMap(({ tool, verdict }) => (verdict === 'visible' ? [tool.name] : []))
    .toSorted()
    .join(' ')

/** Notices which say that an entry, or a whole alsoAllow list, changes nothing. */
const idle: ReadonlySet<string> = new Set([
  'unknown-entry',
  'dead-rule',
  'also-allow-grants-nothing',
  'allow-outside-profile',
])

/** Whether taking the value away would not leave an allow list that restricts nothing, or a replaced built-in deny list that comes back. */
function isSafe(config: Config, path: Path): boolean {
  const last = path.at(-1)
  if (typeof last !== 'number') return last === 'alsoAllow'
  const list: unknown = getIn(config, path.slice(0, -1))
  return Array.isArray(list) && list.filter((entry) => String(entry).trim() !== '').length > 1
}

function checkIdle(
  source: ReturnType<typeof randomSession>,
  before: string,
  notice: Notice,
  where: string,
): boolean {
  if (
    !idle.has(notice.id) ||
    !notice.location ||
    (notice.severity === 'info' && notice.id === 'unknown-entry')
  )
    return false
  const path = parsePath(notice.location.path)
  if (!isSafe(source.config, path)) return false
  // A whole list is emptied, not removed: an agent's list that is gone would let the global one in.
  const changed =
    typeof path.at(-1) === 'number' ? unsetIn(source.config, path) : setIn(source.config, path, [])
  const config = changed as Config
  const after = visible(openView({ ...source, config }))
  law(before === after, `${where}: ${notice.message}\n${before}\n${after}`)
  return true
}

const minutes = 60_000

test(
  'an entry that is said to change nothing can be removed without changing anything',
  { timeout: 10 * minutes },
  () => {
    const random = new Random(seedOf('lint'))
    let checked = 0
    for (let run = 0; run < runs(3_000); run++) {
      const source = randomSession(random)
      const view = openView(source)
      const before = visible(view)
      for (const notice of lint(view, locate)) {
        if (checkIdle(source, before, notice, `run ${run}`)) checked++
      }
    }
    expect(checked).toBeGreaterThan(runs(3_000))
  },
)
