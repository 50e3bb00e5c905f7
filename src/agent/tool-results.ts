import type { CallOutcome, ContentBlock } from '../calls/types.ts'
import { largestDetails } from './limits.ts'
import type { ToolCallPart, ToolResultMessage } from './messages.ts'

/** Tools whose results tell the most at their end: how a command ended, and what it wrote last. */
const endTells: ReadonlySet<string> = new Set(['exec', 'process'])

/** The end of a call as the model is told of it, texts bounded to `longest` characters together, and as the transcript keeps it. */
export function resultMessage(
  call: Pick<ToolCallPart, 'id' | 'name'>,
  outcome: CallOutcome,
  longest: number,
): ToolResultMessage {
  const details = detailsOf(outcome)
  return {
    role: 'toolResult',
    toolCallId: call.id,
    toolName: call.name,
    content: bounded(contentOf(outcome), longest, endTells.has(call.name)),
    ...(details !== undefined && { details: boundedDetails(details) }),
    isError: outcome.status !== 'ok',
    timestamp: Date.now(),
  }
}

function contentOf(outcome: CallOutcome): readonly ContentBlock[] {
  if (outcome.status === 'error') {
    const said = outcome.result?.content ?? []
    return said.length > 0 ? said : [{ type: 'text', text: outcome.message }]
  }
  return outcome.result.content
}

function detailsOf(outcome: CallOutcome): unknown {
  if (outcome.status !== 'error') return outcome.result.details
  const { code, message } = outcome
  return { status: 'error', code, error: message, ...(outcome.result && { details: outcome.result.details }) }
}

function bounded(
  content: readonly ContentBlock[],
  longest: number,
  withEnd: boolean,
): readonly ContentBlock[] {
  let left = longest
  return content.map((block) => {
    if (block.type !== 'text') return block
    const room = Math.min(left, block.text.length)
    const missing = block.text.length - room
    left -= room
    if (missing === 0) return block
    const kept = block.text.slice(0, withEnd ? Math.floor(room / 4) : room)
    if (withEnd) {
      const end = block.text.slice(block.text.length - (room - kept.length))
      return {
        type: 'text',
        text: `${kept.toWellFormed()}\n[${missing} characters left out here]\n${end.toWellFormed()}`,
      }
    }
    return { type: 'text', text: `${kept.toWellFormed()}\n[${missing} more characters left out]` }
  })
}

function boundedDetails(details: unknown): unknown {
  const bytes = Buffer.byteLength(JSON.stringify(details) ?? '')
  return bytes <= largestDetails ? details : { persistedDetailsTruncated: true, bytes }
}
