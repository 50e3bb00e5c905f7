import { findAgent } from '../../config/agents.ts'
import { OpenClawError } from '../../kernel/errors.ts'
import { suggest } from '../../kernel/suggest.ts'
import { showName } from '../../kernel/untrusted-text.ts'
import type { Channel } from '../../plugins/authoring.ts'
import type { View } from '../../policy/view.ts'
import { tryParseSessionKey } from '../../sessions/key.ts'

/** Where a session itself takes place. */
export interface OwnPlace {
  readonly channel: string | null
  readonly to: string | null
  readonly accountId: string | null
  readonly threadId: string | null
}

/** Where a message goes. */
export interface Route extends OwnPlace {
  readonly adapter: Channel
  /** Whether it leaves the conversation that the session belongs to. */
  readonly crossContext: boolean
}

/** What a caller says about the place; null where nothing is said. */
export interface Wanted {
  readonly channel: string | null
  readonly target: string | null
  readonly accountId: string | null
  readonly threadId: string | null
}

/** Settings of the message tool for a session; those of the agent win, one by one. */
export function messageSettings({ config, context }: View) {
  const own = findAgent(config, context.agentId)?.config.tools?.message
  return { ...config.tools?.message, ...own }
}

/** The conversation of a session, as far as its key and the run say; all null for a session that belongs to none. */
export function ownPlace({ context }: View): OwnPlace {
  const key = tryParseSessionKey(context.sessionKey)
  const channel = (context.channel ?? key?.channel ?? null)?.toLowerCase() ?? null
  const isKeys = key !== null && (key.channel === channel || key.channel === null)
  return {
    channel,
    to: isKeys ? (key.peer ?? key.groupIds.at(-1) ?? null) : (context.groupIds.at(-1) ?? null),
    accountId: context.accountId ?? key?.accountId ?? null,
    threadId: isKeys ? key.threadId : null,
  }
}

/**
 * Finds the channel and the conversation of a message: what is said, else the session's own, else the only channel there is. Errors:
 * INPUT_INVALID where that leaves several or none, TOOL_DENIED where the settings keep the session to its own conversation.
 */
export function routeOf(view: View, channels: ReadonlyMap<string, Channel>, wanted: Wanted): Route {
  const own = ownPlace(view)
  const { channel, target } = spelt(channels, wanted)
  const id =
    channel ?? (own.channel !== null && channels.has(own.channel) ? own.channel : onlyOne(channels, own))
  const adapter = channels.get(id)
  if (adapter === undefined) throw unknownChannel(id, channels)
  const isOwnChannel = own.channel === id
  const to = target ?? (isOwnChannel ? own.to : null)
  const isOwnAccount = wanted.accountId === null || wanted.accountId === (own.accountId ?? 'default')
  const isOwn = isOwnChannel && isOwnAccount && (to === null || to === own.to)
  const crossContext = own.channel !== null && !isOwn
  if (crossContext) checkCrossing(view, isOwnChannel, own.channel, id)
  return {
    adapter,
    channel: id,
    to,
    accountId: wanted.accountId ?? (isOwnChannel ? own.accountId : null),
    threadId: wanted.threadId ?? (isOwn ? own.threadId : null),
    crossContext,
  }
}

/** Refuses a message that is sent by something else than the message tool in a session that does not have it, or may not send by it. Error: TOOL_DENIED. */
export function requireMessages(view: View): void {
  const isThere = view.decisions.some(
    ({ tool, verdict }) => tool.source === 'core' && tool.name === 'message' && verdict === 'visible',
  )
  if (!isThere) {
    throw new OpenClawError('TOOL_DENIED', 'this session may send no messages: it has no message tool', {
      hints: ['openclaw tools explain message'],
    })
  }
  checkAction(view, 'send')
}

/** Refuses what `tools.message.actions.allow` does not name. Error: TOOL_DENIED. */
export function checkAction(view: View, action: string): void {
  const allow = messageSettings(view).actions?.allow
  if (allow === undefined || allow.length === 0 || action === 'list') return
  if (allow.some((entry) => entry.trim().toLowerCase() === action || entry.trim() === '*')) return
  throw new OpenClawError('TOOL_DENIED', `the message tool may not ${action} here`, {
    hints: ['openclaw config get tools.message.actions.allow'],
    data: { path: 'tools.message.actions.allow' },
  })
}

/** A text as it leaves: marked where it comes from another conversation. */
export function markedText(view: View, { crossContext }: Route, text: string): string {
  const {
    enabled,
    prefix = '[from {channel}] ',
    suffix = '',
  } = messageSettings(view).crossContext?.marker ?? {}
  if (!crossContext || enabled === false) return text
  const named = (mark: string): string => mark.replaceAll('{channel}', ownPlace(view).channel ?? '')
  return `${named(prefix)}${text}${named(suffix)}`
}

/** `channel:target` in the place of a target, where there is such a channel. */
function spelt(channels: ReadonlyMap<string, Channel>, { channel, target }: Wanted) {
  const named = channel?.trim().toLowerCase() ?? null
  const [head = '', ...rest] = target?.split(':') ?? []
  const prefix = head.trim().toLowerCase()
  const isPrefixed = rest.length > 0 && channels.has(prefix) && (named === null || named === prefix)
  return isPrefixed ? { channel: prefix, target: rest.join(':') } : { channel: named, target }
}

function onlyOne(channels: ReadonlyMap<string, Channel>, own: OwnPlace): string {
  const ids = [...channels.keys()]
  const [first] = ids
  // Another channel in the place of the session's own would be a choice nobody made.
  if (own.channel !== null) throw unknownChannel(own.channel, channels)
  if (first !== undefined && ids.length === 1) return first
  throw new OpenClawError(
    'INPUT_INVALID',
    'there are several channels, and this session belongs to none of them',
    {
      hints: ids.map((id) => `channel: ${id}`),
      data: { channels: ids },
    },
  )
}

function unknownChannel(id: string, channels: ReadonlyMap<string, Channel>): OpenClawError {
  const ids = [...channels.keys()]
  const near = suggest(id, ids, 3)
  return new OpenClawError('INPUT_INVALID', `the channel ${showName(id)} is not connected to this program`, {
    hints: (near.length > 0 ? near : ids).map((known) => `channel: ${known}`),
    data: { channel: id, channels: ids },
  })
}

function checkCrossing(view: View, isOwnChannel: boolean, from: string | null, to: string): void {
  const { allowCrossContextSend, crossContext } = messageSettings(view)
  if (allowCrossContextSend === true) return
  const [allowed, key] = isOwnChannel
    ? [crossContext?.allowWithinProvider ?? true, 'allowWithinProvider']
    : [crossContext?.allowAcrossProviders ?? false, 'allowAcrossProviders']
  if (allowed) return
  const what = isOwnChannel
    ? `other conversations of ${showName(to)}`
    : `${showName(to)} from ${showName(from ?? '')}`
  throw new OpenClawError('TOOL_DENIED', `this session may not send to ${what}`, {
    hints: [`openclaw config set tools.message.crossContext.${key} true`],
    data: { path: `tools.message.crossContext.${key}` },
  })
}
