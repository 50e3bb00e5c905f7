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

type Deep<T> = T extends readonly (infer Item)[]
  ? readonly Deep<Item>[]
  : T extends object
    ? { readonly [Key in keyof T]: Deep<T[Key]> }
    : T

/** What a result of the program has to be assignable to, so that the compiler notices when a schema promises more than there is. */
export type Promised<S extends TSchema> = Deep<Static<S>>
