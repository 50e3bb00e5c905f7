import { isControlName } from '../catalog/controls.ts'
import { shownStep } from '../policy/report.ts'
import type { Decision } from '../policy/types.ts'
import type { View } from '../policy/view.ts'
import { catalogueEntry, indexOf } from './catalogue.ts'
import { serverNote, type Findings, type SearchNote } from './find.ts'
import type { SearchIndex } from './index.ts'
import type { MissingServer } from './missing-servers.ts'
import { rank, type SearchHit } from './rank.ts'

/** A tool that a search would have found if the session had it; for the operator only, never for a model. */
export interface HiddenMatch {
  readonly name: string
  /** The step that hides it, as `hidden[].step` of `tools effective` names it. */
  readonly step: string
}

const shown = 3
/** Beside hits a hidden tool is worth telling only if it matches about as well. */
const closeness = 0.8
/** Without hits the poor ones among the hidden are left out, too. */
const closenessAlone = 0.5

/** Searches the tools that a session does not have. */
export class HiddenTools {
  readonly #hidden: ReadonlyMap<string, Decision>
  readonly #index: () => SearchIndex
  readonly #besides: SearchIndex
  readonly #missing: readonly MissingServer[]

  /** `besides` is the index of the catalogue, `missing` the servers whose tools are out of reach. */
  constructor(view: View, besides: SearchIndex, missing: readonly MissingServer[], stateDir: string | null) {
    const hidden = view.decisions
      .filter(({ tool }) => view.exposure(tool) === null && !isControlName(tool.name))
      .map((decision) => ({ decision, entry: catalogueEntry(decision.tool) }))
    this.#hidden = new Map(hidden.map(({ decision, entry }) => [entry.id, decision]))
    let index: SearchIndex | undefined
    this.#index = () =>
      (index ??= indexOf(
        view,
        hidden.map(({ entry }) => entry),
        stateDir,
      ))
    this.#besides = besides
    this.#missing = missing
  }

  /** The hidden tools that match a search about as well as what it found, at most three, and why it found nothing if that is it. */
  matches({ query, hits, note }: Findings): { hiddenMatches: HiddenMatch[]; note?: SearchNote } {
    const best = hits[0]?.score ?? 0
    const found = this.#rank(query)
    const least =
      best > 0
        ? (best * closeness * scale(this.#hidden.size)) / scale(this.#besides.size)
        : (found[0]?.score ?? 0) * closenessAlone
    const decisions = found
      .filter(({ score }) => score >= least)
      .flatMap(({ id }) => this.#hidden.get(id) ?? [])
    const hiddenMatches = decisions.flatMap(({ tool, trace, decisive }): HiddenMatch[] => {
      const entry = trace[decisive]
      return entry === undefined ? [] : [{ name: tool.name, step: shownStep(entry) }]
    })
    if (hits.length > 0 || note?.code === 'server-unavailable' || hiddenMatches.length === 0) {
      return { hiddenMatches, ...(note && { note }) }
    }
    const servers = this.#missing.filter(({ name }) => decisions.some(({ tool }) => tool.mcpServer === name))
    const allMissing = decisions.every(({ tool }) => servers.some(({ name }) => name === tool.mcpServer))
    return { hiddenMatches, note: allMissing ? serverNote(servers) : hiddenNote(hiddenMatches) }
  }

  #rank(query: string): readonly SearchHit[] {
    return this.#hidden.size === 0
      ? []
      : rank(this.#index(), query, { limit: shown, besides: this.#besides }).hits
  }
}

/** Scores grow with the rarity of words, and so with the size of a catalogue. */
function scale(tools: number): number {
  return Math.log(2 + tools)
}

function hiddenNote(matches: readonly HiddenMatch[]): SearchNote {
  const names = matches.map(({ name, step }) => `${name} (${step})`).join(', ')
  const [are, them] =
    matches.length === 1 ? ['the tool that matches is', 'it'] : ['the tools that match are', 'them']
  return {
    code: 'hidden-by-policy',
    message: `${are} not in this session: ${names}; openclaw tools explain NAME says what hides ${them}`,
  }
}
