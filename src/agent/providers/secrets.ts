import { isAbsolute, join } from 'node:path'
import { readFile } from 'node:fs/promises'
import type { Lookup } from '../../config/env.ts'
import { expandHome } from '../../config/find.ts'
import { isRecord } from '../../config/path-value.ts'
import type { Config } from '../../config/types.ts'
import { showName } from '../../kernel/untrusted-text.ts'

/** Where secret references are looked up. */
export interface SecretSources {
  readonly config: Config
  readonly lookup: Lookup
  /** What relative paths of secret files start from. */
  readonly baseDir: string
  readonly home: string
}

/** A secret, or why it is not at hand; the reason never holds a secret. */
export type Secret = { readonly value: string } | { readonly missing: string }

const shorthand = /^\$(?:\{([A-Za-z_][A-Za-z0-9_]*)\}|([A-Z_][A-Z0-9_]*))$/
const largestFile = 1024 * 1024

/** The value of a secret field: a text, `$NAME`, the bare name of a variable that is set, or `{ source: "env" | "file", provider?, id }` (gateway facts §3.4). */
export async function readSecret(value: unknown, sources: SecretSources): Promise<Secret> {
  const { lookup } = sources
  if (typeof value === 'string') {
    const text = value.trim()
    const [, braced, bare] = shorthand.exec(text) ?? []
    const name = braced ?? bare
    if (name !== undefined) return fromEnv(name, lookup)
    // Older configs name the variable without a mark; a key has never such a form by chance.
    if (/^[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+$/.test(text)) return { value: lookup.find(text) ?? text }
    return text === '' ? { missing: 'it is empty' } : { value: text }
  }
  if (!isRecord(value)) return { missing: 'it is neither a text nor a secret reference' }
  const { source, id, var: variable } = value
  const named = typeof id === 'string' ? id : typeof variable === 'string' ? variable : ''
  if (source === 'env')
    return named === '' ? { missing: 'its env reference has no id' } : fromEnv(named, lookup)
  if (source === 'file') return fromFile(value, named, sources)
  return {
    missing: `secret source ${JSON.stringify(source)} is not supported here; use "env" or "file"`,
  }
}

function fromEnv(name: string, lookup: Lookup): Secret {
  const value = lookup.find(name)
  if (value !== null) return { value }
  return { missing: lookup.refused(name) ?? `the variable ${showName(name)} is not set, or empty` }
}

async function fromFile(
  reference: Readonly<Record<string, unknown>>,
  id: string,
  { config, baseDir, home }: SecretSources,
): Promise<Secret> {
  const alias =
    typeof reference['provider'] === 'string'
      ? reference['provider']
      : (config.secrets?.defaults?.['file'] ?? 'default')
  const settings = config.secrets?.providers?.[alias]
  const place = `secrets.providers.${showName(alias)}`
  if (!isRecord(settings) || typeof settings['path'] !== 'string') {
    return { missing: `${place} names no file` }
  }
  const path = expandHome(settings['path'], home)
  const file = isAbsolute(path) ? path : join(baseDir, path)
  let text: string
  try {
    text = await readFile(file, 'utf8')
  } catch {
    return { missing: `the file of ${place} cannot be read: ${showName(file, 200)}` }
  }
  if (text.length > largestFile) return { missing: `the file of ${place} is too large for secrets` }
  if (settings['mode'] === 'singleValue' || id === 'value' || id === '') {
    const value = text.trim()
    return value === '' ? { missing: `the file of ${place} is empty` } : { value }
  }
  const found = pointed(text, id)
  if (typeof found === 'string' && found !== '') return { value: found }
  return { missing: `the file of ${place} has no text at ${showName(id)}` }
}

/** The value at a JSON pointer (RFC 6901), the leading slash being optional. */
function pointed(text: string, pointer: string): unknown {
  let at: unknown
  try {
    at = JSON.parse(text)
  } catch {
    return undefined
  }
  for (const part of pointer.replace(/^\//, '').split('/')) {
    const key = part.replaceAll('~1', '/').replaceAll('~0', '~')
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, key)) return undefined
    at = Reflect.get(at, key)
  }
  return at
}
