import { spawn } from 'node:child_process'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { McpServerConfig } from '../../src/config/types.ts'
import { McpHub } from '../../src/mcp/hub.ts'
import { dialOptions, freePort } from '../helpers/mcp.ts'
import { projectRoot } from '../helpers/project.ts'
import { runCli, runJson, tempDir } from '../helpers/run-cli.ts'

/*
 * The reference servers, as installed from npm: what they list changes with their versions, so only what this program makes of
 * them is pinned.
 */

const entry = (name: string) =>
  `${projectRoot}node_modules/@modelcontextprotocol/server-${name}/dist/index.js`
const stdio = (name: string, ...args: string[]): McpServerConfig => ({
  command: process.execPath,
  args: [entry(name), ...args],
})
const { signal } = new AbortController()

/** Starts the reference server of all features over HTTP for the time of the test. */
async function everythingOver(transport: 'streamableHttp' | 'sse'): Promise<string> {
  const port = await freePort()
  const child = spawn(process.execPath, [entry('everything'), transport], {
    env: { ...process.env, PORT: String(port) },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  onTestFinished(() => {
    child.kill('SIGKILL')
  })
  await new Promise<void>((resolve) => {
    child.stderr.on('data', (chunk: Buffer) => String(chunk).includes('port') && resolve())
  })
  return `http://127.0.0.1:${port}/${transport === 'sse' ? 'sse' : 'mcp'}`
}

interface Probed {
  readonly servers: readonly {
    readonly name: string
    readonly status: string
    readonly transport: string
    readonly toolCount: number
    readonly tools: readonly { readonly name: string }[]
    readonly hidden: readonly { readonly id: string; readonly step: string }[]
  }[]
}

test('mcp probe against the reference servers', async () => {
  const files = await tempDir()
  const servers = {
    everything: stdio('everything', 'stdio'),
    files: { ...stdio('filesystem', files), toolFilter: { include: ['read_*', 'files__list_directory'] } },
    memory: stdio('memory'),
    thinking: stdio('sequential-thinking'),
    remote: { url: await everythingOver('streamableHttp'), transport: 'streamable-http' },
    guessed: { url: await everythingOver('streamableHttp') },
    older: { url: await everythingOver('sse'), transport: 'sse' },
  }
  const config = { mcp: { servers }, tools: { deny: ['memory__delete_*'] } }
  const home = await tempDir({ '.openclaw/openclaw.json': JSON.stringify(config) })
  const { code, json } = await runJson(['mcp', 'probe'], { home, limit: 60_000 })
  expect(code).toBe(0)
  const { servers: probed } = json as Probed
  expect(probed.map(({ name, status, transport }) => `${name}: ${status} over ${transport}`)).toEqual([
    'everything: connected over stdio',
    'files: connected over stdio',
    'memory: connected over stdio',
    'thinking: connected over stdio',
    'remote: connected over streamable-http',
    'guessed: connected over streamable-http',
    'older: connected over sse',
  ])
  for (const { tools, hidden, toolCount } of probed) expect(tools.length + hidden.length).toBe(toolCount)
  const of = (name: string) => {
    const { tools = [], hidden = [] } = probed.find((server) => server.name === name) ?? {}
    return {
      tools: tools.map((tool) => tool.name),
      hidden: new Map(hidden.map(({ id, step }) => [id, step])),
    }
  }
  expect(of('files').tools).toEqual(
    expect.arrayContaining(['files__read_text_file', 'files__list_directory']),
  )
  expect(of('files').hidden.get('files__write_file')).toBe('mcp')
  expect(of('memory').tools).toContain('memory__read_graph')
  expect(of('memory').hidden.get('memory__delete_entities')).toBe('tools.deny')
  expect(of('everything').tools).toContain('everything__echo')
  // A tool that this client could never finish.
  expect(of('everything').hidden.get('everything__simulate-research-query')).toBe('schema')
  // Over HTTP the same server lists the same tools.
  const bare = (name: string) => of(name).tools.map((tool) => tool.replace(/^.*__/, ''))
  expect(bare('remote')).toEqual(bare('older'))

  const offline = await runCli(['tools', 'explain', 'memory__delete_entities'], { home })
  expect(offline.stdout).toMatch(/is hidden[\s\S]*tools\.deny/)
})

describe('calls of the reference servers', () => {
  async function hubOf(server: McpServerConfig): Promise<McpHub> {
    const hub = new McpHub({ ...(await dialOptions({ s: server })), version: '1' })
    onTestFinished(() => hub.close())
    return hub
  }

  test('files', async () => {
    const dir = await tempDir({ 'note.txt': 'remember the milk' })
    await mkdir(join(dir, 'sub'))
    const hub = await hubOf(stdio('filesystem', dir))
    const read = await hub.callTool('s', 'read_text_file', { path: join(dir, 'note.txt') }, { signal })
    expect(read.content).toEqual([{ type: 'text', text: 'remember the milk' }])
    const refused = await hub.callTool('s', 'read_text_file', { path: '/etc/hostname' }, { signal })
    expect(refused).toMatchObject({ isError: true, details: { status: 'error' } })
  })

  test('memory', async () => {
    const file = join(await tempDir(), 'memory.jsonl')
    await writeFile(file, '')
    const hub = await hubOf({ ...stdio('memory'), env: { MEMORY_FILE_PATH: file } })
    const entities = [{ name: 'Ada', entityType: 'person', observations: ['likes tea'] }]
    await hub.callTool('s', 'create_entities', { entities }, { signal })
    const found = await hub.callTool('s', 'search_nodes', { query: 'tea' }, { signal })
    expect(found.details.structuredContent).toMatchObject({ entities })
  })

  test.each(['stdio', 'streamableHttp', 'sse'] as const)('everything over %s', async (transport) => {
    const url = transport === 'stdio' ? '' : await everythingOver(transport)
    const named = transport === 'sse' ? 'sse' : 'streamable-http'
    const hub = await hubOf(transport === 'stdio' ? stdio('everything', 'stdio') : { url, transport: named })
    const sum = await hub.callTool('s', 'get-sum', { a: 2, b: 3 }, { signal })
    expect(sum.content).toEqual([{ type: 'text', text: 'The sum of 2 and 3 is 5.' }])
    const image = await hub.callTool('s', 'get-tiny-image', {}, { signal })
    expect(image.content.map((block) => block.type)).toEqual(['text', 'image', 'text'])
    const linked = await hub.callTool('s', 'get-resource-links', { count: 2 }, { signal })
    expect(linked.content).toHaveLength(3)
    const data = await hub.callTool('s', 'get-structured-content', { location: 'New York' }, { signal })
    expect(data.details.structuredContent).toMatchObject({ temperature: expect.any(Number) })
    const wrong = await hub.callTool('s', 'get-sum', { a: 'two' }, { signal })
    expect(wrong.isError).toBe(true)
  })
})
