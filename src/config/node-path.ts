import type { Path, Segment } from '../kernel/path.ts'
import { listIndex } from './path-value.ts'
import type { Node, Property } from './scan.ts'

/** The member that counts for a key: the last of that name, or null. */
export function propertyOf(node: Node, key: string): Property | null {
  return node.type === 'object' ? (node.items.findLast((item) => item.key === key) ?? null) : null
}

function step(node: Node, segment: Segment): Node | null {
  if (node.type === 'array') return node.items[listIndex(segment)]?.value ?? null
  return propertyOf(node, String(segment))?.value ?? null
}

/** The node at a path inside one document, or null. */
export function childNode(root: Node | null, path: Path): Node | null {
  let node = root
  for (const segment of path) {
    if (node === null) return null
    node = step(node, segment)
  }
  return node
}
