import { isRecord } from '../catalog/source.ts'
import type { EditionId } from '../catalog/edition.ts'
import { OpenClawError } from '../kernel/errors.ts'
import type { ToolSearchState } from '../policy/view.ts'
import type { CatalogueEntry } from './catalogue.ts'
import { readCall, readLimit, readSearch, readSelector } from './control-requests.ts'
import type { SearchCounters } from './counters.ts'
import { describeBriefly, describeFully, type Description, type Descriptor } from './descriptor.ts'
import { findTools, type Searchable, type SearchNote } from './find.ts'
import { nestedCallId } from './nested-id.ts'
import { resolveEntry } from './resolve.ts'
import { shapeBatch, shapeHits, withoutScore, type BatchResponse } from './search-response.ts'

/** What a called tool gave back, in the form in which every tool answers. */
export interface NestedResult {
  readonly content: readonly { readonly type: string }[]
  readonly details?: unknown
}

/** How a nested call ended; `blocked` was stopped by a hook or as a loop, and its result reports it. */
export type NestedEnd =
  | { readonly status: 'ok' | 'failed' | 'blocked'; readonly result: NestedResult }
  | { readonly status: 'error'; readonly error: OpenClawError }

/** A call that a control asks for. */
export interface NestedCall {
  readonly entry: CatalogueEntry
  readonly args: unknown
  readonly callId: string
  readonly parentCallId: string | undefined
  readonly signal: AbortSignal
}

/** What the controls of one run work on. */
export interface ControlSession {
  /** The catalogue as it is now, with its index. */
  readonly searchable: () => Promise<Searchable>
  readonly settings: Pick<ToolSearchState, 'searchDefaultLimit' | 'maxSearchLimit'>
  readonly edition: EditionId
  readonly counters: SearchCounters
  /** Runs a tool through the guarded path. */
  readonly call: (nested: NestedCall) => Promise<NestedEnd>
  /** Told of a selector that is no tool of the catalogue; returns what to throw. */
  readonly unknown: (selector: string, outer: Outer, error: OpenClawError) => OpenClawError
}

/** What `tool_call` and `openclaw.tools.call` return. */
export interface CallEnvelope {
  readonly tool: Descriptor
  readonly result: NestedResult
}

/** The outer call that nested calls belong to. */
export interface Outer {
  readonly callId: string | undefined
  /** Whether guest code asks or a model through the structured controls. */
  readonly from: 'code' | 'controls'
  readonly signal: AbortSignal
  /** Place of the next nested call. */
  readonly next: () => number
}

/** Hits for a model, with what it must know about a search that found nothing. */
export interface ModelHits {
  readonly hits: readonly Descriptor[]
  readonly note?: SearchNote
}

/** The operations behind the Tool Search controls: what a model may do with a catalogue of a session (tool search facts §1.8–1.10). */
export class ToolSearchControls {
  readonly #session: ControlSession
  #calls = 0

  constructor(session: ControlSession) {
    this.#session = session
  }

  /** `tool_search`: one query, or a batch within its budgets. Error: INPUT_INVALID. */
  async search(args: Readonly<Record<string, unknown>>): Promise<ModelHits | BatchResponse> {
    const { counters, settings } = this.#session
    const asked = Array.isArray(args['queries']) ? Math.max(1, args['queries'].length) : 1
    for (let count = 0; count < asked; count++) counters.search()
    const request = readSearch(args, settings)
    const searchable = await this.#session.searchable()
    if (request.kind === 'one') {
      const { query, limit } = request.item
      const { hits, note } = await findTools(searchable, query, limit)
      return { hits: shapeHits(hits), ...(note && { note }) }
    }
    const groups = []
    for (const { query, limit } of request.items) groups.push(await findTools(searchable, query, limit))
    return shapeBatch(groups)
  }

  /** `openclaw.tools.search`: like one query of `tool_search`. Error: INPUT_INVALID. */
  async searchFromCode(query: string, wanted: number | undefined): Promise<ModelHits> {
    const { counters, settings } = this.#session
    counters.search()
    const limit = readLimit(wanted, settings)
    const { hits, note } = await findTools(await this.#session.searchable(), query, limit)
    return { hits: hits.map(withoutScore), ...(note && { note }) }
  }

  /** `tool_describe`. Errors: INPUT_INVALID, AMBIGUOUS_TOOL, UNKNOWN_TOOL. */
  async describe(args: Readonly<Record<string, unknown>>, outer: Outer): Promise<Description> {
    this.#session.counters.describe()
    return this.#describe(readSelector(args), outer)
  }

  /** `openclaw.tools.describe`. Errors as `describe`. */
  async describeFromCode(id: string, outer: Outer): Promise<Description> {
    this.#session.counters.describe()
    return this.#describe(id, outer)
  }

  /** `tool_call`; arguments that a model put in the wrong place are found. Errors: those of reading, and whatever ends the call. */
  async call(
    args: Readonly<Record<string, unknown>>,
    outer: Outer,
  ): Promise<CallEnvelope & { readonly status: NestedStatus }> {
    const { catalogue } = await this.#session.searchable()
    const target = this.#reading(shownSelector(args), outer, () => readCall(args, catalogue))
    return this.#call(target.entry, target.args, outer)
  }

  /** `openclaw.tools.call`. Errors as `call`. */
  async callFromCode(id: string, args: unknown, outer: Outer): Promise<CallEnvelope> {
    const { catalogue } = await this.#session.searchable()
    const entry = this.#reading(id, outer, () => resolveEntry(catalogue, id))
    const { tool, result } = await this.#call(entry, args, outer)
    return { tool, result }
  }

  /** Numbers the nested calls of the structured controls, which go on over the whole run. */
  nextCall(): number {
    this.#calls += 1
    return this.#calls
  }

  async #describe(selector: string, outer: Outer): Promise<Description> {
    const { catalogue } = await this.#session.searchable()
    const entry = this.#reading(selector, outer, () => resolveEntry(catalogue, selector))
    return describeFully(entry, this.#session.edition)
  }

  async #call(
    entry: CatalogueEntry,
    args: unknown,
    { callId, signal, next }: Outer,
  ): Promise<CallEnvelope & { readonly status: NestedStatus }> {
    const { counters, edition, call } = this.#session
    counters.call()
    const id = nestedCallId(callId, entry.name, next())
    const end = await call({ entry, args, callId: id, parentCallId: callId, signal })
    if (end.status === 'error') throw end.error
    const tool = describeBriefly(entry, edition)
    if (end.status === 'blocked' && entry.source === 'openclaw' && entry.tool.outputSchema !== undefined) {
      // Whoever relies on the declared type must not be handed a report of another one.
      throw new OpenClawError(
        'TOOL_BLOCKED',
        `Tool "${entry.id}" was blocked before execution: ${reasonOf(end.result)}`,
      )
    }
    return { tool, result: end.result, status: end.status }
  }

  /** Reports a selector that is no tool before the error goes on its way. */
  #reading<Value>(selector: string, outer: Outer, read: () => Value): Value {
    try {
      return read()
    } catch (error) {
      if (!(error instanceof OpenClawError) || error.code !== 'UNKNOWN_TOOL') throw error
      throw this.#session.unknown(selector, outer, error)
    }
  }
}

type NestedStatus = Exclude<NestedEnd['status'], 'error'>

function shownSelector(args: Readonly<Record<string, unknown>>): string {
  const found = [args['id'], args['toolId'], args['name']].find((value) => typeof value === 'string')
  return typeof found === 'string' ? found : ''
}

function reasonOf({ details }: NestedResult): string {
  const reason = isRecord(details) ? details['reason'] : undefined
  return typeof reason === 'string' ? reason : 'it was not allowed to run'
}
