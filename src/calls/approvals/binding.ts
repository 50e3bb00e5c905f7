import { hashValue } from '../hash.ts'
import type { ApprovalQuestion } from './types.ts'

/** What a yes is good for. */
export interface Binding {
  /** The same call in the same session. */
  readonly once: string
  /** The same call in any session of the agent. */
  readonly always: string
}

/** Binds an answer to agent, tool, every argument, the tool's schema and who asked; another value of any of them is another question. */
export function bindingOf({ tool, args, agentId, sessionKey, wanted, schema }: ApprovalQuestion): Binding {
  const call = {
    agentId: agentId.toLowerCase(),
    tool: tool.id,
    args,
    schema: schema ?? null,
    askedBy: [...new Set(wanted.map(({ pluginId }) => pluginId))].toSorted(),
  }
  return { once: hashValue({ ...call, sessionKey: sessionKey.toLowerCase() }), always: hashValue(call) }
}
