import { isDeepStrictEqual } from 'node:util'
import { expect, test } from 'vitest'
import { editions } from '../../src/catalog/edition.ts'
import { catalogId } from '../../src/catalog/ids.ts'
import { parseInventory } from '../../src/catalog/inventory-file.ts'
import { inventoryFileOf } from '../../src/catalog/inventory-snapshot.ts'
import { buildInventory } from '../../src/catalog/inventory.ts'
import { isSupplied, toolKey } from '../../src/catalog/names.ts'
import type { Inventory, Tool } from '../../src/catalog/types.ts'
import { editionIds } from '../../src/kernel/edition-id.ts'
import { law, runs, seedOf } from './random.ts'
import { Random } from './seeded-random.ts'

/** Names that clash, lie, hide or break, and a few honest ones. */
const names = [
  'read Exec bash pdf tool_search browser memory_get x_search note_add a.b a-b A-B a-b-2 a__b mcp__x 3d töol 🚀'.split(
    ' ',
  ),
  'git__log log __proto__ constructor'.split(' '),
  [
    ' cron ',
    'a b',
    '',
    '   ',
    'x\u202Ey',
    'e\u001B[31m',
    'z'.repeat(64),
    'z'.repeat(65),
    `${'z'.repeat(65)}!`,
  ],
  ['q'.repeat(700)],
].flat()
const owners = [
  'git',
  'Git',
  'mail box',
  'mail-box',
  '9lives',
  'mcp',
  'kit',
  'core',
  'browser',
  '__proto__',
  'g'.repeat(40),
]
const texts = [
  'plain',
  'two\nlines',
  'red \u001B[31mtext\u001B[0m',
  'rtl \u202E',
  '\u200Bx',
  'l'.repeat(9000),
  '\uD83D',
]
const schemas: readonly unknown[] = [
  {},
  { type: 'object' },
  { $ref: 'x.json' },
  'text',
  null,
  { properties: { a: 5 } },
]

function toolOf(random: Random, schemaKey: string): unknown {
  const name = random.pick(names)
  if (random.chance(0.4)) return name
  return {
    ...(random.chance(0.95) && { name }),
    ...random.maybe(0.5, 'description', () => random.pick(texts)),
    ...(random.chance(0.3) && { [schemaKey]: random.pick(schemas) }),
  }
}

function fileOf(random: Random): object {
  const tools = (schemaKey: string): unknown[] =>
    Array.from({ length: random.below(9) }, () => toolOf(random, schemaKey))
  const object = (value: unknown): object => (typeof value === 'string' ? { name: value } : Object(value))
  return {
    plugins: Object.fromEntries(random.subset(0.4, owners).map((id) => [id, { tools: tools('parameters') }])),
    mcp: Object.fromEntries(
      random
        .subset(0.4, owners)
        .map((name) => [
          name,
          { status: random.pick(['connected', 'failed', 'connecting']), tools: tools('inputSchema') },
        ]),
    ),
    client: tools('parameters'),
    channel: tools('parameters').map((tool) => ({ channelId: 'irc', ...object(tool) })),
    providers: { x_search: random.chance(0.5) },
  }
}

function shuffled(random: Random, value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return random.shuffle(value)
  const entries = Object.entries(value).map(([key, item]) => [key, shuffled(random, item)] as const)
  return Object.fromEntries(random.shuffle(entries))
}

// oxlint-disable-next-line no-control-regex
const unseen =
  /[\0-\u0008\u000B-\u001F\u007F-\u009F\u061C\u200B\u200E\u200F\u202A-\u202E\u2066-\u2069\uFEFF]|\p{Surrogate}/u

function isNamedBadly(tool: Tool): boolean {
  return [tool.defect, ...(tool.otherDefects ?? [])].some((defect) => defect?.rule === 'invalid-tool')
}

/** What must hold of one tool, whoever brought it; the text of what does not. */
function flawOf(tool: Tool): string | null {
  const shown = [tool.name, tool.label, tool.description, catalogId(tool), tool.defect?.reason ?? '']
  if (shown.some((text) => unseen.test(text))) return 'it has hidden characters'
  if (shown.some((text) => text.length > 8192)) return 'it has a text without bound'
  if (!isNamedBadly(tool) && !/^[A-Za-z0-9_-]{1,64}$/.test(tool.name)) return 'its name cannot be offered'
  return Object.isFrozen(tool) ? null : 'it can be changed'
}

/** MCP tools a server listed, by server and raw name. */
function listedOf(file: object): Map<string, Set<string>> {
  const source = parseInventory(file, 'file')
  return new Map(
    source.servers.map(({ name, tools }) => {
      const raw = tools.map((tool) => (typeof tool === 'string' ? tool : Reflect.get(Object(tool), 'name')))
      return [name, new Set(raw.filter((each) => typeof each === 'string' && each.trim() !== ''))]
    }),
  )
}

function mcpOf(inventory: Inventory): string[] {
  return inventory.tools.flatMap((tool) =>
    tool.source === 'mcp' ? [`${tool.name} = ${tool.mcpServer} ${tool.mcpToolName}`] : [],
  )
}

test('whatever is declared, an inventory is in order', () => {
  const random = new Random(seedOf('inventory'))
  let conflicts = 0
  for (let run = 0; run < runs(10_000); run++) {
    const edition = editions[random.pick(editionIds)]
    const config = {}
    const file = fileOf(random)
    const holds = (what: string, isTrue: boolean): void => {
      if (!isTrue) law(false, `${what}\n${JSON.stringify({ edition: edition.id, file })}`)
    }
    const options = { edition, config, file: parseInventory(file, 'file') }
    const inventory = buildInventory(options)
    const { tools } = inventory

    for (const tool of tools) holds(`${tool.name}: ${flawOf(tool)}`, flawOf(tool) === null)
    holds('a name twice', new Set(tools.map((tool) => toolKey(tool.name, edition))).size === tools.length)
    holds('an id twice', new Set(tools.map(catalogId)).size === tools.length)

    const core = tools.flatMap((tool) => (tool.source === 'core' ? [tool.name] : []))
    const builtIn = edition.tools.filter((tool) => !isSupplied(tool)).map((tool) => tool.id)
    holds(
      'a built-in tool is missing',
      builtIn.every((name) => core.includes(name)),
    )

    for (const [server, raw] of listedOf(file)) {
      const exposed = tools.filter((tool) => tool.mcpServer === server)
      holds(`${server}: ${raw.size} listed, ${exposed.length} kept`, exposed.length === raw.size)
      const reachable = exposed.filter((tool) => !isNamedBadly(tool))
      const lost = reachable.filter((tool) => !raw.has(tool.mcpToolName ?? ''))
      holds(`${server}: names that lead nowhere`, lost.length === 0)
    }

    const replayed: unknown = JSON.parse(JSON.stringify(inventoryFileOf(options)))
    const again = buildInventory({ edition, config, file: parseInventory(replayed, 'snapshot') })
    holds('a snapshot replays differently', isDeepStrictEqual(again, inventory))

    const mixed = Object(
      shuffled(random, { plugins: Reflect.get(file, 'plugins'), mcp: Reflect.get(file, 'mcp') }),
    )
    const other = buildInventory({ edition, config, file: parseInventory({ ...file, ...mixed }, 'mixed') })
    holds('order of keys matters', isDeepStrictEqual(mcpOf(other), mcpOf(inventory)))
    conflicts += inventory.notices.filter((notice) => notice.id === 'name-conflict').length
  }
  expect(conflicts).toBeGreaterThan(runs(10_000))
})
