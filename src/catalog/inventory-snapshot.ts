import { knownPlugins } from './declared.ts'
import type { InventoryOptions } from './inventory.ts'
import { resolveProviders } from './providers.ts'

/**
 * The `--inventory` object (contract §2) that replays on any machine what an inventory was built from here, tools as they were
 * declared; from config alone it names what config declares. Plain data once it went through JSON.
 */
export function inventoryFileOf(options: InventoryOptions): Readonly<Record<string, unknown>> {
  const { config, agentId } = options
  const source = options.file ?? options.discovered
  return {
    // Places in a config, and how long ago something was seen, are no facts that could be replayed.
    plugins: Object.fromEntries(
      knownPlugins(options).map(({ id, problemPath: _problemPath, ...plugin }) => [id, plugin]),
    ),
    mcp: Object.fromEntries(
      (source?.servers ?? []).map(({ name, lastSeen: _lastSeen, ...server }) => [name, server]),
    ),
    client: source?.client ?? [],
    channel: source?.channel ?? [],
    providers: resolveProviders(config, source?.providers ?? {}, agentId),
  }
}
