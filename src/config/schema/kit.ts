import { Type, type TProperties, type TSchema } from 'typebox'
import type { EditionId } from '../../kernel/edition-id.ts'

/** What a field says about itself besides its type; becomes JSON Schema keywords, ours prefixed with `x-`. */
export interface Marks {
  readonly default?: unknown
  /** Defaults that differ between editions; an edition left out has none. */
  readonly defaults?: Readonly<Partial<Record<EditionId, unknown>>>
  /** The only edition that knows this key. */
  readonly edition?: EditionId
  /** Key that does the same in the other edition: a sibling, or a whole path. */
  readonly instead?: string
  readonly sensitive?: boolean
  /** Words people write instead of one of the values of a choice. */
  readonly words?: Readonly<Record<string, string>>
}

/** What an object says about itself besides its keys. */
export interface ObjectMarks extends Marks {
  /** Name of a type that is used in several places; one definition in the JSON Schema. */
  readonly title?: string
  readonly description?: string
  /** Wrong keys people write here, with the place where the value belongs. */
  readonly misplaced?: Readonly<Record<string, string>>
  /** Tells of unknown keys that are nearly known ones, in an object that other programs have keys in, too. */
  readonly slips?: boolean
  /** Name of a cross-field check whose findings are errors (report/rules.ts). */
  readonly rule?: string
  /** Name of a check whose findings are warnings (report/lints.ts). */
  readonly lint?: string
  /** What a plain JSON Schema validator can check of `rule`. */
  readonly not?: object
  /** Sub-schema that only values without any finding of `rule` and `lint` meet; lets the start-up validator skip the report. */
  readonly clean?: object
}

function keywords(marks: ObjectMarks): Record<string, unknown> {
  return {
    ...(marks.title && { title: marks.title }),
    ...(marks.description !== undefined && { description: marks.description }),
    ...(marks.default !== undefined && { default: marks.default }),
    ...(marks.defaults && { 'x-defaults': marks.defaults }),
    ...(marks.edition && { 'x-edition': marks.edition }),
    ...(marks.instead && { 'x-instead': marks.instead }),
    ...(marks.sensitive && { 'x-sensitive': true }),
    ...(marks.words && { 'x-words': marks.words }),
    ...(marks.misplaced && { 'x-misplaced': marks.misplaced }),
    ...(marks.slips && { 'x-slips': true }),
    ...(marks.rule && { 'x-rule': marks.rule }),
    ...(marks.lint && { 'x-lint': marks.lint }),
    ...(marks.not && { not: marks.not }),
    ...(marks.clean && { 'x-clean': marks.clean }),
  }
}

/** An object whose unknown keys are errors. */
export function strict<P extends TProperties>(properties: P, marks: ObjectMarks = {}) {
  return Type.Object(properties, { additionalProperties: false, ...keywords(marks) })
}

/** An object that may hold more than the project reads. */
export function open<P extends TProperties>(properties: P, marks: ObjectMarks = {}) {
  return Type.Object(properties, { additionalProperties: true, ...keywords(marks) })
}

/** An object with free keys. */
export function record<S extends TSchema>(value: S, description: string, marks: Marks = {}) {
  return Type.Optional(Type.Record(Type.String(), value, keywords({ ...marks, description })))
}

/** A list. */
export function list<S extends TSchema>(item: S, description: string, marks: Marks = {}) {
  return Type.Optional(Type.Array(item, keywords({ ...marks, description })))
}

/** A string. */
export function text(description: string, marks: Marks = {}) {
  return Type.Optional(Type.String(keywords({ ...marks, description })))
}

/** A boolean. */
export function flag(description: string, marks: Marks = {}) {
  return Type.Optional(Type.Boolean(keywords({ ...marks, description })))
}

/** A whole number, from `minimum` on (1 unless told). */
export function whole(description: string, marks: Marks & { minimum?: number; maximum?: number } = {}) {
  const { minimum = 1, maximum, ...rest } = marks
  return Type.Optional(
    Type.Integer({
      minimum,
      ...(maximum !== undefined && { maximum }),
      ...keywords({ ...rest, description }),
    }),
  )
}

/** A number that is not negative. */
export function amount(description: string, marks: Marks = {}) {
  return Type.Optional(Type.Number({ minimum: 0, ...keywords({ ...marks, description }) }))
}

/** One of a closed set of strings. */
export function choice<const V extends string[]>(values: [...V], description: string, marks: Marks = {}) {
  return Type.Optional(Type.Enum(values, keywords({ ...marks, description })))
}

/** A list of strings. */
export function names(description: string, marks: Marks = {}) {
  return list(Type.String(), description, marks)
}

/** A list of account or sender ids; numbers are accepted because many channels have numeric ids. */
export function ids(description: string, marks: Marks = {}) {
  return list(Type.Union([Type.String(), Type.Number()]), description, marks)
}

/** A value the project does not read. */
export function anything(description: string, marks: Marks = {}) {
  return Type.Optional(Type.Unknown(keywords({ ...marks, description })))
}

/** An object the project does not read. */
export function section(description: string, marks: Marks = {}) {
  return record(Type.Unknown(), description, marks)
}

/** A secret: a string, or a reference that is resolved at run time. */
export function secret(description: string, marks: Marks = {}) {
  return Type.Optional(
    Type.Union([Type.String(), open({})], keywords({ ...marks, description, sensitive: true })),
  )
}

/** Marks an object schema as an optional field with its own description. */
export function optional<S extends TSchema>(schema: S, description: string, marks: Marks = {}) {
  // Optional copies the schema, so the marks of this field do not reach other fields of the same type.
  const field = Type.Optional(schema)
  Object.assign(field, keywords({ ...marks, description }))
  return field
}

/** Marks keys that must be there although the derived type leaves them optional: most readers see the object before it is checked. */
export function requiring<S extends TSchema>(schema: S, required: string[]): S {
  Object.assign(schema, { required })
  return schema
}
