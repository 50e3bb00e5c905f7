import { isRecord } from '../catalog/source.ts'
import { OpenClawError } from '../kernel/errors.ts'
import { suggest } from '../kernel/suggest.ts'

/** Reads one parameter; a text in place of a value says what it must be. */
export type ReadParam<T> = (value: unknown) => { readonly value: T } | { readonly must: string }

interface Field<T> {
  readonly read: ReadParam<T>
  readonly required: boolean
}

type Fields = Readonly<Record<string, Field<unknown>>>

type Given<F extends Fields> = {
  readonly [Name in keyof F]: F[Name] extends { readonly required: true; readonly read: ReadParam<infer T> }
    ? T
    : F[Name] extends { readonly read: ReadParam<infer T> }
      ? T | undefined
      : never
}

/** A parameter that must be there. */
export function required<T>(read: ReadParam<T>): { readonly read: ReadParam<T>; readonly required: true } {
  return { read, required: true }
}

/** A parameter that may be left out. */
export function optional<T>(read: ReadParam<T>): { readonly read: ReadParam<T>; readonly required: false } {
  return { read, required: false }
}

/** A text with something in it, at most so many characters long. */
export const text =
  (longest = 4_096): ReadParam<string> =>
  (value) => {
    if (typeof value !== 'string') return { must: 'be string' }
    if (value.trim() === '') return { must: 'NOT have fewer than 1 characters' }
    return value.length <= longest ? { value } : { must: `NOT have more than ${longest} characters` }
  }

export const flag: ReadParam<boolean> = (value) =>
  typeof value === 'boolean' ? { value } : { must: 'be boolean' }

/** A whole number between bounds. */
export const whole =
  (least: number, most: number): ReadParam<number> =>
  (value) =>
    typeof value === 'number' && Number.isSafeInteger(value) && value >= least && value <= most
      ? { value }
      : { must: `be an integer from ${least} to ${most}` }

export const object: ReadParam<Readonly<Record<string, unknown>>> = (value) =>
  isRecord(value) ? { value } : { must: 'be object' }

/** One of some texts. */
export const oneOf =
  <const T extends string>(...allowed: readonly T[]): ReadParam<T> =>
  (value) => {
    const found = allowed.find((each) => each === value)
    return found === undefined ? { must: `be one of ${allowed.join(', ')}` } : { value: found }
  }

/** Reads the parameters of a method, a closed object; absent ones are `{}`. INPUT_INVALID that names method and property (gateway facts §1.3). */
export function readParams<const F extends Fields>(method: string, given: unknown, fields: F): Given<F> {
  const fail = (reason: string, hints: readonly string[] = []): OpenClawError =>
    new OpenClawError('INPUT_INVALID', `invalid ${method} params: ${reason}`, { hints })
  const params = given ?? {}
  if (!isRecord(params)) throw fail('must be object')
  const names = Object.keys(fields)
  const extra = Object.keys(params).find((name) => !Object.hasOwn(fields, name))
  if (extra !== undefined) {
    const near = suggest(extra, names)
    throw fail(`unexpected property '${extra.slice(0, 80)}'`, near.length > 0 ? near : names)
  }
  const result: Record<string, unknown> = {}
  for (const [name, { read, required: must }] of Object.entries(fields)) {
    const value = params[name]
    if (value === undefined) {
      if (must) throw fail(`must have required property '${name}'`)
      continue
    }
    const outcome = read(value)
    if ('must' in outcome) throw fail(`at /${name}: must ${outcome.must}`)
    result[name] = outcome.value
  }
  return result as Given<F>
}
