import { readFile } from 'node:fs/promises'
import { createServer } from 'node:https'
import { once } from 'node:events'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import type { McpServerConfig } from '../../src/config/types.ts'
import { dialLines, freePort, startFaulty } from '../helpers/mcp.ts'
import { tempDir } from '../helpers/run-cli.ts'

/** Server entries for faulty servers, one a line: the transport of the config (`-` for none), `:`, the faults. */
async function remotes(table: string, more: McpServerConfig = {}): Promise<Record<string, McpServerConfig>> {
  const lines = table.split('\n').map((line) => line.trim())
  const entries = lines
    .filter((line) => line !== '')
    .map(async (line): Promise<[string, McpServerConfig]> => {
      const [named = '', faults = ''] = line.split(': ')
      const url = await startFaulty(faults)
      const transport = named === 'sse' || named === 'streamable-http' ? ({ transport: named } as const) : {}
      return [line, { url, ...transport, ...more }]
    })
  return Object.fromEntries(await Promise.all(entries))
}

test('which transport is spoken', async () => {
  const lines = await dialLines(
    await remotes(`
      streamable-http: transport=http
      streamable-http: transport=http stream=1
      streamable-http: transport=http modern=1
      streamable-http: transport=http pages=2
      streamable-http: transport=sse
      sse: transport=sse
      sse: transport=sse changes=1
      sse: transport=http
      -: transport=http
      -: transport=sse
    `),
  )
  expect(lines).toMatchInlineSnapshot(`
    "streamable-http: transport=http → connected 2 tools
    streamable-http: transport=http stream=1 → connected 2 tools
    streamable-http: transport=http modern=1 → connected 2 tools
    streamable-http: transport=http pages=2 → connected 2 tools
    streamable-http: transport=sse → failed http: it answered initialize with HTTP status 404, saying "Not here"; the address may be wrong, or be meant for the other transport
    sse: transport=sse → connected 2 tools
    sse: transport=sse changes=1 → connected 3 tools
    sse: transport=http → failed http: it answered initialize with HTTP status 405; the address may be meant for the other transport
    -: transport=http → connected 2 tools
    -: transport=sse → connected 2 tools"
  `)
})

test('faults of HTTP', async () => {
  const table = `
    streamable-http: transport=http status=initialize:401 says=no-token
    streamable-http: transport=http status=initialize:403
    streamable-http: transport=http status=list:500 says=boom
    -: transport=http status=initialize:503
    streamable-http: transport=http type=text/html
    streamable-http: transport=http redirect=http://127.0.0.1:4711/other?token=abcdefgh12
    streamable-http: transport=http drop=list
    streamable-http: transport=http stream=1 drop=list
    streamable-http: transport=http exit=list
    sse: transport=sse exit=list
    sse: transport=sse drop=list
    streamable-http: transport=http wrong=list:no-version
    streamable-http: transport=http stream=1 wrong=list:no-version
    sse: transport=sse wrong=list:no-version
    streamable-http: transport=http twice=list stream=1
    streamable-http: transport=http refuses=list
  `
  const nobody = await freePort()
  const lines = await dialLines({
    ...(await remotes(table)),
    'nobody there': { url: `http://127.0.0.1:${nobody}/mcp`, transport: 'streamable-http' },
    'no such host': { url: 'http://no-such-host.invalid/sse', transport: 'sse' },
    'no address': { url: 'mcp://somewhere' },
    neither: {},
    'a secret elsewhere': { url: 'http://x/', headers: { Authorization: { source: 'exec', id: 'x' } } },
    good: { url: await startFaulty('transport=http') },
  })
  // The second answer may come too late to be told of.
  const steady = lines.replaceAll(String(nobody), 'PORT').replace(/(?<=stream=1 → connected 2 tools);.*/, '')
  expect(steady).toMatchInlineSnapshot(`
    "streamable-http: transport=http status=initialize:401 says=no-token → failed http: it answered initialize with HTTP status 401, saying "no-token"; it wants a login: put a token into headers.Authorization
    streamable-http: transport=http status=initialize:403 → failed http: it answered initialize with HTTP status 403; the login it was given is not enough
    streamable-http: transport=http status=list:500 says=boom → failed http: it answered tools/list with HTTP status 500, saying "boom"
    -: transport=http status=initialize:503 → failed http: it answered initialize with HTTP status 503
    streamable-http: transport=http type=text/html → failed protocol: it answered initialize with something else than JSON or an event stream
    streamable-http: transport=http redirect=http://127.0.0.1:4711/other?token=abcdefgh12 → failed http: it redirects to http://127.0.0.1:4711/other; use that as its url if it is the right server
    streamable-http: transport=http drop=list → failed network: it closed the connection before it answered tools/list
    streamable-http: transport=http stream=1 drop=list → failed network: it closed the connection before it answered tools/list
    streamable-http: transport=http exit=list → failed network: it closed the connection before it answered tools/list
    sse: transport=sse exit=list → failed network: it closed the connection before it answered tools/list
    sse: transport=sse drop=list → failed network: it closed the connection before it answered tools/list
    streamable-http: transport=http wrong=list:no-version → failed protocol: it answered tools/list with a message that is no JSON-RPC 2.0
    streamable-http: transport=http stream=1 wrong=list:no-version → failed protocol: it answered tools/list with a message that is no JSON-RPC 2.0
    sse: transport=sse wrong=list:no-version → failed protocol: it answered tools/list with a message that is no JSON-RPC 2.0
    streamable-http: transport=http twice=list stream=1 → connected 2 tools
    streamable-http: transport=http refuses=list → failed refused: it answered tools/list with error -32000: "not today"
    nobody there → failed network: nothing listens at 127.0.0.1:PORT
    no such host → failed network: the host of no-such-host.invalid is not known
    no address → failed config: its url is no http or https address: mcp://somewhere
    neither → failed config: it has neither command nor url
    a secret elsewhere → failed config: the secret that headers.Authorization refers to is not at hand
    good → connected 2 tools"
  `)
})

test('silence', async () => {
  const soon = await remotes(
    `
    -: transport=http hang=initialize
    sse: transport=sse hang=start
    sse: transport=sse hang=initialize
    `,
    { connectTimeout: 1 },
  )
  const late = await remotes(
    `
    streamable-http: transport=http hang=list
    streamable-http: transport=http stream=1 hang=list
    streamable-http: transport=http half=list
    streamable-http: transport=http stream=1 half=list
    sse: transport=sse half=list
    `,
    { timeout: 1 },
  )
  expect(await dialLines({ ...soon, ...late })).toMatchInlineSnapshot(`
    "-: transport=http hang=initialize → failed timeout: it did not answer initialize within 1 s
    sse: transport=sse hang=start → failed timeout: it did not answer initialize within 1 s
    sse: transport=sse hang=initialize → failed timeout: it did not answer initialize within 1 s
    streamable-http: transport=http hang=list → failed timeout: it did not answer tools/list within 1 s
    streamable-http: transport=http stream=1 hang=list → failed timeout: it did not answer tools/list within 1 s
    streamable-http: transport=http half=list → failed timeout: it did not answer tools/list within 1 s
    streamable-http: transport=http stream=1 half=list → failed timeout: it did not answer tools/list within 1 s
    sse: transport=sse half=list → failed timeout: it did not answer tools/list within 1 s"
  `)
})

test('floods', async () => {
  const lines = await dialLines(
    await remotes(`
      streamable-http: transport=http huge=list
      streamable-http: transport=http stream=1 huge=list
      streamable-http: transport=http stream=1 flood=notifications hang=list
      sse: transport=sse huge=list
    `),
  )
  expect(lines).toMatchInlineSnapshot(`
    "streamable-http: transport=http huge=list → failed flood: it sent a message of more than 16 MB
    streamable-http: transport=http stream=1 huge=list → failed flood: it sent a message of more than 16 MB
    streamable-http: transport=http stream=1 flood=notifications hang=list → failed flood: it sent more than 64 MB that nobody asked for
    sse: transport=sse huge=list → failed flood: it sent a message of more than 16 MB"
  `)
})

test('a token that a server repeats is not printed', async () => {
  const [named = ['', {}]] = Object.entries(
    await remotes('streamable-http: transport=http status=initialize:401 says=bad:topsecret-42'),
  )
  const server = { ...named[1], headers: { Authorization: 'Bearer topsecret-42' } }
  expect(await dialLines({ server })).toContain('saying "bad:***"')
})

test('headers, and a login in the address', async () => {
  const file = join(await tempDir(), 'headers.json')
  const address = new URL(await startFaulty(`transport=http headers=${file}`))
  address.username = 'me'
  address.password = 'p%40ss'
  const server = { url: address.href, transport: 'streamable-http', headers: { 'X-Key': 'k' } } as const
  expect(await dialLines({ server })).toBe('server → connected 2 tools')
  expect(JSON.parse(await readFile(file, 'utf8'))).toMatchObject({
    'x-key': 'k',
    authorization: `Basic ${Buffer.from('me:p@ss').toString('base64')}`,
  })
})

test('certificates: of the server, and of the client', async () => {
  const pem = (kind: string) =>
    fileURLToPath(new URL(`../../fixtures/mcp-servers/localhost.${kind}.pem`, import.meta.url))
  const [key, cert] = await Promise.all([readFile(pem('key')), readFile(pem('cert'))])
  const server = createServer(
    { key, cert, ca: cert, requestCert: true, rejectUnauthorized: false },
    ({ socket }, response) => {
      response.writeHead('authorized' in socket && socket.authorized ? 418 : 403).end()
    },
  ).listen(0, '127.0.0.1')
  onTestFinished(() => {
    server.close()
  })
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  const remote = { url: `https://127.0.0.1:${port}/mcp`, transport: 'streamable-http' } as const
  const lines = await dialLines({
    checked: remote,
    unchecked: { ...remote, sslVerify: false },
    'with a certificate': { ...remote, sslVerify: false, clientCert: pem('cert'), clientKey: pem('key') },
    'with a lost one': { ...remote, clientCert: '/no/such/file' },
  })
  expect(lines.replaceAll(String(port), 'PORT')).toMatchInlineSnapshot(`
    "checked → failed network: the certificate of 127.0.0.1:PORT is not accepted (DEPTH_ZERO_SELF_SIGNED_CERT); sslVerify: false would skip the check
    unchecked → failed http: it answered initialize with HTTP status 403; the login it was given is not enough
    with a certificate → failed http: it answered initialize with HTTP status 418
    with a lost one → failed config: its clientCert /no/such/file cannot be read"
  `)
})
