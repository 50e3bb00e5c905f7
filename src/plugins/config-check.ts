import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { SchemaWalk } from '../catalog/schema-walk.ts'
import { formatPath, type Path } from '../kernel/path.ts'
import { cleanLine, showName } from '../kernel/untrusted-text.ts'

/** Something wrong in the settings of a plugin; the path starts at `plugins.entries.<id>.config`. */
export interface ConfigIssue {
  readonly path: Path
  readonly message: string
}

/** The settings as the plugin gets them, or what is wrong with them or with their schema. */
export type ConfigCheck =
  | { readonly config: unknown }
  | { readonly issues: readonly ConfigIssue[] }
  | { readonly schemaProblem: string }

type Schema = Readonly<Record<string, unknown>>
type Compiled = { readonly validate: ValidateFunction } | { readonly schemaProblem: string }

const options = {
  allErrors: true,
  strict: false,
  useDefaults: true,
  // Compiling the schema of schemas costs twenty times as much as compiling the schema of a plugin.
  validateSchema: false,
  validateFormats: false,
  logger: false,
} as const

/** Settings are looked at when a plugin is found, and again when its code is run. */
const compiled = new WeakMap<Schema, Compiled>()

/** Checks a plugin's settings against its `configSchema` and fills in defaults in a copy; a value that is a reference to a secret stands for a string. */
export function checkPluginConfig(schema: Schema, given: unknown): ConfigCheck {
  const config: unknown = structuredClone(given)
  const made = compiled.get(schema) ?? compile(schema)
  compiled.set(schema, made)
  if ('schemaProblem' in made) return made
  const { validate } = made
  if (validate(config)) return { config }
  const issues = (validate.errors ?? []).flatMap((error) => issueOf(error, config))
  return issues.length === 0 ? { config } : { issues }
}

function compile(schema: Schema): Compiled {
  const problem = (text: string): Compiled => ({ schemaProblem: cleanLine(text, 300) })
  const dialect = schema['$schema']
  const modern = typeof dialect === 'string' && /\/20(?:19-09|20-12)\//.test(dialect)
  const { $schema: _dialect, ...rules } = schema
  const wrong = new SchemaWalk().run(rules)
  if (wrong !== null) return problem(wrong.replace(/^its input schema /, 'it '))
  try {
    return { validate: (modern ? new Ajv2020(options) : new Ajv(options)).compile(rules) }
  } catch (error) {
    return problem(error instanceof Error ? error.message : String(error))
  }
}

function issueOf(error: ErrorObject, config: unknown): ConfigIssue[] {
  const path = pathOf(error.instancePath, config)
  const value = path.reduce<unknown>(child, config)
  if (isSecretReference(value)) return []
  const { missingProperty, additionalProperty } = error.params
  const about = typeof missingProperty === 'string' ? missingProperty : additionalProperty
  const at = typeof about === 'string' ? [...path, about] : path
  const message =
    typeof missingProperty === 'string'
      ? 'is missing'
      : typeof additionalProperty === 'string'
        ? 'is not known'
        : cleanLine(error.message ?? 'is wrong', 200)
  const name = showName(formatPath(['config', ...at]), 200)
  return [{ path: typeof missingProperty === 'string' ? path : at, message: `${name} ${message}` }]
}

function pathOf(pointer: string, config: unknown): Path {
  const path: (string | number)[] = []
  let value = config
  for (const part of pointer.split('/').slice(1)) {
    const key = part.replaceAll('~1', '/').replaceAll('~0', '~')
    path.push(Array.isArray(value) ? Number(key) : key)
    value = child(value, key)
  }
  return path
}

function child(value: unknown, key: string | number): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined
}

function isSecretReference(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'source' in value && 'id' in value
}
