import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { WebSocket, WebSocketServer } from 'ws'

/*
 * The Gateway in numbers: node test/bench/gateway.ts. Prints one JSON value and exits 1 where a limit is missed.
 * `start`: from the start of the program to the first answer to `tools.catalog`, against an empty program, medians of alternating pairs.
 * `effective`: CPU of the server for `tools.effective` with 1,000 plugin tools, for sessions that were not asked about before, and again.
 * `invoke`: calls a second of a trivial tool with one in flight and logging on, against a bare echo of the same library in the same run.
 * `soak`: memory of the server after many calls. OPENCLAW_TEST_FULL=1 makes 100,000 of them, else a twentieth.
 */

const script = fileURLToPath(new URL('../../bin/run.js', import.meta.url))
const full = process.env.OPENCLAW_TEST_FULL === '1'
const limits = { startRatio: 6, uncachedMs: 20, cachedMs: 3, invokeRatio: 0.4, soakRatio: 1.1 }
const sizes = {
  pairs: 7,
  tools: 1_000,
  sessions: 20,
  warmUp: 20_000,
  calls: 4_000,
  soak: full ? 100_000 : 5_000,
}
const token = 'bench-token-0123456789'

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN
}

const round = (value: number): number => Math.round(value * 1000) / 1000

/** A home with a plugin of many tools; `trivial` answers with its own number, so that no two calls are the same. */
async function makeHome(): Promise<string> {
  const home = await mkdtemp(join(tmpdir(), 'openclaw-bench-'))
  const plugin = join(home, '.openclaw', 'plugins', 'bench')
  await mkdir(plugin, { recursive: true })
  const names = ['trivial', ...Array.from({ length: sizes.tools - 1 }, (_, at) => `bench_tool_${at}`)]
  await writeFile(
    join(home, '.openclaw', 'openclaw.json'),
    JSON.stringify({
      tools: { profile: 'full', alsoAllow: ['bench'] },
      plugins: { load: { paths: [plugin] } },
    }),
  )
  await writeFile(
    join(plugin, 'openclaw.plugin.json'),
    JSON.stringify({ id: 'bench', configSchema: { type: 'object' }, contracts: { tools: names } }),
  )
  await writeFile(
    join(plugin, 'package.json'),
    '{ "type": "module", "openclaw": { "extensions": ["./index.js"] } }',
  )
  await writeFile(
    join(plugin, 'index.js'),
    `
const names = ${JSON.stringify(names)}
const parameters = { type: 'object', properties: { number: { type: 'number' } }, additionalProperties: false }
const description = 'Answers with the number it was given. '.repeat(6)
export default {
  id: 'bench',
  register(api) {
    for (const name of names) {
      api.registerTool({ name, description, parameters, async execute(_id, { number }) {
        return { content: [{ type: 'text', text: String(number) }] }
      } })
    }
  },
}
`,
  )
  return home
}

interface Server {
  readonly url: string
  readonly pid: number
  readonly child: ChildProcess
}

async function firstLine(child: ChildProcess): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  let text = ''
  child.stdout?.on('data', (chunk: Buffer) => {
    text += chunk.toString()
    const [line, ...rest] = text.split('\n')
    if (line !== undefined && rest.length > 0) resolve(line)
  })
  child.once('exit', (code) => reject(new Error(`the server ended with ${code}`)))
  return promise
}

async function startGateway(home: string): Promise<Server> {
  const child = spawn(process.execPath, [script, 'gateway', 'run', '--port', '0', '--json'], {
    env: { PATH: process.env.PATH, HOME: home, OPENCLAW_GATEWAY_TOKEN: token },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const place: { readonly url: string; readonly pid: number } = JSON.parse(await firstLine(child))
  return { ...place, child }
}

async function stop({ child }: Server): Promise<void> {
  const ended = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGTERM')
  await ended
}

/** A client with one request in flight at a time. */
class Client {
  readonly #socket: WebSocket
  #take: (text: string) => void = () => {}
  #count = 0

  constructor(socket: WebSocket) {
    this.#socket = socket
    socket.on('message', (data) => {
      const text = data.toString()
      if (!text.startsWith('{"type":"event"')) this.#take(text)
    })
  }

  static async open(url: string): Promise<Client> {
    const socket = new WebSocket(url, { perMessageDeflate: false })
    const client = new Client(socket)
    await new Promise((resolve) => socket.once('open', resolve))
    return client
  }

  exchange(text: string): Promise<string> {
    const { promise, resolve } = Promise.withResolvers<string>()
    this.#take = resolve
    this.#socket.send(text)
    return promise
  }

  async call(method: string, params: unknown): Promise<{ readonly ok: boolean; readonly payload?: unknown }> {
    this.#count += 1
    return JSON.parse(
      await this.exchange(JSON.stringify({ type: 'req', id: String(this.#count), method, params })),
    )
  }

  close(): void {
    this.#socket.close()
  }
}

async function login(url: string): Promise<Client> {
  const client = await Client.open(url)
  const answer = await client.call('connect', {
    minProtocol: 4,
    maxProtocol: 4,
    client: { id: 'test', version: 'bench', platform: process.platform, mode: 'test' },
    auth: { token },
  })
  if (!answer.ok) throw new Error(`refused: ${JSON.stringify(answer)}`)
  return client
}

async function measureStart(home: string) {
  const empty: number[] = []
  const first: number[] = []
  for (let pair = 0; pair <= sizes.pairs; pair++) {
    let start = performance.now()
    spawnSync(process.execPath, ['-e', '0'])
    const emptyMs = performance.now() - start
    start = performance.now()
    const server = await startGateway(home)
    const client = await login(server.url)
    await client.call('tools.catalog', {})
    const firstMs = performance.now() - start
    client.close()
    await stop(server)
    // The first one fills the compile cache.
    if (pair === 0) continue
    empty.push(emptyMs)
    first.push(firstMs)
  }
  return {
    emptyMs: round(median(empty)),
    firstAnswerMs: round(median(first)),
    ratio: round(median(first.map((ms, at) => ms / (empty[at] ?? Number.NaN)))),
  }
}

const tickMs = 10

/** CPU milliseconds of a process so far, user and system. */
async function cpuOf(pid: number): Promise<number> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8')
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11]) + Number(fields[12])) * tickMs
}

async function rssOf(pid: number): Promise<number> {
  const text = await readFile(`/proc/${pid}/status`, 'utf8')
  return Number(/VmRSS:\s+(\d+)/.exec(text)?.[1] ?? Number.NaN) * 1024
}

async function measureEffective(server: Server, client: Client) {
  const keys = Array.from({ length: sizes.sessions }, (_, at) => `agent:main:bench-${at}`)
  for (const key of ['agent:main:warm', ...keys]) await client.call('sessions.create', { key })
  await client.call('tools.effective', { sessionKey: 'agent:main:warm' })
  const ask = async (): Promise<number> => {
    const before = await cpuOf(server.pid)
    for (const sessionKey of keys) await client.call('tools.effective', { sessionKey })
    return ((await cpuOf(server.pid)) - before) / keys.length
  }
  const uncachedMs = await ask()
  const again = [await ask(), await ask(), await ask()]
  return { tools: sizes.tools, uncachedMs: round(uncachedMs), cachedMs: round(median(again)) }
}

async function rate(count: number, exchange: (at: number) => Promise<unknown>): Promise<number> {
  const start = performance.now()
  for (let at = 0; at < count; at++) await exchange(at)
  return (count * 1000) / (performance.now() - start)
}

async function invoke(client: Client, number: number): Promise<void> {
  const answer = await client.call('tools.invoke', { name: 'trivial', args: { number } })
  const { payload } = answer
  if (typeof payload !== 'object' || payload === null || !('ok' in payload) || payload.ok !== true) {
    throw new Error(`the call failed: ${JSON.stringify(answer)}`)
  }
}

async function measureInvoke(client: Client) {
  const echo = spawn(process.execPath, [fileURLToPath(import.meta.url), 'echo'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const bare = await Client.open(await firstLine(echo))
  const message = JSON.stringify({
    type: 'req',
    id: '1',
    method: 'tools.invoke',
    params: { name: 'trivial' },
  })
  const rates = { echo: [] as number[], invoke: [] as number[] }
  // Compilers take their time on their own threads, and their work is counted as the server's.
  await rate(sizes.warmUp, () => bare.exchange(message))
  await rate(sizes.warmUp, (at) => invoke(client, at))
  for (let turn = 0; turn < 5; turn++) {
    rates.echo.push(await rate(sizes.calls, () => bare.exchange(message)))
    rates.invoke.push(await rate(sizes.calls, (at) => invoke(client, at)))
  }
  bare.close()
  echo.kill()
  const ratio = median(rates.invoke.map((each, at) => each / (rates.echo[at] ?? Number.NaN)))
  return {
    echoPerSecond: Math.round(median(rates.echo)),
    invokePerSecond: Math.round(median(rates.invoke)),
    ratio: round(ratio),
  }
}

async function measureSoak(home: string) {
  const server = await startGateway(home)
  const client = await login(server.url)
  const early = sizes.soak / 5
  let rssEarly = 0
  for (let at = 0; at < sizes.soak; at++) {
    if (at === early) rssEarly = await rssOf(server.pid)
    await invoke(client, at)
  }
  const rssEnd = await rssOf(server.pid)
  client.close()
  await stop(server)
  return {
    calls: sizes.soak,
    rssEarlyMb: round(rssEarly / 1e6),
    rssEndMb: round(rssEnd / 1e6),
    ratio: round(rssEnd / rssEarly),
  }
}

if (process.argv[2] === 'echo') {
  const echo = new WebSocketServer({ port: 0, host: '127.0.0.1', perMessageDeflate: false })
  echo.on('connection', (socket) => socket.on('message', (data) => socket.send(data.toString())))
  echo.on('listening', () => {
    const address = echo.address()
    const port = typeof address === 'object' && address !== null ? address.port : 0
    process.stdout.write(`ws://127.0.0.1:${port}\n`)
  })
} else {
  const home = await makeHome()
  try {
    const start = await measureStart(home)
    const server = await startGateway(home)
    const client = await login(server.url)
    const effective = await measureEffective(server, client)
    const invoked = await measureInvoke(client)
    client.close()
    await stop(server)
    const soak = await measureSoak(home)
    const missed = [
      ...(start.ratio > limits.startRatio ? ['start'] : []),
      ...(effective.uncachedMs > limits.uncachedMs || effective.cachedMs > limits.cachedMs
        ? ['effective']
        : []),
      ...(invoked.ratio < limits.invokeRatio ? ['invoke'] : []),
      ...(soak.ratio > limits.soakRatio ? ['soak'] : []),
    ]
    const result = { start, effective, invoke: invoked, soak, limits, missed }
    process.stdout.write(`${JSON.stringify(result, null, 2)}\n`)
    if (missed.length > 0) process.exitCode = 1
  } finally {
    await rm(home, { recursive: true, force: true })
  }
}
