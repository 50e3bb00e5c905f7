import { toolKey } from '../../catalog/names.ts'
import { listed, type Rule } from './finding.ts'
import { listsOf } from './scopes.ts'

const lower = (text: string): string => text.trim().toLowerCase()

/** A `plugins.allow` that keeps out plugins which are switched on, or whose tools a list asks for. */
export const pluginsAllow: Rule = (scan) => {
  const { plugins } = scan.view.config
  const allow = new Set((plugins?.allow ?? []).map(lower))
  if (allow.size === 0) return []
  const { edition, inventory } = scan.view
  const entries = plugins?.entries ?? {}
  const isOff = (id: string): boolean =>
    Object.entries(entries).some(([key, entry]) => lower(key) === lower(id) && entry.enabled === false) ||
    (plugins?.deny ?? []).some((each) => lower(each) === lower(id))
  const switchedOn = [
    ...Object.entries(entries).flatMap(([id, entry]) => (entry.enabled === true ? [id] : [])),
    ...inventory.plugins.flatMap(({ id, enabled, tools }) => (enabled && tools.length > 0 ? [id] : [])),
  ]
  const owners = new Map<string, string>()
  for (const { id, plugin } of edition.tools) if (plugin !== undefined) owners.set(id, plugin)
  for (const tool of inventory.tools) {
    if (tool.source === 'plugin' && tool.pluginId !== undefined)
      owners.set(scan.matcher.key(tool), tool.pluginId)
  }
  const askedFor = scan.scopes.flatMap(listsOf).flatMap((list) => {
    if (list.name === 'deny') return []
    return list.entries.flatMap((entry) => {
      const name = toolKey(entry, edition)
      const isId = [...owners.values()].some((id) => lower(id) === name)
      return isId ? [name] : (owners.get(name) ?? [])
    })
  })
  const kept = new Map([...switchedOn, ...askedFor].map((id) => [lower(id), id]))
  const names = [...kept.values()].filter((id) => !allow.has(lower(id)) && !isOff(id))
  if (names.length === 0) return []
  const [what, whose, them] =
    names.length === 1 ? ['the plugin', 'its', 'it'] : ['the plugins', 'their', 'them']
  return [
    {
      id: 'plugins-allow-restricts',
      severity: 'warning',
      message: `plugins.allow does not name ${what} ${listed(names)}, so ${whose} tools are hidden; add ${them}, or remove the list`,
      path: ['plugins', 'allow'],
    },
  ]
}
