import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { McpServerConfig } from '../../src/config/types.ts'
import { OpenClawError } from '../../src/kernel/errors.ts'
import { McpHub, type HubOptions } from '../../src/mcp/hub.ts'
import { dialOptions, faulty, livingIn, startFaulty } from '../helpers/mcp.ts'
import { tempDir } from '../helpers/run-cli.ts'

const { signal } = new AbortController()

async function hubOf(server: McpServerConfig, more: Partial<HubOptions> = {}): Promise<McpHub> {
  const options = await dialOptions({ frail: server })
  const hub = new McpHub({ ...options, version: '1', ...more })
  onTestFinished(() => hub.close())
  return hub
}

/** Calls `echo` and tells what came of it in one line. */
async function call(
  hub: McpHub,
  tool = 'echo',
  args: Record<string, unknown> = { text: 'hi' },
  timeoutMs?: number,
): Promise<string> {
  try {
    const { content, isError } = await hub.callTool('frail', tool, args, { signal, timeoutMs })
    const [block] = content
    return `${isError ? 'failed: ' : ''}${block?.type === 'text' ? block.text : block?.type}`
  } catch (error) {
    if (!(error instanceof OpenClawError)) throw error
    return `${error.code}: ${error.message}`
  }
}

describe('a call', () => {
  test('answers, also over HTTP, SSE and the newest revision', async () => {
    const servers = [
      faulty(),
      faulty('modern=1'),
      { url: await startFaulty('transport=http stream=1') },
      { url: await startFaulty('transport=http modern=1') },
      { url: await startFaulty('transport=sse') },
    ]
    for (const server of servers) {
      const hub = await hubOf(server)
      expect(await Promise.all([call(hub), call(hub, 'echo', { text: 'ho' })])).toEqual(['hi', 'ho'])
    }
  })

  test('of a tool that fails is a result', async () => {
    const hub = await hubOf(faulty())
    expect(await hub.callTool('frail', 'fail', {}, { signal })).toEqual({
      content: [{ type: 'text', text: 'it did not work' }],
      details: { mcpServer: 'frail', mcpTool: 'fail', status: 'error' },
      isError: true,
    })
  })

  test('has data beside the text', async () => {
    const hub = await hubOf(faulty())
    expect(await hub.callTool('frail', 'data', {}, { signal })).toMatchObject({
      content: [{ type: 'text', text: '{"a":1}' }],
      details: { structuredContent: { a: 1 } },
    })
  })
})

test('faults of a call name the server and the cause', async () => {
  const told: string[] = []
  const faults = [
    'exit=call says=Error:gone',
    'exit=call partial=1',
    'wrong=call:no-version',
    'wrong=call:list-result',
    'refuses=call',
    'huge=call',
    'twice=call',
    'hang=call',
    'half=call',
  ]
  for (const fault of faults) {
    const hub = await hubOf(faulty(fault))
    const slow = fault === 'hang=call' || fault === 'half=call'
    told.push(`${fault} → ${await call(hub, 'echo', { text: 'hi' }, slow ? 500 : undefined)}`)
  }
  const http = await hubOf({ url: await startFaulty('transport=http stream=1 drop=call') })
  told.push(`drop=call → ${await call(http)}`)
  told.push(`not configured → ${await http.callTool('fail', 'x', {}, { signal }).catch(String)}`)
  expect(told.join('\n')).toMatchInlineSnapshot(`
    "exit=call says=Error:gone → MCP_UNREACHABLE: MCP server "frail": it exited with code 3 before it answered tools/call; it said "Error:gone"
    exit=call partial=1 → MCP_UNREACHABLE: MCP server "frail": it exited with code 3 in the middle of a message before it answered tools/call
    wrong=call:no-version → MCP_UNREACHABLE: MCP server "frail": it answered tools/call with a message without jsonrpc: "2.0"
    wrong=call:list-result → MCP_UNREACHABLE: MCP server "frail": it answered tools/call with a result that is no object
    refuses=call → TOOL_FAILED: MCP server "frail": it answered tools/call with error -32000: "not today"
    huge=call → MCP_UNREACHABLE: MCP server "frail": it sent a line of more than 16 MB
    twice=call → hi
    hang=call → TIMEOUT: MCP server "frail": it did not answer tools/call within 0.5 s
    half=call → TIMEOUT: MCP server "frail": it did not answer tools/call within 0.5 s; half a message has arrived
    drop=call → MCP_UNREACHABLE: MCP server "frail": it closed the connection before it answered tools/call
    not configured → OpenClawError: no MCP server "fail" is configured"
  `)
})

describe('afterwards', () => {
  test('a malformed answer costs its call only', async () => {
    const hub = await hubOf(faulty('wrong=call:text-result'))
    const { connection } = await hub.list('frail', { signal })
    await call(hub)
    expect(connection.ended).toBeNull()
    expect((await hub.list('frail', { signal })).connection).toBe(connection)
  })

  test('a server that has died is started again for the next call', async () => {
    const pids = join(await tempDir(), 'pids')
    const hub = await hubOf(faulty(`pid=${pids}`))
    const first = Number(await call(hub, 'pid'))
    process.kill(first, 'SIGKILL')
    const { connection } = await hub.list('frail', { signal }).catch(() => hub.list('frail', { signal }))
    expect(connection.ended).toBeNull()
    const second = Number(await call(hub, 'pid'))
    expect(second).not.toBe(first)
    expect((await readFile(pids, 'utf8')).trim().split('\n').map(Number)).toEqual([first, second])
    await hub.close()
    await expect.poll(() => livingIn(pids)).toEqual([])
  })

  test('a call that was given up ends, and the connection lives', async () => {
    const hub = await hubOf(faulty('hang=call'))
    const { connection } = await hub.list('frail', { signal })
    const given = AbortSignal.abort(new Error('changed my mind'))
    await expect(hub.callTool('frail', 'echo', {}, { signal: given })).rejects.toThrow('changed my mind')
    const controller = new AbortController()
    const pending = hub.callTool('frail', 'echo', {}, { signal: controller.signal })
    controller.abort(new Error('me too'))
    await expect(pending).rejects.toThrow('me too')
    expect(connection.ended).toBeNull()
  })

  test('tools that changed are told, and listed anew', async () => {
    for (const server of [faulty('changes=1'), { url: await startFaulty('transport=sse changes=1') }]) {
      const changed = Promise.withResolvers<string>()
      const hub = await hubOf(server, { onListChanged: changed.resolve })
      await hub.list('frail', { signal })
      expect(await changed.promise).toBe('frail')
      const { tools } = await hub.list('frail', { signal })
      expect(tools).toHaveLength(3)
    }
  })
})

test('many calls at once share one process', async () => {
  const pids = join(await tempDir(), 'pids')
  const hub = await hubOf(faulty(`latency=50 pid=${pids}`))
  const answers = await Promise.all(
    Array.from({ length: 50 }, (_, at) => call(hub, 'echo', { text: String(at) })),
  )
  expect(answers).toEqual(Array.from({ length: 50 }, (_, at) => String(at)))
  expect((await readFile(pids, 'utf8')).trim().split('\n')).toHaveLength(1)
})
