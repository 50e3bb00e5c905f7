import { countTokens } from 'gpt-tokenizer'
import { editions } from '../../src/catalog/edition.ts'
import { parseInventory } from '../../src/catalog/inventory-file.ts'
import { openView } from '../../src/runtime/open-view.ts'
import { buildPayload, directBytes } from '../../src/tool-search/payload.ts'

/*
 * Bytes and tokens that a request spends on tools in each mode: node test/bench/payload.ts
 * Prints one JSON value and exits 1 when a bound is missed: with 1,000 tools code and tools at most 1 % of direct mode,
 * directory at most 5 %, code mode at most 900 tokens and the same bytes for 10 and 10,000 tools.
 */

const modes = ['direct', 'code', 'tools', 'directory'] as const
type Mode = (typeof modes)[number]

const verbs = ['create', 'list', 'update', 'delete', 'search', 'archive', 'export', 'share']
const things = ['invoice', 'ticket', 'calendar event', 'branch', 'contact', 'report', 'channel', 'dataset']

/** A plugin tool with a definition of about 700 bytes, as real ones have. */
function tool(index: number) {
  const verb = verbs[index % verbs.length]!
  const thing = things[Math.floor(index / verbs.length) % things.length]!
  const text = (what: string) => ({
    type: 'string',
    description: `The ${what} of the ${thing}, as the service names it.`,
  })
  return {
    name: `${verb}_${thing.replaceAll(' ', '_')}_${index}`,
    description: `Use this to ${verb} a ${thing} in workspace ${index}. Needs the permission to ${verb}; returns the ${thing} as it is afterwards.`,
    parameters: {
      type: 'object',
      properties: {
        id: text('id'),
        title: text('title'),
        owner: text('owner'),
        notes: text('notes'),
        limit: { type: 'integer', minimum: 1, maximum: 100 },
      },
      required: ['id'],
      additionalProperties: false,
    },
  }
}

function measure(count: number, mode: Mode) {
  const view = openView({
    config: { tools: { allow: ['bench'], toolSearch: mode === 'direct' ? false : { mode } } },
    edition: editions['2026.7'],
    request: {},
    entry: undefined,
    inventory: parseInventory(
      { plugins: { bench: { tools: Array.from({ length: count }, (_, index) => tool(index)) } } },
      'bench',
    ),
  })
  const { tools, prompt, bytes } = buildPayload(view, {
    userText: 'Archive the newest report and tell me its title.',
  })
  const total = bytes.tools + bytes.prompt
  return {
    tools: count,
    mode,
    bytes: total,
    tokens: countTokens(JSON.stringify(tools)) + countTokens(prompt),
    share: Number((total / directBytes(view)).toFixed(5)),
  }
}

const rows = [10, 36, 1000, 10_000].flatMap((count) => modes.map((mode) => measure(count, mode)))
const find = (count: number, mode: Mode) => rows.find((row) => row.tools === count && row.mode === mode)!
const missed = [
  find(1000, 'code').share > 0.01 && 'code above 1 % of direct',
  find(1000, 'tools').share > 0.01 && 'tools above 1 % of direct',
  find(1000, 'directory').share > 0.05 && 'directory above 5 % of direct',
  find(1000, 'code').tokens > 900 && 'code mode above 900 tokens',
  find(10, 'code').bytes !== find(10_000, 'code').bytes && 'code mode grows with the catalogue',
].filter((each) => each !== false)
const definition = Math.round(find(1000, 'direct').bytes / 1000)
process.stdout.write(`${JSON.stringify({ definitionBytes: definition, rows, missed })}\n`)
process.exitCode = missed.length > 0 ? 1 : 0
