import type { Config } from '../config/types.ts'
import type { Edition } from './edition.ts'
import type { PluginSource } from './source.ts'

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
  const bundled = new Map<string, string[]>()
  for (const tool of edition.tools) {
    if (tool.plugin === undefined) continue
    const names = bundled.get(tool.plugin)
    if (names === undefined) bundled.set(tool.plugin, [tool.id])
    else names.push(tool.id)
  }
  return pluginsInConfig(config).map((id) => ({ id, tools: bundled.get(id) ?? [] }))
}
