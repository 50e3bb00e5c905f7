import { Ajv, type ErrorObject } from 'ajv'
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

/** Checks a plugin's settings against its `configSchema` and fills in defaults in a copy; a value that is a reference to a secret stands for a string. */
export function checkPluginConfig(schema: Readonly<Record<string, unknown>>, given: unknown): ConfigCheck {
  const config: unknown = structuredClone(given)
  const options = {
    allErrors: true,
    strict: false,
    useDefaults: true,
    // Compiling the schema of schemas costs twenty times as much as compiling the schema of a plugin.
    validateSchema: false,
    validateFormats: false,
    logger: false,
  } as const
  try {
    const dialect = schema['$schema']
    const modern = typeof dialect === 'string' && /\/20(?:19-09|20-12)\//.test(dialect)
    const { $schema: _dialect, ...rules } = schema
    const wrong = new SchemaWalk().run(rules)
    if (wrong !== null) return { schemaProblem: cleanLine(wrong.replace(/^its input schema /, 'it '), 300) }
    const validate = (modern ? new Ajv2020(options) : new Ajv(options)).compile(rules)
    if (validate(config)) return { config }
    const issues = (validate.errors ?? []).flatMap((error) => issueOf(error, config))
    return issues.length === 0 ? { config } : { issues }
  } catch (error) {
    return { schemaProblem: cleanLine(error instanceof Error ? error.message : String(error), 300) }
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
