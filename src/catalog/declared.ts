import type { Config } from '../config/types.ts'
import { coreToolSpec } from './core-tools/all.ts'
import type { Edition } from './edition.ts'
import type { InventorySource, PluginSource } from './source.ts'
import { compareText } from './sources/mcp-names.ts'

/** Plugins which a config names under `plugins.entries` or puts into a slot, in that order, each id once. */
export function pluginsInConfig(config: Config): readonly string[] {
  const entries = Object.keys(config.plugins?.entries ?? {})
  const slots = Object.values(config.plugins?.slots ?? {}).flatMap((id) =>
    id === null || id === 'none' ? [] : [id],
  )
  return [...new Set([...entries, ...slots])]
}

/**
 * What config alone says about plugins, when neither a file nor discovery tells what is installed: a named bundled plugin has its
 * catalogue tools (also switched off, so that the entry can be blamed), any other is known by id and its tools are not.
 */
export function declaredPlugins(config: Config, edition: Edition): readonly PluginSource[] {
  const bundled = new Map<string, { readonly name: string }[]>()
  for (const tool of edition.tools) {
    if (tool.plugin === undefined) continue
    const tools = bundled.get(tool.plugin)
    const declared = { name: tool.id, ...coreToolSpec(tool.id, edition.id) }
    if (tools === undefined) bundled.set(tool.plugin, [declared])
    else tools.push(declared)
  }
  return pluginsInConfig(config).map((id) => ({ id, tools: bundled.get(id) ?? [] }))
}

/**
 * Every plugin that is known, by id: those of a file or of discovery, and those that only config names. A file says all that is
 * installed, so beside it the latter have no tools and only make policy entries known; else they are what config declares.
 */
export function knownPlugins(from: {
  readonly edition: Edition
  readonly config: Config
  readonly file?: InventorySource
  readonly discovered?: InventorySource
}): readonly PluginSource[] {
  const { edition, config, file, discovered } = from
  const given = (file ?? discovered)?.plugins ?? []
  const ids = new Set(given.map((plugin) => plugin.id.toLowerCase()))
  const declared = declaredPlugins(config, edition).filter((plugin) => !ids.has(plugin.id.toLowerCase()))
  const named = file === undefined ? declared : declared.map(({ id }) => ({ id, tools: [] }))
  return [...given, ...named].toSorted((a, b) => compareText(a.id, b.id))
}
