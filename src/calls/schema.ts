import type { Ajv as AjvClass, ErrorObject, ValidateFunction } from 'ajv'
import { isRecord } from '../catalog/source.ts'
import type { JsonSchema } from '../catalog/types.ts'
import { formatPath } from '../kernel/path.ts'
import { suggest } from '../kernel/suggest.ts'
import { cleanLine, showName } from '../kernel/untrusted-text.ts'

/** Whether a value fits a schema. */
export type SchemaCheck = { readonly ok: true } | { readonly ok: false; readonly problems: readonly string[] }

/** A compiled schema, or why it cannot be one. */
export type Compiled = { readonly check: (value: unknown) => SchemaCheck } | { readonly problem: string }

const options = {
  allErrors: true,
  strict: false,
  validateSchema: false,
  validateFormats: false,
  addUsedSchema: false,
  logger: false,
} as const

const shownProblems = 5

// A schema is compiled once for as long as somebody holds it; another object is another schema.
const compiled = new WeakMap<object, Compiled>()
let classic: AjvClass | null = null
let modern: AjvClass | null = null

/**
 * Compiles a JSON Schema of a trusted tool, once per schema object; the validator is loaded with the first one. `$schema` and `$id` of the
 * root are left out, since a tool's schema stands for itself, and formats are not judged.
 */
export async function compileSchema(schema: JsonSchema): Promise<Compiled> {
  if (typeof schema === 'boolean') return compile(schema)
  const known = compiled.get(schema)
  if (known !== undefined) return known
  const made = await compile(schema)
  compiled.set(schema, made)
  return made
}

async function compile(schema: JsonSchema): Promise<Compiled> {
  try {
    const rules = typeof schema === 'boolean' ? schema : bare(schema)
    const ajv = isModern(schema) ? await modernAjv() : await classicAjv()
    const validate = ajv.compile(rules)
    // It would keep every schema it has ever seen.
    ajv.removeSchema(rules)
    return { check: (value) => run(validate, value) }
  } catch (error) {
    return { problem: cleanLine(error instanceof Error ? error.message : String(error), 300) }
  }
}

async function classicAjv(): Promise<AjvClass> {
  if (classic === null) {
    const { Ajv } = await import('ajv')
    classic = new Ajv(options)
  }
  return classic
}

async function modernAjv(): Promise<AjvClass> {
  if (modern === null) {
    const { Ajv2020 } = await import('ajv/dist/2020.js')
    modern = new Ajv2020(options)
  }
  return modern
}

function bare(schema: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const { $schema: _dialect, $id: _id, ...rules } = schema
  return rules
}

const modernKeyword =
  /"(?:prefixItems|unevaluated(?:Items|Properties)|dependent(?:Schemas|Required)|\$dynamicRef)":/

/** The dialect that a schema names, else the one whose keywords it uses. */
function isModern(schema: JsonSchema): boolean {
  if (typeof schema === 'boolean') return false
  const dialect = schema['$schema']
  if (typeof dialect === 'string') return /\/20(?:19-09|20-12)\//.test(dialect)
  return modernKeyword.test(JSON.stringify(schema))
}

function run(validate: ValidateFunction, value: unknown): SchemaCheck {
  if (validate(value)) return { ok: true }
  const lines = (validate.errors ?? []).flatMap((error) => lineOf(error))
  const problems = [...new Set(lines)]
  const more = problems.length - shownProblems
  const shown = problems.slice(0, shownProblems)
  return { ok: false, problems: more > 0 ? [...shown, `and ${more} more`] : shown }
}

/** Keywords that only say that one of the branches did not fit; the branches speak for themselves. */
const silent: ReadonlySet<string> = new Set(['if', 'allOf', '$ref'])

function lineOf(error: ErrorObject): string[] {
  if (silent.has(error.keyword)) return []
  const at = placeOf(error.instancePath)
  const { missingProperty, additionalProperty, unevaluatedProperty, allowedValues, allowedValue } =
    error.params as Readonly<Record<string, unknown>>
  const prefix = at === '' ? '' : `${at}: `
  if (typeof missingProperty === 'string') return [`${prefix}${showName(missingProperty)} is missing`]
  const extra = additionalProperty ?? unevaluatedProperty
  if (typeof extra === 'string') return [`${prefix}${showName(extra)} is not known`]
  if (Array.isArray(allowedValues))
    return [
      `${prefix}must be one of ${cleanLine(JSON.stringify(allowedValues.slice(0, 8)).slice(1, -1), 160)}`,
    ]
  if (allowedValue !== undefined) return [`${prefix}must be ${cleanLine(JSON.stringify(allowedValue), 80)}`]
  return [`${prefix}${error.message ?? 'is wrong'}`]
}

function placeOf(pointer: string): string {
  const path = pointer
    .split('/')
    .slice(1, 12)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .map((part) => (/^(?:0|[1-9]\d*)$/.test(part) ? Number(part) : part))
  return showName(formatPath(path), 120)
}

/** Names of the schema's own properties that unknown members of the arguments most likely meant; at most three. */
export function meantProperties(schema: JsonSchema, args: Readonly<Record<string, unknown>>): string[] {
  const properties = typeof schema === 'boolean' ? undefined : schema['properties']
  if (!isRecord(properties)) return []
  const known = Object.keys(properties)
  const unknown = Object.keys(args).filter((key) => !Object.hasOwn(properties, key))
  const free = known.filter((key) => !Object.hasOwn(args, key))
  return [...new Set(unknown.slice(0, 8).flatMap((key) => suggest(key, free, 1)))].slice(0, 3)
}
