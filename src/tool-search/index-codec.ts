import { indexVersion, type SearchIndex } from './index.ts'

/*
 * Layout, little-endian 32-bit words: magic, version, checksum, length of the JSON head in bytes, then the lengths of the five arrays;
 * then the head (ids, names, sources, words), then the arrays, each padded to four bytes.
 */
const magic = 0x54534931
const headWords = 9

/** Bytes of an index, for a cache on disk. */
export function encodeIndex(index: SearchIndex): Uint8Array {
  const head = Buffer.from(
    JSON.stringify([
      index.ids,
      index.names,
      index.sources,
      index.terms.join('\n'),
      index.surfaces.join('\n'),
    ]),
  )
  const arrays = [index.sourceOf, index.starts, index.tools, index.impacts, index.nameIdf]
  const size = arrays.reduce(
    (sum, array) => sum + padded(array.byteLength),
    headWords * 4 + padded(head.length),
  )
  const bytes = new Uint8Array(size)
  const words = new Uint32Array(bytes.buffer)
  words.set([magic, indexVersion, 0, head.length, ...arrays.map((array) => array.length)])
  bytes.set(head, headWords * 4)
  let at = headWords * 4 + padded(head.length)
  for (const array of arrays) {
    bytes.set(new Uint8Array(array.buffer, array.byteOffset, array.byteLength), at)
    at += padded(array.byteLength)
  }
  words[2] = checksum(words)
  return bytes
}

/**
 * The index that `encodeIndex` wrote, its arrays viewing the given bytes; undefined for anything damaged, cut off or written by another
 * version, in which case the caller builds the index anew.
 */
export function decodeIndex(input: Uint8Array): SearchIndex | undefined {
  if (input.length < headWords * 4 || input.length % 4 !== 0) return undefined
  const bytes = input.byteOffset % 4 === 0 ? input : input.slice()
  const words = new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4)
  if (words[0] !== magic || words[1] !== indexVersion || words[2] !== checksum(words)) return undefined
  const headLength = words[3] ?? 0
  const head: unknown = parse(bytes.subarray(headWords * 4, headWords * 4 + headLength))
  if (!isHead(head)) return undefined
  const [ids, names, sources, termText, surfaceText] = head
  let at = bytes.byteOffset + headWords * 4 + padded(headLength)
  const take = (place: number, width: number): [ArrayBufferLike, number, number] => {
    const length = words[4 + place] ?? 0
    const from = at
    at += padded(length * width)
    return [bytes.buffer, from, length]
  }
  const terms = lines(termText)
  const termIds = new Map<string, number>()
  for (const term of terms) termIds.set(term, termIds.size)
  let surfaces: string[] | undefined
  const index = {
    size: ids.length,
    ids,
    names,
    sources,
    sourceOf: new Uint32Array(...take(0, 4)),
    terms,
    termIds,
    // Only a query with a word that no tool has asks for them.
    get surfaces() {
      return (surfaces ??= lines(surfaceText))
    },
    starts: new Uint32Array(...take(1, 4)),
    tools: new Uint32Array(...take(2, 4)),
    impacts: new Uint16Array(...take(3, 2)),
    nameIdf: new Float32Array(...take(4, 4)),
  }
  return index.starts.length === terms.length + 1 ? index : undefined
}

function padded(length: number): number {
  return (length + 3) & ~3
}

function lines(text: string): string[] {
  return text === '' ? [] : text.split('\n')
}

/** Four interleaved FNV-1a sums over 32-bit words, the checksum itself left out, in one. */
function checksum(words: Uint32Array): number {
  let a = 0x811c9dc5
  let b = 0x01000193
  let c = 0x9747b28c
  let d = 0x85ebca6b
  for (let at = 3; at < words.length; at += 4) {
    a = Math.imul(a ^ (words[at] ?? 0), 0x01000193)
    b = Math.imul(b ^ (words[at + 1] ?? 0), 0x01000193)
    c = Math.imul(c ^ (words[at + 2] ?? 0), 0x01000193)
    d = Math.imul(d ^ (words[at + 3] ?? 0), 0x01000193)
  }
  return (a ^ (b << 7) ^ (b >>> 25) ^ (c << 13) ^ (c >>> 19) ^ (d << 21) ^ (d >>> 11)) >>> 0
}

function parse(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('utf8'))
  } catch {
    return undefined
  }
}

function isHead(value: unknown): value is [string[], string[], string[], string, string] {
  return (
    Array.isArray(value) &&
    value.length === 5 &&
    [value[0], value[1], value[2]].every((list) => Array.isArray(list)) &&
    typeof value[3] === 'string' &&
    typeof value[4] === 'string'
  )
}
