import { OpenClawError } from '../../kernel/errors.ts'
import { formatPath, type Path } from '../../kernel/path.ts'
import { directiveKey } from '../includes.ts'
import type { LoadedConfig } from '../load.ts'
import type { Owner, Ownership } from '../origin.ts'
import { getIn, isRecord } from '../path-value.ts'
import { isSame } from '../same-value.ts'
import type { Node } from '../scan.ts'
import { align } from './align.ts'

/** One edit inside one file; the path is that of the file's own value. */
export type FileEdit =
  | { readonly op: 'set' | 'append'; readonly file: string; readonly path: Path; readonly value: unknown }
  | { readonly op: 'unset'; readonly file: string; readonly path: Path }

/** What routing needs of a loaded config. */
export type Routable = Pick<LoadedConfig, 'file' | 'authored' | 'documents' | 'ownerOf'>

function placeOf({ file, document, node }: Owner): string {
  const { line, column } = document.position(node.start)
  return `${file}:${line}:${column}`
}

/** No single file can be edited to the wanted effect. */
function severalOwners(path: Path, { parts }: Ownership, hint: string): OpenClawError {
  const shown = formatPath(path)
  return new OpenClawError(
    'CONFIG_CONFLICT',
    `${shown} is put together from ${parts.length} places, so no single file decides it: ${parts.map(placeOf).join(', ')}`,
    { hints: [hint], data: { path: shown, places: parts.map(placeOf) } },
  )
}

function hasInclude(root: Node): boolean {
  const queue = [root]
  for (let node = queue.pop(); node !== undefined; node = queue.pop()) {
    if (node.type === 'scalar') continue
    if (node.type === 'object' && node.items.some(({ key }) => key === directiveKey)) return true
    for (const item of node.items) queue.push(item.value)
  }
  return false
}

/** The nearest value above a path that stands in a file. */
function nearest(config: Routable, path: Path): { owner: Ownership; rest: Path } | null {
  for (let length = path.length - 1; length >= 0; length--) {
    const owner = config.ownerOf(path.slice(0, length))
    if (owner !== null) return { owner, rest: path.slice(length) }
  }
  return null
}

function addAt(config: Routable, path: Path, value: unknown): FileEdit[] {
  const found = nearest(config, path)
  if (found === null) return [{ op: 'set', file: config.file, path, value }]
  const { file, node, path: base } = found.owner
  const [first, ...rest] = found.rest
  // A list that is joined from several files ends where the last of them ends.
  const step = node.type === 'array' ? node.items.length : first
  return [{ op: 'set', file, path: step === undefined ? base : [...base, step, ...rest], value }]
}

/** The edits that give a path of the merged config a value, each in the file that owns what it changes. Throws CONFIG_CONFLICT, with the places, where no single file does. */
export function routeSet(config: Routable, path: Path, value: unknown): FileEdit[] {
  if (config.documents.size === 0) return [{ op: 'set', file: config.file, path, value }]
  const old = getIn(config.authored, path)
  if (old !== undefined && isSame(old, value)) return []
  const owner = config.ownerOf(path)
  if (owner === null) return addAt(config, path, value)
  if (owner.parts.length === 1 && !hasInclude(owner.node)) {
    return [{ op: 'set', file: owner.file, path: owner.path, value }]
  }
  if (isRecord(old) && isRecord(value)) {
    const gone = Object.keys(old).filter((key) => !Object.hasOwn(value, key))
    return [
      ...Object.entries(value).flatMap(([key, item]) => routeSet(config, [...path, key], item)),
      ...gone.flatMap((key) => routeUnset(config, [...path, key])),
    ]
  }
  if (Array.isArray(old) && Array.isArray(value)) return routeList(config, path, owner, old, value)
  if (owner.parts.length === 1) return [{ op: 'set', file: owner.file, path: owner.path, value }]
  throw severalOwners(path, owner, 'change it in one of these files by hand: openclaw config edit')
}

/** Every entry of a joined list has an owner; only where a new entry between two of them belongs cannot be told. */
function routeList(
  config: Routable,
  path: Path,
  owner: Ownership,
  old: readonly unknown[],
  value: readonly unknown[],
): FileEdit[] {
  const pairs = align(old, value)
  const added = pairs.flatMap(([from, to]) => (from === null && to !== null ? [to] : []))
  const stays = pairs.findLastIndex(([from, to]) => from !== null && to !== null)
  const firstNew = pairs.findIndex(([from]) => from === null)
  if (firstNew >= 0 && firstNew < stays) {
    throw severalOwners(
      path,
      owner,
      `add to its end (--append), or change entries one by one: ${formatPath([...path, 0])}`,
    )
  }
  return [
    ...pairs.flatMap(([from, to]) =>
      from === null || to === null ? [] : routeSet(config, [...path, from], value[to]),
    ),
    ...added.flatMap((to) => routeAppend(config, path, value[to])),
    ...pairs
      .flatMap(([from, to]) => (from !== null && to === null ? [from] : []))
      .toReversed()
      .flatMap((from) => routeUnset(config, [...path, from])),
  ]
}

/** The edits that take a path out of the merged config. Throws CONFIG_CONFLICT where removing it from one file would bring back the value of another. */
export function routeUnset(config: Routable, path: Path): FileEdit[] {
  if (config.documents.size === 0) return [{ op: 'unset', file: config.file, path }]
  const owner = config.ownerOf(path)
  if (owner === null) return []
  if (owner.parts.length > 1) {
    const [other] = owner.parts
    throw severalOwners(
      path,
      owner,
      `without ${placeOf(owner)} the value at ${other ? placeOf(other) : ''} would apply; change or remove that one first`,
    )
  }
  if (owner.path.length > 0) return [{ op: 'unset', file: owner.file, path: owner.path }]
  // The whole content of an included file: what goes is the key that includes it.
  const step = owner.via.at(-1)
  const at = step?.path.lastIndexOf(directiveKey) ?? 0
  if (step === undefined || at < 1)
    throw severalOwners(path, owner, 'openclaw config edit opens the file itself')
  return [{ op: 'unset', file: step.file, path: step.path.slice(0, at) }]
}

/** The edit that adds an entry at the end of a list of the merged config, which is created where it is missing. */
export function routeAppend(config: Routable, path: Path, value: unknown): FileEdit[] {
  if (config.documents.size === 0) return [{ op: 'append', file: config.file, path, value }]
  const owner = config.ownerOf(path)
  if (owner === null) return addAt(config, path, [value])
  return [{ op: 'append', file: owner.file, path: owner.path, value }]
}
