import { dirname, delimiter, isAbsolute } from 'node:path'
import { OpenClawError } from '../kernel/errors.ts'
import type { Location, Notice, Path } from '../kernel/path.ts'
import { createDocument } from './document.ts'
import type { Document } from './document.ts'
import { createLookup, substitute } from './env.ts'
import type { Unresolved } from './env.ts'
import { envValue, expandHome, findConfig, stdinFile } from './find.ts'
import type { ConfigPlace, FindOptions } from './find.ts'
import { resolveIncludes } from './includes.ts'
import type { IncludedDocuments, IncludeOptions } from './includes.ts'
import { createOrigins } from './origin.ts'
import type { Ownership } from './origin.ts'
import { isRecord } from './path-value.ts'
import { hasDuplicateKeys, duplicateKeyNotices } from './duplicate-keys.ts'
import { decode, maxRootBytes, parseDocument, readText, survey, type Survey } from './read.ts'
import { documentError } from './syntax-error.ts'
import type { Config } from './types.ts'

export interface LoadOptions extends FindOptions {
  /** Standard input, read when the file is `-`. */
  readonly stdin?: AsyncIterable<Uint8Array | string>
  /** Documents that stand for files, as they would be read after a write; by absolute path. */
  readonly documents?: ReadonlyMap<string, Document>
}

/** A config as read: values after `$include` and `${VAR}`, not yet validated, each with a place. */
export interface LoadedConfig {
  /** Absolute path, or `<stdin>`; also when the file does not exist. */
  readonly file: string
  readonly exists: boolean
  readonly stateDir: string
  readonly home: string
  /** The root file's own value: `$include` directives and `${VAR}` as written. */
  readonly raw: unknown
  /** Included files merged in, `${VAR}` as written. */
  readonly authored: unknown
  readonly config: Config
  /** The root document; its text is what an editor changes. Null when there is no file. */
  readonly document: Document | null
  /** Included files by absolute path. */
  readonly documents: IncludedDocuments
  readonly notices: readonly Notice[]
  /** Place of a value of `config`: the first character of what is written in the file that owns it. */
  locate(path: Path): Location | null
  ownerOf(path: Path): Ownership | null
}

function stdinError(problem: string, hint: string): OpenClawError {
  return new OpenClawError('CONFIG_INVALID', `${stdinFile} ${problem}`, { hints: [hint] })
}

async function readStdin(stdin: AsyncIterable<Uint8Array | string>): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of stdin) {
    const bytes =
      typeof chunk === 'string'
        ? Buffer.from(chunk)
        : Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength)
    size += bytes.length
    if (size > maxRootBytes)
      throw stdinError(`is too large: the limit is ${maxRootBytes} bytes`, 'split or shrink the config')
    chunks.push(bytes)
  }
  return decode(Buffer.concat(chunks), stdinError)
}

async function readRoot(place: ConfigPlace, options: LoadOptions): Promise<string> {
  if (place.file === stdinFile) return readStdin(options.stdin ?? process.stdin)
  return readText(place.file, maxRootBytes, (problem, hint, missing) => {
    return new OpenClawError(
      missing ? 'CONFIG_NOT_FOUND' : 'CONFIG_INVALID',
      `config file ${place.file} ${problem}`,
      {
        hints: [hint],
        data: { file: place.file },
      },
    )
  })
}

function includeOptions(place: ConfigPlace, options: LoadOptions): IncludeOptions {
  const { env, cwd } = options
  const expand = (path: string): string => expandHome(path, place.home)
  const roots = (envValue(env, 'OPENCLAW_INCLUDE_ROOTS') ?? '').split(delimiter)
  return {
    baseDir: place.file === stdinFile ? cwd : dirname(place.file),
    roots: roots.map((root) => expand(root.trim())).filter((root) => isAbsolute(root)),
    expandHome: expand,
    ...(options.documents && { documents: options.documents }),
  }
}

async function openRoot(
  place: ConfigPlace,
  given: Document | undefined,
  options: LoadOptions,
): Promise<{ document: Document; survey: Survey | null }> {
  if (given !== undefined) return { document: given, survey: survey(given.value) }
  if (!place.exists) return { document: createDocument(place.file, '{}', {}), survey: null }
  return parseDocument(place.file, await readRoot(place, options))
}

/** A root of another kind than an object would make every later message wrong. */
function requireObject(document: Document, value: unknown): void {
  if (isRecord(value)) return
  const kind = value === null ? 'null' : Array.isArray(value) ? 'a list' : `a ${typeof value}`
  const start = document.root()?.start ?? 0
  throw documentError(document, start, `a config must be an object, this is ${kind}`, [
    'start the file with {',
  ])
}

/** Finds, reads and merges a config. Errors: `CONFIG_NOT_FOUND`, `CONFIG_INVALID` (with line, column and excerpt), `INCLUDE_INVALID`, `USAGE` for a bad profile name. */
export async function loadConfig(options: LoadOptions): Promise<LoadedConfig> {
  const found = await findConfig(options)
  const given = options.documents?.get(found.file)
  const place = given ? { ...found, exists: true } : found
  const { document, survey: seen } = await openRoot(place, given, options)
  requireObject(document, document.value)

  const including = includeOptions(place, options)
  let authored = document.value
  let documents: IncludedDocuments = new Map()
  if (seen?.includes === true) {
    const resolved = await resolveIncludes(document, including)
    authored = resolved.value
    documents = resolved.documents
    requireObject(document, authored)
  }

  let config = authored
  let unresolved: readonly Unresolved[] = []
  if (seen?.references === true || documents.size > 0) {
    const lookup = createLookup(options.env, options.cwd, place.stateDir, authored)
    const substitution = substitute(authored, lookup)
    config = substitution.value
    unresolved = substitution.unresolved
  }

  const origins = createOrigins(document, documents, including)
  const locate = (path: Path): Location | null => (place.exists ? origins.locate(path) : null)
  const ownerOf = (path: Path): Ownership | null => (place.exists ? origins.ownerOf(path) : null)
  const files = [document, ...documents.values()]
  const hasDuplicates = (): boolean =>
    hasDuplicateKeys(document, seen?.members) ||
    [...documents.values()].some((each) => hasDuplicateKeys(each))
  let notices: readonly Notice[] | null = null
  return {
    ...place,
    raw: document.value,
    authored,
    // Validation is a step of its own; until then the type says what the readers may find, not what is there.
    config: config as Config,
    document: place.exists ? document : null,
    documents,
    get notices(): readonly Notice[] {
      return (notices ??= [
        ...unresolved.map(({ path, message }): Notice => {
          const location = locate(path)
          return {
            id: 'env-missing',
            severity: 'warning',
            message: `${location?.path ?? ''}: ${message}`,
            location,
          }
        }),
        ...(hasDuplicates() ? duplicateKeyNotices(authored, files, ownerOf) : []),
      ])
    },
    locate,
    ownerOf,
  }
}
