import { cleanLine, cleanText } from '../../kernel/untrusted-text.ts'

export const longestDescription = 8192
const longestLabel = 200
const longestTag = 64
const mostTags = 32

/** A tool's label: the first usable text, on one line; the name where none is. */
export function labelOf(name: string, ...candidates: readonly unknown[]): string {
  for (const candidate of candidates) {
    const label = typeof candidate === 'string' ? cleanLine(candidate, longestLabel) : ''
    if (label !== '') return label
  }
  return name
}

/** A tool's description, harmless and bounded; empty where there is none. */
export function descriptionOf(...candidates: readonly unknown[]): string {
  for (const candidate of candidates) {
    const text = typeof candidate === 'string' ? cleanText(candidate, longestDescription).trim() : ''
    if (text !== '') return text
  }
  return ''
}

/** A list of short words (tags, profiles); undefined where there is none. */
export function wordsOf(value: unknown): readonly string[] | undefined {
  if (!Array.isArray(value)) return undefined
  const words = value
    .slice(0, mostTags)
    .flatMap((item) => (typeof item === 'string' ? [cleanLine(item, longestTag)] : []))
    .filter((word) => word !== '')
  return words.length > 0 ? words : undefined
}
