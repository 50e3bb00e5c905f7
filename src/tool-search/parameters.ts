import type { SearchParameter } from './document.ts'

const depthAtMost = 4
const parametersAtMost = 64
const valuesAtMost = 24
const valueLength = 64

/**
 * Names, descriptions and listed values of the properties of a JSON Schema, nested ones included: at most 64, to a depth of 4. For
 * schemas of trusted tools only; those of MCP servers and clients must not be walked (specification of Tool Search, 1.7).
 */
export function searchParameters(schema: unknown): SearchParameter[] {
  const found: SearchParameter[] = []
  collect(schema, 0, found)
  return found
}

function collect(schema: unknown, depth: number, found: SearchParameter[]): void {
  if (!isRecord(schema) || depth > depthAtMost) return
  if (isRecord(schema['properties'])) {
    for (const [name, property] of Object.entries(schema['properties'])) {
      if (found.length >= parametersAtMost) return
      found.push(parameter(name, property))
      collect(property, depth + 1, found)
    }
  }
  collect(schema['items'], depth + 1, found)
  for (const key of ['anyOf', 'oneOf', 'allOf']) {
    const members = schema[key]
    if (Array.isArray(members)) for (const member of members.slice(0, 8)) collect(member, depth + 1, found)
  }
}

function parameter(name: string, property: unknown): SearchParameter {
  if (!isRecord(property)) return { name }
  const items = property['items']
  const listed = property['enum'] ?? (isRecord(items) ? items['enum'] : undefined)
  const values = Array.isArray(listed)
    ? listed
        .slice(0, valuesAtMost)
        .filter((value) => typeof value === 'string')
        .map((value) => value.slice(0, valueLength))
    : []
  const description = property['description']
  return {
    name,
    ...(typeof description === 'string' ? { description } : {}),
    ...(values.length > 0 ? { values } : {}),
  }
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
