import { Ajv } from 'ajv'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { expect, test } from 'vitest'
import { checkInputSchema } from '../../src/catalog/schema-check.ts'
import { law, runs, seedOf } from './random.ts'
import { Random } from './seeded-random.ts'

/*
 * The schema check replaces a schema library on the hot path, so a library is its oracle: a tool is quarantined exactly when
 * Ajv cannot compile its schema. Annotations are left out: there the check is lenient on purpose.
 */

const jsonTypes = ['array', 'boolean', 'integer', 'null', 'number', 'object', 'string']
const wrong: readonly unknown[] = [null, 5, -1, 1.5, 'x', true, [], {}, [5], { a: 5 }]

/** Values of keywords that are no schemas: good ones, and now and then one of the wrong kind. */
function valueFor(keyword: string, random: Random): unknown {
  if (random.chance(0.04)) return random.pick(wrong)
  switch (keyword) {
    case 'type':
      return random.chance(0.8) ? random.pick(jsonTypes) : random.subset(0.4, jsonTypes)
    case 'required':
      return random.some(random.below(3), ['a', 'b', 'c'])
    case 'dependentRequired':
      return { a: random.some(random.below(3), ['b', 'c']) }
    case 'enum':
      return random.subset(0.4, [1, 'a', null, { $ref: 'x' }, [2]])
    case 'const':
      return random.pick([1, 'a', { $ref: 'http://x.test' }, [{ type: 'nope' }]])
    case 'pattern':
      return random.pick(['^a+$', '[0-9]{2,}', '(', '\\p{L}', 'a**'])
    case 'uniqueItems':
      return random.chance(0.5)
    case 'format':
      return random.pick(['date', 'iban'])
    case 'multipleOf':
      return random.pick([1, 0.5, 0, -2])
    default:
      return random.pick([0, 1, 2, 5, -1, 1.5])
  }
}

const scalars =
  `type type required enum const pattern uniqueItems format multipleOf minimum maximum exclusiveMinimum
  exclusiveMaximum minLength maxLength minItems maxItems minProperties maxProperties`.split(/\s+/)
const single = ['not', 'if', 'additionalProperties', 'contains', 'propertyNames', 'items']
const lists = ['anyOf', 'oneOf', 'allOf']
const references = ['', '/properties/a', '/DEFS/d', '/DEFS/none', '/DEFS/d/properties/b']

interface Dialect {
  readonly values: readonly string[]
  readonly single: readonly string[]
  readonly lists: readonly string[]
  readonly tuples: boolean
  readonly dependencies: boolean
  readonly definitions: '$defs' | 'definitions'
}

const draft2020: Dialect = {
  values: [...scalars, 'dependentRequired', 'minContains', 'maxContains'],
  single: [...single, 'unevaluatedItems', 'unevaluatedProperties'],
  lists: [...lists, 'prefixItems'],
  tuples: false,
  dependencies: false,
  definitions: '$defs',
}
const draft07: Dialect = {
  values: scalars,
  single,
  lists,
  tuples: true,
  dependencies: true,
  definitions: 'definitions',
}

function referenceOf(random: Random, dialect: Dialect): string {
  if (random.chance(0.1)) return 'other.json'
  return `#${random.pick(references).replace('DEFS', dialect.definitions)}`
}

function schemaOf(random: Random, dialect: Dialect, depth: number): unknown {
  if (random.chance(0.02)) return random.pick(wrong)
  if (random.chance(0.05)) return random.chance(0.5)
  const schema: Record<string, unknown> = {}
  const inner = (): unknown => schemaOf(random, dialect, depth - 1)
  const map = (): unknown =>
    Object.fromEntries(random.subset(0.4, ['a', 'b', '$ref', 'type']).map((key) => [key, inner()]))
  for (const keyword of random.some(random.below(3), dialect.values))
    schema[keyword] = valueFor(keyword, random)
  if (random.chance(0.15)) schema['$ref'] = referenceOf(random, dialect)
  if (depth === 0) return schema
  for (const keyword of random.some(random.below(2), dialect.single)) schema[keyword] = inner()
  if (random.chance(0.2)) schema[random.pick(dialect.lists)] = Array.from({ length: random.below(4) }, inner)
  if (random.chance(0.4)) schema['properties'] = map()
  if (random.chance(0.05)) schema['patternProperties'] = { [random.pick(['^a', '(', 'x'])]: inner() }
  if (dialect.tuples && random.chance(0.1)) {
    schema['items'] = [inner(), inner()]
    if (random.chance(0.3)) schema['additionalItems'] = inner()
  }
  // Ajv skips what can never be asked; these stand only where they mean something.
  if (schema['if'] !== undefined) schema[random.pick(['then', 'else'])] = inner()
  if (dialect.dependencies && random.chance(0.1))
    schema['dependencies'] = { a: random.pick([['b'], inner(), ['b', 'b']]) }
  if (!dialect.dependencies && random.chance(0.1)) schema['dependentSchemas'] = map()
  return schema
}

test.each([
  ['2020-12', draft2020, Ajv2020],
  ['draft 7', draft07, Ajv],
])(
  'a schema of %s is quarantined exactly when Ajv cannot compile it',
  (name, dialect, Library) => {
    const random = new Random(seedOf(`input-schema ${name}`))
    let compiled = 0
    let failed = 0
    for (let run = 0; run < runs(6000); run++) {
      const schema = {
        type: 'object',
        properties: { a: schemaOf(random, dialect, 2) },
        [dialect.definitions]: { d: { properties: { b: { type: 'string' } } } },
      }
      const library = new Library({ strict: false, validateFormats: false, logger: false, inlineRefs: false })
      let problem: string | null = null
      try {
        library.compile(schema)
        compiled++
      } catch (error) {
        problem = String(error)
        failed++
      }
      const verdict = checkInputSchema(schema)
      const own = 'problem' in verdict ? verdict.problem : null
      // Ajv looks at these only in places that can ever be asked; elsewhere they are broken all the same.
      const mayBeUnseen = /pattern|regular expression|enum|\$ref|circle/.test(own ?? '')
      law(
        (own === null) === (problem === null) || (problem === null && mayBeUnseen),
        `${JSON.stringify(schema)}\nAjv: ${problem}\nours: ${own}`,
      )
    }
    // Both answers must occur often, or the law says little.
    expect(Math.min(compiled, failed)).toBeGreaterThan(runs(6000) / 10)
  },
  600_000,
)
