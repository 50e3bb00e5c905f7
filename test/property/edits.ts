import type { Path } from '../../src/kernel/path.ts'
import { isRecord } from '../../src/config/path-value.ts'

type Next = () => number

/** One of several things. */
export function pickOne<T>(next: Next, items: readonly T[]): T {
  const item = items[Math.floor(next() * items.length)]
  if (item === undefined) throw new Error('nothing to pick from')
  return item
}

/** One change of a document, as the editor takes it. */
export type RandomEdit =
  | { readonly op: 'set' | 'append' | 'remove'; readonly path: Path; readonly value: unknown }
  | { readonly op: 'unset'; readonly path: Path }

/** Paths of everything inside a value, the root included. */
export function pathsIn(value: unknown, at: Path = []): Path[] {
  if (Array.isArray(value)) return [at, ...value.flatMap((item, index) => pathsIn(item, [...at, index]))]
  if (!isRecord(value)) return [at]
  return [at, ...Object.entries(value).flatMap(([key, item]) => pathsIn(item, [...at, key]))]
}

function valueAt(value: unknown, path: Path): unknown {
  let current = value
  for (const segment of path) current = (current as Record<string, unknown>)[segment]
  return current
}

const samples: readonly unknown[] = [
  'coding',
  "it's",
  '',
  'a\nb',
  true,
  null,
  0,
  -1.5,
  [],
  {},
  ['exec', 'browser'],
  [1, [2, 3]],
  { enabled: true },
  { id: 'w', tools: { deny: ['x'] } },
  [{ id: 'a' }, { id: 'b', n: 1 }],
]

/** A variation of a value: some of it kept, some changed, as a patch does. */
function vary(next: Next, value: unknown): unknown {
  if (Array.isArray(value)) {
    const kept = value.filter(() => next() < 0.8).map((item) => (next() < 0.2 ? vary(next, item) : item))
    if (next() < 0.4) kept.splice(Math.floor(next() * (kept.length + 1)), 0, pickOne(next, samples))
    return kept
  }
  if (isRecord(value)) {
    const entries = Object.entries(value)
      .filter(() => next() < 0.8)
      .map(([key, item]): [string, unknown] => [key, next() < 0.3 ? vary(next, item) : item])
    if (next() < 0.4) entries.push(['added', pickOne(next, samples)])
    return Object.fromEntries(entries)
  }
  return pickOne(next, samples)
}

/** A random edit that is possible for a value; null where none of the drawn kind is. */
export function randomEdit(next: Next, value: unknown): RandomEdit {
  const path = pickOne(next, pathsIn(value))
  const here = valueAt(value, path)
  const kind = next()
  if (kind < 0.3 && path.length > 0) return { op: 'unset', path }
  if (Array.isArray(here)) {
    if (kind < 0.5) return { op: 'append', path, value: pickOne(next, samples) }
    if (kind < 0.65 && here.length > 0) return { op: 'remove', path, value: pickOne(next, here) }
    if (kind < 0.75) return { op: 'set', path: [...path, here.length], value: pickOne(next, samples) }
  }
  if (isRecord(here) && kind < 0.7) {
    const key = pickOne(next, ['new', 'c-d', '7', 'a'])
    const deep = here[key] === undefined && next() < 0.3 ? ['deep', pickOne(next, ['x', 'y'])] : []
    return { op: 'set', path: [...path, key, ...deep], value: pickOne(next, samples) }
  }
  const changed = next() < 0.6 ? vary(next, here) : pickOne(next, samples)
  const container = path.length > 0 || Array.isArray(changed) || isRecord(changed)
  return { op: 'set', path, value: container ? changed : here }
}
