import type { TSchema } from 'typebox'
import * as approvals from './approvals.ts'
import * as calls from './calls.ts'
import * as config from './config.ts'
import { failure } from './failure.ts'
import * as gateway from './gateway.ts'
import * as help from './help.ts'
import * as machine from './machine.ts'
import * as mcp from './mcp.ts'
import * as plugins from './plugins.ts'
import * as qa from './qa.ts'
import * as searches from './searches.ts'
import * as sessions from './sessions.ts'
import * as tools from './tools.ts'

/** The schema of what one command line prints under `--json`. */
export interface ResultSchema {
  /** What is printed, in words: the command line, unless several share the form. */
  readonly title: string
  readonly schema: TSchema
}

/** Command lines that print something else under a flag than without it, by that flag. */
const variants: Readonly<Record<string, TSchema>> = {
  'sessions log --summary': sessions.summary,
  'tools call --dry-run': calls.plannedCall,
  'tools explain --all-agents': tools.explainAllAgents,
  'tools search --batch': searches.line,
}

const ofCommands: Readonly<Record<string, TSchema>> = {
  agent: calls.agent,
  'approvals allow': approvals.approval,
  'approvals allowlist add': approvals.added,
  'approvals allowlist list': approvals.allowlist,
  'approvals allowlist remove': approvals.removed,
  'approvals deny': approvals.approval,
  'approvals list': approvals.list,
  'config apply': config.write,
  'config diff': config.diff,
  'config edit': config.write,
  'config file': config.file,
  'config list': config.list,
  'config patch': config.write,
  'config schema': config.schema,
  'config set': config.write,
  'config undo': config.write,
  'config unset': config.write,
  'config validate': config.validate,
  doctor: machine.doctor,
  'gateway call': gateway.payload,
  'gateway run': gateway.listening,
  'gateway status': gateway.status,
  help: help.page,
  'mcp list': mcp.list,
  'mcp probe': mcp.probe,
  'plugins inspect': plugins.inspect,
  'plugins list': plugins.list,
  'qa list': qa.list,
  'qa suite': qa.suite,
  'sandbox explain': machine.sandbox,
  'sessions list': sessions.list,
  'sessions log': sessions.log,
  'sessions show': sessions.show,
  'tools call': calls.call,
  'tools catalog': tools.catalog,
  'tools describe': searches.describe,
  'tools diff': tools.diff,
  'tools effective': tools.effective,
  'tools explain': tools.explainCommand,
  'tools run': calls.run,
  'tools search': searches.search,
  'tools snapshot': tools.snapshot,
  'tools test': tools.policyTest,
}

function fileName(line: string): string {
  return line.replaceAll(/ (?:--)?/g, '-')
}

function ofLines(lines: Readonly<Record<string, TSchema>>): readonly (readonly [string, ResultSchema])[] {
  return Object.entries(lines).map(([line, schema]) => [
    fileName(line),
    { title: `openclaw ${line} --json`, schema },
  ])
}

/** Schemas of what commands print under `--json`, by the name of the file that `bin/generate.ts` writes (contract §8). */
export const resultSchemas: Readonly<Record<string, ResultSchema>> = Object.fromEntries([
  ...ofLines(ofCommands),
  ...ofLines(variants),
  ['failure', { title: 'failure of any command', schema: failure }],
])
