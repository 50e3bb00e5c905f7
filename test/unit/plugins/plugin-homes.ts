import { join } from 'node:path'
import { discoverPlugins, type InstalledPlugin } from '../../../src/plugins/discover.ts'
import type { PluginDiagnostic } from '../../../src/plugins/diagnostic.ts'
import { tempDir } from '../../helpers/run-cli.ts'

/** Files of a plugin folder; a manifest is written as an object. */
export type PluginFiles = Readonly<Record<string, string | object>>

/** A new folder with the given files, objects as JSON. */
export function folderOf(files: PluginFiles): Promise<string> {
  return tempDir(
    Object.fromEntries(
      Object.entries(files).map(([name, content]) => [
        name,
        typeof content === 'string' ? content : JSON.stringify(content, null, 2),
      ]),
    ),
  )
}

/** The manifest of a plugin `kit` that declares the given tools. */
export function kit(...tools: string[]): object {
  return { id: 'kit', configSchema: { type: 'object' }, contracts: { tools } }
}

/** The plugin in a new folder with the given files. */
export async function pluginOf(files: PluginFiles): Promise<InstalledPlugin> {
  const folder = await folderOf(files)
  const { plugins } = await discoverPlugins({
    loadPaths: [{ path: folder, location: null }],
    baseDir: folder,
    home: folder,
    stateRoots: [],
  })
  const [plugin] = plugins
  if (plugin === undefined) throw new Error(`no plugin in ${folder}`)
  return plugin
}

/** Diagnostics as lines: severity, kind, place below the folder, message. */
export function lines(diagnostics: readonly PluginDiagnostic[], folder: string): string {
  return diagnostics
    .map(({ severity, kind, message, file, location, tool }) => {
      const about = location?.file ?? file
      const near = about === folder ? '.' : about.replace(join(folder, '/'), '').replaceAll('\0', '\\0')
      const place = location === null ? near : `${near}:${location.line}:${location.column}`
      return `${severity} ${kind} ${place}${tool === undefined ? '' : ` [${tool}]`}: ${message.replaceAll(folder, '<folder>')}`
    })
    .join('\n')
}
