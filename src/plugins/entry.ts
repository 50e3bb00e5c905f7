import { basename, join } from 'node:path'
import { isRecord } from '../config/path-value.ts'
import { parseDocument, readText } from '../config/read.ts'
import { OpenClawError } from '../kernel/errors.ts'
import { showName } from '../kernel/untrusted-text.ts'
import { diagnostic, type PluginDiagnostic } from './diagnostic.ts'
import type { PluginManifest } from './manifest.ts'
import { isCode, pluginFile } from './plugin-files.ts'

const usualEntries = ['index.js', 'index.mjs', 'index.ts', 'index.mts', 'index.cjs']

/** The code of a plugin: its real path, or why there is none. */
export interface EntryFinding {
  readonly entry: string | null
  readonly diagnostics: readonly PluginDiagnostic[]
}

/**
 * Finds a plugin's code: the file a load path names, `entry` of the manifest, `openclaw.extensions[0]` or `main` of package.json,
 * else index.js and its like. Only a regular JavaScript or TypeScript file inside the real folder counts.
 */
export async function findEntry(
  folder: string,
  manifestFile: string,
  manifest: PluginManifest,
  given: string | null,
): Promise<EntryFinding> {
  const named = given ?? manifest.entry
  const where = given === null ? manifestFile : join(folder, given)
  if (named !== undefined) return checked(folder, named, where)
  const { extensions, main } = await packageHints(folder)
  const [extension] = extensions
  if (extension !== undefined) {
    const file = join(folder, 'package.json')
    const message = `openclaw.extensions names ${extensions.length} files; only ${showName(extension)} is loaded`
    const many = diagnostic({ kind: 'entry', severity: 'warning', message, file })
    const found = checked(folder, extension, file)
    return extensions.length === 1 ? found : { ...found, diagnostics: [many, ...found.diagnostics] }
  }
  for (const name of [...main, ...usualEntries]) {
    const found = pluginFile(folder, name, 'file')
    if ('path' in found || !found.isMissing) return checked(folder, name, manifestFile)
  }
  const message = `no code: neither entry in ${basename(manifestFile)} nor openclaw.extensions in package.json nor index.js`
  const missing = diagnostic({ kind: 'entry', severity: 'error', message, file: manifestFile })
  // A plugin that brings only skills needs no code.
  return { entry: null, diagnostics: manifest.tools.length > 0 ? [missing] : [] }
}

function checked(folder: string, name: string, where: string): EntryFinding {
  const found = pluginFile(folder, name, 'file')
  const problem =
    'problem' in found
      ? found.problem
      : isCode(found.path)
        ? null
        : `${showName(name)} is no JavaScript or TypeScript file`
  if (problem === null && 'path' in found) return { entry: found.path, diagnostics: [] }
  const message = `the code cannot be used: ${problem}`
  return {
    entry: null,
    diagnostics: [diagnostic({ kind: 'entry', severity: 'error', message, file: where })],
  }
}

const maxPackageBytes = 1024 * 1024

/** What package.json says about the code; one that cannot be read says nothing. */
async function packageHints(
  folder: string,
): Promise<{ readonly extensions: string[]; readonly main: string[] }> {
  const value = await readPackage(join(folder, 'package.json'))
  const own = value?.['openclaw']
  const extensions = isRecord(own) ? own['extensions'] : undefined
  const main = value?.['main']
  return {
    extensions: Array.isArray(extensions) ? extensions.filter((name) => typeof name === 'string') : [],
    main: typeof main === 'string' ? [main] : [],
  }
}

/** The content of a package.json, or null. */
async function readPackage(file: string): Promise<Readonly<Record<string, unknown>> | null> {
  try {
    const text = readText(file, maxPackageBytes, (problem) => new OpenClawError('PLUGIN_INVALID', problem))
    const { value } = (await parseDocument(file, text)).document
    return isRecord(value) ? value : null
  } catch (error) {
    if (error instanceof OpenClawError) return null
    throw error
  }
}
