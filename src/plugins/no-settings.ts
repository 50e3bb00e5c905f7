import { SchemaWalk } from '../catalog/schema-walk.ts'

/** Keywords of a schema that an object without any settings meets whatever they say. */
const harmless: ReadonlySet<string> = new Set([
  'properties',
  'additionalProperties',
  'title',
  'description',
  '$schema',
])

/** Whether a `configSchema` lets a plugin go without settings, so that nothing has to be compiled to know it. */
export function acceptsNothing(schema: Readonly<Record<string, unknown>>): boolean {
  return Object.entries(schema).every(([key, value]) =>
    key === 'type' ? value === 'object' : harmless.has(key),
  )
}

/** Whether such a schema also gives no defaults and could be compiled: no settings are then what the plugin gets. */
export function leavesNothing(schema: Readonly<Record<string, unknown>>): boolean {
  return (
    acceptsNothing(schema) &&
    !JSON.stringify(schema).includes('"default":') &&
    new SchemaWalk().run(schema) === null
  )
}
