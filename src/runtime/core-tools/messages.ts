import { OpenClawError } from '../../kernel/errors.ts'
import { showName } from '../../kernel/untrusted-text.ts'
import type { View } from '../../policy/view.ts'
import { openChannels } from '../../tools/messaging/channels.ts'
import { ownPlace, requireMessages } from '../../tools/messaging/route.ts'
import { deliver, type Delivery } from '../../tools/messaging/send.ts'
import type { RuntimeHost } from '../gateway/host.ts'
import { coreServices } from './open.ts'

/** A place that a program sends to by itself. */
export interface Destination {
  readonly channel: string
  readonly to: string | null
  readonly accountId: string | null
}

/** Sends a text of a session to a place that was settled before. Errors: TOOL_UNAVAILABLE for a channel that is not here any more, TOOL_DENIED by `asTool`, and those of the channel. */
export async function sendFrom(
  host: RuntimeHost,
  from: { readonly agentId: string; readonly sessionKey: string },
  { channel, to, accountId }: Destination,
  {
    text,
    signal,
    asTool = false,
  }: {
    readonly text: string
    readonly signal: AbortSignal
    /** A session wanted it: what it may not do by its message tool is not done for it. */
    readonly asTool?: boolean
  },
): Promise<Delivery> {
  const live = await host.open(from, {})
  const view: View = await live.each.view()
  if (asTool) requireMessages(view)
  const { services, clock, env, cwd } = host.parts
  const { stateDir } = host.state
  const channels = openChannels({
    view: () => view,
    stateDir,
    clock,
    services: coreServices(live.each, services, { env, cwd }, live.plugins.backends),
  })
  const adapter = channels.get(channel)
  if (adapter === undefined) {
    throw new OpenClawError(
      'TOOL_UNAVAILABLE',
      `the channel ${showName(channel)} is not connected to this program`,
    )
  }
  const route = { adapter, channel, to, accountId, threadId: null, crossContext: false }
  return deliver(view, route, { text, signal })
}

/** The conversation that a session belongs to; null for one that belongs to none. */
export async function placeOf(
  host: RuntimeHost,
  session: { readonly agentId: string; readonly sessionKey: string },
): Promise<Destination | null> {
  const live = await host.open(session, {})
  const { channel, to, accountId } = ownPlace(await live.each.view())
  return channel === null ? null : { channel, to, accountId }
}
