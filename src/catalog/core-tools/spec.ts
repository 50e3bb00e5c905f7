import type { JsonSchema } from '../types.ts'

/** What a built-in tool says about itself beyond the catalogue's line: its input, and how it may be run. */
export interface CoreToolSpec {
  /** JSON Schema of an object; closed, with a description at every property that a model has to understand. */
  readonly parameters: JsonSchema
  /** JSON Schema of `details`, with every variant that does not throw; absent where they are not stable. */
  readonly outputSchema?: JsonSchema
  /** Sequential where two calls at once could get in each other's way. */
  readonly executionMode?: 'parallel' | 'sequential'
  readonly risk?: 'low' | 'medium' | 'high'
}

export type CoreToolSpecs = Readonly<Record<string, CoreToolSpec>>
