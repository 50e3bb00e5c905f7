import type { Path, Segment } from '../../kernel/path.ts'
import { getIn, isRecord, listIndex, setIn, unsetIn } from '../path-value.ts'
import type { ArrayNode, Element, Node, ObjectNode, Property } from '../scan.ts'
import { toValue } from '../scan.ts'
import { isSame, nodeHasValue } from '../same-value.ts'
import { align } from './align.ts'

/*
 * A document while it is edited: what nobody touched is still the node it was read from, a container with a change in it is
 * open, and what is new is a plain value. `layout.ts` turns the difference into splices of the text.
 */

export type Draft = Kept | Fresh | OpenObject | OpenArray

interface Kept {
  readonly kind: 'kept'
  readonly node: Node
}

/** A new value; `replaced` is the node in whose place it stands. */
export interface Fresh {
  readonly kind: 'fresh'
  readonly value: unknown
  readonly replaced: Node | null
}

/** One entry of an open container; `source` is null for a new one. */
export interface Member<Source> {
  readonly source: Source | null
  draft: Draft
}

export interface OpenMember extends Member<Property> {
  readonly key: string
}

export interface OpenObject {
  readonly kind: 'object'
  readonly source: ObjectNode
  members: OpenMember[]
}

export interface OpenArray {
  readonly kind: 'array'
  readonly source: ArrayNode
  members: Member<Element>[]
}

/** A place that holds a draft. */
interface Slot {
  draft: Draft
}

const kept = (node: Node): Kept => ({ kind: 'kept', node })

/** Opens a container that was only read so far. */
function open(slot: Slot): OpenObject | OpenArray | null {
  const { draft } = slot
  if (draft.kind === 'object' || draft.kind === 'array') return draft
  if (draft.kind === 'fresh') return null
  const { node } = draft
  if (node.type === 'scalar') return null
  const opened: OpenObject | OpenArray =
    node.type === 'object'
      ? {
          kind: 'object',
          source: node,
          members: node.items.map((item) => ({ key: item.key, source: item, draft: kept(item.value) })),
        }
      : {
          kind: 'array',
          source: node,
          members: node.items.map((item) => ({ source: item, draft: kept(item.value) })),
        }
  slot.draft = opened
  return opened
}

/** The slot one step down, null when nothing is there; of a repeated key the last counts. */
function child(container: OpenObject | OpenArray, segment: Segment): Slot | null {
  if (container.kind === 'array') return container.members[listIndex(segment)] ?? null
  return container.members.findLast(({ key }) => key === String(segment)) ?? null
}

function add(container: OpenObject | OpenArray, segment: Segment, value: unknown): void {
  const draft: Fresh = { kind: 'fresh', value, replaced: null }
  if (container.kind === 'array') container.members.splice(listIndex(segment), 0, { source: null, draft })
  else container.members.push({ key: String(segment), source: null, draft })
}

function draftIs(draft: Draft, value: unknown): boolean {
  if (draft.kind === 'kept') return nodeHasValue(draft.node, value)
  if (draft.kind === 'fresh') return isSame(draft.value, value)
  return isSame(draftValue(draft), value)
}

/** The plain value of a draft. */
export function draftValue(draft: Draft): unknown {
  switch (draft.kind) {
    case 'kept':
      return toValue(draft.node)
    case 'fresh':
      return draft.value
    case 'array':
      return draft.members.map((member) => draftValue(member.draft))
    case 'object':
      return Object.fromEntries(
        new Map(draft.members.map((member) => [member.key, draftValue(member.draft)])),
      )
  }
}

function replace(slot: Slot, value: unknown): void {
  const { draft } = slot
  const replaced = draft.kind === 'kept' ? draft.node : draft.kind === 'fresh' ? draft.replaced : draft.source
  slot.draft =
    replaced !== null && nodeHasValue(replaced, value) ? kept(replaced) : { kind: 'fresh', value, replaced }
}

function reconcileObject(container: OpenObject, value: Readonly<Record<string, unknown>>): void {
  container.members = container.members.filter(({ key }) => Object.hasOwn(value, key))
  for (const [key, item] of Object.entries(value)) {
    const slot = child(container, key)
    if (slot === null) add(container, key, item)
    else reconcile(slot, item)
  }
}

function reconcileArray(container: OpenArray, value: readonly unknown[]): void {
  const old = container.members
  const pairs = align(
    old.map(({ draft }) => draftValue(draft)),
    value,
  )
  container.members = pairs.flatMap(([from, to]): Member<Element>[] => {
    if (to === null) return []
    const item = value[to]
    const member = from === null ? undefined : old[from]
    if (member === undefined) return [{ source: null, draft: { kind: 'fresh', value: item, replaced: null } }]
    reconcile(member, item)
    return [member]
  })
}

/** Gives a slot a value and keeps every part of what stands there that the value shares. */
function reconcile(slot: Slot, value: unknown): void {
  if (draftIs(slot.draft, value)) return
  const fits = (draft: Draft): boolean => {
    const kind = draft.kind === 'kept' ? draft.node.type : draft.kind
    return (kind === 'object' && isRecord(value)) || (kind === 'array' && Array.isArray(value))
  }
  const container = fits(slot.draft) ? open(slot) : null
  if (container?.kind === 'object' && isRecord(value)) reconcileObject(container, value)
  else if (container?.kind === 'array' && Array.isArray(value)) reconcileArray(container, value)
  else replace(slot, value)
}

/** Follows a path as far as it exists; ends in a slot that is no open container or at the last step that is there. */
function follow(root: Slot, path: Path): { slot: Slot; at: number } {
  let slot = root
  for (const [at, segment] of path.entries()) {
    const container = open(slot)
    const next = container && child(container, segment)
    if (next === null) return { slot, at }
    slot = next
  }
  return { slot, at: path.length }
}

/** Puts a value at a path, with what is missing on the way; the path must be one that `setIn` accepts. */
export function setDraft(root: Slot, path: Path, value: unknown): void {
  const { slot, at } = follow(root, path)
  const segment = path[at]
  if (segment === undefined) return reconcile(slot, value)
  const container = open(slot)
  if (container !== null) add(container, segment, setIn(undefined, path.slice(at + 1), value))
  else if (slot.draft.kind === 'fresh') replace(slot, setIn(slot.draft.value, path.slice(at), value))
}

/** Takes out the value at a path, every repetition of its key included; nothing happens when it is not there. */
export function unsetDraft(root: Slot, path: Path): void {
  const last = path.at(-1)
  if (last === undefined) return
  const { slot, at } = follow(root, path.slice(0, -1))
  const container = open(slot)
  if (container === null) {
    if (slot.draft.kind === 'fresh') replace(slot, unsetIn(slot.draft.value, path.slice(at)))
  } else if (at === path.length - 1) {
    if (container.kind === 'object') {
      container.members = container.members.filter(({ key }) => key !== String(last))
    } else if (listIndex(last) >= 0) container.members.splice(listIndex(last), 1)
  }
}

/** Puts an item into the list at a path, before the entry at `index`. */
export function insertDraft(root: Slot, path: Path, index: number, value: unknown): void {
  const { slot, at } = follow(root, path)
  const container = open(slot)
  if (at === path.length && container?.kind === 'array') add(container, index, value)
  else if (slot.draft.kind === 'fresh') {
    const inner = path.slice(at)
    const list = getIn(slot.draft.value, inner)
    replace(
      slot,
      setIn(slot.draft.value, inner, (Array.isArray(list) ? list : []).toSpliced(index, 0, value)),
    )
  } else setDraft(root, path, [value])
}
