import type { Sender } from '../policy/context.ts'
import { normalizeChannel, normalizeE164 } from '../policy/layers/sender.ts'

/**
 * Whether `commands.ownerAllowFrom` names the sender: bare, with the channel or `user:` in front, or by phone number.
 * Null when that cannot be told: no list, no id or number to compare, an entry of an unknown channel, a variable without a value.
 */
export function judgeOwner(
  allowFrom: readonly (string | number)[] | undefined,
  sender: Sender | null,
  channel: string | null,
): boolean | null {
  const entries = (allowFrom ?? []).map((entry) => String(entry).trim()).filter((entry) => entry !== '')
  if (entries.length === 0 || sender === null) return null
  if (entries.includes('*')) return true
  const id = bare(sender.id ?? '', channel)
  const phone = digits(sender.e164 ?? '')
  if (id === '' && phone === '') return null
  const named = entries.map((entry) => bare(entry, channel))
  if (named.some((entry) => entry === id || (phone !== '' && samePhone(entry, phone)))) return true
  const undecided =
    entries.some((entry) => entry.includes('${')) ||
    (channel === null && named.some((entry) => differOnlyInPrefix(entry, id)))
  return undecided ? null : false
}

/** Lower-cases an identity and drops the prefixes that do not tell two people of one channel apart. */
function bare(identity: string, channel: string | null): string {
  const text = identity.trim().toLowerCase()
  const [, prefix = '', rest = ''] = /^([a-z][\w-]*):(.+)$/.exec(text) ?? []
  const redundant = prefix === 'user' || (prefix !== '' && normalizeChannel(prefix) === channel)
  return redundant ? bare(rest, channel) : text
}

/** Says `telegram:1` and `1` might be the same, which takes the channel to know. */
function differOnlyInPrefix(left: string, right: string): boolean {
  if (left === '' || right === '') return false
  const [long, short] = left.length > right.length ? [left, right] : [right, left]
  return long.endsWith(`:${short}`) && /^[a-z][\w-]*$/.test(long.slice(0, -short.length - 1))
}

/** Config files often hold phone numbers without the plus, even as plain numbers. */
function samePhone(entry: string, phone: string): boolean {
  return /^\+?[\d\s().-]+$/.test(entry) && digits(entry) === phone
}

function digits(text: string): string {
  return normalizeE164(text).replace('+', '')
}
