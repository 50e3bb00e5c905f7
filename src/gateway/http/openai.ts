import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Config } from '../../config/types.ts'
import { OpenClawError } from '../../kernel/errors.ts'
import { showName } from '../../kernel/untrusted-text.ts'
import type { Services } from '../method.ts'
import { missingScope } from '../rpc-error.ts'
import { holds, isOwner, type Caller } from '../scopes.ts'
import { liveSettings } from '../settings.ts'
import { ClientRun, ClientRuns, type Segment } from './client-run.ts'
import { readOpenAi, type OpenAiAsk } from './openai-input.ts'
import { chatWriter, responseWriter, type Writer } from './openai-output.ts'
import { plainError, readJson, refuseBody, sendJson, startEvents, wayOut } from './reply.ts'
import type { RouteEntry } from './router.ts'

/** Largest body in bytes (gateway facts §1.8). */
const mostBytes = 20 * 1024 * 1024
/** Responses whose session can be gone on with by their id. */
const mostRemembered = 2_000

/** Runs and responses of one server that clients may come back to. */
interface Memory {
  readonly runs: ClientRuns
  /** Session by the id of a response in it. */
  readonly sessions: Map<string, string>
}

const memories = new WeakMap<Services, Memory>()

function memoryOf(services: Services): Memory {
  const known = memories.get(services) ?? { runs: new ClientRuns(), sessions: new Map() }
  memories.set(services, known)
  return known
}

/** The route of a path below `/v1/`, where the config switches its endpoint on. */
export function openaiRoute(path: string, config: Config): RouteEntry | null {
  const { chatCompletions, responses } = liveSettings(config).endpoints
  if (path === '/v1/chat/completions' && chatCompletions) return { method: 'POST', serve: serveRun }
  if (path === '/v1/responses' && responses) return { method: 'POST', serve: serveRun }
  const isModels = path === '/v1/models' || path.startsWith('/v1/models/')
  return isModels && (chatCompletions || responses) ? { method: 'GET', serve: serveModels } : null
}

async function serveModels(
  _request: IncomingMessage,
  response: ServerResponse,
  { host }: Services,
  _caller: Caller,
  path: string,
): Promise<void> {
  const ids = ['openclaw', 'openclaw/default', ...host.state.agents.map((id) => `openclaw/${id}`)]
  const models = ids.map((id) => ({ id, object: 'model', created: 0, owned_by: 'openclaw' }))
  if (path === '/v1/models') return sendJson(response, 200, { object: 'list', data: models })
  const asked = path.slice('/v1/models/'.length)
  const found = models.find(({ id }) => id === asked || encodeURIComponent(id) === asked)
  if (found === undefined)
    return sendJson(response, 404, plainError('unknown model', 'invalid_request_error'))
  return sendJson(response, 200, found)
}

async function serveRun(
  request: IncomingMessage,
  response: ServerResponse,
  services: Services,
  caller: Caller,
  path: string,
): Promise<void> {
  const startedAt = performance.now()
  response.once('close', () => {
    const ms = Math.round((performance.now() - startedAt) * 1000) / 1000
    const isWhole = response.writableFinished
    services.log('info', 'request', {
      connId: caller.connId,
      route: path,
      status: response.statusCode,
      isWhole,
      ms,
    })
  })
  const body = await readJson(request, mostBytes)
  if ('status' in body) return refuseBody(response, body)
  if (!holds(caller.scopes, 'operator.write')) {
    const { message, details } = missingScope('operator.write')
    return sendJson(response, 403, plainError(message, 'forbidden', { details }))
  }
  const isChat = path === '/v1/chat/completions'
  const { sessions } = memoryOf(services)
  let ask: OpenAiAsk
  let run: ClientRun
  try {
    ask = readOpenAi(body.value, request.headers, isChat, (id) => sessions.get(id))
    run = runOf(ask, services, caller)
  } catch (error) {
    return refuse(response, failureOf(error, undefined, services), caller)
  }
  const created = Math.floor(Date.now() / 1000)
  const writer = isChat
    ? chatWriter(ask.modelName, created, ask.includeUsage)
    : responseWriter(ask.modelName, created)
  response.once('close', () => {
    if (!response.writableFinished) run.stop('the client has gone')
  })
  return ask.stream
    ? streamRun(run, ask, writer, response, services)
    : answerRun(run, ask, writer, response, services, caller)
}

/** The run that a request is about: one that waited for it, or a new one. */
function runOf(ask: OpenAiAsk, services: Services, caller: Caller): ClientRun {
  const { runs } = memoryOf(services)
  const { agent } = services.host
  if (ask.outputs.size > 0) {
    const waiting = runs.resume(ask.outputs)
    if (waiting !== null) return waiting
    if (ask.message === '' && ask.directive === null)
      throw new OpenClawError('INPUT_INVALID', 'no run waits for the results of these calls')
  }
  runs.abandon(ask.sessionKey)
  return new ClientRun(
    agent,
    {
      runId: randomUUID(),
      sessionKey: ask.sessionKey,
      message: ask.outputs.size > 0 ? ask.messageWithOutputs : ask.message,
      directive: ask.directive,
      owner: isOwner(caller),
      stream: ask.stream,
      clientTools: ask.tools,
      ...(ask.agentId !== undefined && { agentId: ask.agentId }),
      ...(ask.model !== undefined && { model: ask.model }),
    },
    services.closing,
  )
}

/** Keeps what the client may come back to, and refuses an answer that is not the one it insisted on. */
function settle(run: ClientRun, ask: OpenAiAsk, writer: Writer, segment: Segment, services: Services): void {
  const { runs, sessions } = memoryOf(services)
  if (segment.kind === 'calls') runs.keep(run)
  sessions.set(writer.id, ask.sessionKey)
  const [oldest] = sessions.keys()
  if (sessions.size > mostRemembered && oldest !== undefined) sessions.delete(oldest)
  const { mustCall } = ask
  if (mustCall === null || ask.outputs.size > 0) return
  const called = segment.kind === 'calls' ? segment.calls.map(({ name }) => name) : []
  const isMet = mustCall.name === null ? called.length > 0 : called.includes(mustCall.name)
  if (!isMet)
    throw new OpenClawError('PROVIDER_FAILED', 'the model did not make the call that tool_choice asks for')
}

async function answerRun(
  run: ClientRun,
  ask: OpenAiAsk,
  writer: Writer,
  response: ServerResponse,
  services: Services,
  caller: Caller,
): Promise<void> {
  try {
    const segment = await run.next(() => {})
    settle(run, ask, writer, segment, services)
    sendJson(response, 200, writer.whole(segment))
  } catch (error) {
    refuse(response, failureOf(error, ask.model, services), caller)
  }
}

async function streamRun(
  run: ClientRun,
  ask: OpenAiAsk,
  writer: Writer,
  response: ServerResponse,
  services: Services,
): Promise<void> {
  startEvents(response)
  const send = (data: unknown, event?: string): void => {
    if (response.destroyed) return
    response.write(`${event === undefined ? '' : `event: ${event}\n`}data: ${JSON.stringify(data)}\n\n`)
  }
  writer.begin(send)
  try {
    const segment = await run.next((delta) => writer.text(send, delta))
    settle(run, ask, writer, segment, services)
    writer.end(send, segment)
  } catch (error) {
    writer.fail(send, failureOf(error, ask.model, services).message)
  }
  if (!response.destroyed) response.end('data: [DONE]\n\n')
}

interface Failure {
  readonly status: number
  readonly type: string
  readonly message: string
  readonly error?: OpenClawError
}

const badRequests: ReadonlySet<string> = new Set([
  'INPUT_INVALID',
  'USAGE',
  'UNKNOWN_AGENT',
  'UNKNOWN_SESSION',
])

/** What a caller gets for an error; `model` is the one that the caller chose, where it did. */
function failureOf(error: unknown, model: string | undefined, { log }: Services): Failure {
  if (error instanceof OpenClawError && error.code !== 'INTERNAL') {
    const { code, message } = error
    if (code === 'CONFIG_INVALID' && model !== undefined) {
      const chosen = `the model "${showName(model)}" cannot be used: ${message}`
      return { status: 400, type: 'invalid_request_error', message: chosen }
    }
    if (badRequests.has(code)) return { status: 400, type: 'invalid_request_error', message, error }
    if (code === 'PROVIDER_FAILED') return { status: 502, type: 'api_error', message }
    if (code === 'TOOL_UNAVAILABLE') return { status: 503, type: 'unavailable', message }
    return { status: 500, type: 'api_error', message }
  }
  log('error', 'a run failed', { cause: error instanceof Error ? (error.stack ?? '') : String(error) })
  return { status: 500, type: 'api_error', message: 'internal error' }
}

function refuse(response: ServerResponse, { status, type, message, error }: Failure, caller: Caller): void {
  sendJson(response, status, plainError(message, type, error && wayOut(error, caller)))
}
