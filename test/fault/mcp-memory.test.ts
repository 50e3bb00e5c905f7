import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { editions } from '../../src/catalog/edition.ts'
import { buildInventory } from '../../src/catalog/inventory.ts'
import type { Config, McpServerConfig } from '../../src/config/types.ts'
import { discoverServers, type Discovery, type DiscoverOptions } from '../../src/mcp/discovery.ts'
import { listDirectory } from '../../src/mcp/list-directory.ts'
import { dialOptions, faulty, reportLines } from '../helpers/mcp.ts'
import { tempDir } from '../helpers/run-cli.ts'

const noon = Date.parse('2026-11-30T12:00:00Z')
const minute = 60_000

/** A machine on which servers are asked again and again, with a clock that only the test moves. */
async function machine(first: Record<string, McpServerConfig>) {
  const stateDir = await tempDir()
  let now = noon
  const find = async (
    dial: boolean,
    servers: Record<string, McpServerConfig>,
    more: Partial<DiscoverOptions>,
  ) => discoverServers({ ...(await dialOptions(servers, { stateDir, clock: () => now })), dial, ...more })
  return {
    stateDir,
    later: (ms: number) => {
      now += ms
    },
    dial: (servers = first, more: Partial<DiscoverOptions> = {}) => find(true, servers, more),
    look: (servers = first) => find(false, servers, {}),
  }
}

/** Tools of an inventory with what is wrong with them, and what is told. */
function told({ servers }: Discovery, config: NonNullable<Config['mcp']>): string {
  const discovered = { plugins: [], servers, client: [], channel: [], providers: {} }
  const inventory = buildInventory({ edition: editions['2026.7'], config: { mcp: config }, discovered })
  const tools = inventory.tools
    .filter((tool) => tool.source === 'mcp')
    .map((tool) => (tool.defect ? `${tool.name} (${tool.defect.step}: ${tool.defect.reason})` : tool.name))
  return [...tools, ...inventory.notices.map(({ id, message }) => `${id}: ${message}`)].join('\n')
}

test('what was seen last answers without dialling', async () => {
  const servers = { notes: faulty(), other: faulty('tools=1') }
  const { dial, look, later } = await machine(servers)
  expect(reportLines(await look())).toMatchInlineSnapshot(`
    "notes → unseen
    other → unseen"
  `)
  await dial(servers, { only: ['notes'] })
  later(125 * minute)
  const found = await look()
  expect(reportLines(found)).toMatchInlineSnapshot(`
    "notes → seen
    other → unseen"
  `)
  expect(told(found, { servers })).toMatchInlineSnapshot(`
    "notes__echo
    notes__fail
    mcp-stale: the tools of MCP server "notes" are as last seen 2 h ago
    mcp-stale: no tool list of MCP server "other" has been seen, so its tools are missing here; openclaw mcp probe asks, --inventory FILE can supply one"
  `)
})

test('a server that fails keeps its last list, unavailable', async () => {
  const { dial, look, later, stateDir } = await machine({})
  const marker = join(stateDir, 'broken')
  const script = `import('node:fs').then(({ existsSync }) => { if (existsSync(${JSON.stringify(marker)})) process.exit(9); process.argv.splice(1, 0, ''); return import(process.env.FAULTY) })`
  const { args = [] } = faulty()
  const servers = {
    flaky: { command: process.execPath, args: ['-e', script], env: { FAULTY: args[0] ?? '' } },
  }
  await dial(servers)
  later(3 * minute)
  await writeFile(marker, '')
  const failed = await dial(servers)
  expect(told(failed, { servers })).toMatchInlineSnapshot(`
    "flaky__echo (mcp: MCP server "flaky" could not be reached: it exited with code 9 before it answered initialize)
    flaky__fail (mcp: MCP server "flaky" could not be reached: it exited with code 9 before it answered initialize)
    mcp-unreachable: MCP server "flaky" could not be reached: it exited with code 9 before it answered initialize; its 2 tools are unavailable
    mcp-stale: the tools of MCP server "flaky" are as last seen 3 min ago"
  `)
  later(60 * minute)
  expect(told(await look(servers), { servers })).toMatchInlineSnapshot(`
    "flaky__echo
    flaky__fail
    mcp-stale: the tools of MCP server "flaky" are as last seen 1 h ago; the last try, 1 h ago, failed: it exited with code 9 before it answered initialize"
  `)
})

test('after three failures in a row a server is left alone for a minute, unless somebody insists', async () => {
  const servers = { gone: { command: 'no-such-program-here' }, good: faulty() }
  const { dial, later } = await machine(servers)
  const lines: string[] = []
  const again = async (what: string, more: Partial<DiscoverOptions> = {}) => {
    const [line] = reportLines(await dial(servers, more)).split('\n')
    lines.push(`${what}: ${line}`)
  }
  await again('first')
  await again('second')
  await again('third')
  later(20_000)
  await again('20 s later')
  await again('insisting', { insist: true })
  later(61_000)
  await again('a minute later')
  later(-24 * 60 * minute)
  await again('yesterday, by a clock that was set back')
  expect(lines.join('\n')).toMatchInlineSnapshot(`
    "first: gone → failed spawn: its command no-such-program-here is not on the PATH
    second: gone → failed spawn: its command no-such-program-here is not on the PATH
    third: gone → failed spawn: its command no-such-program-here is not on the PATH
    20 s later: gone → failed cooldown: it failed 3 times in a row and is left alone for 40 s more; the last time its command no-such-program-here is not on the PATH
    insisting: gone → failed spawn: its command no-such-program-here is not on the PATH
    a minute later: gone → failed spawn: its command no-such-program-here is not on the PATH
    yesterday, by a clock that was set back: gone → failed spawn: its command no-such-program-here is not on the PATH"
  `)
})

describe('a list belongs to the config it was made under', () => {
  const base = { command: process.execPath, args: faulty().args ?? [] }
  const cases: readonly [string, McpServerConfig, 'seen' | 'unseen'][] = [
    ['the same', base, 'seen'],
    ['another filter', { ...base, toolFilter: { exclude: ['echo'] } }, 'seen'],
    ['another time limit', { ...base, timeout: 5 }, 'seen'],
    ['switched off', { ...base, enabled: false }, 'seen'],
    ['other arguments', { ...base, args: [...base.args, 'x'] }, 'unseen'],
    ['other environment', { ...base, env: { REGION: 'eu' } }, 'unseen'],
    ['another program', { ...base, command: 'other' }, 'unseen'],
  ]
  test.each(cases)('%s', async (_name, changed, expected) => {
    const { dial, look } = await machine({ s: base })
    await dial()
    const [source] = (await look({ s: changed })).servers
    expect(source === undefined ? 'unseen' : 'seen').toBe(expected)
  })

  test('a renewed token does not lose it', async () => {
    const tokenOf = (token: string) => ({ s: { ...base, env: { API_TOKEN: token, REGION: 'eu' } } })
    const { dial, look } = await machine(tokenOf('old-token-1'))
    await dial()
    expect((await look(tokenOf('new-token-2'))).servers).toHaveLength(1)
  })
})

describe('the files', () => {
  test('are for their owner only, hold no secrets, and cannot leave their directory', async () => {
    const env = { TOKEN: 'very-secret-value' }
    const names = ['plain', '../../escape', 'a/b', 'A', 'a', '.', 'x'.repeat(300), 'Größe']
    const { dial, look, stateDir } = await machine(
      Object.fromEntries(names.map((name) => [name, faulty('', { env })])),
    )
    await dial()
    const directory = listDirectory(stateDir)
    const files = await readdir(directory)
    expect(files).toHaveLength(names.length)
    expect(new Set(files.map((file) => file.toLowerCase())).size).toBe(names.length)
    for (const file of files) {
      expect((await stat(join(directory, file))).mode & 0o077).toBe(0)
      expect(await readFile(join(directory, file), 'utf8')).not.toContain('very-secret-value')
    }
    expect((await look()).reports.map(({ status }) => status)).toEqual(names.map(() => 'seen'))
    expect((await readdir(stateDir)).toSorted()).toEqual(['cache'])
  })

  test.each([
    ['cut off', (text: string) => text.slice(0, text.length / 2)],
    ['empty', () => ''],
    ['another value', () => '[]'],
    ['a list that is none', (text: string) => text.replace(/"tools":\[.*\]/, '"tools":{}')],
    ['a time that is none', (text: string) => text.replace(/"seenAt":\d+/, '"seenAt":1e300')],
    ['another format', (text: string) => text.replace('"format":1', '"format":2')],
    ['another server', (text: string) => text.replace('"server":"s"', '"server":"t"')],
  ])('%s: as if never seen', async (_name, damage) => {
    const { dial, look, stateDir } = await machine({ s: faulty() })
    await dial()
    const file = join(listDirectory(stateDir), 's.json')
    const text = await readFile(file, 'utf8')
    const damaged = damage(text)
    expect(damaged).not.toBe(text)
    await writeFile(file, damaged)
    expect(reportLines(await look())).toBe('s → unseen')
    expect(reportLines(await dial())).toBe('s → connected 2 tools')
    expect(reportLines(await look())).toBe('s → seen')
  })

  test('that cannot be written are done without', async () => {
    const { dial, stateDir } = await machine({ s: faulty() })
    await mkdir(join(stateDir, 'cache'))
    await writeFile(listDirectory(stateDir), 'in the way')
    expect(reportLines(await dial())).toBe('s → connected 2 tools')
  })
})
