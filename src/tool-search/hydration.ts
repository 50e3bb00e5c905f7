import type { Tool } from '../catalog/types.ts'

/** How many schemas directory mode may add to a request (tool search facts §1.12). */
export const hydrationLimits = { default: 4, max: 12 } as const

/** Weights of the guess; a word both sides share counts little beside a wish that only one kind of tool can serve. */
const shared = 2

interface Intent {
  readonly asks: RegExp
  readonly serves: readonly string[]
  readonly weight: number
}

/** Wishes that name no tool, and parts of names or descriptions of the tools that serve them. */
const intents: readonly Intent[] = [
  { asks: /https?:\/\/|\bwww\./i, serves: ['fetch', 'browser', 'web'], weight: 10 },
  {
    asks: /(?:^|\s)(?:\.{0,2}\/|~\/)?[\w-]+(?:\/[\w.-]+)+|\b[\w-]+\.(?:ts|js|json5?|md|txt|py|ya?ml|csv|log)\b/i,
    serves: ['file', 'read', 'write', 'edit'],
    weight: 8,
  },
  { asks: /(?:^|\s)@[\w-]+/, serves: ['message', 'send'], weight: 8 },
  {
    asks: /\b(?:remind|schedule|every (?:day|hour|week|morning)|tomorrow|at \d{1,2}(?::\d\d)?)\b/i,
    serves: ['cron', 'automation', 'schedule', 'reminder'],
    weight: 8,
  },
  {
    asks: /\b(?:today|latest|current(?:ly)?|news|price|weather|right now)\b/i,
    serves: ['search', 'web'],
    weight: 8,
  },
  {
    asks: /\b(?:remember|recall|last time|we (?:said|agreed|decided)|earlier)\b/i,
    serves: ['memory'],
    weight: 8,
  },
  { asks: /\b(?:search|look up|find out|google|research)\b/i, serves: ['search', 'web'], weight: 7 },
  {
    asks: /\b(?:run|execute|command|shell|terminal|install)\b/i,
    serves: ['exec', 'process', 'shell'],
    weight: 7,
  },
  { asks: /\b(?:image|picture|photo|draw|screenshot)\b/i, serves: ['image', 'screenshot'], weight: 7 },
  { asks: /\b(?:tell|reply|send|notify)\b/i, serves: ['message', 'send'], weight: 6 },
  { asks: /\b(?:session|subagent|delegate|spawn)\b/i, serves: ['session', 'subagent'], weight: 6 },
]

/** Tools that come together, once the wish is theirs. */
const families: readonly { readonly prefix: string; readonly asks: RegExp }[] = [
  { prefix: 'web_', asks: /https?:\/\/|\b(?:search|web|news|latest|look up|research)\b/i },
  { prefix: 'memory_', asks: /\b(?:remember|recall|memory|last time)\b/i },
]

const wordsOf = (text: string): string[] =>
  text
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word.length > 2)

/** Guesses which deferred tools a prompt will need (edition 2026.7 only): required names first, then by score, ties by name; MCP, client and ambiguous names never. */
export function hydrate(
  tools: readonly Tool[],
  prompt: string,
  required: readonly string[],
  cap: number = hydrationLimits.default,
): string[] {
  const limit = Math.max(0, Math.min(hydrationLimits.max, Math.trunc(cap)))
  const counts = new Map<string, number>()
  for (const tool of tools) counts.set(tool.name, (counts.get(tool.name) ?? 0) + 1)
  const candidates = tools.filter(
    (tool) => tool.source !== 'mcp' && tool.source !== 'client' && counts.get(tool.name) === 1,
  )
  const names = new Set(candidates.map((tool) => tool.name))
  const picked = new Set(required.filter((name) => names.has(name)).slice(0, limit))
  const promptWords = new Set(wordsOf(prompt.slice(0, 100_000)))
  const wishes = intents.filter(({ asks }) => asks.test(prompt))
  const scored = candidates
    .map((tool) => {
      const text = `${tool.name} ${tool.description}`.toLowerCase()
      const words = new Set(wordsOf(text))
      let score = 0
      for (const word of words) if (promptWords.has(word)) score += shared
      for (const { serves, weight } of wishes) if (serves.some((part) => text.includes(part))) score += weight
      return { name: tool.name, score }
    })
    .filter(({ score }) => score > 0)
    .toSorted((a, b) => b.score - a.score || (a.name < b.name ? -1 : 1))
  for (const { name } of scored) {
    if (picked.size >= limit) break
    picked.add(name)
    const family = families.find(({ prefix, asks }) => name.startsWith(prefix) && asks.test(prompt))
    if (!family) continue
    for (const other of [...names].toSorted()) {
      if (picked.size < limit && other.startsWith(family.prefix)) picked.add(other)
    }
  }
  return [...picked]
}
