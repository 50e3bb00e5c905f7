import { readFileSync } from 'node:fs'
import { Ajv2020, type AnySchemaObject } from 'ajv/dist/2020.js'
import { projectRoot } from './project.ts'

/** The schema of a result as it is shipped beside the program. */
function shipped(name: string): AnySchemaObject {
  return JSON.parse(readFileSync(`${projectRoot}dist/schemas/${name}.json`, 'utf8'))
}

/** The same schema with every object closed, to find fields that it does not tell of. */
function closed(schema: unknown): AnySchemaObject {
  return JSON.parse(JSON.stringify(schema), (_key, value) =>
    value !== null && typeof value === 'object' && 'properties' in value && value.type === 'object'
      ? { ...value, additionalProperties: false }
      : value,
  )
}

const validators = new Map<string, ReturnType<Ajv2020['compile']>>()

function problems(key: string, schema: () => AnySchemaObject, value: unknown): string[] {
  const validate =
    validators.get(key) ?? new Ajv2020({ allErrors: true, allowUnionTypes: true }).compile(schema())
  validators.set(key, validate)
  if (validate(value)) return []
  return (validate.errors ?? []).map(
    ({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`,
  )
}

/** What is wrong with a result by its shipped schema. */
export function schemaProblems(name: string, value: unknown): string[] {
  return problems(name, () => shipped(name), value)
}

/** Fields of a result that its shipped schema does not tell of. */
export function untold(name: string, value: unknown): string[] {
  return problems(`${name}, closed`, () => closed(shipped(name)), value)
}
