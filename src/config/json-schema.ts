import { editionIds, type EditionId } from '../kernel/edition-id.ts'
import { configSchema } from './generated/config-schema.ts'
import type { SchemaNode } from './schema-node.ts'
import { defaultOf } from './schema-walk.ts'

/** Keywords only this program reads. */
const ownKeywords = [
  'x-words',
  'x-rule',
  'x-lint',
  'x-clean',
  'x-misplaced',
  'x-slips',
  'x-instead',
  'x-defaults',
] as const

/**
 * The JSON Schema of a config for editors (draft 2020-12): `x-edition` names the only edition that reads a key, `x-sensitive` marks secrets.
 * For one edition its defaults apply and the keys of the other are `deprecated`; they stay accepted, as in `config validate`.
 */
export function configJsonSchema(edition?: EditionId): Readonly<Record<string, unknown>> {
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $id: edition ? `urn:openclaw:config:${edition}` : 'urn:openclaw:config',
    title: edition ? `OpenClaw config, edition ${edition}` : 'OpenClaw config',
    ...publish(configSchema, edition),
  }
}

function publish(node: SchemaNode, edition: EditionId | undefined): Record<string, unknown> {
  const { $defs, properties, items, anyOf, additionalProperties, ...rest } = node
  const published: Record<string, unknown> = { ...rest }
  for (const key of ownKeywords) delete published[key]
  const value = defaultOf(node, edition ?? editionIds[0])
  if (value !== undefined) published['default'] = value
  const owner = node['x-edition']
  if (edition !== undefined && owner !== undefined && owner !== edition) published['deprecated'] = true

  const child = (schema: SchemaNode): Record<string, unknown> => publish(schema, edition)
  const children = (all: Readonly<Record<string, SchemaNode>>): Record<string, unknown> =>
    Object.fromEntries(Object.entries(all).map(([key, schema]) => [key, child(schema)]))
  if (properties) published['properties'] = children(properties)
  if (additionalProperties !== undefined) {
    published['additionalProperties'] =
      typeof additionalProperties === 'object' ? child(additionalProperties) : additionalProperties
  }
  if (items) published['items'] = child(items)
  if (anyOf) published['anyOf'] = anyOf.map(child)
  if ($defs) published['$defs'] = children($defs)
  return published
}
