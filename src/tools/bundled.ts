/** Plugins that the catalogue knows as bundled and whose tools this program brings itself, by id. */
const bundled: Readonly<Record<string, readonly string[]>> = {
  'memory-core': ['memory_search', 'memory_get'],
  browser: ['browser'],
  canvas: ['canvas'],
}

/** Whether this program brings a tool in the name of a bundled plugin. Ids of plugins count in any case, names of tools as they are. */
export function isBundledTool(pluginId: string, name: string): boolean {
  const id = pluginId.trim().toLowerCase()
  return Object.hasOwn(bundled, id) && bundled[id]!.includes(name)
}
