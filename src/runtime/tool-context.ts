import { dirname, join, resolve } from 'node:path'
import { findAgent } from '../config/agents.ts'
import { expandHome } from '../config/find.ts'
import type { ToolContext } from '../plugins/authoring.ts'
import type { Context } from '../policy/context.ts'
import type { Case } from './case.ts'

/** What tools of plugins are told of the session they are made for. */
export function toolContext(each: Case, context: Context): ToolContext {
  const { agentId, sessionKey, channel, sandboxed, provider, model } = context
  return { agentId, sessionKey, channel, workspace: workspaceOf(each, agentId), sandboxed, provider, model }
}

/** Absolute path of the directory in which an agent works; null without a config of this machine. */
export function workspaceOf({ loaded, config }: Case, agentId: string): string | null {
  if (loaded === null) return null
  const named = findAgent(config, agentId)?.config.workspace ?? config.agents?.defaults?.workspace
  return resolve(dirname(loaded.file), expandHome(named ?? join(loaded.stateDir, 'workspace'), loaded.home))
}
