import { basename, join } from 'node:path'
import { isRecord } from '../config/path-value.ts'
import { parseDocument, readText } from '../config/read.ts'
import { OpenClawError } from '../kernel/errors.ts'
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
  const hint = await packageHint(folder)
  if (hint.entry !== null) {
    const found = checked(folder, hint.entry, join(folder, 'package.json'))
    return { ...found, diagnostics: [...hint.diagnostics, ...found.diagnostics] }
  }
  for (const name of usualEntries) {
    const found = pluginFile(folder, name, 'file')
    if ('path' in found) return { entry: found.path, diagnostics: hint.diagnostics }
  }
  const message = `no code: neither entry in ${basename(manifestFile)} nor openclaw.extensions in package.json nor index.js`
  // A plugin that brings only skills needs no code.
  const severity = manifest.tools.length > 0 ? 'error' : 'info'
  const missing = diagnostic({ kind: 'entry', severity, message, file: manifestFile })
  return { entry: null, diagnostics: [...hint.diagnostics, missing] }
}

function checked(folder: string, name: string, where: string): EntryFinding {
  const found = pluginFile(folder, name, 'file')
  const problem =
    'problem' in found
      ? found.problem
      : isCode(found.path)
        ? null
        : `${name} is no JavaScript or TypeScript file`
  if (problem === null && 'path' in found) return { entry: found.path, diagnostics: [] }
  const message = `the code cannot be used: ${problem}`
  return {
    entry: null,
    diagnostics: [diagnostic({ kind: 'entry', severity: 'error', message, file: where })],
  }
}

const maxPackageBytes = 1024 * 1024

interface Hint {
  readonly entry: string | null
  readonly diagnostics: readonly PluginDiagnostic[]
}

/** What package.json says about the entry; a package.json that cannot be read says nothing. */
async function packageHint(folder: string): Promise<Hint> {
  const file = join(folder, 'package.json')
  const value = await readPackage(file)
  const own = value?.['openclaw']
  const extensions = isRecord(own) ? own['extensions'] : undefined
  const names = Array.isArray(extensions) ? extensions.filter((name) => typeof name === 'string') : []
  const [first] = names
  if (first !== undefined) {
    const message = `openclaw.extensions names ${names.length} files; only ${first} is loaded`
    const many = diagnostic({ kind: 'entry', severity: 'warning', message, file })
    return { entry: first, diagnostics: names.length > 1 ? [many] : [] }
  }
  const main = value?.['main']
  return { entry: typeof main === 'string' ? main : null, diagnostics: [] }
}

/** The content of a package.json, or null. */
export async function readPackage(file: string): Promise<Readonly<Record<string, unknown>> | null> {
  try {
    const text = readText(file, maxPackageBytes, (problem) => new OpenClawError('PLUGIN_INVALID', problem))
    const { value } = (await parseDocument(file, text)).document
    return isRecord(value) ? value : null
  } catch (error) {
    if (error instanceof OpenClawError) return null
    throw error
  }
}
