import { readFileSync } from 'node:fs'
import { Ajv2020, type AnySchemaObject } from 'ajv/dist/2020.js'
import { describe, expect, test } from 'vitest'
import { resultSchemas } from '../../src/ui/results/schemas.ts'
import { projectRoot } from '../helpers/project.ts'
import { sampleLines, samplesOf } from '../helpers/samples.ts'

/** The schema as it is shipped. */
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

function problems(schema: AnySchemaObject, value: unknown): string[] {
  const ajv = new Ajv2020({ allErrors: true, allowUnionTypes: true })
  const validate = ajv.compile(schema)
  if (validate(value)) return []
  return (validate.errors ?? []).map(
    ({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`,
  )
}

test('there are samples for every schema', () => {
  expect(Object.keys(sampleLines).toSorted()).toEqual(Object.keys(resultSchemas).toSorted())
})

describe.each(Object.keys(resultSchemas))('%s', (name) => {
  test('holds for what is printed, and tells of every field', async () => {
    for (const sample of await samplesOf(name)) {
      expect(problems(shipped(name), sample)).toEqual([])
      expect(problems(closed(shipped(name)), sample)).toEqual([])
    }
  })

  test('does not hold for anything', async () => {
    for (const sample of await samplesOf(name)) {
      expect(problems(shipped(name), [sample])).not.toEqual([])
      expect(problems(shipped(name), {})).not.toEqual([])
    }
  })

  test('may gain fields', async () => {
    for (const sample of await samplesOf(name))
      expect(problems(shipped(name), { ...(sample as object), news: 1 })).toEqual([])
  })
})
