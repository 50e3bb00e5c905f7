import { Type } from 'typebox'
import type { WriteResult } from '../../runtime/config-edit/change.ts'
import type { Comparison } from '../../runtime/config-edit/compare.ts'
import type { ValidateResult } from '../../runtime/validate.ts'
import { location, notice, nullable, open, someObject, text, type Promised } from './kit.ts'
import { sessionDiff } from './tools.ts'

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

/** What every writer prints under `--json`: `config set`, `unset`, `patch`, `apply`, `edit` and `undo` (contract §6). */
export const write = open({
  file: text,
  changes: Type.Array(open({ path: text, before: Type.Unknown(), after: Type.Unknown() })),
  dryRun: Type.Boolean(),
  backup: nullable(text),
  notices: Type.Array(notice),
  files: Type.Array(open({ file: text, backup: nullable(text) })),
  diff: Type.Optional(Type.String({ description: 'Unified; only of a dry run.' })),
  tools: Type.Optional(
    open({
      sessions: Type.Array(sessionDiff),
      stillHidden: Type.Array(
        open({
          agentId: text,
          name: text,
          was: text,
          step: text,
          reason: text,
          location: nullable(location),
        }),
      ),
      unjudged: Type.Integer({ minimum: 0 }),
    }),
  ),
})

/** `config diff --json` (contract §6). */
export const diff = open({
  file: text,
  other: text,
  changes: Type.Array(open({ path: text, before: Type.Unknown(), after: Type.Unknown() })),
  diff: Type.String({ description: 'Unified, secrets replaced.' }),
})

/** `config schema --json`: a JSON Schema of the config (contract §6). */
export const schema = open({
  $schema: text,
  $id: text,
  title: text,
  type: Type.Literal('object'),
  properties: someObject,
  additionalProperties: Type.Boolean(),
  $defs: someObject,
})

type Holds<_Result extends Wanted, Wanted> = true
export type ConfigResultsHold = [
  Holds<ValidateResult, Promised<typeof validate>>,
  Holds<WriteResult, Promised<typeof write>>,
  Holds<Comparison, Promised<typeof diff>>,
]
