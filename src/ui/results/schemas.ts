import { Type, type TSchema } from 'typebox'
import { errorExit } from '../../kernel/errors.ts'
import * as config from './config.ts'
import { open, text, texts } from './kit.ts'
import * as lists from './lists.ts'
import * as searches from './searches.ts'
import * as tools from './tools.ts'

const errorCodes = Object.keys(errorExit)

/** What every command prints under `--json` when it fails (contract §1). */
const failure = open({
  error: open({
    code: Type.Enum(errorCodes),
    message: text,
    hints: texts,
    data: Type.Record(Type.String(), Type.Unknown()),
  }),
})

/** Schemas of what commands print under `--json`, by the name of the file that `bin/generate.ts` writes (contract §8). */
export const resultSchemas: Readonly<Record<string, TSchema>> = {
  'approvals-list': lists.approvals,
  'config-file': config.file,
  'config-list': config.list,
  'config-set': config.write,
  'config-validate': config.validate,
  doctor: lists.doctor,
  failure,
  'mcp-list': lists.servers,
  'plugins-list': lists.plugins,
  'qa-list': lists.scenarios,
  'sessions-list': lists.sessions,
  'tools-catalog': tools.catalog,
  'tools-describe': searches.describe,
  'tools-diff': tools.diff,
  'tools-effective': tools.effective,
  'tools-explain': tools.explainCommand,
  'tools-explain-all-agents': tools.explainAllAgents,
  'tools-search': searches.search,
  'tools-snapshot': tools.snapshot,
  'tools-test': tools.policyTest,
}
