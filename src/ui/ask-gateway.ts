import { isRecord } from '../config/path-value.ts'
import type { FindOptions } from '../config/find.ts'
import type { GatewayClient } from '../gateway/client.ts'
import { OpenClawError, type ErrorCode } from '../kernel/errors.ts'
import { shellQuote } from '../policy/fixes/edits.ts'
import type { EffectiveResult } from '../policy/report.ts'
import type { ToolResult } from '../calls/types.ts'
import type { SearchResult } from '../runtime/tool-search.ts'
import type { ExplainResult } from '../policy/explain.ts'
import type { Notice } from '../kernel/path.ts'
import type { Answer, Ui } from './base-command.ts'

/** What a command about tools knows when it asks a Gateway. */
export interface GatewayCommand {
  readonly flags: {
    readonly gateway?: string | undefined
    readonly 'token-file'?: string | undefined
    readonly session?: string | undefined
    readonly agent?: string | undefined
  }
  readonly options: FindOptions
  readonly version: string
  readonly signal: AbortSignal
  readonly isTyped: (flag: string) => boolean
}

/** Flags that say something about a session which a Gateway takes from its own store, or that are about local files. */
const localFlags = [
  'provider',
  'model',
  'channel',
  'account',
  'sender',
  'owner',
  'group',
  'thread',
  'sandboxed',
  'spawned-by',
  'tools-allow',
  'harness',
  'context',
  'inventory',
  'set',
  'unset',
  'replay',
  'connect',
  'all-agents',
  'as-model',
  'edition',
]

/** Calls a method about the session; `false` calls one that is about none. */
type Call = (method: string, params: object, isAboutSession?: boolean) => Promise<unknown>

/** Asks a Gateway about one session. Errors: USAGE for flags that it would not listen to, GATEWAY_UNREACHABLE, UNAUTHORIZED, and what it answers. */
async function asking<Result>(
  command: GatewayCommand,
  work: (call: Call) => Promise<Result>,
): Promise<Result> {
  const { flags, options, version, signal, isTyped } = command
  const extra = localFlags.find(isTyped)
  if (extra !== undefined) {
    throw new OpenClawError('USAGE', `--gateway and --${extra} contradict each other`, {
      hints: ['a Gateway knows its sessions itself; name one with --session'],
    })
  }
  const ref = {
    sessionKey: flags.session ?? 'main',
    ...(flags.agent !== undefined && { agentId: flags.agent }),
  }
  const { withGateway } = await import('../runtime/gateway/ask.ts')
  const ask = {
    options,
    url: flags.gateway,
    tokenFile: flags['token-file'],
    scopes: ['operator.admin'] as const,
    version,
    signal,
  }
  return withGateway(ask, (client: GatewayClient) =>
    work(async (method, params, isAboutSession = true) => {
      try {
        return await client.call(method, isAboutSession ? { ...params, ...ref } : params)
      } catch (error) {
        throw inCommands(error, flags)
      }
    }),
  )
}

/** The error of a session that a Gateway does not have, with commands for the methods that it hints at. */
function inCommands(error: unknown, flags: GatewayCommand['flags']): unknown {
  if (!(error instanceof OpenClawError) || error.code !== 'UNKNOWN_SESSION') return error
  const { gateway, 'token-file': tokenFile, session: key = 'main', agent: agentId } = flags
  const place = Object.entries({ url: gateway, 'token-file': tokenFile }).flatMap(([flag, value]) =>
    value === undefined ? [] : [` --${flag} ${shellQuote(value)}`],
  )
  const params = JSON.stringify({ key, ...(agentId !== undefined && { agentId }) })
  return new OpenClawError(error.code, error.message, {
    hints: [
      `openclaw gateway call sessions.create --params ${shellQuote(params)}${place.join('')}`,
      `openclaw gateway call sessions.list${place.join('')}`,
    ],
    data: error.data,
  })
}

/** A payload with at least these fields. OUTPUT_INVALID for anything else: whatever answered is no Gateway that this program knows. */
function shaped<Payload>(payload: unknown, method: string, ...fields: readonly string[]): Payload {
  if (isRecord(payload) && fields.every((field) => Object.hasOwn(payload, field))) return payload as Payload
  throw new OpenClawError(
    'OUTPUT_INVALID',
    `the gateway answered ${method} with something else than expected`,
  )
}

/** `tools effective` of a session of a running Gateway. */
export function effectiveOf(command: GatewayCommand): Promise<EffectiveResult> {
  return asking(command, async (call) =>
    shaped(await call('tools.effective', {}), 'tools.effective', 'groups', 'hidden', 'notices', 'toolSearch'),
  )
}

/** `tools explain` of a session of a running Gateway. */
export function explainOf(
  command: GatewayCommand,
  name: string,
): Promise<ExplainResult & { readonly notices: readonly Notice[] }> {
  return asking(command, async (call) =>
    shaped(await call('tools.explain', { name }), 'tools.explain', 'verdict', 'trace', 'fixes', 'notices'),
  )
}

/** The answer of `tools search` about a session of a running Gateway; several queries are lines. */
export async function searchAnswer(
  command: GatewayCommand,
  queries: readonly string[],
  asked: {
    readonly limit: number | undefined
    readonly isBatch: boolean
    readonly note: (line: string) => void
  },
): Promise<Answer> {
  const { limit, isBatch, note } = asked
  const results = await asking(command, async (call) => {
    const found: SearchResult[] = []
    for (const query of queries) {
      const payload = await call('tools.search', { query, ...(limit !== undefined && { limit }) })
      found.push(shaped(payload, 'tools.search', 'hits', 'hiddenMatches'))
    }
    return found
  })
  const [result] = results
  if (isBatch || result === undefined) return { lines: results }
  return {
    data: result,
    human: async (ui: Ui) => {
      const { renderSearch, searchHints } = await import('./render/search.ts')
      for (const hint of searchHints(result)) note(hint)
      return renderSearch(result, ui)
    },
  }
}

/** The answer of `tools call` in a session of a running Gateway. Errors as those of a local call; `yes` answers an approval on the way. */
export async function callAnswer(
  command: GatewayCommand,
  asked: { readonly name: string; readonly args: unknown; readonly dryRun: boolean; readonly yes: boolean },
): Promise<Answer> {
  const { name, args, dryRun, yes } = asked
  const payload = await asking(command, async (call) => {
    const invoke = async (): Promise<Readonly<Record<string, unknown>>> =>
      shaped(await call('tools.invoke', { name, args, dryRun }), 'tools.invoke', 'ok')
    const first = await invoke()
    const { error } = first
    const approvalId = isRecord(error) ? error['approvalId'] : undefined
    if (!yes || typeof approvalId !== 'string') return first
    await call('approvals.allow', { id: approvalId }, false)
    return invoke()
  })
  if (payload['ok'] !== true) throw callError(payload['error'], name, command.flags.gateway)
  const { tool, output: result } = payload
  if (dryRun) {
    const data = { dryRun: true, tool, args: payload['args'], exposure: null }
    return { data, human: async () => (await import('./render/call.ts')).renderPlan(name) }
  }
  return {
    data: { tool, result },
    human: async () => {
      const { renderResult } = await import('./render/call.ts')
      return renderResult(shaped<ToolResult>(result, 'tools.invoke', 'content'))
    },
  }
}

const reasons = { unknown: 'UNKNOWN_TOOL', policy: 'TOOL_DENIED', surface: 'TOOL_UNAVAILABLE' } as const
const codes = {
  validation_error: 'INPUT_INVALID',
  forbidden: 'TOOL_BLOCKED',
  requires_approval: 'APPROVAL_REQUIRED',
} as const

function callError(error: unknown, name: string, url: string | undefined): OpenClawError {
  const {
    code,
    message,
    reason,
    why,
    hints: own = [],
    ...data
  }: Readonly<Record<string, unknown>> = isRecord(error) ? error : {}
  const told = [message, why].filter((each) => typeof each === 'string').join(': ')
  const byReason = Object.entries(reasons).find(([each]) => each === reason)?.[1]
  const byCode = Object.entries(codes).find(([each]) => each === code)?.[1]
  const errorCode = code === 'not_found' ? (byReason ?? 'UNKNOWN_TOOL') : (byCode ?? 'TOOL_FAILED')
  const hints = [...textsIn(own), ...wayOut(errorCode, explainIn(name, url), data)]
  return new OpenClawError(errorCode, told === '' ? `${name} failed` : told, {
    hints,
    data: { ...data, tool: name },
  })
}

function textsIn(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((each) => typeof each === 'string') : []
}

/** What to do about a call that failed; the Gateway of the call is asked, not the local files. */
function wayOut(
  code: ErrorCode,
  explain: string,
  { approvalId, suggestions }: Readonly<Record<string, unknown>>,
): readonly string[] {
  if (typeof approvalId === 'string') {
    return [`openclaw approvals allow ${approvalId}`, `openclaw approvals deny ${approvalId}`]
  }
  if (code === 'UNKNOWN_TOOL') return textsIn(suggestions)
  return code === 'TOOL_DENIED' ? [explain] : []
}

function explainIn(name: string, url: string | undefined): string {
  const place = url === undefined ? '' : ` --gateway ${shellQuote(url)}`
  return `openclaw tools explain ${shellQuote(name)}${place}`
}
