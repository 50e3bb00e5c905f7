import { showName } from '../../kernel/untrusted-text.ts'
import type { Edition } from '../edition.ts'
import { refusedNames } from '../names.ts'
import type { InventoryNotices } from '../notices.ts'
import { isRecord } from '../source.ts'
import type { Tool } from '../types.ts'
import type { Claims } from './claims.ts'
import { behaviour, carried, takeTool, tellDefects, type Giver } from './given-tool.ts'
import { descriptionOf, labelOf } from './tool-text.ts'

/** Tools which a channel brings along while a session runs in it. */
export function channelTools(
  items: readonly unknown[],
  edition: Edition,
  claims: Claims,
  notices: InventoryNotices,
): Tool[] {
  const refused = refusedNames(edition)
  return items.flatMap((raw): Tool[] => {
    const channelId = isRecord(raw) && typeof raw['channelId'] === 'string' ? raw['channelId'].trim() : ''
    const giver: Giver = { who: `channel "${showName(channelId)}"`, step: 'capability', refused }
    const given = takeTool(raw, giver, claims, notices)
    if (given === null) return []
    const { own, name, defects, parameters } = given
    tellDefects(defects, giver.who, name, notices)
    const tool = {
      name,
      label: labelOf(name, own['label']),
      description: descriptionOf(own['description']),
      source: 'channel' as const,
      channelId,
    }
    const schema = parameters === undefined ? {} : { parameters }
    return [{ ...tool, ...behaviour(own, {}), ...schema, ...carried(defects) }]
  })
}
