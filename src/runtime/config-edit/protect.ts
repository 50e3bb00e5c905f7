import { getIn, hasIn, isRecord } from '../../config/path-value.ts'
import { OpenClawError } from '../../kernel/errors.ts'
import { formatPath, type Path } from '../../kernel/path.ts'

/** Maps, and lists of entries with ids, that hold much work in little space; `*` is any key. */
const protectedPaths: readonly Path[] = [
  ['agents', 'defaults', 'models'],
  ['agents', 'entries'],
  ['agents', 'list'],
  ['auth', 'profiles'],
  ['channels'],
  ['mcp', 'servers'],
  ['models', 'providers'],
  ['models', 'providers', '*'],
  ['models', 'providers', '*', 'models'],
  ['plugins', 'entries'],
]

const shown = 6

/** Paths of a value that a pattern with `*` means. */
function instances(value: unknown, pattern: Path): Path[] {
  return pattern.reduce<Path[]>(
    (paths, segment) =>
      paths.flatMap((path) => {
        if (segment !== '*') return [[...path, segment]]
        const here = getIn(value, path)
        return isRecord(here) ? Object.keys(here).map((key) => [...path, key]) : []
      }),
    [[]],
  )
}

function namesIn(value: unknown): string[] {
  if (isRecord(value)) return Object.keys(value)
  if (!Array.isArray(value)) return []
  return value.flatMap((item: unknown) => {
    const id = getIn(item, ['id'])
    return id === undefined ? [] : [String(id)]
  })
}

const narrower = 'config set of a path inside, or config patch, changes single entries'

/** Refuses (USAGE) a new value at a path that would drop entries of a protected map at, or below, that path; `wayOut` says how to change single entries. */
export function refuseDrops(before: unknown, after: unknown, path: Path, wayOut = narrower): void {
  for (const pattern of protectedPaths) {
    if (pattern.length < path.length) continue
    for (const map of instances(before, pattern)) {
      if (!path.every((segment, at) => segment === map[at]) || !hasIn(before, map)) continue
      const names = new Set(namesIn(getIn(after, map)))
      const gone = namesIn(getIn(before, map)).filter((name) => !names.has(name))
      if (gone.length === 0) continue
      const list =
        gone.slice(0, shown).join(', ') + (gone.length > shown ? ` and ${gone.length - shown} more` : '')
      throw new OpenClawError(
        'USAGE',
        `this would drop ${list} from ${formatPath(map)}; nothing was written`,
        {
          hints: ['add --replace if that is meant', wayOut],
          data: { path: formatPath(map), dropped: gone },
        },
      )
    }
  }
}
