import type { Config } from '../../config/types.ts'
import { cleanLine, showName } from '../../kernel/untrusted-text.ts'
import type { Edition } from '../edition.ts'
import { mcpPluginId } from '../names.ts'
import type { InventoryNotices } from '../notices.ts'
import { isRecord, type PluginSource } from '../source.ts'
import type { JsonSchema, PluginInfo, Tool, ToolDefect } from '../types.ts'
import { availabilityProblem } from './availability.ts'
import type { Claims } from './claims.ts'
import { behaviour, carried, takeTool, tellDefects } from './given-tool.ts'
import { declaredTools, metadataOf, registeredTools } from './manifest.ts'
import { descriptionOf, labelOf } from './tool-text.ts'

/** Ids which stand for something else in policy entries and catalogue ids. */
export const reservedPluginIds: ReadonlySet<string> = new Set(['core', 'client', mcpPluginId])

export interface PluginBuild {
  readonly edition: Edition
  readonly config: Config
  readonly claims: Claims
  readonly notices: InventoryNotices
}

/** The tools of one plugin and the plugin itself; malformed, undeclared and clashing tools are told, never fatal (policy facts §4.2). */
export function pluginTools(plugin: PluginSource, build: PluginBuild): { info: PluginInfo; tools: Tool[] } {
  const who = `plugin "${showName(plugin.id)}"`
  const isReserved = reservedPluginIds.has(plugin.id.trim().toLowerCase())
  if (isReserved) build.notices.warn('name-conflict', `${who} has a reserved id; its tools are left out`)
  const tools = isReserved ? [] : ownTools(plugin, who, build)
  const info: PluginInfo = {
    id: plugin.id,
    ...(plugin.name === undefined ? {} : { name: labelOf(plugin.id, plugin.name) }),
    ...switchOf(plugin, build.config),
    ...slotOf(plugin),
    ...(plugin.problem === undefined ? {} : { problem: cleanLine(plugin.problem, 240) }),
    ...(plugin.problemPath === undefined ? {} : { problemPath: plugin.problemPath }),
    tools: tools.map((tool) => tool.name),
    ...(plugin.unregistered === undefined ? {} : { unregistered: plugin.unregistered }),
  }
  return { info, tools }
}

function switchOf(plugin: PluginSource, config: Config): Pick<PluginInfo, 'enabled' | 'offByDefault'> {
  if (plugin.enabled !== undefined) return { enabled: plugin.enabled }
  if (plugin.manifest?.['enabledByDefault'] !== false) return { enabled: true }
  // Off by default is a default only: the plugin's config entry switches it on, and so does a slot.
  const { entries = {}, slots = {} } = config.plugins ?? {}
  const isOn =
    Object.entries(entries).some(([id, entry]) => sameId(id, plugin.id) && entry.enabled === true) ||
    Object.values(slots).some((id) => id !== null && sameId(id, plugin.id))
  return isOn ? { enabled: true } : { enabled: false, offByDefault: true }
}

/** Bundled plugins that stand for a slot although no manifest of theirs is at hand. */
const bundledSlots: Readonly<Record<string, string>> = { 'memory-core': 'memory' }

function slotOf(plugin: PluginSource): Pick<PluginInfo, 'slot'> {
  const kind = plugin.manifest?.['kind']
  const id = plugin.id.trim().toLowerCase()
  const slot =
    typeof kind === 'string' ? kind : Object.hasOwn(bundledSlots, id) ? bundledSlots[id] : undefined
  return slot === undefined ? {} : { slot }
}

const sameId = (a: string, b: string): boolean => a.trim().toLowerCase() === b.trim().toLowerCase()

function ownTools(plugin: PluginSource, who: string, build: PluginBuild): Tool[] {
  const { claims, notices } = build
  const names = declaredTools(plugin)
  const declared = names === null ? null : new Set(names.map((name) => claims.key(showName(name.trim()))))
  return registeredTools(plugin).flatMap((raw): Tool[] => {
    const given = takeTool(raw, { who, step: 'plugin' }, claims, notices)
    if (given === null) return []
    const { own, name, parameters } = given
    const meta = metadataOf(plugin, name)
    const defects = [...given.defects]
    const availability = availabilityProblem(own['availability'] ?? meta['availability'])
    if (availability !== null)
      defects.push({ step: 'capability', rule: 'availability', reason: availability })
    if (declared !== null && !declared.has(claims.key(name))) defects.push(undeclared)
    tellDefects(defects, who, name, notices)
    return [
      {
        name,
        label: labelOf(name, own['label'], meta['label']),
        description:
          descriptionOf(own['description'], meta['description']) || cataloguedText(name, build.edition),
        source: 'plugin',
        pluginId: plugin.id,
        ...behaviour(own, meta),
        ...(parameters === undefined ? {} : { parameters }),
        ...outputOf(own['outputSchema'], who, name, notices),
        ...carried(defects),
      },
    ]
  })
}

const undeclared: ToolDefect = {
  step: 'plugin',
  rule: 'undeclared',
  reason: 'the plugin does not declare it in contracts.tools of its manifest',
}

/** The catalogue's description, for a plugin that provides a catalogue tool without describing it. */
function cataloguedText(name: string, edition: Edition): string {
  return edition.tools.find((tool) => tool.id === name)?.description ?? ''
}

function outputOf(
  schema: unknown,
  who: string,
  tool: string,
  notices: InventoryNotices,
): { outputSchema?: JsonSchema } {
  if (schema === undefined) return {}
  if (typeof schema === 'boolean' || isRecord(schema)) return { outputSchema: schema }
  notices.warn('invalid-tool', `${who}: the outputSchema of tool "${tool}" is no JSON Schema; it is ignored`)
  return {}
}
