import { dirname } from 'node:path'
import type { Location, Path, Segment } from '../kernel/path.ts'
import { formatPath } from '../kernel/path.ts'
import type { Document } from './document.ts'
import { directiveKey, includeList, includeTarget } from './includes.ts'
import type { IncludedDocuments, IncludeOptions } from './includes.ts'
import { listIndex } from './path-value.ts'
import { toValue } from './scan.ts'
import type { Node, ObjectNode, Property } from './scan.ts'

/** One `$include` on the way from the root config to a value. */
export interface IncludeStep {
  /** The file that holds the directive, and where in it. */
  readonly file: string
  readonly path: Path
  readonly line: number
  readonly column: number
  /** The file it names. */
  readonly target: string
}

/** Where a value of the merged config is written. */
export interface Owner {
  readonly file: string
  readonly document: Document
  /** Path of the value inside that file. */
  readonly path: Path
  readonly node: Node
  /** The member that holds the value, if it stands in an object. */
  readonly property: Property | null
  /** Outermost first; empty for values of the root file. */
  readonly via: readonly IncludeStep[]
}

/** The owner of a value with every place it was merged from, earliest first; the owner is the last of them. */
export interface Ownership extends Owner {
  readonly parts: readonly Owner[]
}

interface Origin {
  readonly owner: Owner
  readonly parts: readonly Owner[]
  /** Worked out when a path leads there: a large config has many values nobody asks about. */
  readonly children: () => ReadonlyMap<string, Origin> | readonly Origin[] | null
}

export interface Origins {
  /** Place of the value at a path of the merged config, or null when no file holds it. */
  locate(path: Path): Location | null
  ownerOf(path: Path): Ownership | null
}

type Children = ReturnType<Origin['children']>

function isList(children: Children): children is readonly Origin[] {
  return Array.isArray(children)
}

function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | null = null
  return () => (made ??= { value: make() }).value
}

/** Merges origins the way `mergeValues` merges the values. */
function mergeOrigins(earlier: Origin | null, later: Origin): Origin {
  if (earlier === null) return later
  const { type } = later.owner.node
  if (type === 'scalar' || earlier.owner.node.type !== type) return later
  const { owner } = later
  return {
    owner,
    parts: [...earlier.parts, ...later.parts],
    children: once(() => mergeChildren(earlier.children(), later.children())),
  }
}

function mergeChildren(earlier: Children, later: Children): Children {
  if (isList(earlier) && isList(later)) return [...earlier, ...later]
  if (earlier === null || later === null || isList(earlier) || isList(later)) return later
  const children = new Map(earlier)
  for (const [key, child] of later) children.set(key, mergeOrigins(children.get(key) ?? null, child))
  return children
}

/** Traces every value of a merged config back to its file by walking the same includes over scanned nodes; nothing is read before the first question. */
export function createOrigins(
  root: Document,
  documents: IncludedDocuments,
  options: IncludeOptions,
): Origins {
  let tree: Origin | null | undefined

  const included = (owner: Owner, directive: Property, baseDir: string): Origin | null => {
    const listed = directive.value.type === 'array'
    let merged: Origin | null = null
    for (const [at, item] of (includeList(toValue(directive.value)) ?? []).entries()) {
      if (typeof item !== 'string') continue
      const target = includeTarget(baseDir, item, options)
      const document = documents.get(target)
      const node = document?.root() ?? null
      if (document === undefined || node === null) continue
      const place =
        listed && directive.value.type === 'array' ? directive.value.items[at]?.value : directive.value
      const step: IncludeStep = {
        file: owner.file,
        path: [...owner.path, directiveKey, ...(listed ? [at] : [])],
        ...owner.document.position(place?.start ?? directive.value.start),
        target,
      }
      const via = [...owner.via, step]
      merged = mergeOrigins(
        merged,
        trace({ file: target, document, path: [], node, property: null, via }, dirname(target)),
      )
    }
    return merged
  }

  const members = (owner: Owner, node: ObjectNode, baseDir: string): Map<string, Origin> => {
    const last = new Map<string, Property>()
    for (const item of node.items) last.set(item.key, item)
    last.delete(directiveKey)
    const children = new Map<string, Origin>()
    for (const [key, property] of last) {
      const inner = { ...owner, path: [...owner.path, key], node: property.value, property }
      children.set(key, trace(inner, baseDir))
    }
    return children
  }

  const trace = (owner: Owner, baseDir: string): Origin => {
    const { node } = owner
    if (node.type === 'scalar') return { owner, parts: [owner], children: () => null }
    if (node.type === 'array') {
      const children = once(() =>
        node.items.map(({ value }, at) =>
          trace({ ...owner, path: [...owner.path, at], node: value, property: null }, baseDir),
        ),
      )
      return { owner, parts: [owner], children }
    }
    const self: Origin = { owner, parts: [owner], children: once(() => members(owner, node, baseDir)) }
    const directive = node.items.findLast((item) => item.key === directiveKey)
    if (directive === undefined) return self
    const content = included(owner, directive, baseDir)
    if (content === null) return self
    const alone = node.items.every((item) => item.key === directiveKey)
    return alone ? content : mergeOrigins(content, self)
  }

  /** Follows a path; `path` comes back with list positions as numbers and keys as strings. */
  const find = (path: Path): { origin: Origin; path: Path } | null => {
    if (tree === undefined) {
      const node = root.root()
      tree =
        node === null
          ? null
          : trace(
              { file: root.file, document: root, path: [], node, property: null, via: [] },
              options.baseDir,
            )
    }
    let origin: Origin | null = tree
    const canonical: Segment[] = []
    for (const segment of path) {
      const children: Children = origin?.children() ?? null
      if (children === null) return null
      const step = isList(children) ? listIndex(segment) : String(segment)
      origin = (isList(children) ? children[listIndex(segment)] : children.get(String(segment))) ?? null
      canonical.push(step)
    }
    return origin === null ? null : { origin, path: canonical }
  }

  return {
    locate: (path) => {
      const found = find(path)
      if (found === null) return null
      const { file, document, node } = found.origin.owner
      return { file, path: formatPath(found.path), ...document.position(node.start) }
    },
    ownerOf: (path) => {
      const found = find(path)
      return found === null ? null : { ...found.origin.owner, parts: found.origin.parts }
    },
  }
}
