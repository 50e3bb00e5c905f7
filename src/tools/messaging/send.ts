import { randomUUID } from 'node:crypto'
import type { Channel, ChannelContext, ChannelMessage } from '../../plugins/authoring.ts'
import type { View } from '../../policy/view.ts'
import { markedText, type Route } from './route.ts'

/** What became of a message. */
export interface Delivery {
  readonly channel: string
  readonly to: string | null
  readonly accountId: string | null
  readonly threadId: string | null
  readonly messageId: string | null
  readonly crossContext: boolean
}

/** What a channel is told besides the message. */
export function contextOf(view: View, channel: string, signal: AbortSignal): ChannelContext {
  return { config: { ...view.config.channels?.[channel] }, signal }
}

/** A text as a message of the session. */
export function outgoing(view: View, route: Route, text: string, replyTo: string | null): ChannelMessage {
  const { agentId, sessionKey } = view.context
  const { to, accountId, threadId } = route
  const marked = markedText(view, route, text)
  return { id: randomUUID(), to, accountId, threadId, replyTo, text: marked, agentId, sessionKey }
}

/** Sends a text along a route. What the channel throws is the failure. */
export async function deliver(
  view: View,
  route: Route & { readonly adapter: Channel },
  {
    text,
    replyTo = null,
    signal,
  }: { readonly text: string; readonly replyTo?: string | null; readonly signal: AbortSignal },
): Promise<Delivery> {
  const channel = route.channel ?? route.adapter.id
  const message = outgoing(view, route, text, replyTo)
  const sent = await route.adapter.send(message, contextOf(view, channel, signal))
  return deliveryOf(route, sent)
}

/** What a channel says about a message, with what was known before. */
export function deliveryOf(
  route: Route,
  sent: { readonly messageId?: string; readonly to?: string },
): Delivery {
  const { adapter, channel, to, accountId, threadId, crossContext } = route
  return {
    channel: channel ?? adapter.id,
    to: sent.to ?? to,
    accountId,
    threadId,
    messageId: sent.messageId ?? null,
    crossContext,
  }
}
