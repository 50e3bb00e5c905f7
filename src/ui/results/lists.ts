import { Type } from 'typebox'
import type { StoredApproval } from '../../calls/approvals/types.ts'
import type { DoctorReport } from '../../runtime/doctor.ts'
import type { McpList } from '../../runtime/mcp.ts'
import type { PluginList } from '../../runtime/plugin-list.ts'
import type { SessionItem } from '../../runtime/sessions.ts'
import { location, notice, nullable, open, text, word, type Promised } from './kit.ts'

const time = Type.String({ description: 'ISO 8601.' })
const count = Type.Integer({ minimum: 0 })

const diagnostic = open({
  code: Type.Literal('PLUGIN_INVALID'),
  kind: text,
  severity: word('error', 'warning', 'info'),
  message: text,
  file: text,
  location: nullable(location),
  tool: Type.Optional(text),
})

/** `plugins list --json`. */
export const plugins = open({
  items: Type.Array(
    open({
      id: text,
      name: text,
      version: nullable(text),
      origin: word('load-path', 'state-dir', 'bundled', 'config', 'inventory'),
      path: nullable(text),
      enabled: Type.Boolean(),
      status: word('enabled', 'disabled', 'invalid', 'shadowed', 'not-installed'),
      off: nullable(
        open({
          step: text,
          effect: text,
          rule: nullable(text),
          reason: text,
          location: nullable(location),
        }),
      ),
      tools: count,
      diagnostics: Type.Array(diagnostic),
    }),
  ),
  diagnostics: Type.Array(diagnostic),
})

const server = open({
  name: text,
  safeName: text,
  enabled: Type.Boolean(),
  transport: nullable(word('stdio', 'streamable-http', 'sse')),
  endpoint: text,
  status: word('connected', 'failed', 'seen', 'unseen', 'disabled'),
  toolCount: count,
  seenAt: nullable(time),
  cause: nullable(open({ kind: text, message: text })),
  failedAt: nullable(time),
})

/** `mcp list --json`. */
export const servers = open({
  items: Type.Array(server),
  servers: Type.Array(server, { description: 'The same as items.' }),
  notices: Type.Array(notice),
})

const session = open({
  key: text,
  agentId: text,
  sessionId: nullable(text),
  kind: text,
  label: nullable(text),
  channel: nullable(text),
  provider: nullable(text),
  model: nullable(text),
  spawnedBy: nullable(text),
  updatedAt: nullable(time),
  file: text,
})

/** `sessions list --json`. */
export const sessions = open({ items: Type.Array(session), notices: Type.Array(notice) })

const approval = open({
  id: text,
  state: word('pending', 'allowed', 'always', 'denied', 'used', 'expired'),
  tool: open({ id: text, name: text, source: text }),
  agentId: text,
  sessionKey: text,
  args: Type.Unknown(),
  wanted: Type.Array(
    open({
      pluginId: Type.Optional(text),
      title: text,
      description: Type.Optional(text),
      severity: Type.Optional(text),
    }),
  ),
  createdAt: time,
  expiresAt: nullable(time),
})

/** `approvals list --json`. */
export const approvals = open({ items: Type.Array(approval) })

/** `qa list --json`. */
export const scenarios = open({
  items: Type.Array(open({ id: text, title: text, checks: Type.Array(open({ id: text, title: text })) })),
})

/** `doctor --json`. */
export const doctor = open({
  ok: Type.Boolean(),
  checks: Type.Array(
    open({
      id: text,
      status: word('ok', 'warning', 'error'),
      message: text,
      hint: Type.Optional(text),
    }),
  ),
  walls: Type.Array(open({ id: text, holds: Type.Boolean(), what: text })),
})

type Holds<_Result extends Wanted, Wanted> = true
export type ListResultsHold = [
  Holds<PluginList, Promised<typeof plugins>>,
  Holds<McpList, Promised<typeof servers>>,
  Holds<SessionItem, Promised<typeof session>>,
  Holds<StoredApproval, Promised<typeof approval>>,
  Holds<DoctorReport, Promised<typeof doctor>>,
]
