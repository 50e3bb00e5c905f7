import { Type } from 'typebox'
import type { PluginInspection } from '../../runtime/plugin-inspect.ts'
import type { PluginList } from '../../runtime/plugin-list.ts'
import {
  count,
  exposure,
  hidingStep,
  location,
  nullable,
  open,
  text,
  texts,
  word,
  type Promised,
} from './kit.ts'

const diagnostic = open({
  code: Type.Literal('PLUGIN_INVALID'),
  kind: text,
  severity: word('error', 'warning', 'info'),
  message: text,
  file: text,
  location: nullable(location),
  tool: Type.Optional(text),
})

const plugin = {
  id: text,
  name: text,
  version: nullable(text),
  origin: word('load-path', 'state-dir', 'bundled', 'config', 'inventory'),
  path: nullable(text),
  enabled: Type.Boolean(),
  status: word('enabled', 'disabled', 'invalid', 'shadowed', 'not-installed'),
  off: nullable(hidingStep),
  diagnostics: Type.Array(diagnostic),
}

/** `plugins list --json` (contract §8). */
export const list = open({
  items: Type.Array(open({ ...plugin, tools: count })),
  diagnostics: Type.Array(diagnostic),
})

/** `plugins inspect --json` (contract §8). */
export const inspect = open({
  ...plugin,
  description: nullable(text),
  manifest: nullable(text),
  entry: nullable(text),
  agentId: text,
  sessionKey: text,
  configSchema: Type.Unknown(),
  tools: Type.Array(
    open({
      name: text,
      description: text,
      optional: Type.Boolean(),
      verdict: word('visible', 'deferred', 'hidden', 'unavailable'),
      exposure: nullable(exposure),
      decidedBy: nullable(hidingStep),
    }),
  ),
  skills: Type.Array(open({ name: text, file: text })),
  runtime: nullable(
    open({
      loaded: Type.Boolean(),
      hooks: Type.Array(open({ event: text, priority: Type.Number(), timeoutMs: Type.Number() })),
      backends: Type.Array(open({ kind: text, id: text })),
      output: texts,
    }),
  ),
})

type Holds<_Result extends Wanted, Wanted> = true
export type PluginResultsHold = [
  Holds<PluginList, Promised<typeof list>>,
  Holds<PluginInspection, Promised<typeof inspect>>,
]
