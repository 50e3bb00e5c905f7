import { isDeepStrictEqual } from 'node:util'
import { OpenClawError } from '../kernel/errors.ts'
import { formatPath } from '../kernel/path.ts'
import type { Path, Segment } from '../kernel/path.ts'
import { suggest } from '../kernel/suggest.ts'
import type { Selector, Step } from './path-syntax.ts'

/** True for objects with keys, as opposed to lists and null. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The list index a segment means, or -1; `"1"` means 1. */
export function listIndex(segment: Segment): number {
  if (typeof segment === 'number') return segment
  return /^(?:0|[1-9][0-9]*)$/.test(segment) ? Number(segment) : -1
}

/** The own child of a value; a digit key also finds a list entry, a number also finds a record key. */
function child(value: unknown, segment: Segment): { readonly value: unknown } | null {
  if (Array.isArray(value)) {
    const at = listIndex(segment)
    return at >= 0 && at < value.length ? { value: value[at] } : null
  }
  const key = String(segment)
  return isRecord(value) && Object.hasOwn(value, key) ? { value: value[key] } : null
}

/** The value at a path, own properties only; undefined when something on the way is missing. */
export function getIn(value: unknown, path: Path): unknown {
  let current: unknown = value
  for (const segment of path) {
    const found = child(current, segment)
    if (found === null) return undefined
    current = found.value
  }
  return current
}

/** Whether a path leads to a value, `null` included. */
export function hasIn(value: unknown, path: Path): boolean {
  return getIn(value, path) !== undefined
}

/** Agents are a list in one edition and a record in the other; in a record the id is the key. */
function keyedEntry(root: unknown, { key, value }: Selector, path: Path): readonly string[] {
  const record = path.at(-1) === 'list' ? [...path.slice(0, -1), 'entries'] : path
  const isThere = key === 'id' && isRecord(getIn(root, record)) && hasIn(root, [...record, value])
  return isThere ? [formatPath([...record, value])] : []
}

function noSuchEntry(
  root: unknown,
  entries: readonly (readonly [string, unknown])[],
  selector: Selector,
  path: Path,
): OpenClawError {
  const { key, value } = selector
  const values = entries.flatMap(([, entry]) =>
    isRecord(entry) && hasIn(entry, [key]) ? [String(getIn(entry, [key]))] : [],
  )
  const near = [...keyedEntry(root, selector, path), ...suggest(value, values)]
  const known = values.slice(0, 10).join(', ') + (values.length > 10 ? ', …' : '')
  return new OpenClawError(
    'PATH_UNSET',
    `${formatPath(path)} has no entry with ${key} ${JSON.stringify(value)}`,
    {
      hints: [
        ...(near.length > 0 ? [`did you mean ${near.join(', ')}?`] : []),
        ...(known === '' ? [] : [`entries there have the ${key} ${known}`]),
      ],
      data: { path: formatPath(path), suggestions: near },
    },
  )
}

/** Replaces selectors by the index of the first list entry (or the key of the first record entry) they match; `PATH_UNSET` when none does. */
export function resolveSteps(value: unknown, steps: readonly Step[]): Path {
  const path: Segment[] = []
  for (const step of steps) {
    if (typeof step !== 'object') {
      path.push(step)
      continue
    }
    const entries = Object.entries(Object(getIn(value, path)))
    const found = entries.find(
      ([, entry]) => isRecord(entry) && String(getIn(entry, [step.key])) === step.value,
    )
    if (found === undefined) throw noSuchEntry(value, entries, step, path)
    path.push(Array.isArray(getIn(value, path)) ? Number(found[0]) : found[0])
  }
  return path
}

function kindOf(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'a list'
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`
}

function nameOf(path: Path): string {
  return path.length === 0 ? 'the config' : formatPath(path)
}

function refuse(path: Path, problem: string, hint: string): OpenClawError {
  return new OpenClawError('PATH_INVALID', `${nameOf(path)} ${problem}`, {
    hints: [hint],
    data: { path: formatPath(path) },
  })
}

function withEntry(list: readonly unknown[], segment: Segment, value: unknown, parent: Path): unknown[] {
  const at = listIndex(segment)
  if (at < 0)
    throw refuse(
      parent,
      `is a list and has no key ${JSON.stringify(segment)}`,
      `use an index: ${formatPath([...parent, 0])}`,
    )
  if (at > list.length) {
    throw refuse(
      parent,
      `has ${list.length} entries, so nothing can stand at [${at}]`,
      `the next free place is ${formatPath([...parent, list.length])}`,
    )
  }
  return list.toSpliced(at, 1, value)
}

/** Replaces or adds one own key and keeps the order of the others. */
function withKey(
  record: Readonly<Record<string, unknown>>,
  key: string,
  value: unknown,
): Record<string, unknown> {
  const entries = new Map(Object.entries(record))
  entries.set(key, value)
  return Object.fromEntries(entries)
}

/** Rebuilds the containers along a path around what `change` makes of the value there; missing ones become a list before an index, else an object. */
function update(value: unknown, path: Path, at: number, change: (old: unknown) => unknown): unknown {
  const segment = path[at]
  if (segment === undefined) return change(value)
  const inner = (): unknown => update(child(value, segment)?.value, path, at + 1, change)
  if (Array.isArray(value)) return withEntry(value, segment, inner(), path.slice(0, at))
  if (isRecord(value)) return withKey(value, String(segment), inner())
  if (value !== undefined) {
    throw refuse(
      path.slice(0, at),
      `is ${kindOf(value)} and has nothing inside`,
      `replace ${nameOf(path.slice(0, at))} itself`,
    )
  }
  return typeof segment === 'number'
    ? withEntry([], segment, inner(), path.slice(0, at))
    : withKey({}, segment, inner())
}

/** A copy of `value` with `next` at the path; throws `PATH_INVALID` where a scalar or a gap in a list is in the way. */
export function setIn(value: unknown, path: Path, next: unknown): unknown {
  return update(value, path, 0, () => next)
}

/** A copy without the value at the path (list entries behind it move up); the same value when nothing is there. */
export function unsetIn(value: unknown, path: Path): unknown {
  const last = path.at(-1)
  if (last === undefined || !hasIn(value, path)) return value
  return update(value, path.slice(0, -1), 0, (parent) => {
    if (Array.isArray(parent)) return parent.toSpliced(listIndex(last), 1)
    return Object.fromEntries(Object.entries(Object(parent)).filter(([key]) => key !== String(last)))
  })
}

function listAt(old: unknown, path: Path): readonly unknown[] {
  if (old === undefined) return []
  if (Array.isArray(old)) return old
  throw refuse(path, `is ${kindOf(old)}, not a list`, `replace ${nameOf(path)} by a list`)
}

/** A copy with `item` behind the last entry of the list at the path; a missing list is created. */
export function appendIn(value: unknown, path: Path, item: unknown): unknown {
  return update(value, path, 0, (old) => [...listAt(old, path), item])
}

/** A copy without the entries that equal `item`; the same value when the list is missing or holds none. */
export function removeIn(value: unknown, path: Path, item: unknown): unknown {
  const list = listAt(getIn(value, path), path)
  const rest = list.filter((entry) => !isDeepStrictEqual(entry, item))
  return rest.length === list.length ? value : update(value, path, 0, () => rest)
}
