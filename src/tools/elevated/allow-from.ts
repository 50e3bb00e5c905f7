import type { Sender } from '../../policy/context.ts'
import { normalizeChannel, normalizeE164 } from '../../policy/layers/sender.ts'

/** One entry of an `allowFrom` list. */
export type AllowEntry = string | number

/** Who is to be looked up. */
export interface Known {
  readonly channel: string
  readonly sender: Sender | null
  /** The other side of a direct chat. */
  readonly peer: string | null
}

/**
 * Whether a list names the sender: `*` is everyone; `id:`, `from:`, `e164:`, `name:`, `username:` and `tag:` name one kind of identity; a plain entry
 * is an id, the other side of a direct chat or a phone number, with or without the channel in front. Names that people give themselves count only
 * where the entry says that it means one. An empty list names nobody. Pure.
 */
export function matchesSender(entries: readonly AllowEntry[], known: Known): boolean {
  return entries.some((entry) => names(String(entry).trim().toLowerCase(), known))
}

const kinds = /^(id|from|e164|name|username|tag):(.*)$/s

function names(entry: string, known: Known): boolean {
  if (entry === '') return false
  if (entry === '*') return true
  const { sender, peer, channel } = known
  const [, kind, rest = ''] = kinds.exec(entry) ?? []
  const value = rest.trim()
  const id = lower(sender?.id)
  const from = lower(peer ?? undefined)
  switch (kind) {
    case 'id':
      return same(value, id, channel)
    case 'from':
      return same(value, from, channel)
    case 'e164':
      return samePhone(value, sender?.e164)
    case 'name':
      return value !== '' && value === lower(sender?.name)
    case 'username':
    case 'tag':
      return value !== '' && withoutAt(value) === withoutAt(lower(sender?.username))
    default:
      return (
        same(entry, id, channel) ||
        same(entry, from, channel) ||
        samePhone(bare(entry, channel), sender?.e164)
      )
  }
}

/** Ids compare without case, an at sign, and the channel that may stand in front of either. */
function same(entry: string, identity: string, channel: string): boolean {
  const [left, right] = [bare(entry, channel), bare(identity, channel)]
  if (left === '' || right === '') return false
  // Without a plus on either side these are ids, and -100 is not 100.
  const isPhone = left.startsWith('+') || right.startsWith('+')
  return left === right || (isPhone && samePhone(left, right))
}

function bare(text: string, channel: string): string {
  const colon = text.indexOf(':')
  const isPrefixed = colon > 0 && normalizeChannel(text.slice(0, colon)) === channel
  return withoutAt(isPrefixed ? text.slice(colon + 1).trim() : text)
}

/** Numbers are written with and without blanks and plus; what is no number is no phone. */
function samePhone(entry: string, e164: string | undefined): boolean {
  const digits = (text: string): string =>
    /^\+?\d[\d\s().-]{4,}$/.test(text) ? normalizeE164(text).replace('+', '') : ''
  return digits(entry) !== '' && digits(entry) === digits(e164 ?? '')
}

function lower(text: string | undefined): string {
  return text?.trim().toLowerCase() ?? ''
}

function withoutAt(text: string): string {
  return text.startsWith('@') ? text.slice(1) : text
}
