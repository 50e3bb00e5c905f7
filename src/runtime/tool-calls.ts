import { randomBytes } from 'node:crypto'
import { outcomeError } from '../calls/tool-run.ts'
import type { CodeCallResult } from '../calls/code-call.ts'
import { nameOf } from '../calls/tool-name.ts'
import { jsonResult } from '../calls/model-text.ts'
import { failure } from '../calls/run-tool.ts'
import type { Args, ToolName, ToolResult } from '../calls/types.ts'
import { OpenClawError } from '../kernel/errors.ts'
import type { Exposure } from '../policy/view.ts'
import type { CatalogueEntry } from '../tool-search/catalogue.ts'
import { resolveForOperator } from '../tool-search/operator.ts'
import { unreachable } from './mcp-servers.ts'
import { skillNames } from './skills.ts'
import type { ToolSession } from './tool-session.ts'

/** The answer of `tools call` (contract §5). */
export interface CalledTool {
  readonly tool: ToolName
  readonly result: ToolResult
}

/** The answer of `tools call --dry-run`: what would be called. */
export interface PlannedCall {
  readonly dryRun: true
  readonly tool: ToolName
  readonly args: Args
  readonly exposure: Exposure | null
}

/** Finds a tool, asking MCP servers as far as that is needed to know it as it is now. Errors: TOOL_DENIED, TOOL_UNAVAILABLE, UNKNOWN_TOOL, AMBIGUOUS_TOOL, MCP_UNREACHABLE. */
async function findTool(session: ToolSession, selector: string): Promise<CatalogueEntry> {
  const resolve = (): CatalogueEntry =>
    resolveForOperator(session.view, session.run.catalogue, selector, () => skillNames(session.each))
  let found: CatalogueEntry
  try {
    found = resolve()
  } catch (error) {
    await session.dial(serversToAsk(session, selector, error))
    found = resolveAgain(session, selector, resolve)
  }
  const server = found.tool.mcpServer
  if (found.source !== 'mcp' || server === undefined || !session.undialled.includes(server)) return found
  await session.dial([server])
  return resolveAgain(session, selector, resolve)
}

/** The servers whose tool lists could turn a failed search for a tool into a success; the error where none could. */
function serversToAsk(session: ToolSession, selector: string, error: unknown): readonly string[] {
  if (!(error instanceof OpenClawError)) throw error
  const { code, data } = error
  if (code !== 'UNKNOWN_TOOL' && code !== 'TOOL_UNAVAILABLE') throw error
  const { undialled } = session
  const owner = serverOf(session, data['tool']) ?? serverIn(session, selector)
  if (owner !== undefined && undialled.includes(owner)) return [owner]
  if (code === 'UNKNOWN_TOOL' && owner === undefined && undialled.length > 0) return undialled
  throw error
}

function serverOf(session: ToolSession, name: unknown): string | undefined {
  return session.view.inventory.tools.find((tool) => tool.name === name)?.mcpServer
}

/** Resolves by what servers have just said; a tool of a server that did not answer is not unknown but out of reach. */
function resolveAgain(session: ToolSession, selector: string, resolve: () => CatalogueEntry): CatalogueEntry {
  try {
    return resolve()
  } catch (error) {
    if (!(error instanceof OpenClawError)) throw error
    const named = serverOf(session, error.data['tool']) ?? serverIn(session, selector)
    const report = named === undefined ? undefined : session.report(named)
    if (report === undefined || report.status === 'connected' || error.code === 'TOOL_DENIED') throw error
    throw unreachable(report)
  }
}

/** The server that an id or a prefixed name speaks of. */
function serverIn(session: ToolSession, selector: string): string | undefined {
  const text = selector.trim()
  return session.view.inventory.servers.find(
    ({ safeName }) => text.startsWith(`mcp:${safeName}:`) || text.startsWith(`${safeName}__`),
  )?.name
}

/** Notes a call that ended before there was a tool to call: what policy took away or does not exist. */
function noteRefusal(session: ToolSession, selector: string, callId: string, error: unknown): void {
  if (!(error instanceof OpenClawError)) return
  const kinds = { TOOL_DENIED: 'denied', TOOL_UNAVAILABLE: 'unavailable', UNKNOWN_TOOL: 'unknown' } as const
  const kind = Object.entries(kinds).find(([code]) => code === error.code)?.[1]
  if (kind === undefined) return
  const { tool, step } = error.data
  session.log.record({
    type: 'policy',
    kind,
    tool: typeof tool === 'string' ? tool : selector,
    callId,
    by: typeof step === 'string' ? step : 'catalogue',
    reason: error.message,
    at: Date.now(),
  })
}

/** Calls one tool of a session for the person at the command line. Errors: those of finding it, and whatever ends the call. */
export async function callTool(
  session: ToolSession,
  selector: string,
  args: unknown,
  signal: AbortSignal,
): Promise<CalledTool> {
  const callId = `call-${randomBytes(4).toString('hex')}`
  let entry: CatalogueEntry
  try {
    entry = await findTool(session, selector)
  } catch (error) {
    noteRefusal(session, selector, callId, error)
    throw error
  }
  const tool = nameOf(entry.tool)
  const outcome = await session.run.call({ tool: entry.tool, args, callId, signal })
  const event = session.log.made.find((each) => each.callId === callId)
  if (event !== undefined) session.log.write(event)
  if (outcome.status === 'ok') return { tool, result: outcome.result }
  const error = outcomeError(outcome)
  if (outcome.status !== 'error' || outcome.result === undefined) throw error
  throw new OpenClawError(error.code, error.message, {
    hints: error.hints,
    data: { ...error.data, tool, result: outcome.result },
  })
}

/** Checks a call as far as that is possible without making it: the gate and the input schema. Errors as `callTool`. */
export async function planCall(session: ToolSession, selector: string, args: unknown): Promise<PlannedCall> {
  const entry = await findTool(session, selector)
  const checked = await session.run.calls.check(entry.tool, args)
  return {
    dryRun: true,
    tool: nameOf(entry.tool),
    args: checked,
    exposure: session.view.exposure(entry.tool),
  }
}

/** What `tool_search` gives a model for these queries, by the tool lists that are known; nobody is dialled. Error: INPUT_INVALID. */
export async function searchAsModel(
  session: ToolSession,
  queries: readonly string[],
  limit: number | undefined,
  signal: AbortSignal,
): Promise<ToolResult> {
  const [query, ...more] = queries
  const wanted = limit === undefined ? {} : { limit }
  const args =
    more.length === 0
      ? { query, ...wanted }
      : { queries: queries.map((each) => ({ query: each, ...wanted })) }
  return session.run.search(args, { callId: session.runId, signal })
}

/** Runs a snippet over all tools of the session, as `tool_search_code` would. */
export async function runSnippet(
  session: ToolSession,
  code: string,
  signal: AbortSignal,
): Promise<CodeCallResult> {
  await session.dial(session.undialled)
  const startedAt = Date.now()
  const result = await session.run.runCode(code, signal, session.runId)
  const error = result.ok ? undefined : result.error
  session.log.write({
    type: 'call',
    callId: session.runId,
    tool: { id: 'openclaw:core:tool_search_code', name: 'tool_search_code', source: 'openclaw' },
    toolSource: 'core',
    args: { code },
    outcome:
      error === undefined
        ? { status: 'ok', result: jsonResult(result) }
        : { ...failure(new OpenClawError('TOOL_FAILED', error.message)), result: jsonResult(result) },
    ran: true,
    startedAt,
    durationMs: Date.now() - startedAt,
  })
  return result
}
