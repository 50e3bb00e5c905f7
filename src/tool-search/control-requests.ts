import { isRecord } from '../catalog/source.ts'
import { OpenClawError } from '../kernel/errors.ts'
import type { ToolSearchState } from '../policy/view.ts'
import type { Catalogue, CatalogueEntry } from './catalogue.ts'
import { batchLimits } from './control-schemas.ts'
import { resolveEntry } from './resolve.ts'

type Fields = Readonly<Record<string, unknown>>
type Limits = Pick<ToolSearchState, 'searchDefaultLimit' | 'maxSearchLimit'>

/** One search, its limit within the bounds of the session. */
export interface SearchItem {
  readonly query: string
  readonly limit: number
}

/** What a model asked `tool_search` for: one query, or several that are answered together. */
export type SearchRequest =
  | { readonly kind: 'one'; readonly item: SearchItem }
  | { readonly kind: 'batch'; readonly items: readonly SearchItem[] }

const longestQuery = 512

function invalid(message: string): OpenClawError {
  return new OpenClawError('INPUT_INVALID', message)
}

/** A limit within bounds; absent means the default, anything but a whole number from 1 is INPUT_INVALID. */
export function readLimit(given: unknown, { searchDefaultLimit, maxSearchLimit }: Limits): number {
  if (given === undefined || given === null) return Math.min(searchDefaultLimit, maxSearchLimit)
  if (typeof given !== 'number' || !Number.isInteger(given) || given < 1)
    throw invalid('limit must be a positive integer.')
  return Math.min(given, maxSearchLimit)
}

/** Reads the arguments of `tool_search`; every mistake of a batch is found before anything is searched (tool search facts §1.8). Error: INPUT_INVALID. */
export function readSearch(args: Fields, limits: Limits): SearchRequest {
  const { query, queries } = args
  const options = isRecord(args['options']) ? args['options'] : {}
  const limit = args['limit'] ?? options['limit'] ?? null
  if (query !== undefined && query !== null && typeof query !== 'string')
    throw invalid('query must be a string.')
  const hasBatch = queries !== undefined && queries !== null
  if (!hasBatch) {
    if (typeof query !== 'string') throw invalid('provide query or queries.')
    return { kind: 'one', item: { query, limit: readLimit(limit, limits) } }
  }
  const isBlank = typeof query !== 'string' || query.trim() === ''
  if (!Array.isArray(queries) || (queries.length === 0 && isBlank))
    throw invalid('queries must be a non-empty array.')
  if (queries.length === 0 && typeof query === 'string')
    return { kind: 'one', item: { query, limit: readLimit(limit, limits) } }
  if (isBlank && limit !== null) throw invalid('set limit on each batch query, not on the batch request.')
  const first = isBlank ? [] : [{ query, limit: readLimit(limit, limits) }]
  return { kind: 'batch', items: readBatch(first, queries, limits) }
}

function readBatch(first: readonly SearchItem[], queries: readonly unknown[], limits: Limits): SearchItem[] {
  const count = first.length + queries.length
  if (count > batchLimits.queries)
    throw invalid(`queries may contain at most ${batchLimits.queries} entries.`)
  const items = [...first, ...queries.map((item, at) => readItem(item, at, limits))]
  const hits = items.reduce((sum, { limit }) => sum + limit, 0)
  if (hits > batchLimits.hits) {
    throw invalid(
      `the limits of the queries add up to ${hits}, at most ${batchLimits.hits} are allowed; a query without a limit counts as ${readLimit(null, limits)}.`,
    )
  }
  if (Buffer.byteLength(JSON.stringify(items.map(({ query }) => query))) > batchLimits.queryBytes)
    throw invalid(`serialized batch query text may use at most ${batchLimits.queryBytes} UTF-8 bytes.`)
  return items
}

function readItem(item: unknown, at: number, limits: Limits): SearchItem {
  const where = `queries[${at}]`
  const fields: Fields = typeof item === 'string' ? { query: item } : isRecord(item) ? item : {}
  const { query, limit } = fields
  if (typeof query !== 'string' || query.trim() === '')
    throw invalid(`${where}.query must be a non-empty string.`)
  if (query.length > longestQuery)
    throw invalid(`${where}.query may have at most ${longestQuery} characters.`)
  try {
    return { query, limit: readLimit(limit, limits) }
  } catch {
    throw invalid(`${where}.limit must be a positive integer.`)
  }
}

/** Names under which models pass the tool they mean, the proper one first. */
const selectors = ['id', 'toolId', 'name'] as const
const wrappers: ReadonlySet<string> = new Set(['args', 'input', 'arguments'])

function isFilled(value: unknown): value is string {
  return typeof value === 'string' && value.trim() !== ''
}

/** Reads the tool that `tool_describe` is asked about. Error: INPUT_INVALID. */
export function readSelector(args: Fields): string {
  const found = selectors.map((key) => args[key]).find((value) => value !== undefined && value !== null)
  if (!isFilled(found)) throw invalid('id must be a non-empty string.')
  return found
}

/** A call that was read: the tool and the arguments that are for it. */
export interface CallTarget {
  readonly entry: CatalogueEntry
  readonly args: unknown
}

/**
 * Reads the arguments of `tool_call` and mends what models do to them (tool search facts §1.9): arguments beside the selector instead of
 * under `args`, dotted keys, an `args` object that is empty or is JSON in a string, a selector inside `args`. Errors: INPUT_INVALID, UNKNOWN_TOOL, AMBIGUOUS_TOOL.
 */
export function readCall(given: Fields, catalogue: Catalogue): CallTarget {
  const nested = nestedArgs(given)
  const isEmpty = nested === null || Object.keys(nested).length === 0
  const hoisted = !selectors.some((key) => isFilled(given[key])) && nested !== null ? nested : null
  const outer = hoisted ?? given
  const matches = selectors.flatMap((key) => {
    const value = outer[key]
    const entry = isFilled(value) ? matching(catalogue, value) : null
    return entry === null ? [] : [{ key, entry }]
  })
  const [chosen] = matches
  if (chosen === undefined) return { entry: resolveEntry(catalogue, readSelector(outer)), args: {} }
  const { entry } = chosen
  if (hoisted !== null) return { entry, args: withoutSelector(hoisted, chosen.key) }
  const dotted = dottedArgs(given)
  if (!isEmpty) return { entry, args: { ...dotted, ...nested } }
  if (matches.some((match) => match.entry.id !== entry.id)) {
    throw new OpenClawError(
      'AMBIGUOUS_TOOL',
      'Ambiguous tool selectors: pass the target tool id and nest target arguments under args.',
      { data: { ids: matches.map((match) => match.entry.id) } },
    )
  }
  const taken = new Set<string>(matches.map(({ key }) => key))
  const flat = Object.entries(given).filter(
    ([key]) => !taken.has(key) && !wrappers.has(key) && !isDotted(key),
  )
  return { entry, args: { ...Object.fromEntries(flat), ...dotted } }
}

/** The tool that a selector alone names; null also where it is ambiguous, since another selector may be exact. */
function matching(catalogue: Catalogue, selector: string): CatalogueEntry | null {
  const text = selector.trim()
  const named = catalogue.byName.get(text) ?? []
  return catalogue.byId.get(text) ?? (named.length === 1 ? (named[0] ?? null) : null)
}

/** What was meant to be the arguments; null where nothing was passed as such. */
function nestedArgs(given: Fields): Fields | null {
  const value = [...wrappers].map((key) => given[key]).find((each) => each !== undefined && each !== null)
  if (value === undefined) return null
  const parsed = typeof value === 'string' ? parseObject(value) : value
  if (isRecord(parsed)) return parsed
  throw invalid('args must be an object.')
}

function parseObject(text: string): unknown {
  if (text.trim() === '') return {}
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function isDotted(key: string): boolean {
  return /^(?:args|input|arguments)\../.test(key)
}

function dottedArgs(given: Fields): Fields {
  const found = Object.entries(given).filter(([key]) => isDotted(key))
  return Object.fromEntries(found.map(([key, value]) => [key.slice(key.indexOf('.') + 1), value]))
}

/** Arguments that had the selector among them; those that had the whole call are unpacked. */
function withoutSelector(nested: Fields, key: string): unknown {
  const { [key]: _selector, ...rest } = nested
  const inner = nestedArgs(rest)
  return inner !== null && Object.keys(rest).every((each) => wrappers.has(each)) ? inner : rest
}
