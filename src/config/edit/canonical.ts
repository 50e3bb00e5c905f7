import type { EditionId } from '../../kernel/edition-id.ts'
import { OpenClawError } from '../../kernel/errors.ts'
import { formatPath, type Path, type Segment } from '../../kernel/path.ts'
import { directiveKey } from '../includes.ts'
import { getIn, isRecord, listIndex } from '../path-value.ts'
import { schemaAt } from '../schema-walk.ts'

/** Whether a list or an object is to be created at a path that does not exist yet. */
function isListToBe(path: Path, segment: Segment, edition: EditionId): boolean {
  const info = schemaAt(path, edition)
  if (info?.isList) return true
  return info?.isRecord !== true && info?.kind !== 'object' && typeof segment === 'number'
}

/**
 * A path with list positions as numbers and keys as strings: by what is there, else by the schema, else as it was typed. So
 * `auth.profiles.0` stays a key and `agents.list.0` becomes a position. Throws PATH_INVALID for a key of a list and for
 * a place past its end, with the places that there are.
 */
export function canonicalPath(value: unknown, path: Path, edition: EditionId): Path {
  const canonical: Segment[] = []
  for (const segment of path) {
    if (segment === directiveKey) {
      throw new OpenClawError(
        'PATH_INVALID',
        `${directiveKey} says which file is read; it is no value of the config`,
        {
          hints: ['openclaw config edit opens the file itself'],
        },
      )
    }
    const parent = getIn(value, canonical)
    if (Array.isArray(parent) || (parent === undefined && isListToBe(canonical, segment, edition))) {
      canonical.push(position(Array.isArray(parent) ? parent.length : 0, segment, canonical))
    } else canonical.push(isRecord(parent) || parent === undefined ? String(segment) : segment)
  }
  return canonical
}

function position(length: number, segment: Segment, list: Path): number {
  const at = listIndex(segment)
  if (at >= 0 && at <= length) return at
  const shown = formatPath(list)
  const places =
    length === 0 ? 'only [0] can be set' : `[0] to [${length - 1}] can be changed, [${length}] added`
  throw new OpenClawError(
    'PATH_INVALID',
    at < 0
      ? `${shown} is a list and has no key ${JSON.stringify(segment)}`
      : `${shown} has ${length === 1 ? '1 entry' : `${length} entries`}, so nothing can stand at [${at}]`,
    { hints: [`in ${shown} ${places}`], data: { path: shown, length } },
  )
}
