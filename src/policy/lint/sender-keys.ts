import { toolKey } from '../../catalog/names.ts'
import { formatPath } from '../../kernel/path.ts'
import { parseSenderKey } from '../layers/sender.ts'
import { coverageOf } from './coverage.ts'
import { quoted, type Finding, type Rule } from './finding.ts'
import { senderMaps } from './scopes.ts'

/** What an untyped key was probably meant as. */
function typedForms(key: string): string {
  const text = key.trim().replace(/^@/, '')
  const [, channel, rest] = /^([a-z][\w-]*):(.+)$/i.exec(text) ?? []
  if (channel !== undefined && rest !== undefined) return `channel:${channel}:${rest} or id:${text}`
  if (/^\+\d/.test(text)) return `e164:${text} or id:${text}`
  return /^\d+$/.test(text) ? `id:${text}` : `id:${text} or username:${text}`
}

/** toolsBySender keys without a type, which are compared with sender ids only. */
export const untypedSenderKeys: Rule = ({ view }) =>
  senderMaps(view.config, view.context.agentId).flatMap(({ path, map }) =>
    Object.keys(map).flatMap((key): Finding[] => {
      if (parseSenderKey(key)?.typed !== false) return []
      return [
        {
          id: 'untyped-sender-key',
          severity: 'warning',
          message: `the sender key ${JSON.stringify(key)} in ${formatPath(path)} has no type, so it is compared with sender ids only; write ${typedForms(key)}`,
          path: [...path, key],
        },
      ]
    }),
  )

/** Keys whose senders escape what "*" of the same map denies. */
export const senderKeysLiftDefault: Rule = (scan) =>
  senderMaps(scan.view.config, scan.view.context.agentId).flatMap(({ path, map }) => {
    const starKey = Object.keys(map).find((key) => key.trim() === '*')
    const denies = (starKey === undefined ? undefined : map[starKey]?.deny) ?? []
    if (denies.length === 0) return []
    return Object.entries(map).flatMap(([key, policy]): Finding[] => {
      if (!policy || key.trim() === '*' || !parseSenderKey(key)) return []
      const cover = coverageOf(scan, policy.deny ?? [], 'deny')
      const lifted = denies.filter((entry) => toolKey(entry, scan.view.edition) !== '' && !cover.all(entry))
      if (lifted.length === 0) return []
      return [
        {
          id: 'sender-key-lifts-default',
          severity: 'info',
          message: `${formatPath([...path, key])} is used instead of "*", so ${quoted(lifted)}, which "*" denies, ${lifted.length === 1 ? 'is' : 'are'} not denied to this sender`,
          path: [...path, key],
        },
      ]
    })
  })
