import { jsonResult } from '../../calls/model-text.ts'
import { OpenClawError } from '../../kernel/errors.ts'
import type { Channel, ChannelConversation } from '../../plugins/authoring.ts'
import type { View } from '../../policy/view.ts'
import type { OpenFamily } from '../family.ts'
import type { CodingToolOptions } from '../options.ts'
import { requireChannels } from './channels.ts'
import { runMessage, textOf } from './message.ts'
import { checkAction, routeOf } from './route.ts'
import { contextOf, deliver, deliveryOf, outgoing } from './send.ts'

const usualWaitSeconds = 60

/** The message tool and its like, over the channels of the session. */
export function openMessaging(options: CodingToolOptions): OpenFamily {
  const place = (
    view: View,
    channels: ReadonlyMap<string, Channel>,
    args: Readonly<Record<string, unknown>>,
  ) => {
    checkAction(view, 'send')
    return routeOf(view, channels, {
      channel: null,
      target: textOf(args, 'conversation'),
      accountId: null,
      threadId: textOf(args, 'threadId'),
    })
  }
  return {
    tools: {
      message: {
        run: (args, { signal }) => {
          const channels = requireChannels(options, 'message')
          return runMessage({ view: options.view(), channels, args, signal })
        },
      },
      conversations_list: {
        run: async (args, { signal }) => {
          const channels = requireChannels(options, 'conversations_list')
          return { result: jsonResult(await conversations(options.view(), channels, args, signal)) }
        },
      },
      conversations_send: {
        run: async (args, { signal }) => {
          const channels = requireChannels(options, 'conversations_send')
          const view = options.view()
          const route = place(view, channels, args)
          return {
            result: jsonResult(await deliver(view, route, { text: textOf(args, 'message') ?? '', signal })),
          }
        },
      },
      conversations_turn: {
        run: async (args, { signal }) => {
          const channels = requireChannels(options, 'conversations_turn')
          const view = options.view()
          const route = place(view, channels, args)
          const { adapter, channel } = route
          if (adapter.turn === undefined) {
            throw new OpenClawError('TOOL_UNAVAILABLE', `the channel ${adapter.id} brings no answers back`, {
              hints: [...channels.values()].flatMap(({ id, turn }) =>
                turn === undefined ? [] : [`${id}:…`],
              ),
            })
          }
          const seconds =
            typeof args['timeoutSeconds'] === 'number' ? args['timeoutSeconds'] : usualWaitSeconds
          const limit = AbortSignal.any([signal, AbortSignal.timeout(seconds * 1000)])
          const message = outgoing(view, route, textOf(args, 'message') ?? '', null)
          try {
            const { reply, ...sent } = await adapter.turn(
              message,
              contextOf(view, channel ?? adapter.id, limit),
            )
            return { result: jsonResult({ ...deliveryOf(route, sent), reply }) }
          } catch (error) {
            if (!limit.aborted || signal.aborted) throw error
            throw new OpenClawError('TIMEOUT', `no answer came within ${seconds} s`, {
              data: { messageId: message.id },
            })
          }
        },
      },
    },
  }
}

async function conversations(
  view: View,
  channels: ReadonlyMap<string, Channel>,
  args: Readonly<Record<string, unknown>>,
  signal: AbortSignal,
): Promise<object> {
  const only = textOf(args, 'channel')?.trim().toLowerCase()
  const limit = typeof args['limit'] === 'number' ? args['limit'] : 50
  const found: object[] = []
  const failed: object[] = []
  for (const [id, channel] of channels) {
    if (only !== undefined && id !== only) continue
    try {
      const known = (await channel.list?.(contextOf(view, id, signal))) ?? []
      found.push(...[...known, ...groupsOf(view, id)].map((each) => described(id, channel, each)))
    } catch (error) {
      signal.throwIfAborted()
      failed.push({ channel: id, error: error instanceof Error ? error.message : String(error) })
    }
  }
  return { conversations: found.slice(0, limit), total: found.length, ...(failed.length > 0 && { failed }) }
}

function described(id: string, channel: Channel, { to, name, accountId }: ChannelConversation): object {
  return {
    conversation: `${id}:${to}`,
    channel: id,
    to,
    ...(name !== undefined && { name }),
    ...(accountId !== undefined && { accountId }),
    answers: channel.turn !== undefined,
  }
}

/** Groups that the config names. */
function groupsOf({ config }: View, id: string): ChannelConversation[] {
  return Object.keys(config.channels?.[id]?.groups ?? {}).flatMap((to) => (to === '*' ? [] : [{ to }]))
}
