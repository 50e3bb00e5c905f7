import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { onTestFinished } from 'vitest'
import { WebSocket } from 'ws'
import { projectRoot } from './project.ts'
import { isolatedEnv, tempDir } from './run-cli.ts'

/** The token of the Gateways of tests. */
export const gatewayToken = 'test-token-0123456789abcdef'

type Fields = Readonly<Record<string, unknown>>

/** A Gateway of its own process and home. */
export interface TestGateway {
  readonly home: string
  readonly url: string
  readonly port: number
  readonly pid: number
  /** The line that it printed when it listened. */
  readonly listening: Fields
  /** Path of a file in the state directory. */
  path(name: string): string
  write(name: string, text: string): void
  /** What it wrote on stderr so far. */
  stderr(): string
  /** Asks it to end and says how it ended; once more is the same end. */
  stop(signal?: NodeJS.Signals): Promise<number | null>
  http(path: string, init?: RequestInit): Promise<Response>
  invoke(body: unknown, headers?: Readonly<Record<string, string>>): Promise<{ status: number; body: Fields }>
  connect(params?: Fields): Promise<TestClient>
}

export interface GatewayOptions {
  /** Files of the state directory; the config is `openclaw.json`. */
  readonly files: Readonly<Record<string, string>>
  readonly args?: readonly string[]
  /** Else any free one. */
  readonly port?: number
  readonly env?: Readonly<Record<string, string>>
  readonly home?: string
}

/** Starts `openclaw gateway run` on a free port; it ends with the test. */
export async function startGateway({
  files,
  args = [],
  port = 0,
  env = {},
  ...rest
}: GatewayOptions): Promise<TestGateway> {
  const home = rest.home ?? (await tempDir())
  const path = (name: string): string => join(home, '.openclaw', name)
  const write = (name: string, text: string): void => {
    mkdirSync(dirname(path(name)), { recursive: true })
    writeFileSync(path(name), text)
  }
  for (const [name, text] of Object.entries(files)) write(name, text)
  const child = spawn(
    process.execPath,
    [`${projectRoot}bin/run.js`, 'gateway', 'run', '--port', String(port), '--json', ...args],
    {
      cwd: home,
      env: { ...isolatedEnv(home), OPENCLAW_GATEWAY_TOKEN: gatewayToken, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  )
  const ended = once(child, 'close').then(([code]) => (typeof code === 'number' ? code : null))
  let stderr = ''
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()))
  const stop = (signal: NodeJS.Signals = 'SIGTERM'): Promise<number | null> => {
    child.kill(signal)
    return ended
  }
  onTestFinished(async () => {
    await stop('SIGKILL')
  })
  let stdout = ''
  const { promise: line, resolve } = Promise.withResolvers<string>()
  child.stdout.on('data', (chunk: Buffer) => {
    stdout += chunk.toString()
    if (stdout.includes('\n')) resolve(stdout.slice(0, stdout.indexOf('\n')))
  })
  const first = await Promise.race([line, ended])
  // A failure is printed over several lines.
  if (first === '{') await ended
  if (typeof first !== 'string' || first === '{')
    throw new Error(`the gateway ended with ${first}: ${stdout}${stderr}`)
  const place: { readonly url: string; readonly port: number; readonly pid: number } = JSON.parse(first)
  const http = (route: string, init: RequestInit = {}): Promise<Response> =>
    fetch(`http://127.0.0.1:${place.port}${route}`, init)
  return {
    ...place,
    listening: { ...place },
    home,
    path,
    write,
    stderr: () => stderr,
    stop,
    http,
    invoke: async (body, headers = {}) => {
      const response = await http('/tools/invoke', {
        method: 'POST',
        headers: { authorization: `Bearer ${gatewayToken}`, 'content-type': 'application/json', ...headers },
        body: typeof body === 'string' ? body : JSON.stringify(body),
      })
      return { status: response.status, body: JSON.parse(await response.text()) }
    },
    connect: (params) => TestClient.login(place.url, params),
  }
}

/** How a connection ended. */
export interface Closing {
  readonly code: number
  readonly reason: string
}

/** A raw client of the protocol, which can also say what no proper client would. */
export class TestClient {
  readonly socket: WebSocket
  readonly frames: Fields[] = []
  readonly closed: Promise<Closing>
  readonly #lookers = new Set<() => void>()
  #count = 0

  private constructor(socket: WebSocket) {
    this.socket = socket
    socket.on('message', (data) => {
      this.frames.push(JSON.parse(data.toString()))
      for (const look of this.#lookers) look()
    })
    this.closed = once(socket, 'close').then(([code, reason]) => {
      for (const look of this.#lookers) look()
      return { code, reason: String(reason) }
    })
    socket.on('error', () => {})
  }

  /** Opens a connection and waits for the challenge. */
  static async open(url: string, headers: Readonly<Record<string, string>> = {}): Promise<TestClient> {
    const socket = new WebSocket(url, { headers, perMessageDeflate: false })
    onTestFinished(() => socket.terminate())
    const client = new TestClient(socket)
    await client.frame((frame) => frame['event'] === 'connect.challenge')
    return client
  }

  /** Opens a connection and logs in. */
  static async login(url: string, params: Fields = {}): Promise<TestClient> {
    const client = await TestClient.open(url)
    const answer = await client.ask('connect', { ...connectParams, ...params })
    if (answer['ok'] !== true) throw new Error(`refused: ${JSON.stringify(answer)}`)
    return client
  }

  send(frame: unknown): void {
    this.socket.send(typeof frame === 'string' ? frame : JSON.stringify(frame))
  }

  /** The first frame that passes, of those that have come and those that will. */
  async frame(passes: (frame: Fields) => boolean): Promise<Fields> {
    const { promise, resolve, reject } = Promise.withResolvers<Fields>()
    const look = (): void => {
      const found = this.frames.find(passes)
      if (found !== undefined) resolve(found)
      else if (this.socket.readyState === WebSocket.CLOSED) reject(new Error('the connection was closed'))
    }
    this.#lookers.add(look)
    look()
    try {
      return await promise
    } finally {
      this.#lookers.delete(look)
    }
  }

  /** Sends a request and returns its whole response frame. */
  ask(method: string, params?: unknown): Promise<Fields> {
    this.#count += 1
    const id = `t${this.#count}`
    this.send({ type: 'req', id, method, ...(params !== undefined && { params }) })
    return this.frame((frame) => frame['id'] === id)
  }

  /** The payload of a request that must succeed. */
  async call(method: string, params?: unknown): Promise<Fields> {
    const answer = await this.ask(method, params)
    if (answer['ok'] !== true) throw new Error(`${method}: ${JSON.stringify(answer['error'])}`)
    return answer['payload'] as Fields
  }

  /** The error of a request that must fail. */
  async fail(method: string, params?: unknown): Promise<Fields> {
    const answer = await this.ask(method, params)
    if (answer['ok'] !== false) throw new Error(`${method} succeeded: ${JSON.stringify(answer)}`)
    return answer['error'] as Fields
  }
}

/** Parameters of a login that a Gateway of a test accepts. */
export const connectParams: Fields = {
  minProtocol: 4,
  maxProtocol: 4,
  client: { id: 'test', version: '1.0.0', platform: 'linux', mode: 'test' },
  auth: { token: gatewayToken },
}

/** Files of a plugin with tools whose behaviour tests need: one that counts its runs, one that fails, one that waits, one that asks. */
export const probePlugin: Readonly<Record<string, string>> = {
  'plugins/probe/openclaw.plugin.json': JSON.stringify({
    id: 'probe',
    configSchema: { type: 'object' },
    contracts: {
      tools: ['probe_count', 'probe_throw', 'probe_wait', 'probe_release', 'probe_ask', 'probe_action'],
    },
  }),
  'plugins/probe/package.json': JSON.stringify({
    type: 'module',
    openclaw: { extensions: ['./index.js'] },
  }),
  'plugins/probe/index.js': `
let runs = 0
let release = () => {}
const released = () => new Promise((resolve) => (release = resolve))
const text = (value) => ({ content: [{ type: 'text', text: String(value) }], details: { value } })
const empty = { type: 'object', properties: {} }
export default {
  id: 'probe',
  register(api) {
    api.registerTool({ name: 'probe_count', description: 'Counts its runs', parameters: {
      type: 'object', properties: { note: { type: 'string' } }, additionalProperties: false,
    }, execute: async () => text(++runs) })
    api.registerTool({ name: 'probe_throw', description: 'Fails', parameters: empty, execute: async () => {
      throw new Error('cannot open /secret/place, token=abcdef1234567890')
    } })
    api.registerTool({ name: 'probe_wait', description: 'Waits until it is released', parameters: empty,
      execute: async (_id, _args, signal) => {
        await Promise.race([released(), new Promise((_, no) => signal.addEventListener('abort', () => no(signal.reason)))])
        return text(++runs)
      } })
    api.registerTool({ name: 'probe_release', description: 'Releases', parameters: empty,
      execute: async () => { release(); return text('released') } })
    api.registerTool({ name: 'probe_ask', description: 'Needs a yes', parameters: empty, execute: async () => text(++runs) })
    api.registerTool({ name: 'probe_action', description: 'Acts', parameters: {
      type: 'object', properties: { action: { type: 'string' } }, additionalProperties: false,
    }, execute: async (_id, args) => text(args.action ?? 'none') })
    api.on('before_tool_call', ({ toolName }) => {
      if (toolName === 'probe_ask') return { requireApproval: { title: 'May it?', description: 'Asks for a yes' } }
    })
  },
}
`,
}

/** A config with the plugin of the tests, and whatever else is given. */
export function probeConfig(more: Fields = {}): string {
  return JSON.stringify({
    tools: { profile: 'full', alsoAllow: ['probe'] },
    plugins: { load: { paths: ['plugins/probe'] } },
    ...more,
  })
}
