import { inventoryFileOf } from '../catalog/inventory-snapshot.ts'
import { redact } from '../config/redact.ts'
import type { View } from '../policy/view.ts'
import type { Case } from './case.ts'

/** The head of a policy test file: everything one answer depended on (contract §5, `tools snapshot`). */
export interface Snapshot {
  readonly edition: string
  readonly config: unknown
  readonly context: Readonly<Record<string, unknown>>
  readonly inventory: Readonly<Record<string, unknown>>
}

type Fields = Readonly<Record<string, unknown>>

function given(fields: Fields): Fields {
  return Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== undefined && value !== null),
  )
}

/** The session as a context file; a replay needs no session store. */
function contextOf(each: Case, view: View): Fields {
  const { context } = view
  // A key that was only defaulted stays out: beside it, an explicit group would not be believed.
  const keyGiven = each.request.sessionKey !== undefined || context.origin === 'session-store'
  const sender =
    context.sender || context.isOwner !== null ? { ...context.sender, isOwner: context.isOwner } : null
  return given({
    agentId: context.agentId,
    sessionKey: keyGiven ? context.sessionKey : undefined,
    provider: context.provider,
    model: context.model,
    channel: context.channel,
    accountId: context.accountId,
    // A group that was not believed stays in, so that the replay says so, too.
    groupId: view.dropped.find(({ field }) => field === 'groupId')?.value ?? context.groupIds[0],
    sender: sender && given(sender),
    sandboxed: context.sandboxed,
    spawnedBy: context.spawnedBy,
    spawnDepth: context.subagentDepth > 0 ? context.subagentDepth : undefined,
    subagentRole: context.subagentRole === 'main' ? undefined : context.subagentRole,
    inherited: context.inherited,
    toolsAllow: context.toolsAllow,
    harness: context.harness,
    supports: context.supports,
    clientCaps: context.clientCaps.length > 0 ? context.clientCaps : undefined,
    disableTools: context.disableTools || undefined,
  })
}

/** Takes a snapshot of a session: replayed anywhere, it gives the same answer; secrets are redacted. */
export async function takeSnapshot(each: Case): Promise<Snapshot> {
  const view = await each.view()
  return {
    edition: view.edition.id,
    config: redact(each.config, each.loaded ? { authored: each.loaded.authored } : {}),
    context: contextOf(each, view),
    inventory: inventoryFileOf({
      edition: view.edition,
      config: each.config,
      agentId: view.context.agentId,
      ...(each.inventory && { file: each.inventory }),
      ...(each.discovered && { discovered: each.discovered.source }),
    }),
  }
}
