import { Type } from 'typebox'
import type { CatalogResult } from '../../catalog/catalog.ts'
import type { SessionDiff } from '../../policy/diff.ts'
import type { ExplainResult } from '../../policy/explain.ts'
import type { EffectiveResult } from '../../policy/report.ts'
import { stepIds } from '../../policy/types.ts'
import type { AgentsResult } from '../../runtime/answers.ts'
import type { PolicyTestRun } from '../../runtime/policy-tests.ts'
import type { Snapshot } from '../../runtime/snapshot.ts'
import {
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

const source = word('core', 'plugin', 'channel', 'mcp', 'client')
export const edition = word('2026.7', '2026.9')

const effectiveTool = open({
  id: text,
  name: text,
  label: text,
  description: text,
  source,
  pluginId: Type.Optional(text),
  mcpServer: Type.Optional(text),
  mcpToolName: Type.Optional(text),
  channelId: Type.Optional(text),
  exposure,
  needs: Type.Optional(text),
})

/** A tool that a session does not have, and why. */
export const hiddenTool = open({
  ...hidingStep.properties,
  id: text,
  source,
  verdict: word('hidden', 'unavailable'),
  alsoHiddenBy: texts,
})

/** `tools effective --json` (contract §3). */
export const effective = open({
  agentId: text,
  sessionKey: text,
  profile: nullable(text),
  edition,
  context: open({
    provider: nullable(text),
    model: nullable(text),
    channel: nullable(text),
    sender: nullable(Type.Record(Type.String(), Type.Union([text, Type.Boolean()]))),
    sandboxed: Type.Boolean(),
    subagentDepth: Type.Integer({ minimum: 0 }),
    harness: text,
    origin: text,
  }),
  toolSearch: open({
    enabled: Type.Boolean(),
    requestedMode: nullable(word('code', 'tools', 'directory')),
    mode: nullable(word('code', 'tools', 'directory')),
    codeTimeoutMs: Type.Integer(),
    searchDefaultLimit: Type.Integer(),
    maxSearchLimit: Type.Integer(),
    adjusted: Type.Array(open({ key: text, from: Type.Unknown(), to: Type.Unknown(), because: text })),
    fallback: nullable(open({ from: text, to: text, because: text })),
    because: Type.Optional(text),
  }),
  groups: Type.Array(open({ id: text, label: text, source, tools: Type.Array(effectiveTool) })),
  hidden: Type.Array(hiddenTool),
  notices: Type.Array(notice),
})

export const verdict = word('visible', 'deferred', 'hidden', 'unavailable', 'unknown')

/** `tools explain --json` (contract §4). */
export const explain = open({
  tool: text,
  asked: Type.Optional(text),
  known: Type.Boolean(),
  source: nullable(source),
  verdict,
  exposure: nullable(exposure),
  decidedBy: nullable(hidingStep),
  trace: Type.Array(
    open({
      step: word(...stepIds),
      outcome: word('pass', 'deny', 'not-allowed', 'gate', 'skipped'),
      rule: nullable(text),
      reason: text,
      location: nullable(location),
    }),
  ),
  alsoHiddenBy: Type.Array(hidingStep),
  missing: texts,
  fixes: Type.Array(
    open({
      edits: Type.Array(
        open({ op: word('set', 'unset', 'append', 'remove'), path: text, value: Type.Unknown() }),
      ),
      commands: texts,
      verified: Type.Literal(true),
      alsoReveals: texts,
      alsoHides: texts,
    }),
  ),
  suggestions: texts,
  isA: Type.Optional(text),
  toolSearch: Type.Optional(text),
  notes: texts,
  needs: Type.Optional(open({ needs: text, path: nullable(text), hints: texts })),
})

/** `tools explain --json` as the command prints it: with notices on which session it is about. */
export const explainCommand = open({ ...explain.properties, notices: Type.Array(notice) })

/** `tools explain --all-agents --json`. */
export const explainAllAgents = open({
  tool: text,
  known: Type.Boolean(),
  agents: Type.Array(
    open({
      agentId: text,
      sessionKey: text,
      verdict,
      decidedBy: nullable(hidingStep),
      alsoHiddenBy: Type.Array(hidingStep),
    }),
  ),
  suggestions: texts,
  notes: texts,
})

/** `tools catalog --json` (contract §5). */
export const catalog = open({
  agentId: text,
  edition: text,
  profiles: Type.Array(open({ id: text, label: text })),
  groups: Type.Array(
    open({
      id: text,
      label: text,
      source,
      pluginId: Type.Optional(text),
      tools: Type.Array(
        open({
          id: text,
          label: text,
          description: text,
          source,
          pluginId: Type.Optional(text),
          mcpServer: Type.Optional(text),
          channelId: Type.Optional(text),
          optional: Type.Optional(Type.Boolean()),
          risk: Type.Optional(word('low', 'medium', 'high')),
          tags: Type.Optional(texts),
          defaultProfiles: texts,
          installed: Type.Optional(Type.Literal(false)),
        }),
      ),
    }),
  ),
})

/** What a change does to the tools of one session. */
export const sessionDiff = open({
  agentId: text,
  sessionKey: text,
  agent: Type.Optional(word('added', 'removed')),
  added: texts,
  removed: Type.Array(open({ name: text, step: text, reason: text })),
  moved: Type.Array(open({ name: text, from: exposure, to: exposure })),
})

/** `tools diff --json` (contract §5). */
export const diff = open({ sessions: Type.Array(sessionDiff) })

/** `tools test --json` (contract §5). */
export const policyTest = open({
  passed: Type.Integer({ minimum: 0 }),
  failed: Type.Integer({ minimum: 0 }),
  cases: Type.Array(
    open({
      file: text,
      name: text,
      ok: Type.Boolean(),
      problems: texts,
      warnings: Type.Optional(texts),
    }),
  ),
  updated: Type.Optional(Type.Integer({ minimum: 0 })),
})

/** `tools snapshot --json` (contract §5). */
export const snapshot = open({
  edition,
  config: Type.Record(Type.String(), Type.Unknown()),
  context: Type.Record(Type.String(), Type.Unknown()),
  inventory: Type.Record(Type.String(), Type.Unknown()),
})

type Holds<_Result extends Wanted, Wanted> = true
export type ToolResultsHold = [
  Holds<EffectiveResult, Promised<typeof effective>>,
  Holds<ExplainResult, Promised<typeof explain>>,
  Holds<AgentsResult, Promised<typeof explainAllAgents>>,
  Holds<CatalogResult, Promised<typeof catalog>>,
  Holds<SessionDiff, Promised<typeof sessionDiff>>,
  Holds<PolicyTestRun, Promised<typeof policyTest>>,
  Holds<Snapshot, Omit<Promised<typeof snapshot>, 'edition' | 'config'>>,
]
