import { textOf, type Message } from './messages.ts'

function sizeOf(message: Message): number {
  const calls = message.role === 'assistant' ? JSON.stringify(message.content).length : 0
  return Math.max(textOf(message).length, calls)
}

/** The newest messages that fit into a number of characters: whole exchanges, each from what the user said on; the last one always. Pure. */
export function recentHistory(messages: readonly Message[], longest: number): readonly Message[] {
  const starts = messages.flatMap(({ role }, at) => (role === 'user' ? [at] : []))
  let from = starts.at(-1) ?? 0
  let size = messages.slice(from).reduce((sum, message) => sum + sizeOf(message), 0)
  for (const [index, start] of starts.toReversed().entries()) {
    if (index === 0) continue
    size += messages.slice(start, from).reduce((sum, message) => sum + sizeOf(message), 0)
    if (size > longest) break
    from = start
  }
  return messages.slice(from)
}
