import type { Path } from '../kernel/path.ts'
import { commentsIn } from './edit/comments.ts'
import { getIn, isRecord } from './path-value.ts'
import { redact } from './redact.ts'
import { redactText } from './redact-text.ts'
import { scan, toValue, type Node } from './scan.ts'

interface Replacement {
  readonly start: number
  readonly end: number
  readonly text: string
}

/** Line ends of a replaced text, so that lines keep their numbers. */
function breaksIn(text: string): string {
  return text.match(/\r\n|\r|\n/g)?.join('') ?? ''
}

/** Strings of a document that redaction changes; `safe` is the redacted value of the node. */
function secretsIn(text: string, root: Node, base: Path): Replacement[] {
  const found: Replacement[] = []
  const visit = (node: Node, safe: unknown, path: Path): void => {
    if (node.type === 'scalar') {
      if (typeof node.value !== 'string' || safe === node.value) return
      const raw = text.slice(node.start, node.end)
      found.push({ ...node, text: JSON.stringify(safe) + breaksIn(raw) })
    } else if (node.type === 'array') {
      for (const [at, item] of node.items.entries()) visit(item.value, getIn(safe, [at]), [...path, at])
    } else {
      const counting = new Map(node.items.map((item) => [item.key, item]))
      for (const item of node.items) {
        const inner = [...path, item.key]
        const shown =
          counting.get(item.key) === item && isRecord(safe)
            ? safe[item.key]
            : redact(toValue(item.value), { base: inner })
        visit(item.value, shown, inner)
      }
    }
  }
  visit(root, redact(toValue(root), { base }), base)
  return found
}

/** The text of a config file with its secrets replaced, also those in comments; every line stays where it is. `base` is where the file's value stands in the config. */
export function redactDocument(text: string, base: Path = []): string {
  const { problem, root } = scan(text)
  // Of a text that cannot be read only its words are known.
  if (problem !== null || root === null)
    return text
      .split('\n')
      .map((line) => redactText(line))
      .join('\n')
  const replacements = [
    ...secretsIn(text, root, base),
    ...commentsIn(text, root).map(({ start, end }) => ({
      start,
      end,
      text: redactText(text.slice(start, end)),
    })),
  ].toSorted((a, b) => a.start - b.start)
  let result = ''
  let done = 0
  for (const { start, end, text: shown } of replacements) {
    result += text.slice(done, start) + shown
    done = end
  }
  return result + text.slice(done)
}
