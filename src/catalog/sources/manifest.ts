import { isRecord, type PluginSource } from '../source.ts'

/** What a plugin registers: its tools, else those its manifest declares; an old manifest's own `tools` list is registered, too. */
export function registeredTools(plugin: PluginSource): readonly unknown[] {
  if (plugin.tools !== undefined) return plugin.tools
  const old = plugin.manifest?.['tools']
  return [...(contractTools(plugin) ?? []), ...(Array.isArray(old) ? old : [])]
}

/** The names in `contracts.tools`; null where there is no manifest to limit the plugin, empty for an old manifest that declares none. */
export function declaredTools(plugin: PluginSource): readonly string[] | null {
  if (plugin.manifest === undefined) return null
  return (contractTools(plugin) ?? []).filter((name) => typeof name === 'string')
}

function contractTools(plugin: PluginSource): readonly unknown[] | undefined {
  const contracts = plugin.manifest?.['contracts']
  const tools = isRecord(contracts) ? contracts['tools'] : undefined
  return Array.isArray(tools) ? tools : undefined
}

/** What `toolMetadata` says of one tool; empty where it says nothing. */
export function metadataOf(plugin: PluginSource, tool: string): Readonly<Record<string, unknown>> {
  for (const from of [plugin.toolMetadata, plugin.manifest?.['toolMetadata']]) {
    const found = isRecord(from) && Object.hasOwn(from, tool) ? from[tool] : undefined
    if (isRecord(found)) return found
  }
  return {}
}
