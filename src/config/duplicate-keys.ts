import { formatPath, type Notice, type Path } from '../kernel/path.ts'
import { cleanLine } from '../kernel/untrusted-text.ts'
import type { Document } from './document.ts'
import { directiveKey } from './includes.ts'
import type { Ownership } from './origin.ts'
import { isRecord } from './path-value.ts'
import { survey } from './read.ts'
import type { Node, Property } from './scan.ts'

/** A file with more of them than this is broken as a whole; the rest is only counted. */
const mostTold = 20
const shownLength = 80

const isLineEnd = (code: number): boolean =>
  code === 10 || code === 13 || code === 0x2028 || code === 0x2029 || Number.isNaN(code)

/** Members of all objects of a text that could be parsed: its colons outside strings and comments. */
function membersOfText(text: string): number {
  let count = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === 58) count++
    else if (code === 34 || code === 39) {
      for (at++; at < text.length && text.charCodeAt(at) !== code; at++) {
        if (text.charCodeAt(at) === 92) at++
      }
    } else if (code === 47) {
      if (text.charCodeAt(at + 1) === 42) at = text.indexOf('*/', at + 2) + 1
      else while (!isLineEnd(text.charCodeAt(at))) at++
    }
  }
  return count
}

/** Whether some object of a parsed file has a key twice, found by counting: cheap enough for every start, where nothing is scanned. */
export function hasDuplicateKeys(
  { text, value }: Document,
  members: number = survey(value).members,
): boolean {
  return membersOfText(text) !== members
}

interface Repeat {
  readonly first: Property
  readonly last: Property
  readonly times: number
}

/** The keys an object has more than once: the first of each, which is not read, the last, and how many there are. */
function repeats(node: Node): Repeat[] {
  if (node.type !== 'object') return []
  const byKey = new Map<string, Property[]>()
  for (const item of node.items) {
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

function noticeOn({ first, last, times }: Repeat, holder: Path, document: Document): Notice {
  const path = formatPath([...holder, first.key])
  const { line } = document.position(last.value.start)
  const often = times === 2 ? 'twice' : `${times} times`
  return {
    id: 'duplicate-key',
    severity: 'warning',
    message: `${cleanLine(path, shownLength)}: the key is written ${often} in one object; only the last, on line ${line}, is read`,
    location: { file: document.file, path, ...document.position(first.value.start) },
  }
}

/** Objects of one file that hold nothing but directives: what they include takes their place, so no path of the config leads there. */
function* repeatedDirectives(document: Document): Generator<Notice> {
  const root = document.root()
  const queue: { readonly node: Node; readonly path: Path }[] = root ? [{ node: root, path: [] }] : []
  for (let place = queue.pop(); place !== undefined; place = queue.pop()) {
    const { node, path } = place
    if (node.type === 'scalar') continue
    if (node.type === 'array') {
      for (const [index, { value }] of node.items.entries())
        queue.push({ node: value, path: [...path, index] })
      continue
    }
    for (const { key, value } of node.items) queue.push({ node: value, path: [...path, key] })
    if (node.items.every(({ key }) => key === directiveKey)) {
      for (const repeat of repeats(node)) yield noticeOn(repeat, path, document)
    }
  }
}

/** A notice for each key that an object of a config file has more than once; `config` is the merged config as written, `documents` are its files. */
export function duplicateKeyNotices(
  config: unknown,
  documents: Iterable<Document>,
  ownerOf: (path: Path) => Ownership | null,
): readonly Notice[] {
  const found = new Map<string, Notice>()
  const add = (notice: Notice): void => {
    const { file, line, column } = notice.location ?? {}
    found.set(JSON.stringify([file, line, column]), notice)
  }
  const visit = (value: unknown, path: Path): void => {
    if (Array.isArray(value)) {
      for (const [index, item] of value.entries()) visit(item, [...path, index])
      return
    }
    if (!isRecord(value)) return
    for (const { node, document } of ownerOf(path)?.parts ?? []) {
      for (const repeat of repeats(node)) add(noticeOn(repeat, path, document))
    }
    for (const [key, item] of Object.entries(value)) visit(item, [...path, key])
  }
  visit(config, [])
  for (const document of documents) for (const notice of repeatedDirectives(document)) add(notice)
  const all = [...found.values()]
  const [next] = all.slice(mostTold)
  if (next === undefined) return all
  const more = all.length - mostTold
  return [
    ...all.slice(0, mostTold),
    { ...next, message: `${more} more ${more === 1 ? 'key is' : 'keys are'} written more than once` },
  ]
}
