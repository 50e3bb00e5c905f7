/** One node of the config's JSON Schema: the keywords the schema uses, and ours (`x-…`, explained in schema/kit.ts). */
export interface SchemaNode {
  readonly $ref?: string
  readonly $defs?: Readonly<Record<string, SchemaNode>>
  readonly title?: string
  readonly description?: string
  readonly default?: unknown
  readonly type?: string
  readonly enum?: readonly unknown[]
  readonly anyOf?: readonly SchemaNode[]
  readonly allOf?: readonly SchemaNode[]
  readonly not?: SchemaNode
  readonly properties?: Readonly<Record<string, SchemaNode>>
  readonly required?: readonly string[]
  readonly additionalProperties?: boolean | SchemaNode
  readonly items?: SchemaNode
  readonly minItems?: number
  readonly minimum?: number
  readonly maximum?: number
  readonly pattern?: string
  readonly 'x-defaults'?: Readonly<Record<string, unknown>>
  readonly 'x-edition'?: string
  readonly 'x-instead'?: string
  readonly 'x-sensitive'?: boolean
  readonly 'x-words'?: Readonly<Record<string, string>>
  readonly 'x-misplaced'?: Readonly<Record<string, string>>
  readonly 'x-slips'?: boolean
  readonly 'x-near'?: readonly string[]
  readonly 'x-rule'?: string
  readonly 'x-lint'?: string
  readonly 'x-clean'?: SchemaNode
}

/** Keywords that belong to the place of a value and not to its type; they stand beside a `$ref`. */
export const placeKeywords = [
  'description',
  'default',
  'required',
  'x-defaults',
  'x-edition',
  'x-instead',
  'x-sensitive',
] as const satisfies readonly (keyof SchemaNode)[]
