import { namesOf } from '../near-key.ts'
import { placeKeywords, type SchemaNode } from '../schema-node.ts'

/** Maps every sub-schema of a node, itself excluded. */
function mapChildren(node: SchemaNode, map: (child: SchemaNode) => SchemaNode): SchemaNode {
  const mapAll = (all: Readonly<Record<string, SchemaNode>>) =>
    Object.fromEntries(Object.entries(all).map(([key, child]) => [key, map(child)]))
  return {
    ...node,
    ...(node.$defs && { $defs: mapAll(node.$defs) }),
    ...(node.properties && { properties: mapAll(node.properties) }),
    ...(node.items && { items: map(node.items) }),
    ...(node.anyOf && { anyOf: node.anyOf.map(map) }),
    ...(typeof node.additionalProperties === 'object' && {
      additionalProperties: map(node.additionalProperties),
    }),
  }
}

/** The schema as plain data in which every titled type is defined once; throws when two types share a title. */
export function toSchemaNode(schema: object): SchemaNode {
  const definitions = new Map<string, string>()
  const hoist = (node: SchemaNode): SchemaNode => {
    const mapped = mapChildren(plainRecord(node), hoist)
    if (mapped.title === undefined) return mapped
    const place = Object.fromEntries(
      placeKeywords.flatMap((key) => (mapped[key] === undefined ? [] : [[key, mapped[key]]])),
    )
    const type = JSON.stringify(mapped, (key, value: unknown) =>
      key in place && value === place[key] ? undefined : value,
    )
    const known = definitions.get(mapped.title)
    if (known !== undefined && known !== type) throw new Error(`two types are called ${mapped.title}`)
    definitions.set(mapped.title, type)
    return { $ref: `#/$defs/${mapped.title}`, ...place }
  }
  const root = mapChildren(JSON.parse(JSON.stringify(schema)), hoist)
  const $defs = Object.fromEntries(
    [...definitions]
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([title, type]) => [title, JSON.parse(type)]),
  )
  return { ...root, $defs }
}

/** TypeBox writes a record as a pattern that every key meets; plain `additionalProperties` says the same and is cheaper to check. */
function plainRecord(node: SchemaNode & { patternProperties?: Record<string, SchemaNode> }): SchemaNode {
  const { patternProperties, ...rest } = node
  const [value] = Object.values(patternProperties ?? {})
  return value === undefined ? node : { ...rest, additionalProperties: value }
}

/** A schema that a value meets only if a report on it would be empty: known mistakes and everything a check has to look at are refused. */
export function toStartCheck(root: SchemaNode): SchemaNode {
  const strip = (node: SchemaNode): SchemaNode => {
    const { not, required, properties, additionalProperties, 'x-clean': clean, 'x-edition': edition } = node
    const { $ref, type, enum: values, anyOf, items, minimum, maximum, pattern } = node
    const refused: SchemaNode[] = []
    if (not) refused.push({ not })
    if (clean) refused.push(clean)
    const misplaced = Object.keys(node['x-misplaced'] ?? {}).filter((key) => !properties?.[key])
    const closed = additionalProperties === false
    return {
      ...($ref && { $ref }),
      ...(edition && { 'x-edition': edition }),
      ...(type && { type }),
      ...(values && { enum: values }),
      ...(anyOf && { anyOf: anyOf.map(strip) }),
      ...(items && { items: strip(items) }),
      ...(minimum !== undefined && { minimum }),
      ...(maximum !== undefined && { maximum }),
      ...(pattern !== undefined && { pattern }),
      ...(required && { required }),
      ...(properties && {
        properties: {
          ...Object.fromEntries(Object.entries(properties).map(([key, child]) => [key, strip(child)])),
          ...(!closed && Object.fromEntries(misplaced.map((key) => [key, { not: {} }]))),
        },
      }),
      ...(typeof additionalProperties === 'object' && { additionalProperties: strip(additionalProperties) }),
      ...(closed && { additionalProperties: false }),
      ...(node['x-slips'] && { 'x-near': namesOf(node) }),
      ...(refused.length > 0 && { allOf: refused }),
    }
  }
  const { $defs = {}, ...top } = root
  const $stripped = Object.entries($defs).map(([title, type]) => [title, strip(type)])
  return { ...strip({ ...top, additionalProperties: false }), $defs: Object.fromEntries($stripped) }
}
