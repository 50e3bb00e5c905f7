import { textOf, type Message, type ToolResultMessage } from './messages.ts'

/** Characters that a result keeps where the exchange it belongs to is too long, and how many of the newest results keep all. */
const shortResult = 400
const wholeResults = 4

function sizeOf(message: Message): number {
  const calls = message.role === 'assistant' ? JSON.stringify(message.content).length : 0
  return Math.max(textOf(message).length, calls)
}

function total(messages: readonly Message[]): number {
  return messages.reduce((sum, message) => sum + sizeOf(message), 0)
}

/**
 * The newest messages that fit into a number of characters: whole exchanges, each from what the user said on. The last exchange always
 * stays; where it alone is too long, its older results are shortened, the oldest first. Pure.
 */
export function recentHistory(messages: readonly Message[], longest: number): readonly Message[] {
  const starts = messages.flatMap(({ role }, at) => (role === 'user' ? [at] : []))
  let from = starts.at(-1) ?? 0
  let size = total(messages.slice(from))
  if (size > longest) return withShortResults(messages.slice(from), size - longest)
  for (const start of starts.toReversed().slice(1)) {
    size += total(messages.slice(start, from))
    if (size > longest) break
    from = start
  }
  return messages.slice(from)
}

function withShortResults(messages: readonly Message[], excess: number): readonly Message[] {
  const results = messages.filter(({ role }) => role === 'toolResult')
  const kept = new Set<Message>(results.slice(-wholeResults))
  let left = excess
  return messages.map((message) => {
    if (message.role !== 'toolResult' || left <= 0 || kept.has(message)) return message
    const short = shortened(message)
    left -= sizeOf(message) - sizeOf(short)
    return short
  })
}

function shortened(message: ToolResultMessage): ToolResultMessage {
  const text = textOf(message)
  if (text.length <= shortResult) return message
  const start = text.slice(0, shortResult).toWellFormed()
  const note = `[${text.length - start.length} more characters of this earlier result left out]`
  return { ...message, content: [{ type: 'text', text: `${start}\n${note}` }] }
}

/** The same messages with a word in the place of each picture, for models that read text only. Pure. */
export function withoutImages(messages: readonly Message[]): readonly Message[] {
  return messages.map((message) => {
    if (message.role === 'assistant' || !message.content.some(({ type }) => type === 'image')) return message
    const content = message.content.map((part) =>
      part.type === 'image'
        ? { type: 'text' as const, text: `[image ${part.mimeType}: this model reads no images]` }
        : part,
    )
    return { ...message, content }
  })
}
