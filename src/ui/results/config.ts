import { Type } from 'typebox'
import type { ValidateResult } from '../../runtime/validate.ts'
import { location, notice, nullable, open, text, type Promised } from './kit.ts'

/** `config validate --json` (contract §6). */
export const validate = open({
  valid: Type.Boolean(),
  file: text,
  issues: Type.Array(
    open({
      path: text,
      message: text,
      expected: Type.Optional(text),
      got: Type.Optional(text),
      location: nullable(location),
      suggestion: Type.Optional(text),
      excerpt: Type.Optional(text),
    }),
  ),
  warnings: Type.Array(notice),
})

/** `config list --json`, the last two fields of an item only with `--origin` (contract §6). */
export const list = open({
  file: text,
  items: Type.Array(
    open({
      path: text,
      value: Type.Unknown(),
      origin: Type.Optional(Type.Enum(['set', 'default'])),
      location: Type.Optional(nullable(location)),
    }),
  ),
})

/** `config file --json` (contract §6). */
export const file = open({ file: text, exists: Type.Boolean(), stateDir: text })

type Holds<_Result extends Wanted, Wanted> = true
export type ConfigResultsHold = [Holds<ValidateResult, Promised<typeof validate>>]
