import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { afterAll, expect, test } from 'vitest'
import { loadConfig, type LoadOptions } from '../../src/config/load.ts'
import { appendIn, getIn, hasIn, isRecord, setIn, unsetIn } from '../../src/config/path-value.ts'
import { OpenClawError } from '../../src/kernel/errors.ts'
import type { Path } from '../../src/kernel/path.ts'
import { applyOperation } from '../../src/runtime/config-edit/apply.ts'
import type { Operation } from '../../src/runtime/config-edit/operation.ts'
import { openWorkspace } from '../../src/runtime/config-edit/workspace.ts'
import { pathsIn, pickOne } from './edits.ts'
import { law, random, runs, seedOf } from './random.ts'

type Next = () => number

const directory = mkdtempSync(join(tmpdir(), 'openclaw-includes-'))
afterAll(() => rmSync(directory, { recursive: true, force: true }))

/** Free-form sections, so that every law is about where edits go and none about what the schema wants. */
function randomValue(next: Next, depth: number): unknown {
  const kind = next()
  if (depth > 0 && kind < 0.5) {
    const keys = ['a', 'b', 'c', 'd'].filter(() => next() < 0.6)
    return Object.fromEntries(keys.map((key) => [key, randomValue(next, depth - 1)]))
  }
  if (depth > 0 && kind < 0.75) {
    return Array.from({ length: Math.floor(next() * 4) }, () => randomValue(next, depth - 1))
  }
  return pickOne(next, ['x', 'y', 1, 2, true])
}

/** Puts an include somewhere into a value; what is beside it stays. */
function withInclude(next: Next, value: unknown, files: readonly string[]): unknown {
  const places = pathsIn(value).filter((path) => path.length > 0 && isRecord(getIn(value, path)))
  if (places.length === 0) return value
  const at = pickOne(next, places)
  const beside = next() < 0.5 ? (getIn(value, at) as object) : {}
  const names = next() < 0.3 && files.length > 1 ? files.slice(0, 2) : pickOne(next, files)
  return setIn(value, at, { $include: names, ...beside })
}

function randomOperation(
  next: Next,
  value: unknown,
): { operation: Operation; expected: unknown; path: Path } {
  const path = pickOne(
    next,
    pathsIn(value).filter(({ length }) => length > 1),
  )
  const here = getIn(value, path)
  const steps = path
  const item = randomValue(next, 1)
  const kind = next()
  if (kind < 0.3) return { operation: { op: 'unset', steps }, expected: unsetIn(value, path), path }
  if (Array.isArray(here) && kind < 0.6) {
    return {
      operation: { op: 'append', steps, given: { value: item } },
      // What a list has already is not put in twice.
      expected: here.some((each) => isDeepStrictEqual(each, item)) ? value : appendIn(value, path, item),
      path,
    }
  }
  if (isRecord(here) && kind < 0.6) {
    const inner = [...path, pickOne(next, ['a', 'b', 'new'])]
    return {
      operation: { op: 'set', steps: inner, given: { value: item } },
      expected: setIn(value, inner, item),
      path: inner,
    }
  }
  return { operation: { op: 'set', steps, given: { value: item } }, expected: setIn(value, path, item), path }
}

test('an edit of the merged config has the effect it says, or is refused', { timeout: 300_000 }, async () => {
  const seed = seedOf('config-includes-edit')
  const next = random(seed)
  const file = join(directory, 'openclaw.json5')
  const options: LoadOptions = { file, env: {}, cwd: directory, home: directory }
  const total = runs(6000)
  const ends = { done: 0, refused: 0, included: 0 }
  for (let run = 0; run < total; run++) {
    const parts = {
      'one.json5': randomValue(next, 2),
      'two.json5': isRecord(randomValue(next, 1)) ? randomValue(next, 2) : { a: ['x'], b: { c: 1 } },
      'openclaw.json5': withInclude(
        next,
        { channels: { k: { a: { b: [1, 'x'] }, b: randomValue(next, 3), c: {} } } },
        ['./one.json5', './two.json5'],
      ),
    }
    for (const [name, value] of Object.entries(parts))
      writeFileSync(join(directory, name), JSON.stringify(value, null, 2))
    let loaded
    try {
      loaded = await loadConfig(options)
    } catch {
      continue
    }
    if (!isRecord(getIn(loaded.authored, ['channels', 'k']))) continue
    const { operation, expected, path } = randomOperation(next, loaded.authored)
    const workspace = openWorkspace(loaded, options, '2026.7')
    const where = `seed ${seed}, run ${run}:\n${JSON.stringify(parts)}\n${JSON.stringify(operation)}\n${JSON.stringify(expected)}`
    try {
      await applyOperation(workspace, operation, true)
      const { after, files } = await workspace.finish()
      ends.done += 1
      if (files.some((each) => each.file !== file)) ends.included += 1
      law(isDeepStrictEqual(after.authored, expected), `${where}\n${JSON.stringify(after.authored)}`)
    } catch (error) {
      if (!(error instanceof OpenClawError)) throw error
      ends.refused += 1
      // Only where several files make the value up may an edit be refused.
      const isJoined = error.code === 'CONFIG_CONFLICT' && loaded.documents.size > 0
      law(isJoined && hasIn(loaded.authored, path.slice(0, -1)), `${where}\n${error.message}`)
    }
  }
  expect(ends.done).toBeGreaterThan(total / 3)
  expect(ends.included).toBeGreaterThan(total / 20)
  expect(ends.refused).toBeLessThan(ends.done / 4)
})
