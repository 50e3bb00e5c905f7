import { jsonResult } from '../../calls/model-text.ts'
import { findAgent } from '../../config/agents.ts'
import { tryParseSessionKey } from '../../sessions/key.ts'
import { resolveContext } from '../../sessions/resolve.ts'
import type { CoreTool } from '../family.ts'
import { goalFile, readGoals } from '../goals/state.ts'
import type { CodingToolOptions } from '../options.ts'
import { isActive } from './child.ts'
import { eventsOf, tokenUse } from './messages.ts'
import { knownModels, namedModel } from './models.ts'
import { isoTime } from './rows.ts'
import type { SeenStored, SessionShelf } from './store.ts'

/** `session_status`: what a session is, which model it asks and what that has used, and what is under way in it; may choose its model. */
export function sessionStatus(options: CodingToolOptions, shelf: SessionShelf): CoreTool {
  return {
    run: async ({ sessionKey, model }) => {
      const find = (): Promise<SeenStored> =>
        typeof sessionKey === 'string' ? shelf.find(sessionKey) : shelf.own()
      if (typeof model === 'string') await chooseModel(shelf, await find(), model, options.clock())
      return { result: jsonResult(await statusOf(options, shelf, await find())) }
    },
  }
}

async function chooseModel(
  shelf: SessionShelf,
  session: SeenStored,
  model: string,
  now: number,
): Promise<void> {
  shelf.requireOwn(session)
  const isReset = model.trim().toLowerCase() === 'default'
  const chosen = isReset ? null : namedModel(shelf.view.config, model)
  await shelf.save(session, {
    updatedAt: now,
    providerOverride: chosen?.provider ?? null,
    modelOverride: chosen?.model ?? null,
    ...(isReset && { modelProvider: null, model: null }),
  })
}

async function statusOf(
  options: CodingToolOptions,
  shelf: SessionShelf,
  session: SeenStored,
): Promise<object> {
  const { view } = shelf
  const { config, edition } = view
  const { agentId, key, entry, stored } = session
  const isOwn = key.toLowerCase() === view.context.sessionKey.toLowerCase()
  const stands = resolveContext({ config, edition, request: { agentId, sessionKey: key }, entry }).context
  const context = isOwn ? view.context : stands
  const events = stored === null ? [] : await eventsOf(stored)
  const desk = options.services.sessions
  const children = desk?.children.of(key) ?? []
  const { provider, model } = stands
  const elevated =
    findAgent(config, agentId)?.config.tools?.elevated?.enabled ?? config.tools?.elevated?.enabled
  return {
    sessionKey: key,
    agentId,
    sessionId: entry.sessionId ?? null,
    kind: tryParseSessionKey(key)?.kind ?? 'other',
    label: entry.label ?? null,
    updatedAt: isoTime(entry.updatedAt),
    model: provider === null ? model : `${provider}/${model}`,
    askedNow: isOwn && context.model !== null ? `${context.provider ?? ''}/${context.model}` : null,
    models: knownModels(config),
    usage: tokenUse(events),
    sandboxed: context.sandboxed,
    workspaceAccess: context.sandboxed ? context.workspaceAccess : 'rw',
    elevated: { enabled: elevated !== false, level: entry.elevatedLevel ?? null },
    depth: context.subagentDepth,
    role: context.subagentRole,
    spawnedBy: context.spawnedBy,
    running: desk?.isRunning(key) ?? null,
    waitingMessages: desk?.waiting(key) ?? null,
    subagents: {
      active: children.filter(isActive).length,
      ended: children.filter((child) => !isActive(child)).length,
    },
    ...readGoals(goalFile(options.stateDir, agentId, key)),
  }
}
