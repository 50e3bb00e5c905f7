import type { Config } from '../../src/config/types.ts'
import type { Context } from '../../src/policy/context.ts'

export type List = readonly string[] | undefined
export type Lists = { readonly allow?: List; readonly alsoAllow?: List; readonly deny?: List }
type Table<Value> = Readonly<Record<string, Value>> | undefined

export const plain = (text: string | null | undefined): string => (text ?? '').trim().toLowerCase()
export const clean = (list: List): string[] => (list ?? []).map(plain).filter((entry) => entry !== '')
export const get = <Value>(table: Table<Value>, key: string): Value | undefined =>
  table && Object.hasOwn(table, key) ? table[key] : undefined
const channelId = (text: string | null | undefined): string => plain(text).replace(/^teams$/, 'msteams')

/** The form in which two spellings of a sender key are the same. */
function identity(text: string): string {
  const [type = '', ...rest] = plain(text).split(':')
  const value = plain(rest.join(':'))
  if (type === 'channel') return `channel:${channelId(rest[0])}:${plain(rest.slice(1).join(':'))}`
  if (type === 'e164') return `e164:${value.replaceAll(/(?!^\+)\D/g, '')}`
  if (type === 'username') return `username:${value.replace(/^@/, '')}`
  if (type === 'id' || type === 'name') return `${type}:${value}`
  return plain(text) === '*' ? '*' : `id:${plain(text).replace(/^@/, '')}`
}

/** The lists of the sender: by channel and id, id, e164, username, name, `*` (facts 5.2). */
export function ofSender(table: Table<Lists | null>, { sender, channel }: Context): Lists | undefined {
  const ids = clean([sender?.id ?? '']).flatMap((id) => [id, id.replace(/^@/, '')])
  const others = (['e164', 'username', 'name'] as const).filter((type) => sender?.[type])
  const texts = [...ids.map((id) => `channel:${channel}:${id}`), ...ids.map((id) => `id:${id}`)]
  const wanted = [...texts, ...others.map((type) => `${type}:${sender?.[type]}`), '*'].map(identity)
  const known = Object.entries(table ?? {}).filter(([, lists]) => lists !== null)
  return wanted.map((id) => known.find(([key]) => identity(key) === id)).find(Boolean)?.[1] ?? undefined
}

/** The entry of `provider/model`, else that of the provider (facts 5.1). */
export function ofProvider<Value>(table: Table<Value>, { provider, model }: Context): Value | undefined {
  const known = Object.entries(table ?? {})
  const tries = provider === null ? [] : [plain(`${provider}/${model ?? ''}`), plain(provider)]
  const find = (id: string) => known.find(([key]) => key === id) ?? known.find(([key]) => plain(key) === id)
  return tries.map(find).find(Boolean)?.[1]
}

/** The lists of the chat group: of its sender, its own, then those of `*` (facts 5.3). */
export function ofGroup(config: Config, context: Context): Lists | undefined {
  const home = channelId(context.groupChannel ?? context.channel)
  const channel = Object.entries(config.channels ?? {}).find(([id]) => channelId(id) === home)?.[1]
  const accounts = Object.entries(channel?.accounts ?? {})
  const accountId = plain(context.accountId ?? channel?.defaultAccount ?? 'default')
  const own = accounts.find(([id]) => plain(id) === accountId)?.[1].groups
  const groups = own && (accounts.length > 1 || Object.keys(own).length > 0) ? own : channel?.groups
  const ids = context.groupIds.length > 0 ? [...context.groupIds, '*'] : []
  return ids
    .map(
      (id) => get(groups, id) ?? Object.entries(groups ?? {}).find(([key]) => plain(key) === plain(id))?.[1],
    )
    .map((group) => ofSender(group?.toolsBySender, context) ?? group?.tools)
    .find(Boolean)
}
