import { isRecord } from '../../config/path-value.ts'
import { redact, redactAt } from '../../config/redact.ts'
import { isSame } from '../../config/same-value.ts'
import { formatPath, type Path } from '../../kernel/path.ts'

/** A value before and after; undefined is unset. */
export interface Change {
  readonly path: Path
  readonly before: unknown
  readonly after: unknown
}

/** A change as it is printed: secrets replaced, null for unset. */
export interface ShownChange {
  readonly path: string
  readonly before: unknown
  readonly after: unknown
}

/** What differs between two values: objects key by key, lists and everything else as a whole. */
export function changesBetween(before: unknown, after: unknown, path: Path = []): Change[] {
  if (isSame(before, after)) return []
  if (!isRecord(before) || !isRecord(after)) return [{ path, before, after }]
  const keys = new Set([...Object.keys(before), ...Object.keys(after)])
  return [...keys].flatMap((key) =>
    changesBetween(
      Object.hasOwn(before, key) ? before[key] : undefined,
      Object.hasOwn(after, key) ? after[key] : undefined,
      [...path, key],
    ),
  )
}

/** A change without its secrets; `from` and `to` are the configs it is a change of. */
export function showChange({ path, before, after }: Change, from: unknown, to: unknown): ShownChange {
  return { path: formatPath(path), before: safe(before, path, from), after: safe(after, path, to) }
}

function safe(value: unknown, path: Path, config: unknown): unknown {
  if (value === undefined) return null
  return typeof path.at(-1) === 'number' ? redactAt(config, path) : redact(value, { base: path })
}
