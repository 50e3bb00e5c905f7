import type { Edition } from '../edition.ts'
import { refusedNames } from '../names.ts'
import type { InventoryNotices } from '../notices.ts'
import type { Tool } from '../types.ts'
import type { Claims } from './claims.ts'
import { carried, takeTool, tellDefects, type Giver } from './given-tool.ts'
import { descriptionOf, labelOf } from './tool-text.ts'

/** Tools which the caller of a run brings along; a name that anything else has is refused (tool search facts §1.5). */
export function clientTools(
  items: readonly unknown[],
  edition: Edition,
  claims: Claims,
  notices: InventoryNotices,
): Tool[] {
  const client: Giver = { who: 'the client', step: 'capability', refused: refusedNames(edition) }
  return items.flatMap((raw): Tool[] => {
    const given = takeTool(raw, client, claims, notices)
    if (given === null) return []
    const { own, name, defects, parameters } = given
    tellDefects(defects, client.who, name, notices)
    const label = labelOf(name, own['label'])
    const description = descriptionOf(own['description'])
    const schema = parameters === undefined ? {} : { parameters }
    return [{ name, label, description, source: 'client', ...schema, ...carried(defects) }]
  })
}
