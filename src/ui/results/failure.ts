import { Type } from 'typebox'
import { errorExit } from '../../kernel/errors.ts'
import { open, someObject, text, texts } from './kit.ts'

/** What went wrong, in the one form that every failure has (contract §1). */
export const failed = open({
  code: Type.Enum(Object.keys(errorExit)),
  message: text,
  hints: texts,
  data: someObject,
})

/** What every command prints under `--json` when it fails (contract §1). */
export const failure = open({ error: failed })
