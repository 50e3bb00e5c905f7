import { jsonResult } from '../../calls/model-text.ts'
import type { Args } from '../../calls/types.ts'
import type { Returned } from '../../calls/executor.ts'
import { OpenClawError } from '../../kernel/errors.ts'
import type { Channel } from '../../plugins/authoring.ts'
import type { View } from '../../policy/view.ts'
import { contextOf, deliver, type Delivery } from './send.ts'
import { checkAction, messageSettings, ownPlace, routeOf, type Wanted } from './route.ts'

/** One call of the message tool. */
export interface MessageCall {
  readonly view: View
  readonly channels: ReadonlyMap<string, Channel>
  readonly args: Args
  readonly signal: AbortSignal
}

/** A text argument; null where there is none. */
export function textOf(args: Args, name: string): string | null {
  const value = args[name]
  return typeof value === 'string' && value.trim() !== '' ? value : null
}

/** Does what a call of the message tool asks for. Errors: INPUT_INVALID for what is missing or cannot be done, TOOL_DENIED by `tools.message`, and those of the channel. */
export async function runMessage(call: MessageCall): Promise<Returned> {
  const { view, channels, args } = call
  const action = textOf(args, 'action') ?? 'send'
  checkAction(view, action)
  if (action === 'list') return { result: jsonResult(listed(view, channels)) }
  if (action === 'broadcast') return broadcast(call)
  const wanted: Wanted = {
    channel: textOf(args, 'channel'),
    target: textOf(args, 'target'),
    accountId: textOf(args, 'accountId'),
    threadId: textOf(args, 'threadId'),
  }
  const route = routeOf(view, channels, wanted)
  const channel = route.channel ?? route.adapter.id
  if (action !== 'send') checkAble(route.adapter, action)
  if (args['dryRun'] === true) {
    const { to, accountId, threadId, crossContext } = route
    return { result: jsonResult({ action, dryRun: true, channel, to, accountId, threadId, crossContext }) }
  }
  if (action === 'send') {
    const text = required(args, 'message')
    const sent = await deliver(view, route, { text, replyTo: textOf(args, 'replyTo'), signal: call.signal })
    return { result: jsonResult(sent) }
  }
  const { to, accountId, threadId } = route
  const { messageId, emoji, message, options, limit } = args
  const params = Object.fromEntries(
    Object.entries({ messageId, emoji, message, options, limit }).filter(([, value]) => value !== undefined),
  )
  const context = contextOf(view, channel, call.signal)
  const done = await route.adapter.act?.({ action, to, accountId, threadId, params }, context)
  return { result: jsonResult({ action, channel, to, result: done ?? null }) }
}

async function broadcast({ view, channels, args, signal }: MessageCall): Promise<Returned> {
  if (messageSettings(view).broadcast?.enabled === false) {
    throw denied('this session may not send broadcasts', 'tools.message.broadcast.enabled')
  }
  const text = required(args, 'message')
  const targets = Array.isArray(args['targets']) ? args['targets'].map(String) : []
  if (targets.length === 0) throw missing('targets')
  const [channel, accountId] = [textOf(args, 'channel'), textOf(args, 'accountId')]
  // Every place is looked at before the first message leaves.
  const routes = targets.map((target) =>
    routeOf(view, channels, { channel, target, accountId, threadId: null }),
  )
  if (args['dryRun'] === true) {
    const to = routes.map((route) => ({
      channel: route.channel,
      to: route.to,
      crossContext: route.crossContext,
    }))
    return { result: jsonResult({ action: 'broadcast', dryRun: true, targets: to }) }
  }
  const results: (Delivery | { readonly target: string; readonly error: string })[] = []
  for (const [at, route] of routes.entries()) {
    try {
      results.push(await deliver(view, route, { text, signal }))
    } catch (error) {
      signal.throwIfAborted()
      results.push({
        target: targets[at] ?? '',
        error: error instanceof Error ? error.message : String(error),
      })
    }
  }
  const failed = results.filter((each) => 'error' in each).length
  return {
    result: jsonResult({ action: 'broadcast', sent: results.length - failed, failed, results }),
    failed: failed === results.length,
  }
}

function listed(view: View, channels: ReadonlyMap<string, Channel>): object {
  return {
    own: ownPlace(view),
    channels: [...channels.values()].map(({ id, label = id, actions = [], turn }) => ({
      id,
      label,
      actions: ['send', ...actions],
      answers: turn !== undefined,
      accounts: Object.keys(view.config.channels?.[id]?.accounts ?? {}),
    })),
  }
}

function checkAble({ id, actions = [], act }: Channel, action: string): void {
  if (act !== undefined && actions.includes(action)) return
  throw new OpenClawError('INPUT_INVALID', `the channel ${id} cannot ${action}`, {
    hints: ['send', ...(act === undefined ? [] : actions)].map((able) => `action: ${able}`),
    data: { channel: id, action },
  })
}

function denied(message: string, path: string): OpenClawError {
  return new OpenClawError('TOOL_DENIED', message, { hints: [`openclaw config get ${path}`], data: { path } })
}

function required(args: Args, name: string): string {
  const value = textOf(args, name)
  if (value === null) throw missing(name)
  return value
}

function missing(name: string): OpenClawError {
  return new OpenClawError('INPUT_INVALID', `this action of the message tool needs ${name}`)
}
