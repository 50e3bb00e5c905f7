/*
 * Retrieval quality and cost: `node test/bench/search.ts --sets DIR [--json] [--only a,b] [--sample N] [--no-cost]`.
 * DIR holds `dev/<set>/{catalog,queries}.jsonl` and `haystack.jsonl`; the sets are not part of the project.
 * Prints one table (tab-separated, or one JSON object a line). Times are CPU time of this process.
 */
import { parseArgs } from 'node:util'
import Fuse from 'fuse.js'
import type { SearchDocument } from '../../src/tool-search/document.ts'
import { buildIndex } from '../../src/tool-search/index.ts'
import { decodeIndex, encodeIndex } from '../../src/tool-search/index-codec.ts'
import { rank } from '../../src/tool-search/rank.ts'
import { measure, quantile } from './retrieval-metrics.ts'
import { readHaystack, readSet, setNames, setsRoot, type BenchSet } from './retrieval-sets.ts'

const haystackSize = 10_000
const fuseQueries = 3

const { values } = parseArgs({
  options: {
    sets: { type: 'string' },
    json: { type: 'boolean', default: false },
    only: { type: 'string' },
    sample: { type: 'string' },
    'no-cost': { type: 'boolean', default: false },
  },
})

function print(row: Readonly<Record<string, string | number>>): void {
  const text = values.json ? JSON.stringify(row) : Object.values(row).join('\t')
  process.stdout.write(`${text}\n`)
}

function sampled(set: BenchSet): BenchSet['queries'] {
  const most = values.sample === undefined ? Infinity : Number(values.sample)
  const step = Math.max(1, Math.floor(set.queries.length / most))
  return set.queries.filter((_, at) => at % step === 0)
}

function reportQuality(set: BenchSet): void {
  const index = buildIndex(set.documents)
  const metrics = measure(sampled(set), (query) =>
    rank(index, query, { limit: 10 }).hits.map((hit) => set.setIds.get(hit.id) ?? hit.id),
  )
  print({ set: set.name, tools: set.documents.length, ...metrics })
}

/** CPU milliseconds of a call with its result. */
function cpu<T>(work: () => T): { result: T; ms: number } {
  const before = process.cpuUsage()
  const result = work()
  const { user, system } = process.cpuUsage(before)
  return { result, ms: (user + system) / 1000 }
}

function reportCost(documents: readonly SearchDocument[], queries: readonly string[]): void {
  const tools = documents.slice(0, haystackSize)
  const built = cpu(() => buildIndex(tools))
  const bytes = encodeIndex(built.result)
  const loaded = cpu(() => decodeIndex(bytes))
  const index = loaded.result ?? built.result
  const times = queries.map((query) => cpu(() => rank(index, query, { limit: 10 })).ms)
  const fuse = new Fuse(tools, { keys: ['name', 'description'] })
  const fuseTimes = queries
    .slice(0, fuseQueries)
    .map((query) => cpu(() => fuse.search(query, { limit: 10 })).ms)
  const round = (value: number): number => Math.round(value * 100) / 100
  const cost: Record<string, number> = {
    'index build ms': built.ms,
    'index load ms': loaded.ms,
    'index MB': bytes.length / 1e6,
    'first query ms': times[0] ?? 0,
    'query p50 ms': quantile(times, 0.5),
    'query p95 ms': quantile(times, 0.95),
    'fuse.js p50 ms': quantile(fuseTimes, 0.5),
    'times faster than fuse.js': quantile(fuseTimes, 0.5) / quantile(times, 0.5),
  }
  for (const [measured, value] of Object.entries(cost))
    print({ cost: measured, tools: tools.length, value: round(value) })
}

if (values.sets === undefined) {
  // Part of `npm run bench`, which has no sets to give.
  process.stderr.write(
    'nothing measured; usage: npm run bench:search -- --sets DIR [--json] [--only SET,…] [--sample N] [--no-cost]\n',
  )
} else {
  const root = setsRoot(values.sets)
  const wanted = values.only?.split(',')
  const chosen = (name: string): boolean => wanted === undefined || wanted.includes(name)
  if (!values.json)
    print({
      set: 'set',
      tools: 'tools',
      queries: 'queries',
      r1: 'R@1',
      r5: 'R@5',
      r8: 'R@8',
      mrr: 'MRR@10',
      ndcg: 'nDCG@10',
    })
  for (const name of setNames.filter(chosen)) reportQuality(readSet(root, name))
  if (chosen('scale') || !values['no-cost']) {
    const azure = readSet(root, 'azure-mcp')
    const haystack = readHaystack(values.sets, haystackSize, 'azure-mcp')
    if (chosen('scale'))
      reportQuality({ ...azure, name: 'scale', documents: [...azure.documents, ...haystack] })
    if (!values['no-cost']) {
      const everyday = readSet(root, 'metatool').queries.slice(0, 200)
      const long = readSet(root, 'sealtools').queries.slice(0, 100)
      reportCost(
        haystack,
        [...azure.queries, ...everyday, ...long].map(({ query }) => query),
      )
    }
  }
}
