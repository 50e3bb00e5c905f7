import { describe, expect, test } from 'vitest'
import { startGateway, type TestGateway } from '../helpers/gateway.ts'

/*
 * Public reports about the gateway; the ids are those of the reports.
 */

const open = (config: object, files: Readonly<Record<string, string>> = {}): Promise<TestGateway> =>
  startGateway({ files: { ...files, 'openclaw.json': JSON.stringify(config) } })

test('openclaw#93400: a tool that is not served over HTTP is told from an unknown and a denied one', async () => {
  const gateway = await open({ tools: { profile: 'full', deny: ['write'] } })
  const reason = async (tool: string): Promise<unknown> => {
    const { status, body } = await gateway.invoke({
      tool,
      args: { path: 'a.txt' },
      sessionKey: 'agent:main:main',
    })
    return [status, Object(body['error']).reason]
  }
  expect(await reason('exec')).toEqual([404, 'surface'])
  expect(await reason('write')).toEqual([404, 'policy'])
  expect(await reason('raed')).toEqual([404, 'unknown'])
  // Served where this program can run it, and said to be of another surface where it cannot.
  const [status, why] = (await reason('read')) as [number, unknown]
  expect(status === 404 ? why : 'served').toMatch(/^(?:surface|served)$/)
})

describe('openclaw PR#90261: an HTTP allow does not make a caller the owner', () => {
  const config = {
    tools: { profile: 'full' },
    gateway: { tools: { allow: ['cron', 'gateway', 'nodes'] }, auth: { mode: 'none' } },
  }
  const ask = (scopes: string) => ({ 'x-openclaw-scopes': scopes, authorization: '' })

  test.each(['cron', 'gateway', 'nodes'])('%s', async (tool) => {
    const gateway = await open(config)
    const body = { tool, args: { action: 'list' } }
    expect(await gateway.invoke(body, ask('operator.write'))).toMatchObject({
      status: 404,
      body: { error: { reason: 'policy', step: 'owner' } },
    })
    const owner = await gateway.invoke(body, ask('operator.admin'))
    expect(owner.body['error']).not.toMatchObject({ step: 'owner' })
  })
})

test('openclaw PR#55906: tools that control devices are closed over HTTP whatever the lists allow', async () => {
  const gateway = await open({ tools: { allow: ['nodes', 'read'] } })
  const { status, body } = await gateway.invoke({ tool: 'nodes', args: { action: 'list' } })
  expect([status, Object(body['error']).reason]).toEqual([404, 'surface'])
  const client = await gateway.connect()
  expect(await client.call('tools.invoke', { name: 'nodes' })).toMatchObject({
    error: { code: 'not_found', reason: 'surface' },
  })
})

test('openclaw#41283: a stale agent id is named, with those there are; without one the default agent answers', async () => {
  const client = await (
    await open({ tools: { profile: 'full' }, agents: { list: [{ id: 'main' }] } })
  ).connect()
  const error = await client.fail('tools.catalog', { agentId: 'ghost' })
  expect(error['message']).toContain('ghost')
  expect(error).toMatchObject({ details: { agents: ['main'] } })
  expect(await client.call('tools.catalog')).toMatchObject({ agentId: 'main' })
})

/** An MCP server over stdio with two tools whose names no model would take. */
const outlook = `
import { createInterface } from 'node:readline'
const tools = ['send.mail', 'list_mail', 'old_mail'].map((name) => ({ name, description: name, inputSchema: { type: 'object' } }))
const answer = ({ method, params }) => {
  if (method === 'initialize') return { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'outlook', version: '1' } }
  if (method === 'tools/list') return { tools }
  if (method === 'tools/call') return { content: [{ type: 'text', text: 'called ' + params.name }] }
  return {}
}
createInterface({ input: process.stdin }).on('line', (line) => {
  const message = JSON.parse(line)
  if (message.id === undefined) return
  process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id: message.id, result: answer(message) }) + '\\n')
})
`

test('openclaw PR#115870: rows of MCP tools keep the names of their server, and tell what only this session denies', async () => {
  const gateway = await open(
    {
      mcp: {
        servers: {
          'Outlook Graph': {
            command: process.execPath,
            args: ['outlook.mjs'],
            toolFilter: { exclude: ['old_mail'] },
          },
        },
      },
      tools: { profile: 'coding' },
    },
    {
      '../outlook.mjs': outlook,
      'agents/main/sessions/sessions.json': JSON.stringify({
        'agent:main:main': {
          sessionId: 's1',
          toolOverrides: { mcpToolsDeny: { 'Outlook Graph': ['send.mail'] } },
        },
      }),
    },
  )
  const client = await gateway.connect()
  const rows = async (): Promise<readonly object[]> => {
    const { groups } = await client.call('tools.effective', { sessionKey: 'agent:main:main' })
    const mcp = (groups as { id: string; tools: object[] }[]).find(({ id }) => id === 'mcp')
    return mcp?.tools ?? []
  }
  // Servers are asked in the background.
  await expect.poll(rows, { timeout: 20_000 }).toHaveLength(2)
  expect(await rows()).toMatchObject([
    { mcpServer: 'Outlook Graph', mcpToolName: 'list_mail' },
    { mcpServer: 'Outlook Graph', mcpToolName: 'send.mail', deniedBySession: true },
  ])
  const [list, send] = (await rows()) as { id: string }[]
  expect(list?.id.toLowerCase()).toMatch(/^outlook-graph__/)
  const invoke = (name: string | undefined) =>
    client.call('tools.invoke', { name, sessionKey: 'agent:main:main', args: {} })
  expect(await invoke(list?.id)).toMatchObject({
    ok: true,
    output: { content: [{ text: 'called list_mail' }] },
  })
  expect(await invoke(send?.id)).toMatchObject({ ok: false, error: { code: 'not_found', reason: 'policy' } })
})
