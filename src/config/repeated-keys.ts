import { formatPath, type Notice, type Path } from '../kernel/path.ts'
import { cleanLine } from '../kernel/untrusted-text.ts'
import type { Document } from './document.ts'
import type { Owner, Ownership } from './origin.ts'
import { isRecord } from './path-value.ts'
import type { Property } from './scan.ts'

/** A file with more of them than this is broken as a whole; the rest is only counted. */
const mostTold = 20
const shownLength = 80

const isLineEnd = (char: string | undefined): boolean =>
  char === undefined || char === '\n' || char === '\r' || char === '\u2028' || char === '\u2029'

/** Members of all objects of a text that could be parsed: its colons outside strings and comments. */
function membersOfText(text: string): number {
  let count = 0
  for (let at = 0; at < text.length; at++) {
    const char = text[at]
    if (char === ':') count++
    else if (char === '"' || char === "'") {
      for (at++; at < text.length && text[at] !== char; at++) if (text[at] === '\\') at++
    } else if (char === '/') {
      if (text[at + 1] === '*') at = text.indexOf('*/', at + 2) + 1
      else while (!isLineEnd(text[at])) at++
    }
  }
  return count
}

function membersOfValue(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0
  const inner: unknown[] = Array.isArray(value) ? value : Object.values(value)
  let count = Array.isArray(value) ? 0 : inner.length
  for (const each of inner) count += membersOfValue(each)
  return count
}

/** Whether some object of a parsed file has a key twice, found by counting: cheap enough for every start, where nothing is scanned. */
export function hasRepeatedKeys({ text, value }: Document): boolean {
  return membersOfText(text) !== membersOfValue(value)
}

/** The members that are not read because a later one of the same object has their key: the first of each key, and how many there are. */
function repeats(owner: Owner): { first: Property; last: Property; times: number }[] {
  if (owner.node.type !== 'object') return []
  const byKey = new Map<string, Property[]>()
  for (const item of owner.node.items) {
    const same = byKey.get(item.key)
    if (same) same.push(item)
    else byKey.set(item.key, [item])
  }
  return [...byKey.values()].flatMap((same) => {
    const [first, last] = [same[0], same.at(-1)]
    return first !== undefined && last !== undefined && first !== last
      ? [{ first, last, times: same.length }]
      : []
  })
}

/** A notice for each key that an object of a config file has more than once; `config` is the merged config as written. */
export function repeatedKeyNotices(
  config: unknown,
  ownerOf: (path: Path) => Ownership | null,
): readonly Notice[] {
  const found = new Map<string, Notice>()
  const visit = (value: unknown, path: Path): void => {
    if (Array.isArray(value)) {
      for (const [index, item] of value.entries()) visit(item, [...path, index])
      return
    }
    if (!isRecord(value)) return
    for (const owner of ownerOf(path)?.parts ?? []) {
      for (const { first, last, times } of repeats(owner)) {
        const { document, file } = owner
        const place = formatPath([...path, first.key])
        const { line } = document.position(last.value.start)
        const often = times === 2 ? 'twice' : `${times} times`
        found.set(`${file}\n${first.keyStart}`, {
          id: 'repeated-key',
          severity: 'warning',
          message: `${cleanLine(place, shownLength)}: the key is written ${often} in one object; only the last, on line ${line}, is read`,
          location: { file, path: place, ...document.position(first.value.start) },
        })
      }
    }
    for (const [key, item] of Object.entries(value)) visit(item, [...path, key])
  }
  visit(config, [])
  const all = [...found.values()]
  const [next] = all.slice(mostTold)
  if (next === undefined) return all
  const more = all.length - mostTold
  return [
    ...all.slice(0, mostTold),
    { ...next, message: `${more} more ${more === 1 ? 'key is' : 'keys are'} written more than once` },
  ]
}
