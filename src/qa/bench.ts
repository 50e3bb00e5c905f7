import { join } from 'node:path'
import { isRecord } from '../config/path-value.ts'
import { OpenClawError } from '../kernel/errors.ts'
import { readTranscript, type TranscriptEvent } from '../sessions/transcript.ts'
import { fakePlugin, type FakePlugin } from './fake-plugin.ts'
import type { Gateway } from './gateway.ts'
import type { Home, Lab } from './lab.ts'
import type { RecordedRequest } from './mock-openai/recorded.ts'
import type { MockServer } from './mock-openai/server.ts'
import { primaryModel } from './summary.ts'
import type { ProcessEnd } from './processes.ts'

export interface BenchOptions {
  /** Name of its folder. */
  readonly name: string
  /** Tools in the catalogue of the fake plugin. */
  readonly tools: number
  /** Milliseconds for which the guarded tool waits for a yes. */
  readonly approvalMs?: number
  /** Sections of the config besides those that the bench needs itself. */
  readonly config: Readonly<Record<string, unknown>>
  /** More settings of the provider. */
  readonly provider?: Readonly<Record<string, unknown>>
  /** Entries of bundled plugins, beside the fake one. */
  readonly plugins?: Readonly<Record<string, object>>
  /** More providers. */
  readonly providers?: Readonly<Record<string, object>>
  /** More files of the state directory. */
  readonly files?: Readonly<Record<string, string>>
}

/** What came of one message to an agent. */
export interface Turn {
  readonly status: number
  /** What the agent said in the end, or the message of the error. */
  readonly text: string
  /** What the provider was asked meanwhile. */
  readonly requests: readonly RecordedRequest[]
}

/** What a call of a model gave, as the transcript has it. */
export interface CallResult {
  readonly tool: string
  /** The beginning of it. */
  readonly text: string
  readonly images: number
  readonly failed: boolean
}

/** The end of a call from outside, over HTTP or WebSocket. */
export interface OutsideEnd {
  readonly ok: boolean
  /** Status of the HTTP answer; null over WebSocket. */
  readonly status: number | null
  /** Type or code of the error; null for a call that ran. */
  readonly code: string | null
  readonly message: string
  readonly requiresApproval: boolean
  readonly approvalId: string | null
}

/** A Gateway with a mock provider and the fake plugin, in a home of its own. */
export class Bench {
  readonly home: Home
  readonly gateway: Gateway
  readonly mock: MockServer
  readonly plugin: FakePlugin
  /** The config as it was written. */
  readonly config: Readonly<Record<string, unknown>>

  private constructor(parts: Pick<Bench, 'home' | 'gateway' | 'mock' | 'plugin' | 'config'>) {
    this.home = parts.home
    this.gateway = parts.gateway
    this.mock = parts.mock
    this.plugin = parts.plugin
    this.config = parts.config
  }

  /** Writes the home and starts everything. Errors as `Lab.gateway`. */
  static async open(lab: Lab, options: BenchOptions): Promise<Bench> {
    const { name, tools, approvalMs, files, provider } = options
    const [token, apiKey] = [lab.secret(), lab.secret()]
    const mock = await lab.mock({ apiKey })
    const plugin = fakePlugin(join(lab.root, name), {
      tools,
      ...(approvalMs !== undefined && { approvalMs }),
    })
    const config = {
      gateway: {
        auth: { mode: 'token', token },
        http: { endpoints: { responses: { enabled: true }, chatCompletions: { enabled: true } } },
      },
      models: {
        providers: {
          mock: {
            baseUrl: mock.baseUrl,
            apiKey,
            api: 'openai-responses',
            models: [{ id: 'mock-model', name: 'Mock' }],
            ...provider,
          },
          ...options.providers,
        },
      },
      agents: { defaults: { model: { primary: primaryModel } } },
      plugins: withEntries(plugin, options.plugins ?? {}),
      ...options.config,
    }
    const home = lab.home(name, config, { ...plugin.files, ...files })
    const gateway = await lab.gateway(home, token)
    return new Bench({ home, gateway, mock, plugin, config })
  }

  /** Says something to the agent of a session over `/v1/responses`, and waits for the end of its turn. PROVIDER_FAILED where it ends with an error. */
  async turn(sessionKey: string, text: string): Promise<Turn> {
    const before = this.mock.requests.at(-1)?.cursor ?? 0
    const { status, body } = await this.gateway.http(
      '/v1/responses',
      { model: 'openclaw', input: text, stream: false },
      { 'x-openclaw-session-key': sessionKey },
    )
    const said = textOf(body)
    if (status !== 200) {
      throw new OpenClawError('PROVIDER_FAILED', `the Gateway answered ${status}: ${said.slice(0, 500)}`)
    }
    return { status, text: said, requests: this.mock.requests.filter(({ cursor }) => cursor > before) }
  }

  /** Says something with `agent` and waits with `agent.wait`, which asks the provider for a stream. The status is 200 or 502, as HTTP would have it. */
  async turnOverRpc(sessionKey: string, message: string): Promise<Turn> {
    const before = this.mock.requests.at(-1)?.cursor ?? 0
    const { runId } = await this.ask('agent', { message, sessionKey })
    const { status, result, error } = await this.ask('agent.wait', { runId, timeoutMs: 60_000 })
    const { text } = isRecord(result) ? result : {}
    const { message: why } = isRecord(error) ? error : {}
    return {
      status: status === 'ok' ? 200 : 502,
      text: String(text ?? why ?? status),
      requests: this.mock.requests.filter(({ cursor }) => cursor > before),
    }
  }

  /** Calls a tool over `POST /tools/invoke`. */
  async invokeOverHttp(
    sessionKey: string,
    name: string,
    args: object,
    more: { readonly body?: object; readonly headers?: Readonly<Record<string, string>> } = {},
  ): Promise<OutsideEnd> {
    const asked = { ...more.body, name, args, sessionKey }
    const { status, body } = await this.gateway.http('/tools/invoke', asked, more.headers)
    const error = isRecord(body) && isRecord(body['error']) ? body['error'] : {}
    return outsideEnd(isRecord(body) && body['ok'] === true, status, error['type'], error)
  }

  /** Calls a tool with `tools.invoke`. */
  async invokeOverRpc(sessionKey: string, name: string, args: object, confirm = false): Promise<OutsideEnd> {
    const payload = await this.ask('tools.invoke', { name, args, sessionKey, ...(confirm && { confirm }) })
    const error = isRecord(payload['error']) ? payload['error'] : {}
    return outsideEnd(payload['ok'] === true, null, error['code'], { ...payload, ...error })
  }

  /** Asks over WebSocket for an object. OUTPUT_INVALID for any other answer, and errors as `Gateway.call`. */
  async ask(method: string, params: unknown = {}): Promise<Readonly<Record<string, unknown>>> {
    const payload = await this.gateway.call(method, params)
    if (isRecord(payload)) return payload
    const shown = JSON.stringify(payload)?.slice(0, 500)
    throw new OpenClawError('OUTPUT_INVALID', `${method} answered ${shown}`)
  }

  /** The entries of a session's transcript. Errors as `ask`. */
  async transcript(sessionKey: string): Promise<readonly TranscriptEvent[]> {
    const { session } = await this.ask('sessions.get', { key: sessionKey })
    const id = isRecord(session) ? String(session['sessionId']) : ''
    const file = join(this.home.stateDir, 'agents', 'main', 'sessions', `${id}.jsonl`)
    const events: TranscriptEvent[] = []
    for await (const event of readTranscript(file)) events.push(event)
    return events
  }

  /** What the calls of a session gave so far, in order. Errors as `ask`. */
  async results(sessionKey: string): Promise<readonly CallResult[]> {
    return (await this.transcript(sessionKey)).flatMap(({ message }) => resultIn(message))
  }

  /** How often each tool of the plugin was really executed so far. */
  get ran(): Readonly<Record<string, number>> {
    const counts: Record<string, number> = {}
    for (const name of this.plugin.ran()) counts[name] = (counts[name] ?? 0) + 1
    return counts
  }

  /** Ends the Gateway and the provider. */
  async stop(): Promise<ProcessEnd> {
    const end = await this.gateway.stop()
    await this.mock.close()
    return end
  }
}

function resultIn(message: unknown): readonly CallResult[] {
  if (!isRecord(message) || message['role'] !== 'toolResult') return []
  const { toolName, content, isError } = message
  const parts = Array.isArray(content) ? content.filter(isRecord) : []
  const text = parts.flatMap(({ text: part }) => (typeof part === 'string' ? part : [])).join('\n')
  const images = parts.filter(({ type }) => type === 'image').length
  return [{ tool: String(toolName), text: text.slice(0, 1_500), images, failed: isError === true }]
}

/** The tool policy of a bench: nothing but plugins, without the tools that are meant to be denied. */
export function pluginTools(denied: readonly string[], more: object = {}): object {
  return { profile: 'minimal', alsoAllow: ['group:plugins'], deny: denied, ...more }
}

function withEntries({ plugins }: FakePlugin, more: Readonly<Record<string, object>>): object {
  const { allow, entries } = plugins
  return { allow: [...allow, ...Object.keys(more)], entries: { ...entries, ...more } }
}

function outsideEnd(
  ok: boolean,
  status: number | null,
  code: unknown,
  { message, requiresApproval, approvalId }: Readonly<Record<string, unknown>>,
): OutsideEnd {
  return {
    ok,
    status,
    code: ok ? null : String(code),
    message: typeof message === 'string' ? message : '',
    requiresApproval: requiresApproval === true,
    approvalId: typeof approvalId === 'string' ? approvalId : null,
  }
}

/** The text of an answer of `/v1/responses`, or of its error. */
function textOf(body: unknown): string {
  if (!isRecord(body)) return String(body)
  const { output, error } = body
  if (isRecord(error)) return String(error['message'])
  if (!Array.isArray(output)) return ''
  const parts = output.flatMap((item: unknown) =>
    isRecord(item) && item['type'] === 'message' && Array.isArray(item['content']) ? item['content'] : [],
  )
  return parts.map((part: unknown) => (isRecord(part) ? String(part['text'] ?? '') : '')).join('')
}
