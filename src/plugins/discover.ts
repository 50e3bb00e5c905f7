import { readdirSync, realpathSync, statSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { expandHome } from '../config/find.ts'
import type { Location, Path } from '../kernel/path.ts'
import { showName } from '../kernel/untrusted-text.ts'
import { diagnostic, type PluginDiagnostic } from './diagnostic.ts'
import { findEntry } from './entry.ts'
import { manifestNames, readManifest, type PluginManifest } from './manifest.ts'
import { accessProblem, isCode, pluginFile } from './plugin-files.ts'

/** Who put a plugin where it is. */
export type PluginOrigin = 'load-path' | 'state-dir' | 'bundled'

/** A plugin as it lies on disk; nothing of it has run. */
export interface InstalledPlugin {
  /** Id of the manifest; the folder's name where no manifest gives one. */
  readonly id: string
  readonly origin: PluginOrigin
  /** Real path of its folder. */
  readonly folder: string
  readonly manifestFile: string
  readonly manifest: PluginManifest | null
  /** Real path of its code. */
  readonly entry: string | null
  /** Real paths of the folders with its skills. */
  readonly skillFolders: readonly string[]
  /** Folder of the earlier plugin that has the same id, so that this one does not count. */
  readonly shadowedBy: string | null
  /** Why it cannot run. */
  readonly problem: string | null
  /** The config entry behind that, where it is one. */
  readonly problemPath?: Path
  readonly diagnostics: readonly PluginDiagnostic[]
}

export interface PluginDiscovery {
  /** In order of precedence: load paths, state dir, bundled. */
  readonly plugins: readonly InstalledPlugin[]
  /** What is wrong with the places rather than with a plugin. */
  readonly diagnostics: readonly PluginDiagnostic[]
}

export interface DiscoverOptions {
  /** `plugins.load.paths` with the place of each entry in the config. */
  readonly loadPaths: readonly { readonly path: string; readonly location: Location | null }[]
  /** Folder that relative load paths start from. */
  readonly baseDir: string
  readonly home: string
  /** Folders of the state dir that hold plugins. */
  readonly stateRoots: readonly string[]
  /** Folders that hold the plugins which come with the program. */
  readonly bundledRoots?: readonly string[]
}

interface Candidate {
  readonly folder: string
  readonly origin: PluginOrigin
  readonly manifestFile: string
  /** Code file that a load path names, relative to the folder. */
  readonly entry: string | null
}

/** Folders that are never plugins. */
const skipped = /^(?:\.|node_modules$)/

/**
 * Finds plugins by their manifests without running any code. A load path is a plugin's folder, its manifest, its code, or a folder
 * of plugins. The first plugin of an id counts; one that is reached twice is one. Never throws for what it finds.
 */
export async function discoverPlugins(options: DiscoverOptions): Promise<PluginDiscovery> {
  const diagnostics: PluginDiagnostic[] = []
  const candidates: Candidate[] = []
  for (const { path, location } of options.loadPaths) {
    const place = resolve(options.baseDir, expandHome(path, options.home))
    const found = path.trim() === '' ? 'is empty' : atLoadPath(place)
    if (Array.isArray(found)) candidates.push(...found)
    else {
      const message = `plugins.load.paths: ${JSON.stringify(showName(path, 200))} ${found}`
      diagnostics.push(diagnostic({ kind: 'place', severity: 'error', message, file: place, location }))
    }
  }
  for (const root of options.stateRoots) candidates.push(...inRoot(root, 'state-dir', diagnostics))
  for (const root of options.bundledRoots ?? []) candidates.push(...inRoot(root, 'bundled', diagnostics))

  const plugins = new Map<string, InstalledPlugin>()
  for (const candidate of candidates) {
    if (!plugins.has(candidate.manifestFile)) plugins.set(candidate.manifestFile, await readPlugin(candidate))
  }
  return { plugins: withOwners([...plugins.values()]), diagnostics }
}

/** Gives each id to the first plugin whose manifest says it; a folder's name alone takes no id away from a plugin. */
function withOwners(plugins: readonly InstalledPlugin[]): InstalledPlugin[] {
  const owners = new Map<string, InstalledPlugin>()
  const claims = [...plugins.filter(({ manifest }) => manifest !== null), ...plugins]
  for (const plugin of claims) {
    const key = plugin.id.toLowerCase()
    if (!owners.has(key)) owners.set(key, plugin)
  }
  return plugins.map((plugin) => {
    const owner = owners.get(plugin.id.toLowerCase())
    if (owner === undefined || owner === plugin) return plugin
    const message = `the id ${showName(plugin.id)} belongs to the plugin in ${showName(owner.folder, 200)}; this one does not count`
    const clash = diagnostic({ kind: 'duplicate', severity: 'warning', message, file: plugin.manifestFile })
    return { ...plugin, shadowedBy: owner.folder, diagnostics: [...plugin.diagnostics, clash] }
  })
}

/** The plugins that a load path means, or what is wrong with it. */
function atLoadPath(place: string): Candidate[] | string {
  let real: string
  let manifestFile: string | null
  try {
    real = realpathSync(place)
    if (statSync(real).isDirectory()) {
      const plugins = inFolder(real, 'load-path')
      return plugins.length > 0 ? plugins : `has no ${manifestNames[0]}`
    }
    manifestFile = manifestIn(dirname(real))
  } catch (error) {
    return accessProblem(error)
  }
  const folder = dirname(real)
  if (manifestFile === null) return `has no ${manifestNames[0]} beside it`
  const name = basename(real)
  if (manifestNames.some((known) => known === name))
    return [{ folder, origin: 'load-path', manifestFile: real, entry: null }]
  if (!isCode(name)) return 'is neither a plugin folder nor its manifest nor its code'
  return [{ folder, origin: 'load-path', manifestFile, entry: name }]
}

/** The plugin in a real folder, else those one level below it; throws what the file system throws. */
function inFolder(folder: string, origin: PluginOrigin): Candidate[] {
  const own = manifestIn(folder)
  if (own !== null) return [{ folder, origin, manifestFile: own, entry: null }]
  return subfolders(folder).flatMap((name): Candidate[] => {
    try {
      const inner = realpathSync(join(folder, name))
      const manifestFile = statSync(inner).isDirectory() ? manifestIn(inner) : null
      return manifestFile === null ? [] : [{ folder: inner, origin, manifestFile, entry: null }]
    } catch {
      // A dead link or a closed folder below a folder of plugins is no plugin; nobody named it.
      return []
    }
  })
}

/** The plugins of a folder that holds one per folder; what is no plugin there is told, since somebody put it there. */
function inRoot(root: string, origin: PluginOrigin, diagnostics: PluginDiagnostic[]): Candidate[] {
  const tell = (severity: 'error' | 'warning', file: string, message: string): Candidate[] => {
    diagnostics.push(
      diagnostic({ kind: 'place', severity, message: `${showName(file, 200)} ${message}`, file }),
    )
    return []
  }
  let names: string[]
  try {
    names = subfolders(root)
  } catch (error) {
    return tell('error', root, accessProblem(error))
  }
  return names.flatMap((name) => {
    const place = join(root, name)
    try {
      const folder = realpathSync(place)
      if (!statSync(folder).isDirectory()) return []
      const plugins = inFolder(folder, origin)
      return plugins.length > 0
        ? plugins
        : tell('warning', place, `has no ${manifestNames[0]}; it is skipped`)
    } catch (error) {
      return tell('warning', place, accessProblem(error))
    }
  })
}

/** Folders in a folder, links to folders included, by name; throws what the file system throws. */
function subfolders(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => (entry.isDirectory() || entry.isSymbolicLink()) && !skipped.test(entry.name))
    .map((entry) => entry.name)
    .toSorted()
}

function manifestIn(folder: string): string | null {
  const names = readdirSync(folder)
  const name = manifestNames.find((known) => names.includes(known))
  return name === undefined ? null : join(folder, name)
}

async function readPlugin(candidate: Candidate): Promise<InstalledPlugin> {
  const { folder, manifestFile, origin } = candidate
  const location = pluginFile(folder, basename(manifestFile), 'file')
  const reading =
    'path' in location
      ? await readManifest(manifestFile)
      : {
          manifest: null,
          diagnostics: [
            diagnostic({
              kind: 'manifest',
              severity: 'error',
              message: location.problem,
              file: manifestFile,
            }),
          ],
        }
  const { manifest } = reading
  const code =
    manifest === null
      ? { entry: null, diagnostics: [] }
      : await findEntry(folder, manifestFile, manifest, candidate.entry)
  const skills = (manifest?.skills ?? []).map((name) => ({ name, found: pluginFile(folder, name, 'folder') }))
  const diagnostics = [
    ...oldName(manifestFile),
    ...reading.diagnostics,
    ...code.diagnostics,
    ...skills.flatMap(({ found }) =>
      'problem' in found
        ? [
            diagnostic({
              kind: 'skill',
              severity: 'warning',
              message: `skills: ${found.problem}`,
              file: manifestFile,
            }),
          ]
        : [],
    ),
  ]
  const fatal = diagnostics.find(({ kind, severity }) => severity === 'error' && kind !== 'tool')
  return {
    id: manifest?.id ?? showName(basename(folder), 128),
    origin,
    folder,
    manifestFile,
    manifest,
    entry: code.entry,
    skillFolders: skills.flatMap(({ found }) => ('path' in found ? [found.path] : [])),
    shadowedBy: null,
    problem: fatal?.message ?? null,
    diagnostics,
  }
}

function oldName(manifestFile: string): PluginDiagnostic[] {
  const [name, old] = manifestNames
  if (basename(manifestFile) !== old) return []
  const message = `${old} is the old name of a manifest; call it ${name}`
  return [diagnostic({ kind: 'manifest', severity: 'warning', message, file: manifestFile })]
}
