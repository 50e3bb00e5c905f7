import type { ToolPolicy } from '../../config/types.ts'
import type { Path } from '../../kernel/path.ts'
import type { Context } from '../context.ts'

type SenderMap = Readonly<Record<string, ToolPolicy | null>>

export type SenderKeyType = 'channel' | 'id' | 'e164' | 'username' | 'name' | '*'

/** A toolsBySender key taken apart; `typed` is false for the old form without a prefix, which means an id. */
export interface SenderKey {
  readonly type: SenderKeyType
  readonly channel?: string
  readonly value: string
  readonly typed: boolean
}

const channelAliases: Readonly<Record<string, string>> = { teams: 'msteams' }

/** Lower-cases a channel id and resolves its alias (ruling 14). */
export function normalizeChannel(channel: string): string {
  const id = channel.trim().toLowerCase()
  return Object.hasOwn(channelAliases, id) ? channelAliases[id]! : id
}

/** Drops everything but digits and a leading plus (ruling 14). */
export function normalizeE164(value: string): string {
  const digits = value.replace(/\D/g, '')
  return value.trim().startsWith('+') ? `+${digits}` : digits
}

const withoutAt = (value: string): string => (value.startsWith('@') ? value.slice(1) : value)

/** Parses a toolsBySender key (policy facts §5.2); null for a key that can never match. */
export function parseSenderKey(key: string): SenderKey | null {
  const text = key.trim()
  if (text === '*') return { type: '*', value: '*', typed: true }
  const match = /^(channel|id|e164|username|name):(.*)$/is.exec(text)
  if (!match) {
    const value = withoutAt(text.toLowerCase())
    return value === '' ? null : { type: 'id', value, typed: false }
  }
  const type = match[1]!.toLowerCase() as Exclude<SenderKeyType, '*'>
  const value = match[2]!.trim().toLowerCase()
  if (value === '') return null
  if (type === 'channel') {
    const colon = value.indexOf(':')
    const channel = colon < 0 ? '' : value.slice(0, colon).trim()
    const id = colon < 0 ? '' : value.slice(colon + 1).trim()
    return channel === '' || id === ''
      ? null
      : { type, channel: normalizeChannel(channel), value: id, typed: true }
  }
  if (type === 'username') return { type, value: withoutAt(value), typed: true }
  if (type === 'e164') return { type, value: normalizeE164(value), typed: true }
  return { type, value, typed: true }
}

/** A toolsBySender entry that applies to the sender. */
export interface SenderMatch {
  readonly key: string
  readonly parsed: SenderKey
  readonly path: Path
  readonly policy: ToolPolicy
}

/** What the sender can be looked up by, in order of precedence: channel and id, id, e164, username, name, `*`. */
function candidates(context: Context): Pick<SenderKey, 'type' | 'channel' | 'value'>[] {
  const sender = context.sender
  const lower = (value: string | undefined): string => value?.trim().toLowerCase() ?? ''
  const id = lower(sender?.id)
  const ids = id === '' ? [] : [...new Set([id, withoutAt(id)])]
  const channel = context.channel === null ? '' : normalizeChannel(context.channel)
  const e164 = sender?.e164 ? normalizeE164(sender.e164) : ''
  const username = withoutAt(lower(sender?.username))
  const name = lower(sender?.name)
  return [
    ...(channel === '' ? [] : ids.map((value) => ({ type: 'channel' as const, channel, value }))),
    ...ids.map((value) => ({ type: 'id' as const, value })),
    ...(e164 === '' ? [] : [{ type: 'e164' as const, value: e164 }]),
    ...(username === '' ? [] : [{ type: 'username' as const, value: username }]),
    ...(name === '' ? [] : [{ type: 'name' as const, value: name }]),
    { type: '*' as const, value: '*' },
  ]
}

/** Finds the entry of a toolsBySender map for this sender; `*` matches without a sender, too (policy facts §5.2). */
export function findSenderMatch(
  map: SenderMap | undefined,
  path: Path,
  context: Context,
): SenderMatch | null {
  if (!map) return null
  const keys = Object.keys(map).flatMap((key) => {
    const parsed = parseSenderKey(key)
    return parsed && map[key] ? [{ key, parsed }] : []
  })
  for (const wanted of candidates(context)) {
    const found = keys.find(
      ({ parsed }) =>
        parsed.type === wanted.type && parsed.value === wanted.value && parsed.channel === wanted.channel,
    )
    if (found) return { ...found, path: [...path, found.key], policy: map[found.key] ?? {} }
  }
  return null
}
