import type { AssistantMessage, Message, ToolCallPart, ToolResultMessage } from './messages.ts'

/** Longest id of a call on the wire; protocols stop at 40 to 64. */
const longestId = 40

/** What stands for the result of a call that has none: the program ended before the tool did. */
const interrupted =
  'No result: the run was interrupted before the tool had finished. It may have had an effect.'

/**
 * The messages of a session as a provider takes them: every call has exactly one result, behind it and in the order of the calls;
 * ids are letters and digits, each used once (gateway facts §6.2); messages that failed before they said anything are left out.
 * The transcript keeps what really happened. Pure.
 */
export function replayable(messages: readonly Message[]): readonly Message[] {
  const result: Message[] = []
  const ids = new Set<string>()
  for (const [at, message] of messages.entries()) {
    if (message.role === 'user') result.push(message)
    if (message.role !== 'assistant' || isEmpty(message)) continue
    const names = new Map<string, string>()
    const content = message.content.map((part) => {
      if (part.type !== 'toolCall') return part
      const id = wireId(part.id, ids)
      names.set(part.id, id)
      return { ...part, id, name: wireName(part.name) }
    })
    result.push({ ...message, content })
    const answers = resultsBehind(messages, at)
    for (const part of message.content) {
      if (part.type !== 'toolCall') continue
      const answer = answers.get(part.id) ?? missingResult(part, message.timestamp)
      result.push({ ...answer, toolName: wireName(part.name), toolCallId: names.get(part.id) ?? part.id })
    }
  }
  return result
}

/** The results of the message at an index: everything up to the next message of the model. */
function resultsBehind(messages: readonly Message[], at: number): ReadonlyMap<string, ToolResultMessage> {
  const found = new Map<string, ToolResultMessage>()
  for (const message of messages.slice(at + 1)) {
    if (message.role === 'assistant') break
    if (message.role === 'toolResult' && !found.has(message.toolCallId))
      found.set(message.toolCallId, message)
  }
  return found
}

function isEmpty({ content }: AssistantMessage): boolean {
  return content.every((part) => part.type === 'thinking' || (part.type === 'text' && part.text === ''))
}

function missingResult(call: ToolCallPart, timestamp: number): ToolResultMessage {
  return {
    role: 'toolResult',
    toolCallId: call.id,
    toolName: call.name,
    content: [{ type: 'text', text: interrupted }],
    isError: true,
    timestamp,
  }
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
