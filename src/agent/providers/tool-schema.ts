import type { JsonSchema } from '../../catalog/types.ts'
import { isRecord } from '../../config/path-value.ts'

/** The schema of a tool's arguments as every provider takes it: an object schema that says so, with `properties`; its `$schema` line goes, some refuse it. */
export function argumentsSchema(parameters: JsonSchema): { readonly type: 'object'; [key: string]: unknown } {
  const { $schema: _dialect, ...rest } = isRecord(parameters) ? parameters : {}
  const { properties } = rest
  return { ...rest, type: 'object', properties: isRecord(properties) ? properties : {} }
}

/** Arguments as a model wrote them: a JSON object, where nothing at all is an empty one; else the text that is none. */
export function readArguments(text: string): {
  readonly arguments: Readonly<Record<string, unknown>>
  readonly malformedArguments?: string
} {
  if (text.trim() === '') return { arguments: {} }
  try {
    const value: unknown = JSON.parse(text)
    if (isRecord(value)) return { arguments: value }
    // Some models encode their object once more, as a string.
    if (typeof value === 'string') {
      const inner: unknown = JSON.parse(value)
      if (isRecord(inner)) return { arguments: inner }
    }
  } catch {
    // Said below.
  }
  return { arguments: {}, malformedArguments: text }
}
