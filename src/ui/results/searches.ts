import { Type } from 'typebox'
import type { SearchResult } from '../../runtime/tool-search.ts'
import type { Description } from '../../tool-search/descriptor.ts'
import { notice, open, text, word, type Promised } from './kit.ts'

const descriptor = {
  id: Type.String({ description: 'What `tools describe` and `tools call` take.' }),
  source: word('openclaw', 'mcp', 'client'),
  sourceName: text,
  name: text,
  label: Type.Optional(text),
  mcp: Type.Optional(open({ serverName: text, toolName: text })),
  description: text,
  input: Type.String({ description: 'A TypeScript-like type; unknown for tools of strangers.' }),
  output: Type.Optional(text),
}

const result = {
  query: text,
  limit: Type.Integer({ minimum: 1 }),
  hits: Type.Array(open({ ...descriptor, score: Type.Number() })),
  total: Type.Integer({ minimum: 0, description: 'Tools that match at all, also those beyond the limit.' }),
  hiddenMatches: Type.Array(open({ name: text, step: text })),
  note: Type.Optional(
    open({
      code: word('no-match', 'hidden-by-policy', 'no-usable-terms', 'server-unavailable'),
      message: text,
    }),
  ),
}

/** A line of `tools search --batch --json` (contract §5). */
export const line = open(result)

/** `tools search --json` (contract §5). */
export const search = open({ ...result, notices: Type.Array(notice) })

const schema = Type.Union([Type.Boolean(), Type.Record(Type.String(), Type.Unknown())])

/** `tools describe --json` (contract §5). */
export const describe = open({
  ...descriptor,
  label: text,
  parameters: schema,
  outputSchema: Type.Optional(schema),
})

type Holds<_Result extends Wanted, Wanted> = true
export type SearchResultsHold = [
  Holds<SearchResult, Promised<typeof line>>,
  Holds<Description, Promised<typeof describe>>,
]
