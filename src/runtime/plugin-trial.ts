import { createHash } from 'node:crypto'
import { existsSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { makeDirectory } from '../config/make-directory.ts'
import type { InstalledPlugin } from '../plugins/discover.ts'
import type { LoadedPlugin } from '../plugins/load.ts'
import type { View } from '../policy/view.ts'
import type { Case } from './case.ts'
import { entryOf } from './plugin-settings.ts'
import { toolContext } from './tool-context.ts'

/** Files of a plugin that are looked at for changes, and trials that are remembered. */
const filesAtMost = 500
const trialsAtMost = 200

/** Size and time of every file below a folder; what a plugin depends on elsewhere is not looked at. */
function stateOf(folder: string, found: string[]): void {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (found.length >= filesAtMost) return
    const path = join(folder, entry.name)
    if (entry.isDirectory()) {
      if (entry.name !== 'node_modules' && entry.name !== '.git') stateOf(path, found)
    } else if (entry.isFile()) {
      const { size, mtimeMs } = statSync(path)
      found.push(`${path} ${size} ${mtimeMs}`)
    }
  }
}

function trialFile(stateDir: string, plugin: InstalledPlugin, config: unknown): string {
  const files: string[] = []
  stateOf(plugin.folder, files)
  const state = JSON.stringify([process.version, plugin.id, config ?? null, files.toSorted()])
  return join(stateDir, 'cache', 'plugin-trials', createHash('sha256').update(state).digest('hex'))
}

/** Remembers a passed trial; a directory that cannot be written costs only the next trial. */
function remember(file: string): void {
  const folder = join(file, '..')
  try {
    makeDirectory(folder)
    const old = readdirSync(folder)
    if (old.length >= trialsAtMost) for (const name of old) rmSync(join(folder, name), { force: true })
    writeFileSync(file, '')
  } catch {
    // The trial is made again next time.
  }
}

/**
 * Tries the code of a plugin in a thread of its own before it may run in this process, where a loop would hang the command: once for each
 * state of its folder and settings. Null when it may run, else the plugin as failed with the cause.
 */
export async function tryPlugin(
  each: Case,
  view: View,
  plugin: InstalledPlugin,
): Promise<LoadedPlugin | null> {
  const { config } = entryOf(each.config, plugin.id).entry ?? {}
  const file = each.loaded && trialFile(each.loaded.stateDir, plugin, config)
  if (file !== null && existsSync(file)) return null
  const { probePlugin } = await import('../plugins/probe.ts')
  const { loaded, diagnostics } = await probePlugin(plugin, {
    config,
    context: toolContext(each, view.context),
  })
  if (!loaded) {
    const hooks = { before_tool_call: [], after_tool_call: [] }
    return { plugin, loaded, tools: [], hooks, backends: [], diagnostics }
  }
  if (file !== null) remember(file)
  return null
}
