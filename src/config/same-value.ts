import type { Node, Property } from './scan.ts'

/** Whether two JSON values are the same; the order of keys does not count. Node's own comparison costs twenty times as much. */
export function isSame(left: unknown, right: unknown): boolean {
  if (Object.is(left, right)) return true
  if (typeof left !== 'object' || typeof right !== 'object' || left === null || right === null) return false
  if (Array.isArray(left) || Array.isArray(right)) {
    if (!Array.isArray(left) || !Array.isArray(right) || left.length !== right.length) return false
    for (let at = 0; at < left.length; at++) if (!isSame(left[at], right[at])) return false
    return true
  }
  let keys = 0
  for (const key in left) {
    if (!Object.hasOwn(left, key)) continue
    keys += 1
    if (!Object.hasOwn(right, key) || !isSame(ownValue(left, key), ownValue(right, key))) return false
  }
  for (const key in right) if (Object.hasOwn(right, key)) keys -= 1
  return keys === 0
}

function ownValue(value: object, key: string): unknown {
  return value[key as keyof typeof value]
}

/** Whether a node has a value, without building the node's own. */
export function nodeHasValue(node: Node, value: unknown): boolean {
  if (node.type === 'scalar') return Object.is(node.value, value)
  if (typeof value !== 'object' || value === null) return false
  if (node.type === 'array') {
    if (!Array.isArray(value) || value.length !== node.items.length) return false
    for (const [at, item] of node.items.entries()) if (!nodeHasValue(item.value, value[at])) return false
    return true
  }
  if (Array.isArray(value)) return false
  const { items } = node
  const keys = Object.keys(value)
  if (hasJustKeys(items, keys)) {
    // By place, as looking each key up again is what costs in an object of thousands.
    const values = Object.values(value)
    for (let at = 0; at < items.length; at++) {
      if (!nodeHasValue(items[at]!.value, values[at])) return false
    }
    return true
  }
  // The last of a repeated key is the one that counts.
  const last = new Map(items.map((item) => [item.key, item.value]))
  if (last.size !== keys.length) return false
  for (const [key, child] of last) {
    if (!Object.hasOwn(value, key) || !nodeHasValue(child, ownValue(value, key))) return false
  }
  return true
}

function hasJustKeys(items: readonly Property[], keys: readonly string[]): boolean {
  if (items.length !== keys.length) return false
  for (let at = 0; at < items.length; at++) if (items[at]!.key !== keys[at]) return false
  return true
}
