import type { Document } from '../config/document.ts'
import { isRecord } from '../config/path-value.ts'
import { parseDocument, readText } from '../config/read.ts'
import { OpenClawError } from '../kernel/errors.ts'
import { cleanLine } from '../kernel/untrusted-text.ts'
import { fileDiagnostic, type PluginDiagnostic } from './diagnostic.ts'
import { checkManifest, idProblem } from './manifest-check.ts'

/** Name of a manifest, and the one it had before tools had to be declared. */
export const manifestNames = ['openclaw.plugin.json', 'plugin.json'] as const

const maxManifestBytes = 1024 * 1024

/** What a manifest says, as far as it could be used. */
export interface PluginManifest {
  readonly id: string
  readonly name?: string
  readonly version?: string
  readonly description?: string
  readonly enabledByDefault?: boolean
  /** JSON Schema of `plugins.entries.<id>.config`. */
  readonly configSchema?: Readonly<Record<string, unknown>>
  /** Folders with skills, relative to the plugin. */
  readonly skills: readonly string[]
  /** `contracts.tools`: the only names the plugin may register. */
  readonly tools: readonly string[]
  /** File of the code, relative to the plugin. */
  readonly entry?: string
  /** The manifest as it was written. */
  readonly raw: Readonly<Record<string, unknown>>
}

/** A manifest with what is wrong in it; null where it is not usable at all. */
export interface ManifestReading {
  readonly manifest: PluginManifest | null
  readonly diagnostics: readonly PluginDiagnostic[]
}

/** Reads `openclaw.plugin.json` (JSON or JSON5, at most 1 MiB) and checks it (contract §7); never throws for what is in the file, every finding has its line and column. */
export async function readManifest(file: string): Promise<ManifestReading> {
  let document: Document
  try {
    const text = readText(file, maxManifestBytes, (problem, hint) => {
      return new OpenClawError('PLUGIN_INVALID', problem, { hints: [hint] })
    })
    if (text.trim() === '') throw new OpenClawError('PLUGIN_INVALID', 'the manifest is empty')
    document = (await parseDocument(file, text)).document
  } catch (error) {
    if (!(error instanceof OpenClawError)) throw error
    return { manifest: null, diagnostics: [fileDiagnostic(file, error)] }
  }
  const diagnostics = checkManifest(document)
  const { value } = document
  const id = isRecord(value) ? value['id'] : undefined
  if (!isRecord(value) || typeof id !== 'string' || idProblem(id) !== null)
    return { manifest: null, diagnostics }
  return { manifest: manifestOf(value, id), diagnostics }
}

function manifestOf(raw: Readonly<Record<string, unknown>>, id: string): PluginManifest {
  const { enabledByDefault, configSchema, contracts, entry } = raw
  const line = (key: string, limit: number) => {
    const text = typeof raw[key] === 'string' ? cleanLine(raw[key], limit) : ''
    return text === '' ? {} : { [key]: text }
  }
  return {
    id,
    ...line('name', 200),
    ...line('version', 64),
    ...line('description', 2000),
    ...(typeof enabledByDefault === 'boolean' && { enabledByDefault }),
    ...(isRecord(configSchema) && { configSchema }),
    skills: textsOf(raw['skills']),
    tools: textsOf(isRecord(contracts) ? contracts['tools'] : undefined),
    ...(typeof entry === 'string' && { entry }),
    raw,
  }
}

function textsOf(value: unknown): readonly string[] {
  if (!Array.isArray(value)) return []
  return [...new Set(value.flatMap((item) => (typeof item === 'string' && item.trim() !== '' ? [item] : [])))]
}
