import { Type } from 'typebox'
import type { StoredApproval } from '../../calls/approvals/types.ts'
import { nullable, open, someObject, text, time, toolName, word, type Promised } from './kit.ts'

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

type Holds<_Result extends Wanted, Wanted> = true
export type ApprovalResultsHold = [Holds<StoredApproval, Promised<typeof approval>>]
