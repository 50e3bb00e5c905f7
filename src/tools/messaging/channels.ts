import { OpenClawError } from '../../kernel/errors.ts'
import type { Channel } from '../../plugins/authoring.ts'
import type { CodingToolOptions } from '../options.ts'
import { channelNeed } from './needs.ts'
import { outboxChannel } from './outbox.ts'
import { webhookChannel } from './webhook.ts'

/** Channels that this program brings; no plugin can take their names. */
export const builtInChannels = ['webhook', 'outbox'] as const

/** What channels are made from. */
export type ChannelSource = Pick<CodingToolOptions, 'view' | 'stateDir' | 'clock'> & {
  readonly services: Pick<CodingToolOptions['services'], 'readSecret' | 'channels'>
}

/** The channels of a session by id: those that are built in where the config has them, and those of plugins that it does not switch off. */
export function openChannels({
  view,
  stateDir,
  clock,
  services,
}: ChannelSource): ReadonlyMap<string, Channel> {
  const { webhook, outbox, ...others } = view().config.channels ?? {}
  const channels = new Map<string, Channel>()
  if (webhook !== undefined && webhook.enabled !== false) {
    channels.set('webhook', webhookChannel({ settings: webhook, readSecret: services.readSecret, clock }))
  }
  if (outbox !== undefined && outbox.enabled !== false)
    channels.set('outbox', outboxChannel(outbox, stateDir, clock))
  for (const [id, channel] of services.channels ?? []) {
    if (!channels.has(id) && others[id]?.enabled !== false) channels.set(id, channel)
  }
  return channels
}

/** The same where there must be one. Error: TOOL_UNAVAILABLE. */
export function requireChannels(source: ChannelSource, tool: string): ReadonlyMap<string, Channel> {
  const channels = openChannels(source)
  if (channels.size > 0) return channels
  const { needs, hints } = channelNeed
  throw new OpenClawError('TOOL_UNAVAILABLE', `${tool} needs ${needs}`, { hints })
}
