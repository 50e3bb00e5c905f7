import type { NeedChecks, NeedFacts, UnmetNeed } from '../need.ts'

/** What a message lacks where nothing can take it. */
export const channelNeed: UnmetNeed = {
  needs: 'a channel: channels.outbox, channels.webhook, or one that a plugin brings',
  path: 'channels.outbox.enabled',
  hints: [
    'openclaw config set channels.outbox.enabled true',
    'openclaw config set channels.webhook.url https://…',
  ],
}

/** Of channels that plugins bring, config names those that are used. */
function check({ view }: NeedFacts): UnmetNeed | null {
  const channels = Object.values(view.config.channels ?? {})
  return channels.some(({ enabled }) => enabled !== false) ? null : channelNeed
}

/** What the message tool and its like lack. */
export const messagingNeeds: NeedChecks = {
  message: check,
  conversations_list: check,
  conversations_send: check,
  conversations_turn: check,
}
