import { getIn, isRecord } from '../../config/path-value.ts'
import { isRedacted, redactAt } from '../../config/redact.ts'
import { isSame } from '../../config/same-value.ts'
import { OpenClawError } from '../../kernel/errors.ts'
import { formatPath, type Path } from '../../kernel/path.ts'

/** The config a value is written over: as it stands in the files, and with variables replaced. */
export interface Original {
  readonly authored: unknown
  readonly config: unknown
}

/** A value as it is to be written, and the paths where a reference to a variable was kept. */
export interface Restored {
  readonly value: unknown
  readonly kept: readonly Path[]
}

function noOriginal(path: Path): OpenClawError {
  return new OpenClawError(
    'INPUT_INVALID',
    `${formatPath(path)} holds the placeholder that stands for a hidden secret, and there is no stored value it could stand for`,
    { hints: ['write the real value, or a reference such as ${NAME}'], data: { path: formatPath(path) } },
  )
}

/** Whether a value holds the placeholder of a secret anywhere. */
export function holdsPlaceholder(value: unknown): boolean {
  if (typeof value === 'string') return isRedacted(value)
  if (Array.isArray(value)) return value.some(holdsPlaceholder)
  return isRecord(value) && Object.values(value).some(holdsPlaceholder)
}

/** Which old entry a new one continues: the one with the same id, else the one in the same place. */
function counterpart(old: readonly unknown[], item: unknown, at: number): number {
  const id = getIn(item, ['id'])
  const same = id === undefined ? -1 : old.findIndex((entry) => getIn(entry, ['id']) === id)
  return same >= 0 ? same : at
}

/**
 * Gives back what printing has taken from a value: a secret whose placeholder is written back unchanged, and `${VAR}` where the
 * value is just what the variable says. Throws INPUT_INVALID for a placeholder without a stored value.
 */
export function restore(value: unknown, path: Path, original: Original): Restored {
  const kept: Path[] = []
  const text = (item: string, to: Path, from: Path | null): string => {
    const authored = from && getIn(original.authored, from)
    const resolved = from && getIn(original.config, from)
    if (isRedacted(item)) {
      const shown = from && redactAt(original.config, from, original.authored)
      if (typeof authored === 'string' && (shown === item || authored === item)) return authored
      throw noOriginal(to)
    }
    if (typeof authored !== 'string' || authored === resolved || item !== resolved) return item
    kept.push(to)
    return authored
  }
  const walk = (item: unknown, to: Path, from: Path | null): unknown => {
    if (typeof item === 'string') return text(item, to, from)
    if (Array.isArray(item)) {
      const old = from && getIn(original.authored, from)
      return item.map((entry, at) => {
        const index = Array.isArray(old) ? counterpart(old, entry, at) : at
        return walk(entry, [...to, at], from && [...from, index])
      })
    }
    if (!isRecord(item)) return item
    return Object.fromEntries(
      Object.entries(item).map(([key, entry]) => [key, walk(entry, [...to, key], from && [...from, key])]),
    )
  }
  const restored = walk(value, path, path)
  return { value: isSame(restored, value) ? value : restored, kept }
}
