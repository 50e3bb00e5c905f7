import { expect, test } from 'vitest'
import { openView } from '../../src/runtime/open-view.ts'
import { suggestEntries } from '../../src/tool-search/resolve.ts'
import { searchOf } from '../unit/tool-search/session-search.ts'
import { randomSession } from './generators.ts'
import { law, runs, seedOf } from './random.ts'
import { Random } from './seeded-random.ts'

const words = [
  'message',
  'note',
  'file',
  'search the web',
  'session',
  'issue',
  'list',
  'github',
  'down',
  'memory',
  'ledger read',
]

test(
  'what a session does not have is never a hit or a suggestion, and what it has is found first by its name',
  { timeout: 600_000 },
  async () => {
    const seed = seedOf('search-session')
    const random = new Random(seed)
    let hiddenMatches = 0
    let deferred = 0
    for (let run = 0; run < runs(2_000); run += 1) {
      const where = `seed ${seed}, run ${run}`
      const view = openView(randomSession(random))
      const { catalogue, search } = searchOf(view)
      const hidden = view.decisions
        .filter(({ tool }) => view.exposure(tool) === null)
        .map(({ tool }) => tool.name)
      const isHidden = (name: string): boolean => hidden.includes(name)
      const asked = [
        ...random.some(3, words),
        ...random.some(Math.min(3, hidden.length), hidden.length > 0 ? hidden : words),
      ]
      for (const query of asked) {
        const { model, operator } = await search(query)
        const hit = model.hits.find(({ name }) => isHidden(name))
        law(hit === undefined, `${where}: the hidden ${hit?.name} is a hit of "${query}"`)
        const told = new Set(model.note?.message.split(/[^\w-]+/))
        const named = hidden.find((name) => !query.includes(name) && told.has(name))
        law(named === undefined, `${where}: the note for "${query}" tells a model of ${named}`)
        const leak = suggestEntries(catalogue, query).find(isHidden)
        law(leak === undefined, `${where}: the hidden ${leak} is suggested for "${query}"`)
        const wrong = operator.hiddenMatches.find(({ name }) => !isHidden(name))
        law(
          wrong === undefined && operator.hiddenMatches.length <= 3,
          `${where}: ${wrong?.name} is told as hidden`,
        )
        hiddenMatches += operator.hiddenMatches.length
      }
      const open = view.decisions
        .filter(({ tool }) => view.exposure(tool) === 'deferred')
        .map(({ tool }) => tool)
      for (const tool of open) {
        const { model } = await search(tool.name, 1)
        law(model.hits[0]?.name === tool.name, `${where}: "${tool.name}" finds ${model.hits[0]?.name} first`)
      }
      deferred += open.length
    }
    // The laws mean nothing if nothing was ever hidden or deferred.
    expect(hiddenMatches).toBeGreaterThan(runs(2_000))
    expect(deferred).toBeGreaterThan(runs(2_000))
  },
)

test('a tool that is no longer hidden by a deny entry is a hit again', async () => {
  const seed = seedOf('search-session-deny')
  const random = new Random(seed)
  let seen = 0
  for (let run = 0; run < runs(400); run += 1) {
    const source = randomSession(random)
    const { catalogue } = searchOf(openView(source))
    if (catalogue.entries.length === 0) continue
    const { name } = random.pick(catalogue.entries)
    const tools = source.config.tools ?? {}
    const denied = openView({
      ...source,
      config: { ...source.config, tools: { ...tools, deny: [...(tools.deny ?? []), name] } },
    })
    const { model, operator } = await searchOf(denied).search(name)
    const where = `seed ${seed}, run ${run}: ${name}`
    law(!model.hits.some((hit) => hit.name === name), `${where} is a hit although it is denied`)
    law(
      operator.hiddenMatches.some((match) => match.name === name),
      `${where} is denied and the operator is not told`,
    )
    seen += 1
  }
  expect(seen).toBeGreaterThan(0)
})
