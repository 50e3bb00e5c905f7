import { lineMap } from './line-map.ts'
import type { Position } from './line-map.ts'
import { scan, toValue } from './scan.ts'
import type { Node, ScanResult } from './scan.ts'

/** One parsed config file; nodes and positions are worked out when first asked for. */
export interface Document {
  /** Absolute path, or `<stdin>`. */
  readonly file: string
  readonly text: string
  readonly value: unknown
  scanned(): ScanResult
  /** Node tree, or null if the text cannot be scanned. */
  root(): Node | null
  position(offset: number): Position
}

/** Pairs a text with its parsed value, and with what the scanner found where it has been at it already. */
export function createDocument(
  file: string,
  text: string,
  value: unknown,
  known: ScanResult | null = null,
): Document {
  let result = known
  let positions: ((offset: number) => Position) | null = null
  const scanned = (): ScanResult => (result ??= scan(text))
  return {
    file,
    text,
    value,
    scanned,
    root: () => (scanned().problem === null ? scanned().root : null),
    position: (offset) => (positions ??= lineMap(text))(offset),
  }
}

/** Reads a text by scanning it, as an editor has to anyway; null for what is no JSON5. Numbers that are not finite are left to validation. */
export function scanDocument(file: string, text: string): Document | null {
  const scanned = scan(text)
  return scanned.problem === null ? createDocument(file, text, toValue(scanned.root), scanned) : null
}
