import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { McpServerConfig } from '../../src/config/types.ts'
import { discoverServers } from '../../src/mcp/discovery.ts'
import { dialLines, dialOptions, faulty, livingIn, reportLines } from '../helpers/mcp.ts'
import { tempDir } from '../helpers/run-cli.ts'

/** A server entry for each line of faults, by that line. */
function servers(table: string, more: McpServerConfig = {}): Record<string, McpServerConfig> {
  const lines = table.split('\n').map((line) => line.trim())
  return Object.fromEntries(lines.filter((line) => line !== '').map((line) => [line, faulty(line, more)]))
}

describe('every fault ends in time, has a cause and costs its server only', () => {
  test('silence', async () => {
    const soon = { timeout: 1, connectTimeout: 3 }
    const late = { timeout: 1 }
    const lines = await dialLines({
      ...servers('hang=start\nhang=initialize\nhalf=initialize', soon),
      ...servers('hang=list\nhalf=list\nhang=list says=waiting banner=hello', late),
      good: faulty(),
    })
    expect(lines).toMatchInlineSnapshot(`
      "hang=start → failed timeout: it did not answer initialize within 3 s
      hang=initialize → failed timeout: it did not answer initialize within 3 s
      half=initialize → failed timeout: it did not answer initialize within 3 s; half a message has arrived
      hang=list → failed timeout: it did not answer tools/list within 1 s
      half=list → failed timeout: it did not answer tools/list within 1 s; half a message has arrived
      hang=list says=waiting banner=hello → failed timeout: it did not answer tools/list within 1 s; it prints "hello" to stdout, where only JSON-RPC belongs; it said "waiting"
      good → connected 2 tools"
    `)
  })

  test('ends', async () => {
    const lines = await dialLines({
      ...servers(`
        exit=start
        exit=initialize code=1 says=Error:no-token
        exit=list
        exit=list partial=1
      `),
      'no such program': { command: 'no-such-program-here' },
      'no such file': { command: '/no/such/file' },
      'no such directory': faulty('', { cwd: '/no/such/directory' }),
      'not to be run': { command: './program', cwd: await tempDir({ program: '' }) },
      good: faulty(),
    })
    expect(lines).toMatchInlineSnapshot(`
      "exit=start → failed exited: it exited with code 3 before it answered initialize
      exit=initialize code=1 says=Error:no-token → failed exited: it exited with code 1 before it answered initialize; it said "Error:no-token"
      exit=list → failed exited: it exited with code 3 before it answered tools/list
      exit=list partial=1 → failed exited: it exited with code 3 in the middle of a message before it answered tools/list
      no such program → failed spawn: its command no-such-program-here is not on the PATH
      no such file → failed spawn: its command /no/such/file does not exist
      no such directory → failed spawn: its working directory /no/such/directory does not exist
      not to be run → failed spawn: its command ./program may not be run: no permission
      good → connected 2 tools"
    `)
  })

  test('nonsense', async () => {
    const lines = await dialLines({
      ...servers(
        `
        wrong=initialize:no-version
        wrong=initialize:list-result
        wrong=list:no-version
        wrong=list:list-result
        wrong=list:text-result
        wrong=list:no-result
        wrong=list:no-tools
        wrong=list:error-no-id
        wrong=list:no-id
        wrong=list:other-id
        wrong=list:batch
        wrong=list:string-id
        twice=initialize
        twice=list
        banner=Listening!
        refuses=initialize
        refuses=list
        version=1999-01-01
        `,
        { timeout: 3 },
      ),
      good: faulty(),
    })
    // The second answer may come too late to be told of.
    const steady = lines.replace(/(?<=twice=list → connected 2 tools);.*/, '')
    expect(steady).toMatchInlineSnapshot(`
      "wrong=initialize:no-version → failed protocol: it answered initialize with a message without jsonrpc: "2.0"
      wrong=initialize:list-result → failed protocol: it answered initialize with a result that is no object
      wrong=list:no-version → failed protocol: it answered tools/list with a message without jsonrpc: "2.0"
      wrong=list:list-result → failed protocol: it answered tools/list with a result that is no object
      wrong=list:text-result → failed protocol: it answered tools/list with a result that is no object
      wrong=list:no-result → failed protocol: it answered tools/list with an answer without result and error
      wrong=list:no-tools → failed protocol: it answered tools/list without a list of tools
      wrong=list:error-no-id → failed protocol: it answered tools/list with the error "Parse error" for no request
      wrong=list:no-id → failed timeout: it did not answer tools/list within 3 s; it sent a result for no request
      wrong=list:other-id → failed timeout: it did not answer tools/list within 3 s; it sent an answer to no open request
      wrong=list:batch → connected 2 tools
      wrong=list:string-id → connected 2 tools
      twice=initialize → connected 2 tools; it sent an answer to no open request
      twice=list → connected 2 tools
      banner=Listening! → connected 2 tools; it prints "Listening!" to stdout, where only JSON-RPC belongs
      refuses=initialize → failed refused: it answered initialize with error -32000: "not today"
      refuses=list → failed refused: it answered tools/list with error -32000: "not today"
      version=1999-01-01 → failed protocol: it speaks the protocol of "1999-01-01", which is not known here
      good → connected 2 tools"
    `)
  })

  test('floods', async () => {
    const lines = await dialLines({
      ...servers(`
        huge=initialize
        huge=list
        huge=list endless=1
        flood=notifications hang=list
        flood=requests hang=list
        flood=requests deaf=1 hang=list
        flood=noise hang=list
        flood=stderr
        cursor=same
        cursor=endless
        tools=25000
      `),
      good: faulty(),
    })
    expect(lines).toMatchInlineSnapshot(`
      "huge=initialize → failed flood: it sent a line of more than 16 MB
      huge=list → failed flood: it sent a line of more than 16 MB
      huge=list endless=1 → failed flood: it sent a line of more than 16 MB
      flood=notifications hang=list → failed flood: it sent more than 64 MB that nobody asked for
      flood=requests hang=list → failed flood: it sent more than 64 MB that nobody asked for
      flood=requests deaf=1 hang=list → failed flood: it does not read what it is sent
      flood=noise hang=list → failed flood: it sent more than 64 MB that nobody asked for
      flood=stderr → connected 2 tools
      cursor=same → connected 2 tools; its tool list repeats itself after page 2
      cursor=endless → failed flood: its tool list does not end after 1000 pages
      tools=25000 → failed flood: it lists more than 20000 tools
      good → connected 2 tools"
    `)
  })

  test('odd and good', async () => {
    const lines = await dialLines(
      servers(`
        latency=200
        pages=2
        tools=10000 pages=20
        changes=1
        changes=during
        stubborn=1
        modern=1
        schema=deep levels=5000
        schema=huge
        modern=1 schema=text
      `),
    )
    expect(lines).toMatchInlineSnapshot(`
      "latency=200 → connected 2 tools
      pages=2 → connected 2 tools
      tools=10000 pages=20 → connected 10000 tools
      changes=1 → connected 3 tools
      changes=during → connected 3 tools
      stubborn=1 → connected 2 tools
      modern=1 → connected 2 tools
      schema=deep levels=5000 → connected 3 tools
      schema=huge → connected 3 tools
      modern=1 schema=text → connected 3 tools"
    `)
  })
})

test('all servers together have a time limit, too', async () => {
  const options = await dialOptions(servers('hang=list\nhang=initialize'), { budgetMs: 1500 })
  const start = performance.now()
  expect(reportLines(await discoverServers(options))).toMatchInlineSnapshot(`
    "hang=list → failed timeout: it was not reached within the 1.5 s for all servers together
    hang=initialize → failed timeout: it was not reached within the 1.5 s for all servers together"
  `)
  expect(performance.now() - start).toBeLessThan(10_000)
})

describe('nothing is left behind', () => {
  const faults = [
    '',
    'stubborn=1',
    'hang=initialize',
    'exit=list',
    'flood=noise hang=list',
    'huge=list endless=1',
  ]
  test.each(faults)('%s', async (fault) => {
    const dir = await tempDir()
    const [own, helper] = [join(dir, 'own'), join(dir, 'helper')]
    const server = faulty(`${fault} pid=${own} helper=${helper}`, { timeout: 2, connectTimeout: 4 })
    await discoverServers(await dialOptions({ server }))
    expect(await readFile(own, 'utf8')).toMatch(/^\d+\n$/)
    // A killed process needs a moment to be gone; one that was forgotten stays.
    await expect.poll(async () => [...(await livingIn(own)), ...(await livingIn(helper))]).toEqual([])
  })

  test('when the caller gives up', async () => {
    const dir = await tempDir()
    const own = join(dir, 'own')
    const controller = new AbortController()
    const options = await dialOptions(
      { slow: faulty(`hang=list stubborn=1 pid=${own}`), next: faulty(`hang=initialize pid=${own}`) },
      { signal: controller.signal },
    )
    const found = discoverServers(options)
    const started = async () => (await readFile(own, 'utf8').catch(() => '')).split('\n').length > 2
    await expect.poll(started, { timeout: 20_000 }).toBe(true)
    controller.abort(new Error('enough'))
    await expect(found).rejects.toThrow('enough')
    await expect.poll(() => livingIn(own)).toEqual([])
  })
})

test('a server gets a small environment and what the config names, nothing else', async () => {
  const file = join(await tempDir(), 'env.json')
  const env = {
    TOKEN: 'abc',
    PORT: 80,
    DEBUG: true,
    NODE_OPTIONS: '--no-warnings',
    FROM: { source: 'env', id: 'SOURCE' },
  }
  const options = await dialOptions({ server: faulty(`env=${file}`, { env }) })
  const { PATH } = process.env
  const surrounding = {
    PATH,
    HOME: '/h',
    SOURCE: 'value',
    AWS_SECRET_ACCESS_KEY: 's3cret',
    LD_PRELOAD: '/x.so',
    SHELL: '() { :; }',
  }
  const { notices } = await discoverServers({ ...options, env: surrounding })
  const seen: Record<string, string> = JSON.parse(await readFile(file, 'utf8'))
  expect(seen).toEqual({ PATH, HOME: '/h', TOKEN: 'abc', PORT: '80', DEBUG: 'true', FROM: 'value' })
  expect(notices).toMatchInlineSnapshot(`
    [
      {
        "id": "mcp-config",
        "message": "MCP server "server": NODE_OPTIONS is not passed on: it would make an interpreter run other code than the command",
        "path": [
          "mcp",
          "servers",
          "server",
          "env",
          "NODE_OPTIONS",
        ],
        "severity": "warning",
      },
    ]
  `)
})

test('a secret that a server repeats is not printed', async () => {
  const server = faulty('exit=initialize says=error:bad-token-0123456789', {
    env: { TOKEN: 'bad-token-0123456789' },
  })
  expect(await dialLines({ server })).toMatchInlineSnapshot(
    `"server → failed exited: it exited with code 3 before it answered initialize; it said "error:***""`,
  )
})
