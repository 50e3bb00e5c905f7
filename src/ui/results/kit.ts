import { Type, type Static, type TProperties, type TSchema } from 'typebox'

/** An object that may gain fields: readers must take what they do not know in their stride (contract, head). */
export function open<P extends TProperties>(properties: P) {
  return Type.Object(properties)
}

export function nullable<S extends TSchema>(schema: S) {
  return Type.Union([schema, Type.Null()])
}

/** One of a closed set of words. */
export function word<const W extends string[]>(...words: [...W]) {
  return Type.Enum(words)
}

export const text = Type.String()
export const texts = Type.Array(text)
export const time = Type.String({ description: 'ISO 8601.' })
export const count = Type.Integer({ minimum: 0 })
export const ms = Type.Number({ minimum: 0, description: 'Milliseconds.' })
/** An object whose fields are not this program's to say. */
export const someObject = Type.Unsafe<object>({ type: 'object' })

export const location = Type.Object({
  file: Type.String({ description: 'Absolute path.' }),
  path: Type.String({ description: 'As `openclaw config get` accepts it.' }),
  line: Type.Integer({ minimum: 1 }),
  column: Type.Integer({ minimum: 1, description: "Of the first character of the entry's value." }),
})

export const notice = open({
  id: Type.String({ description: 'Explained by `openclaw help notices ID`.' }),
  severity: word('info', 'warning'),
  message: text,
  location: nullable(location),
})

/** The step that hides a tool, or switches a plugin off (contract §4). */
export const hidingStep = open({
  step: text,
  effect: word('deny', 'not-allowed', 'gate'),
  rule: nullable(text),
  reason: text,
  location: nullable(location),
})

/** A tool as the answers of calls name it; `id` is its catalogue id (contract §5). */
export const toolName = open({ id: text, name: text, source: word('openclaw', 'mcp', 'client') })

export const exposure = word('direct', 'deferred', 'control')

type Deep<T> = T extends readonly (infer Item)[]
  ? readonly Deep<Item>[]
  : T extends object
    ? { readonly [Key in keyof T]: Deep<T[Key]> }
    : T

/** What a result of the program has to be assignable to, so that the compiler notices when a schema promises more than there is. */
export type Promised<S extends TSchema> = Deep<Static<S>>
