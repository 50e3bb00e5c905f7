import { editions, type EditionId } from '../../../src/catalog/edition.ts'
import { parseInventory } from '../../../src/catalog/inventory-file.ts'
import { buildInventory } from '../../../src/catalog/inventory.ts'
import type { Inventory } from '../../../src/catalog/types.ts'
import type { Config } from '../../../src/config/types.ts'

/** Builds the inventory of an `--inventory` object; without one, of the config alone. */
export function inventoryOf(file?: unknown, config: Config = {}, edition: EditionId = '2026.7'): Inventory {
  const source = file === undefined ? {} : { file: parseInventory(file, 'inventory.json5') }
  return buildInventory({ edition: editions[edition], config, ...source })
}

/** One line per tool that is not built in: name, owner, and why it is unavailable. */
export function brought(inventory: Inventory): string {
  return inventory.tools
    .filter((tool) => tool.source !== 'core')
    .map((tool) => {
      const owner = tool.mcpServer ?? tool.pluginId ?? tool.channelId ?? ''
      const defects = [tool.defect, ...(tool.otherDefects ?? [])].flatMap((defect) =>
        defect === undefined ? [] : [` ! ${defect.step}: ${defect.reason}`],
      )
      return `${tool.name} (${[tool.source, owner].filter(Boolean).join(' ')})${defects.join('')}`
    })
    .join('\n')
}

/** One line per notice. */
export function told(inventory: Inventory): string {
  return inventory.notices.map(({ id, severity, message }) => `${severity} ${id}: ${message}`).join('\n')
}
