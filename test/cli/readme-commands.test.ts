import { execFile } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { Config } from '../../src/config/types.ts'
import { startMockServer } from '../../src/qa/mock-openai/server.ts'
import { startGateway } from '../helpers/gateway.ts'
import { projectRoot } from '../helpers/project.ts'
import { isolatedEnv, tempDir } from '../helpers/run-cli.ts'

const run = promisify(execFile)
const limitMs = 120_000

const readme = readFileSync(`${projectRoot}README.md`, 'utf8')
const blocks = [...readme.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, block = '']) => block)

/** The one block of commands that has a text in it. */
function blockWith(text: string): string {
  const found = blocks.filter((block) => block.includes(text))
  if (found.length !== 1) throw new Error(`${found.length} blocks of the README have ${text}`)
  return found[0] ?? ''
}

interface Ran {
  readonly stdout: string
  /** Exit codes of the runs of the program, in the order in which they ended. */
  readonly codes: readonly number[]
}

/** A home in which commands are run as they stand, by a shell, from the folder of the project; npm does nothing, and npx starts the build. */
async function reader(config: Config | null, more: Readonly<Record<string, string>> = {}) {
  const home = await tempDir({
    ...(config && { '.openclaw/openclaw.json': JSON.stringify(config, null, 2) }),
    ...more,
  })
  const codes = join(home, 'codes')
  const tool = (name: string, script: string): void => {
    mkdirSync(join(home, 'shims'), { recursive: true })
    writeFileSync(join(home, 'shims', name), `#!/bin/sh\n${script}\n`)
    chmodSync(join(home, 'shims', name), 0o755)
  }
  tool('npm', 'exit 0')
  tool(
    'npx',
    `shift; "${process.execPath}" "${projectRoot}bin/run.js" "$@"; code=$?; echo $code >> "${codes}"; exit $code`,
  )
  const env: NodeJS.ProcessEnv = { ...isolatedEnv(home), EDITOR: 'sed -i s/coding/minimal/' }
  const read = async (script: string, variables: Readonly<Record<string, string>> = {}): Promise<Ran> => {
    writeFileSync(codes, '')
    const { stdout } = await run('bash', ['-c', script], {
      cwd: projectRoot,
      env: { ...env, ...variables, PATH: `${home}/shims:${env.PATH}` },
      timeout: limitMs,
    }).catch((error: { stdout: string }) => error)
    return { stdout, codes: readFileSync(codes, 'utf8').trim().split('\n').map(Number) }
  }
  return { home, read }
}

/** The codes with which the runs in a block end: 0 unless a comment says otherwise. */
function promised(block: string): readonly number[] {
  return block
    .split('\n')
    .flatMap((line) =>
      [...line.matchAll(/\bnpx openclaw /g)].map(() => Number(/# exit (\d)/.exec(line)?.[1] ?? 0)),
    )
}

/** An MCP server as the README has it: it lists two tools and does what they say. */
const github = `
import { createInterface } from 'node:readline'
const tool = (name, description, ...names) => ({ name, description, inputSchema: {
  type: 'object', properties: Object.fromEntries(names.map((each) => [each, { type: 'string' }])),
} })
const tools = [
  tool('create_branch', 'Create a branch in a GitHub repository.', 'name'),
  tool('create_issue', 'Create a GitHub issue.', 'title', 'body'),
]
for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line)
  if (id === undefined) continue
  const results = {
    initialize: () => ({ protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'github', version: '1' } }),
    'tools/list': () => ({ tools }),
    'tools/call': () => ({ content: [{ type: 'text', text: params.name + ' done' }] }),
  }
  const answer = results[method] ? { result: results[method]() } : { error: { code: -32601, message: 'unknown' } }
  console.log(JSON.stringify({ jsonrpc: '2.0', id, ...answer }))
}
`

async function withGithub() {
  const dir = await tempDir({ 'github.mjs': github })
  return reader({
    agents: { list: [{ id: 'main' }, { id: 'work' }] },
    mcp: { servers: { github: { command: process.execPath, args: [join(dir, 'github.mjs')] } } },
  })
}

const plugin = blockWith('mkdir -p ~/.openclaw/plugins/hello')

/** Checks that a block does what it promises, and returns what it printed. */
async function does(read: Awaited<ReturnType<typeof reader>>['read'], text: string): Promise<string> {
  const block = blockWith(text)
  const { stdout, codes } = await read(block)
  expect(codes).toEqual(promised(block))
  return stdout
}

describe('commands of the README do what it says', { timeout: limitMs }, () => {
  test('on a machine that has nothing yet', async () => {
    const { read } = await reader(null)
    expect(await does(read, 'npm ci\n')).toContain('Built-in tools (26)')
    const told = await does(read, 'npx openclaw help notices')
    for (const text of ['exec', 'Notices']) expect(told).toContain(text)
  })

  test('about a plugin', async () => {
    const { read } = await reader(null)
    const { stdout, codes } = await read(plugin)
    expect(codes).toEqual([0, 0])
    expect(stdout.trimEnd().split('\n')).toContain('hello_say')
  })

  test('about MCP servers and Tool Search', async () => {
    const { read } = await withGithub()
    await does(read, 'npx openclaw mcp list')
    const told = await does(read, 'npx openclaw tools search "create a branch"')
    for (const text of ['github__create_branch', 'create_branch done', 'create_issue done'])
      expect(told).toContain(text)
  })

  test('about built-in tools, and refusals', async () => {
    const { home, read } = await reader(null)
    await does(read, 'npx openclaw tools call write')
    const made = join(home, '.openclaw/workspace/src/add.js')
    expect(readFileSync(made, 'utf8')).toBe('export const add = (a, b) => a + b\n')
    await does(read, 'npx openclaw config set tools.exec.mode ask')
  })

  test('about agents', async () => {
    const server = await startMockServer()
    onTestFinished(() => server.close())
    const openai = { baseUrl: server.baseUrl, apiKey: 'k', api: 'openai-responses' as const }
    const { read } = await reader({
      agents: { defaults: { model: { primary: 'openai/mock-model' } } },
      models: { providers: { openai } },
    })
    await does(read, 'npx openclaw agent --session work')
    expect(server.requests).toHaveLength(3)
  })

  test('about the Gateway', async () => {
    const { home, read } = await reader(null)
    await read(plugin)
    const server = await startGateway({ home, files: {}, env: { OPENCLAW_GATEWAY_TOKEN: '' } })
    const here = (text: string): string => text.replaceAll('18789', String(server.port))
    const [first = '', ...rest] = blockWith('npx openclaw gateway run').split('\n')
    expect(first).toMatch(/^npx openclaw gateway run /)
    const port = { OPENCLAW_GATEWAY_URL: server.url }
    const asked = here(rest.join('\n'))
    expect(await read(asked, port)).toMatchObject({
      codes: promised(asked),
      stdout: expect.stringContaining('Hello, Ada!') as string,
    })
    const { stdout } = await read(here(blockWith('curl ')))
    const [, shown = ''] = /-d '\{ "tool": "hello_say"[\s\S]*?```json\n([\s\S]*?)```/.exec(readme) ?? []
    expect(JSON.parse(stdout)).toEqual(JSON.parse(shown))
  })

  test('about the config', async () => {
    const config = {
      tools: { deny: ['browser', 'exec'] },
      agents: { list: [{ id: 'main' }, { id: 'work' }] },
    }
    const { home, read } = await reader(config)
    await does(read, 'npx openclaw config edit')
    // The last write but one stands again: the edit is taken back.
    const now: Config = JSON.parse(readFileSync(join(home, '.openclaw/openclaw.json'), 'utf8'))
    expect(now.tools).toEqual({ deny: [], profile: 'coding' })
  })

  test('about the development of this program', () => {
    const { scripts }: { scripts: Record<string, string> } = JSON.parse(
      readFileSync(`${projectRoot}package.json`, 'utf8'),
    )
    const named = [...readme.matchAll(/\bnpm (?:run )?([a-z][\w:-]*)/g)].map(([, name = '']) => name)
    const known = [...Object.keys(scripts), 'ci', 'install', 'and']
    expect(named.filter((name) => !known.includes(name))).toEqual([])
    const files = [...readme.matchAll(/(?:\bnode |^|`)((?:test|src|bin|fixtures|commands|\.ci)\/[\w./-]*)/gm)]
    for (const [, file = ''] of files) expect([file, existsSync(projectRoot + file)]).toEqual([file, true])
  })
})

test('the map of the source has every folder, and no other', () => {
  const rows = [...readme.matchAll(/^\| `((?:src\/)?[\w-]+\/)` +\|/gm)].map(([, folder = '']) => folder)
  const below = (folder: string): string[] =>
    readdirSync(projectRoot + folder, { withFileTypes: true }).flatMap((entry) =>
      entry.isDirectory() && !/^(?:\.|node_modules$|dist|src$)/.test(entry.name)
        ? [`${folder}${entry.name}/`]
        : [],
    )
  expect(rows.toSorted()).toEqual([...below(''), ...below('src/')].toSorted())
})

test('every block of the README is run or known to be too much', () => {
  const tested = [
    'npm ci\n',
    'npx openclaw help notices',
    'mkdir -p ~/.openclaw/plugins/hello',
    'npx openclaw mcp list',
    'npx openclaw tools search "create a branch"',
    'npx openclaw tools call write',
    'npx openclaw config set tools.exec.mode ask',
    'npx openclaw agent --session work',
    'npx openclaw gateway run',
    'curl ',
    'npx openclaw config edit',
    'npm run test:full',
    // Its scenarios have tests of their own.
    'npx openclaw qa suite ',
  ]
  const left = blocks.filter((block) => !tested.some((text) => block.includes(text)))
  expect(left).toEqual([])
})
