import { OpenClawError } from '../kernel/errors.ts'
import { suggest } from '../kernel/suggest.ts'
import { showName } from '../kernel/untrusted-text.ts'
import type { Catalogue, CatalogueEntry } from './catalogue.ts'

const shown = 3
/** The part of an id that says nothing about the tool. */
const kind = /^(?:openclaw:core|openclaw|mcp|client:client|client):/

/** Points for what a wrong selector has in common with a tool (after tool search facts §1.9). */
const points = { holdsName: 40, insideId: 40, isName: 40, sharedWord: 12, inText: 8 } as const

/** The tool that an exact id or an unambiguous exact name selects, or null. Error: AMBIGUOUS_TOOL with the ids in `data.ids`. */
export function findEntry(catalogue: Catalogue, selector: string): CatalogueEntry | null {
  const text = selector.trim()
  const byId = catalogue.byId.get(text)
  return byId ?? one(text, catalogue.byName.get(text) ?? [])
}

/** The tool of a server that a selector names as its server does, without the server's prefix; null when there is none. Error: AMBIGUOUS_TOOL. */
export function findByServerName(catalogue: Catalogue, selector: string): CatalogueEntry | null {
  const text = selector.trim()
  return one(
    text,
    catalogue.entries.filter(({ mcp }) => mcp?.toolName === text),
  )
}

function one(selector: string, found: readonly CatalogueEntry[]): CatalogueEntry | null {
  if (found.length < 2) return found[0] ?? null
  const ids = found.map(({ id }) => id)
  throw new OpenClawError(
    'AMBIGUOUS_TOOL',
    `${found.length} tools are called "${showName(selector)}"; use an exact id`,
    { hints: ids.slice(0, shown), data: { ids } },
  )
}

/**
 * Resolves what a model passed as id or name. It knows only the catalogue, so a hidden tool is as unknown as one that does not exist.
 * Errors: AMBIGUOUS_TOOL, UNKNOWN_TOOL with at most three suggestions, INPUT_INVALID for a blank selector.
 */
export function resolveEntry(catalogue: Catalogue, selector: string): CatalogueEntry {
  if (selector.trim() === '') throw new OpenClawError('INPUT_INVALID', 'the id of a tool must not be empty')
  const found = findEntry(catalogue, selector)
  if (found !== null) return found
  const name = directName(catalogue, selector)
  if (name !== null) {
    throw new OpenClawError(
      'UNKNOWN_TOOL',
      `"${showName(selector)}" is not behind Tool Search: call ${name} directly, its schema is in the request`,
      { data: { direct: name } },
    )
  }
  throw unknownTool(catalogue, selector)
}

/** Name of a visible tool outside the catalogue that the selector means, by name or by an id that ends in it; null for any other. */
export function directName(catalogue: Catalogue, selector: string): string | null {
  const text = selector.trim()
  if (catalogue.direct.has(text)) return text
  const name = text.slice(text.lastIndexOf(':') + 1)
  return text.startsWith('openclaw:') && catalogue.direct.has(name) ? name : null
}

/** UNKNOWN_TOOL with the tools the selector may have meant. */
export function unknownTool(
  catalogue: Catalogue,
  selector: string,
  suggestions: readonly string[] = suggestEntries(catalogue, selector),
): OpenClawError {
  return new OpenClawError('UNKNOWN_TOOL', `unknown tool "${showName(selector.trim())}"`, {
    hints: suggestions,
    data: { suggestions },
  })
}

/** The names (the ids where names repeat) of at most three tools that a wrong selector resembles, best first. */
export function suggestEntries(catalogue: Catalogue, selector: string): string[] {
  const wanted = selector.trim().toLowerCase().slice(0, 200)
  const wantedWords = new Set(wordsOf(wanted.replace(kind, '')))
  if (wantedWords.size === 0) return []
  const scored = catalogue.entries.map((entry) => {
    const unique = catalogue.byName.get(entry.name)?.length === 1
    return { value: unique ? entry.name : entry.id, score: resemblance(entry, wanted, wantedWords) }
  })
  // Behind a good guess a poor one only distracts.
  const best = scored.reduce((most, { score }) => Math.max(most, score), 0)
  // Nothing in common with any tool: a slip of the pen in the name or in the last part of an id.
  if (best === 0) return misspelt(catalogue, wanted.slice(wanted.lastIndexOf(':') + 1))
  return scored
    .filter(({ score }) => score > best / 2)
    .toSorted((a, b) => b.score - a.score || (a.value < b.value ? -1 : 1))
    .slice(0, shown)
    .map(({ value }) => value)
}

function misspelt(catalogue: Catalogue, name: string): string[] {
  const names = suggest(name, catalogue.byName.keys(), shown)
  return names
    .flatMap((near) => {
      const found = catalogue.byName.get(near) ?? []
      return found.length === 1 ? [near] : found.map(({ id }) => id)
    })
    .slice(0, shown)
}

function resemblance(entry: CatalogueEntry, wanted: string, wantedWords: ReadonlySet<string>): number {
  const name = entry.name.toLowerCase()
  const id = entry.id.toLowerCase()
  const text = `${entry.tool.label} ${entry.tool.description}`.toLowerCase()
  let score = 0
  if (wanted.includes(name)) score += points.holdsName
  else if (id.includes(wanted)) score += points.insideId
  if (wantedWords.has(name)) score += points.isName
  const words = new Set(wordsOf(`${entry.sourceName} ${name} ${text}`))
  for (const word of wantedWords) if (words.has(word)) score += points.sharedWord
  return text.includes(wanted) ? score + points.inText : score
}

function wordsOf(text: string): string[] {
  return text.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== '')
}
