import { readTrivia, type Trivia } from './trivia.ts'
import type { Node } from '../scan.ts'

/** Offset of the colon between a key and its value; comments in between may hold one, too. */
function colonAt(text: string, from: number): number {
  for (let at = from; at < text.length;) {
    if (text[at] === ':') return at
    const [piece] = text[at] === '/' ? readTrivia(text, at, text.length) : []
    at = piece?.end ?? at + 1
  }
  return text.length
}

/** Every comment of a scanned text, in order. */
export function commentsIn(text: string, root: Node): Trivia[] {
  const found: Trivia[] = []
  const gap = (from: number, to: number): void => {
    if (to <= from || !text.slice(from, to).includes('/')) return
    found.push(...readTrivia(text, from, to).filter(({ kind }) => kind.endsWith('comment')))
  }
  gap(0, root.start)
  gap(root.end, text.length)
  const queue = [root]
  for (let node = queue.pop(); node !== undefined; node = queue.pop()) {
    if (node.type === 'scalar') continue
    let at = node.start + 1
    for (const item of node.items) {
      if ('keyStart' in item) {
        gap(at, item.keyStart)
        const colon = colonAt(text, item.keyEnd)
        gap(item.keyEnd, colon)
        gap(colon + 1, item.value.start)
      } else gap(at, item.value.start)
      at = item.value.end
      queue.push(item.value)
    }
    gap(at, node.end - 1)
  }
  return found.toSorted((a, b) => a.start - b.start)
}
