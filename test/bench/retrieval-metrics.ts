import type { BenchQuery } from './retrieval-sets.ts'

/** Means over the queries of a set, in percent. */
export interface Metrics {
  readonly queries: number
  readonly 'R@1': number
  readonly 'R@5': number
  readonly 'R@8': number
  readonly 'MRR@10': number
  readonly 'nDCG@10': number
}

/** Runs every query and compares the ids found with the relevant ones. */
export function measure(
  queries: readonly BenchQuery[],
  search: (query: string) => readonly string[],
): Metrics {
  const sums = { r1: 0, r5: 0, r8: 0, mrr: 0, ndcg: 0 }
  for (const { query, relevant } of queries) {
    const wanted = new Set(relevant)
    const hits = search(query)
      .slice(0, 10)
      .map((id) => wanted.has(id))
    const recall = (count: number): number => hits.slice(0, count).filter(Boolean).length / wanted.size
    sums.r1 += recall(1)
    sums.r5 += recall(5)
    sums.r8 += recall(8)
    const first = hits.indexOf(true)
    if (first >= 0) sums.mrr += 1 / (first + 1)
    const gain = (places: readonly boolean[]): number =>
      places.reduce((sum, hit, at) => sum + (hit ? 1 / Math.log2(at + 2) : 0), 0)
    sums.ndcg += gain(hits) / gain(Array.from({ length: Math.min(10, wanted.size) }, () => true))
  }
  const percent = (sum: number): number => Math.round((1000 * sum) / queries.length) / 10
  return {
    queries: queries.length,
    'R@1': percent(sums.r1),
    'R@5': percent(sums.r5),
    'R@8': percent(sums.r8),
    'MRR@10': percent(sums.mrr),
    'nDCG@10': percent(sums.ndcg),
  }
}

/** The value below which a share of the numbers lies. */
export function quantile(numbers: readonly number[], share: number): number {
  const sorted = numbers.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
}
