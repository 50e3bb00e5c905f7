import { isDeepStrictEqual } from 'node:util'
import { expect, test } from 'vitest'
import { getIn, setIn } from '../../src/config/path-value.ts'
import type { Config } from '../../src/config/types.ts'
import { formatPath, type Path } from '../../src/kernel/path.ts'
import { compilePolicy } from '../../src/policy/evaluate.ts'
import { stepIds, type Decision, type StepId } from '../../src/policy/types.ts'
import type { View } from '../../src/policy/view.ts'
import { openView, type ViewSource } from '../../src/runtime/open-view.ts'
import { randomEntry, randomLists, randomSession } from './generators.ts'
import { law, runs, seedOf } from './random.ts'
import { Random } from './seeded-random.ts'

const isHiding = ({ outcome }: Decision['trace'][number]): boolean =>
  outcome !== 'pass' && outcome !== 'skipped'
const isBlank = (entry: unknown): boolean => String(entry).trim() === ''

function visible(view: View): Set<string> {
  return new Set(view.decisions.flatMap(({ tool, verdict }) => (verdict === 'visible' ? [tool.name] : [])))
}

/** Decisions, in the first view, of the tools that only the second one shows. */
function revealed(before: View, after: View): Decision[] {
  const names = visible(after)
  return before.decisions.filter(({ tool, verdict }) => verdict !== 'visible' && names.has(tool.name))
}

/** The same session under another config; only what the edit was about changes, since the request stays. */
function reopen(source: ViewSource, config: unknown): View {
  return openView({ ...source, config: config as Config })
}

/** Places of the lists of this kind which the session is judged by, in config. */
function listsInForce(view: View, kind: 'allow' | 'deny'): Path[] {
  const lists = new Map<string, Path>()
  for (const layer of view.policy.layers) {
    for (const { path } of layer[kind] ?? []) {
      const list = path?.slice(0, -1)
      if (list) lists.set(formatPath(list), list)
    }
  }
  return [...lists.values()]
}

function listAt(config: unknown, path: Path): readonly unknown[] {
  const list = getIn(config, path)
  return Array.isArray(list) ? list : []
}

/** Where the agent that is asked about has its `tools`, or null when no config names it. */
function agentTools(view: View): Path | null {
  const { list, entries } = view.config.agents ?? {}
  const id = view.context.agentId.toLowerCase()
  const key = Object.keys(entries ?? {}).find((each) => each.toLowerCase() === id)
  if (key !== undefined) return ['agents', 'entries', key, 'tools']
  const index = entries ? -1 : (list ?? []).findIndex((each) => each.id?.toLowerCase() === id)
  return index < 0 ? null : ['agents', 'list', index, 'tools']
}

type Check = (source: ViewSource, view: View, random: Random, where: string) => boolean

/** Draws sessions and tries a law on each; answers how many it had something to say about. A failure says how to see it again. */
function forSessions(name: string, whole: number, check: Check): number {
  const seed = seedOf(name)
  const random = new Random(seed)
  let count = 0
  for (let run = 0; run < runs(whole); run++) {
    const source = randomSession(random)
    if (check(source, openView(source), random, `${name}, seed ${seed}, run ${run}`)) count += 1
  }
  return count
}

test('an entry added to a deny list never reveals a tool', { timeout: 600_000 }, () => {
  const hid = forSessions('deny-more', 30_000, (source, view, random, where) => {
    const agent = agentTools(view)
    // The lists of tools and of the agent may be new; any other must be filled, since a first entry can end a built-in list.
    const lists = [['tools', 'deny'], ...(agent ? [[...agent, 'deny']] : []), ...listsInForce(view, 'deny')]
    const others: Path[] = [
      ['plugins', 'deny'],
      ...Object.keys(view.config.mcp?.servers ?? {}).map((id) => [
        'mcp',
        'servers',
        id,
        'toolFilter',
        'exclude',
      ]),
    ]
    lists.push(...others.filter((path) => listAt(view.config, path).length > 0))
    const path = random.pick(lists)
    const entry = randomEntry(random, view.edition)
    const list = listAt(view.config, path)
    const after = reopen(source, setIn(view.config, path, random.shuffle([...list, entry])))
    const gained = revealed(view, after).map(({ tool }) => tool.name)
    law(
      gained.length === 0,
      `${where}: ${JSON.stringify(entry)} in ${formatPath(path)} reveals ${gained.join(', ')}`,
    )
    return visible(after).size < visible(view).size
  })
  expect(hid).toBeGreaterThan(runs(1000))
})

test('an entry added to the lists of the run never reveals a tool', { timeout: 600_000 }, () => {
  const tried = forSessions('deny-more-in-run', 10_000, (source, view, random, where) => {
    const { inherited } = source.request
    if (!inherited?.deny?.length) return false
    const deny = [...inherited.deny, randomEntry(random, view.edition)]
    const after = openView({ ...source, request: { ...source.request, inherited: { ...inherited, deny } } })
    law(revealed(view, after).length === 0, `${where}: inherited.deny`)
    return true
  })
  expect(tried).toBeGreaterThan(runs(100))
})

test(
  'an entry removed from an allow list never reveals a tool, unless nothing is left of the list',
  { timeout: 600_000 },
  () => {
    const hid = forSessions('allow-less', 30_000, (source, view, random, where) => {
      const filters = Object.keys(view.config.mcp?.servers ?? {}).map((id) => [
        'mcp',
        'servers',
        id,
        'toolFilter',
        'include',
      ])
      const lists = [...listsInForce(view, 'allow'), ['plugins', 'allow'], ...filters]
      const filled = lists.filter((path) => listAt(view.config, path).length > 0)
      if (filled.length === 0) return false
      const path = random.pick(filled)
      const list = listAt(view.config, path)
      const index = random.below(list.length)
      const left = list.filter((_entry, at) => at !== index)
      if (left.every(isBlank)) return false
      const after = reopen(source, setIn(view.config, path, left))
      const gained = revealed(view, after).map(({ tool }) => tool.name)
      law(
        gained.length === 0,
        `${where}: without ${formatPath([...path, index])} there is ${gained.join(', ')}`,
      )
      return visible(after).size < visible(view).size
    })
    expect(hid).toBeGreaterThan(runs(1000))
  },
)

test(
  'a name removed from the cap of a run never reveals a tool, not even the last one',
  { timeout: 600_000 },
  () => {
    const tried = forSessions('cap-less', 10_000, (source, view, random, where) => {
      const cap = source.request.toolsAllow
      if (!cap?.length) return false
      const index = random.below(cap.length)
      const toolsAllow = cap.filter((_entry, at) => at !== index)
      const after = openView({ ...source, request: { ...source.request, toolsAllow } })
      law(revealed(view, after).length === 0, `${where}: toolsAllow[${index}]`)
      return true
    })
    expect(tried).toBeGreaterThan(runs(500))
  },
)

/** Every list of texts in another order; the lists of agents are no such lists. */
function shuffled(value: unknown, random: Random): unknown {
  if (Array.isArray(value)) {
    return value.every((item) => typeof item === 'string')
      ? random.shuffle(value)
      : value.map((item) => shuffled(item, random))
  }
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, shuffled(item, random)]))
}

test('the order of entries never matters', { timeout: 600_000 }, () => {
  const tried = forSessions('order', 20_000, (source, view, random, where) => {
    const after = reopen(source, shuffled(view.config, random))
    const outcomes = ({ decisions }: View): unknown =>
      decisions.map(({ tool, verdict, trace }) => [
        tool.name,
        verdict,
        trace.map(({ outcome, list }) => [outcome, list]),
      ])
    law(isDeepStrictEqual(outcomes(after), outcomes(view)), where)
    return JSON.stringify(after.config) !== JSON.stringify(view.config)
  })
  expect(tried).toBeGreaterThan(runs(15_000))
})

/** Steps that also read what the lists of other steps name. */
const readers: readonly StepId[] = ['plugin', 'capability', 'model-runtime', 'tool-search']

/** A rule that can reveal tools because it takes the place of another: where it is written, and which step it changes. */
interface Replacement {
  readonly path: Path
  readonly step: readonly StepId[]
}

function replacements(view: View, random: Random): Replacement[] {
  const agent = agentTools(view)
  const { provider, model, sender, groupIds } = view.context
  const list = random.pick(['allow', 'alsoAllow', 'deny'])
  const group = groupIds[0]
  const channel = Object.keys(view.config.channels ?? {}).find((id) => id === view.context.channel)
  return [
    { path: ['tools', 'sandbox', 'tools', 'deny'], step: ['sandbox.tools'] },
    ...(agent ? [{ path: [...agent, 'sandbox', 'tools', list], step: ['sandbox.tools'] as const }] : []),
    ...(provider && model
      ? [
          {
            path: ['tools', 'byProvider', `${provider}/${model}`],
            step: ['tools.byProvider', 'tools.byProvider.profile'] as const,
          },
        ]
      : []),
    ...(agent && sender?.id
      ? [{ path: [...agent, 'toolsBySender', `id:${sender.id}`], step: ['sender'] as const }]
      : []),
    ...(channel !== undefined && group !== undefined
      ? [{ path: ['channels', channel, 'groups', group], step: ['group.tools'] as const }]
      : []),
  ]
}

test(
  'a rule that takes the place of another reveals only what the other one hid',
  { timeout: 600_000 },
  () => {
    const replaced = forSessions('replace', 20_000, (source, view, random, where) => {
      const { path, step } = random.pick(replacements(view, random))
      const lists = randomLists(random, view.edition)
      const value =
        path.at(-2) === 'groups'
          ? { tools: lists }
          : ['allow', 'alsoAllow', 'deny'].includes(String(path.at(-1)))
            ? (lists.deny ?? ['exec'])
            : lists
      const after = reopen(source, setIn(view.config, path, value))
      const gained = revealed(view, after)
      for (const { tool, trace } of gained) {
        const hiding = trace.filter(isHiding).map((entry) => entry.step)
        const others = hiding.filter((each) => !step.includes(each) && !readers.includes(each))
        law(
          others.length === 0,
          `${where}: ${formatPath(path)} reveals ${tool.name}, which ${others.join(', ')} hid`,
        )
      }
      return gained.length > 0
    })
    expect(replaced).toBeGreaterThan(runs(500))
  },
)

test(
  'the first entry of a sandbox deny list reveals only what the built-in list denied',
  { timeout: 600_000 },
  () => {
    const lifted = forSessions('sandbox-first-deny', 20_000, (source, view, random, where) => {
      const agent = agentTools(view)
      const places: Path[] = [
        ['tools', 'sandbox', 'tools', 'deny'],
        ...(agent ? [[...agent, 'sandbox', 'tools', 'deny']] : []),
      ]
      if (places.some((path) => getIn(view.config, path) !== undefined)) return false
      // With an allow list that is empty the deny list alone decides.
      const open = setIn(view.config, ['tools', 'sandbox', 'tools', 'allow'], [])
      const boxed: ViewSource = { ...source, request: { ...source.request, sandboxed: true } }
      const config = setIn(open, random.pick(places), [randomEntry(random, view.edition)])
      const gained = revealed(reopen(boxed, open), reopen(boxed, config))
      for (const { tool, trace } of gained) {
        for (const entry of trace.filter(isHiding)) {
          const isBuiltIn =
            ['sandbox.tools', 'plugin'].includes(entry.step) &&
            entry.outcome === 'deny' &&
            entry.path === null
          law(isBuiltIn, `${where}: ${tool.name} was hidden by ${entry.list} ${entry.rule}`)
        }
      }
      return gained.length > 0
    })
    expect(lifted).toBeGreaterThan(runs(100))
  },
)

const unavailableSteps = new Set<StepId>([
  'run.tools',
  'model.tools',
  'capability',
  'mcp',
  'schema',
  'tool-search',
])

test('a trace has every step in order, and its first objection decides', { timeout: 600_000 }, () => {
  const tried = forSessions('trace', 10_000, (_source, view, _random, where) => {
    for (const { tool, verdict, trace, decisive } of view.decisions) {
      const at = `${where}, ${tool.name}`
      law(
        isDeepStrictEqual(
          trace.map(({ step }) => step),
          stepIds,
        ),
        `${at}: steps`,
      )
      law(decisive === trace.findIndex(isHiding), `${at}: decisive`)
      law((verdict === 'visible') === decisive < 0, `${at}: visible`)
      const entry = trace[decisive]
      if (entry && entry.step !== 'plugin') {
        law(
          (verdict === 'unavailable') === unavailableSteps.has(entry.step),
          `${at}: ${verdict} by ${entry.step}`,
        )
      }
      for (const { step, list, outcome, rule, path, reason } of trace) {
        law(list === step || list.startsWith(`${step}.`), `${at}: list ${list} of ${step}`)
        law(reason.trim() !== '', `${at}: ${step} gives no reason`)
        law(outcome !== 'deny' || rule !== null, `${at}: ${step} denies without a rule`)
        // Tool Search is off by default, so what switches it off may not be written anywhere.
        const isWritten = path === null || getIn(view.config, path) !== undefined
        law(isWritten || step === 'tool-search', `${at}: ${step} points at nothing`)
      }
    }
    return true
  })
  expect(tried).toBeGreaterThan(runs(9000))
})

test('the rule of a deny is its first matching entry, and stands where it says', { timeout: 600_000 }, () => {
  const tried = forSessions('deny-rule', 10_000, (_source, view, _random, where) => {
    for (const { tool, trace } of view.decisions) {
      for (const { step, list, outcome, rule, path } of trace) {
        if (outcome !== 'deny' || path === null || step === 'plugin' || !list.endsWith('.deny')) continue
        const at = `${where}, ${tool.name}, ${formatPath(path)}`
        law(String(getIn(view.config, path)).trim() === rule, `${at}: is not ${rule}`)
        const entries = listAt(view.config, path.slice(0, -1)).map(String)
        const first = entries.findIndex((entry) => view.policy.matches(entry, tool, 'deny'))
        const isOldImage = first < 0 && view.edition.id === '2026.9' && tool.name === 'view_image'
        law(isOldImage || first === path.at(-1), `${at}: entry ${first} matches before`)
      }
    }
    return true
  })
  expect(tried).toBeGreaterThan(runs(9000))
})

function deepFreeze(value: unknown): void {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return
  Object.freeze(value)
  Object.values(value).forEach(deepFreeze)
}

test('evaluation is pure', { timeout: 600_000 }, () => {
  const tried = forSessions('pure', 5000, (_source, view, random, where) => {
    const { config, edition, inventory, context } = view
    const input = structuredClone({ config, inventory, context })
    const before = structuredClone(input)
    deepFreeze(input)
    const evaluate = (
      order: (tools: typeof inventory.tools) => typeof inventory.tools,
    ): Map<string, unknown> => {
      const policy = compilePolicy({ ...input, edition })
      return new Map(order(input.inventory.tools).map((tool) => [tool.name, policy.evaluate(tool).trace]))
    }
    const first = evaluate((tools) => tools)
    law(isDeepStrictEqual(input, before), `${where}: the input has changed`)
    law(
      isDeepStrictEqual(
        first,
        evaluate((tools) => tools),
      ),
      `${where}: a second policy says something else`,
    )
    for (const [name, trace] of evaluate((tools) => random.shuffle(tools))) {
      law(isDeepStrictEqual(trace, first.get(name)), `${where}: ${name} depends on what was asked before`)
    }
    return true
  })
  expect(tried).toBeGreaterThan(runs(4000))
})

test('what a config does not say about a session does not change it', { timeout: 600_000 }, () => {
  const tried = forSessions('elsewhere', 5000, (source, view, random, where) => {
    const lists = randomLists(random, view.edition)
    const elsewhere: Path[] = [
      ['tools', 'byProvider', 'nobody'],
      ['tools', 'toolsBySender', 'id:nobody'],
      ['channels', 'nowhere', 'groups', '*', 'tools'],
      ['agents', 'defaults', 'workspace'],
    ]
    const path = random.pick(elsewhere)
    const config = setIn(view.config, path, path.at(-1) === 'workspace' ? '/srv' : lists)
    const after = reopen(source, config)
    law(isDeepStrictEqual(visible(after), visible(view)), `${where}: ${formatPath(path)}`)
    return true
  })
  expect(tried).toBeGreaterThan(runs(4000))
})
