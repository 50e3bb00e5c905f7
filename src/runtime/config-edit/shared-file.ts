import { isRecord } from '../../config/path-value.ts'
import { isSame } from '../../config/same-value.ts'
import { OpenClawError } from '../../kernel/errors.ts'
import { formatPath, type Location, type Path } from '../../kernel/path.ts'

function childrenOf(value: unknown): Map<string | number, unknown> | null {
  if (Array.isArray(value)) return new Map(value.entries())
  return isRecord(value) ? new Map(Object.entries(value)) : null
}

/** The first place neither above nor below a path where two configs differ; null where there is none. */
export function changeElsewhere(before: unknown, after: unknown, path: Path, at: Path = []): Path | null {
  if (isSame(before, after)) return null
  const isBelow = path.every((segment, depth) => at[depth] === segment)
  if (isBelow) return null
  const [old, now] = [childrenOf(before), childrenOf(after)]
  const isSameKind = Array.isArray(before) === Array.isArray(after)
  if (old === null || now === null || !isSameKind) {
    return at.every((segment, depth) => path[depth] === segment) ? null : at
  }
  for (const key of new Set([...old.keys(), ...now.keys()])) {
    const found = changeElsewhere(old.get(key), now.get(key), path, [...at, key])
    if (found !== null) return found
  }
  return null
}

/** A file that several places include says the same in all of them, so it cannot say something else in one. */
export function sharedFile(path: Path, owner: Location, also: Path): OpenClawError {
  const [name, other] = [formatPath(path), formatPath(also)]
  return new OpenClawError(
    'CONFIG_CONFLICT',
    `${name} comes from ${owner.file}, which is included elsewhere, too: ${other} would change with it; nothing was written`,
    {
      hints: [
        `if both are meant, change ${owner.file} itself`,
        'else write the value beside the $include, where it wins, or include a copy of the file',
      ],
      data: { path: name, file: owner.file, also: other },
    },
  )
}
