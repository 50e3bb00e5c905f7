import { Type } from 'typebox'
import type { DoctorReport } from '../../runtime/doctor.ts'
import type { SandboxExplanation } from '../../runtime/sandbox-explain.ts'
import {
  count,
  exposure,
  hidingStep,
  location,
  notice,
  nullable,
  open,
  text,
  texts,
  word,
  type Promised,
} from './kit.ts'
import { verdict } from './tools.ts'

/** `doctor --json` (contract §8). */
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

const listSource = open({ source: word('agent', 'global', 'default'), key: text })
const execSource = open({
  source: word('agent', 'global', 'default', 'exec-approvals'),
  key: text,
  location: nullable(location),
})
const limitedBy = nullable(word('group', 'process'))

/** `sandbox explain --json` (contract §8). */
export const sandbox = open({
  agentId: text,
  sessionKey: text,
  mainSessionKey: text,
  sandbox: open({
    mode: word('off', 'non-main', 'all'),
    scope: word('session', 'agent', 'shared'),
    backend: word('auto', 'bubblewrap', 'docker'),
    workspaceAccess: word('none', 'ro', 'rw'),
    sessionIsSandboxed: Type.Boolean(),
    because: text,
    workspace: nullable(text),
    network: Type.Boolean(),
    limits: open({ processes: count, memoryMb: count, tmpMb: count, fileMb: count }),
    available: nullable(
      open({
        backend: nullable(word('bubblewrap', 'docker')),
        reason: nullable(text),
        hints: texts,
        limitedBy: nullable(open({ processes: limitedBy, memory: limitedBy })),
      }),
    ),
    tools: open({ allow: texts, deny: texts, sources: open({ allow: listSource, deny: listSource }) }),
  }),
  elevated: open({
    enabled: Type.Boolean(),
    channel: nullable(text),
    sender: nullable(text),
    allowedByConfig: Type.Boolean(),
    alwaysAllowedByConfig: Type.Boolean(),
    allowFrom: open({ global: texts, agent: nullable(texts) }),
    level: text,
    sessionLevel: nullable(text),
    noEffect: nullable(text),
    failures: Type.Array(open({ gate: word('enabled', 'provider', 'allowFrom'), key: text })),
  }),
  exec: open({
    configuredHost: text,
    host: nullable(word('sandbox', 'gateway', 'node')),
    because: nullable(text),
    mode: word('deny', 'allowlist', 'ask', 'auto', 'full'),
    security: word('deny', 'allowlist', 'full'),
    ask: word('off', 'on-miss', 'always'),
    sources: open({ host: execSource, mode: execSource, security: execSource, ask: execSource }),
    applies: Type.Boolean(),
    approvals: nullable(open({ file: text, problem: nullable(text) })),
  }),
  policy: open({
    tools: Type.Array(
      open({
        tool: text,
        verdict,
        exposure: nullable(exposure),
        decidedBy: nullable(hidingStep),
        alsoHiddenBy: Type.Array(hidingStep),
        needs: nullable(text),
      }),
    ),
  }),
  fixIt: texts,
  notices: Type.Array(notice),
})

type Holds<_Result extends Wanted, Wanted> = true
export type MachineResultsHold = [
  Holds<DoctorReport, Promised<typeof doctor>>,
  Holds<SandboxExplanation, Promised<typeof sandbox>>,
]
