import { Type } from 'typebox'
import type { StoredApproval } from '../../calls/approvals/types.ts'
import type { AddedEntry, Allowlist, RemovedEntries } from '../../runtime/exec-allowlist.ts'
import { nullable, open, someObject, text, texts, time, toolName, word, type Promised } from './kit.ts'

/** One approval, as `approvals allow` and `approvals deny` print it under `--json` (contract §8). */
export const approval = open({
  id: text,
  state: word('pending', 'allowed', 'always', 'denied', 'used', 'expired'),
  tool: toolName,
  agentId: text,
  sessionKey: text,
  args: Type.Unknown(),
  wanted: Type.Array(
    open({
      pluginId: Type.Optional(text),
      title: text,
      description: Type.Optional(text),
      severity: Type.Optional(text),
      lasting: Type.Optional(Type.Boolean()),
      remember: Type.Optional(someObject),
    }),
  ),
  createdAt: time,
  expiresAt: nullable(time),
})

/** `approvals list --json` (contract §8). */
export const list = open({ items: Type.Array(approval) })

const item = open({
  agent: Type.String({ description: '* is every agent.' }),
  pattern: text,
  argPattern: nullable(text),
  id: nullable(text),
  source: nullable(text),
  approvalId: nullable(text),
  addedAt: nullable(time),
  lastUsedAt: nullable(time),
  lastUsedCommand: nullable(text),
  lastResolvedPath: nullable(text),
})

/** `approvals allowlist list --json`. */
export const allowlist = open({ file: text, items: Type.Array(item) })

/** `approvals allowlist add --json`. */
export const added = open({ file: text, entry: item, added: Type.Boolean(), notes: texts })

/** `approvals allowlist remove --json`. */
export const removed = open({ file: text, removed: Type.Array(item) })

type Holds<_Result extends Wanted, Wanted> = true
export type ApprovalResultsHold = [
  Holds<StoredApproval, Promised<typeof approval>>,
  Holds<Allowlist, Promised<typeof allowlist>>,
  Holds<AddedEntry, Promised<typeof added>>,
  Holds<RemovedEntries, Promised<typeof removed>>,
]
