import { chooseEdition, type EditionId } from '../catalog/edition.ts'
import type { LoadedConfig } from '../config/load.ts'
import { parseSteps } from '../config/path-syntax.ts'
import { getIn, hasIn, isRecord, resolveSteps } from '../config/path-value.ts'
import { redact, redactAt } from '../config/redact.ts'
import { schemaAt, suggestKeys, runtimeDefaults } from '../config/schema-walk.ts'
import { OpenClawError } from '../kernel/errors.ts'
import { formatPath, type Location, type Path } from '../kernel/path.ts'

/** Which edition reads a loaded config. */
export function editionOf(loaded: LoadedConfig, explicit: EditionId | undefined): EditionId {
  return chooseEdition(explicit, getIn(loaded.config, ['meta', 'lastTouchedVersion'])).id
}

/** The value at a path of the merged config, secrets redacted. Errors: PATH_INVALID, PATH_UNSET (default in `data.default`), PATH_UNKNOWN with suggestions. */
export function getConfigValue(loaded: LoadedConfig, text: string | undefined, edition: EditionId): unknown {
  const path = text === undefined ? [] : resolveSteps(loaded.config, parseSteps(text))
  if (hasIn(loaded.config, path)) {
    return redactAt(loaded.config, path, loaded.authored)
  }
  throw absentPath(loaded, path, edition)
}

/** A name that starts with a digit is nearly always the second half of a key with a dot in it, such as a model's. */
function dotHint(path: Path): string[] {
  const at = path.findIndex(
    (segment, index) => index > 0 && typeof segment === 'string' && /^\d/.test(segment),
  )
  if (at < 0) return []
  const key = `${String(path[at - 1])}.${String(path[at])}`
  const joined = [...path.slice(0, at - 1), key, ...path.slice(at + 1)]
  return [`a key with a dot in it stands in brackets: ${formatPath(joined)}`]
}

/** The error of a path that no config has, with suggestions; null for a path that the schema knows. */
export function unknownPath(path: Path, edition: EditionId): OpenClawError | null {
  if (schemaAt(path, edition)) return null
  const shown = formatPath(path)
  const suggestions = suggestKeys(path, edition)
  const near = suggestions.length > 0 ? [`did you mean ${suggestions.join(', ')}?`] : []
  return new OpenClawError('PATH_UNKNOWN', `${shown}: no config has this path`, {
    hints: [...near, ...dotHint(path), 'openclaw config schema lists every path'],
    data: { path: shown, suggestions },
  })
}

/** The error of a path where nothing is: PATH_UNKNOWN, or PATH_UNSET with the default in `data.default`. */
export function absentPath(loaded: LoadedConfig, path: Path, edition: EditionId): OpenClawError {
  const unknown = unknownPath(path, edition)
  if (unknown) return unknown
  const shown = formatPath(path)
  const info = schemaAt(path, edition)
  const where = loaded.exists ? `in ${loaded.file}` : `(${loaded.file} does not exist)`
  const inherited = info?.inheritedFrom
  const effective = inherited && getIn(loaded.config, inherited)
  const fallback = inherited ? (effective ?? schemaAt(inherited, edition)?.default) : info?.default
  const applies =
    fallback === undefined ? 'nothing applies by default' : `the default is ${JSON.stringify(fallback)}`
  return new OpenClawError('PATH_UNSET', `${shown} is not set ${where}; ${applies}`, {
    data: {
      path: shown,
      default: fallback ?? null,
      ...(inherited && { inheritedFrom: formatPath(inherited) }),
    },
  })
}

/** One line of `config list`. */
export interface ConfigItem {
  readonly path: string
  readonly value: unknown
  readonly origin: 'set' | 'default'
  readonly location: Location | null
}

const isLeaf = (value: unknown): boolean => {
  if (Array.isArray(value)) return value.every((item) => typeof item !== 'object' || item === null)
  return !isRecord(value) || Object.keys(value).length === 0
}

/** Every value of the config by path, lists of plain values as one; with places, and with the defaults that apply to what is unset, when asked. */
export function listConfig(loaded: LoadedConfig, edition: EditionId, origins: boolean): ConfigItem[] {
  const items: ConfigItem[] = []
  const safe = redact(loaded.config, { authored: loaded.authored })
  const visit = (value: unknown, path: Path): void => {
    if (path.length > 0 && isLeaf(value)) {
      const location = origins ? loaded.locate(path) : null
      items.push({ path: formatPath(path), value, origin: 'set', location })
    } else if (Array.isArray(value)) value.forEach((item, index) => visit(item, [...path, index]))
    else if (isRecord(value)) for (const [key, item] of Object.entries(value)) visit(item, [...path, key])
  }
  visit(safe, [])
  if (!origins) return items
  for (const [text, value] of runtimeDefaults(edition)) {
    if (text.includes('*') || text.includes('[]')) continue
    const path = text.split('.')
    if (!hasIn(loaded.config, path)) items.push({ path: text, value, origin: 'default', location: null })
  }
  return items
}
