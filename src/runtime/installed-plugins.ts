import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { PluginSource } from '../catalog/source.ts'
import { stdinFile } from '../config/find.ts'
import type { Notice } from '../kernel/path.ts'
import { showName } from '../kernel/untrusted-text.ts'
import type { PluginDiscovery } from '../plugins/discover.ts'
import type { DiscoveryInput } from './discovery.ts'

/** Folders of the state dir that hold one plugin per folder; the second is where older installations put them. */
const stateFolders = ['plugins', 'extensions']

/** Finds the plugins on this machine; null, and no code of that room loaded, where neither config nor state dir says where any could be. */
export async function findPlugins(input: DiscoveryInput): Promise<PluginDiscovery | null> {
  const { loaded, config, locate, cwd } = input
  const loadPaths = config.plugins?.load?.paths ?? []
  const roots = stateFolders.map((name) => join(loaded.stateDir, name)).filter((root) => existsSync(root))
  if (loadPaths.length === 0 && roots.length === 0) return null
  const { discoverPlugins } = await import('../plugins/discover.ts')
  const found = await discoverPlugins({
    loadPaths: loadPaths.map((path, index) => ({
      path,
      location: locate(['plugins', 'load', 'paths', index]),
    })),
    baseDir: loaded.file === stdinFile ? cwd : dirname(loaded.file),
    home: loaded.home,
    stateRoots: roots,
  })
  const { withSettings } = await import('./plugin-settings.ts')
  const plugins = await Promise.all(found.plugins.map((plugin) => withSettings(plugin, config, locate)))
  return { ...found, plugins }
}

/** The plugins as an inventory takes them; one whose id an earlier plugin has is not among them. */
export function pluginSources({ plugins }: PluginDiscovery): readonly PluginSource[] {
  return plugins
    .filter((plugin) => plugin.shadowedBy === null)
    .map(({ id, manifest, problem, problemPath }) => ({
      id,
      ...(manifest?.name !== undefined && { name: manifest.name }),
      ...(manifest === null ? { tools: [] } : { manifest: manifest.raw }),
      ...(problem !== null && { problem }),
      ...(problemPath && { problemPath }),
    }))
}

/** What every answer must say about broken and repeated plugins; the inventory tells of single tools, and the rest is for `plugins inspect`. */
export function pluginNotices({ plugins, diagnostics }: PluginDiscovery): readonly Notice[] {
  const told = [
    ...diagnostics.map((each) => ({ ...each, text: each.message })),
    ...plugins.flatMap((plugin) =>
      plugin.diagnostics.map((each) => {
        const place = each.location === null ? ` (${showName(each.file, 200)})` : ''
        return { ...each, text: `plugin "${showName(plugin.id)}": ${each.message}${place}` }
      }),
    ),
  ]
  return told
    .filter(({ kind, severity }) => (severity === 'error' && kind !== 'tool') || kind === 'duplicate')
    .map(({ kind, text, location }) => ({
      id: kind === 'duplicate' ? 'duplicate-id' : 'plugin-invalid',
      severity: 'warning',
      message: text,
      location,
    }))
}
