import { repairHistory } from '../sessions/repair.ts'
import type { Message, ToolResultMessage } from './messages.ts'

/** Longest id of a call on the wire; protocols stop at 40 to 64. */
const longestId = 40

/**
 * The messages of a session as a provider takes them: every call has its result right behind it, ids are letters and digits, each used
 * once (gateway facts §6.2), names are such that protocols take them back. The transcript keeps what really happened. Pure.
 */
export function replayable(history: readonly Message[]): readonly Message[] {
  const { messages } = repairHistory<Message>(history, ({ id = '', name = '' }, text) => ({
    role: 'toolResult',
    toolCallId: id,
    toolName: name,
    content: [{ type: 'text', text }],
    isError: true,
    timestamp: 0,
  }))
  const taken = new Set<string>()
  // Of the latest message's calls, in order; their results follow in the same order.
  let ids: string[] = []
  return messages.map((message) => {
    if (message.role === 'assistant') {
      const content = message.content.map((part) =>
        part.type === 'toolCall' ? { ...part, id: wireId(part.id, taken), name: wireName(part.name) } : part,
      )
      ids = content.flatMap((part) => (part.type === 'toolCall' ? part.id : []))
      return { ...message, content }
    }
    return message.role === 'toolResult' ? withId(message, ids.shift()) : message
  })
}

function withId(message: ToolResultMessage, id: string | undefined): ToolResultMessage {
  return { ...message, toolName: wireName(message.toolName), toolCallId: id ?? message.toolCallId }
}

/** An id of letters and digits that no other call of the request has. */
function wireId(id: string, taken: Set<string>): string {
  const plain = id.replaceAll(/[^A-Za-z0-9]/g, '').slice(0, longestId) || 'call'
  let unique = plain
  for (let count = 2; taken.has(unique); count++) {
    const suffix = `n${count}`
    unique = plain.slice(0, longestId - suffix.length) + suffix
  }
  taken.add(unique)
  return unique
}

/** Names that a model made up may hold what protocols refuse to take back. */
function wireName(name: string): string {
  return name.replaceAll(/[^A-Za-z0-9_-]/g, '_').slice(0, 64) || 'unnamed'
}
