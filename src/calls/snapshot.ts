import { isRecord } from '../catalog/source.ts'
import { jsonCopy } from '../kernel/stable-json.ts'
import type { ContentBlock, ToolResult } from './types.ts'

/**
 * What a tool returned, as a frozen value of its own that nobody can change any more; anything but `{ content, details? }` becomes a text.
 * Blocks of kinds that models do not get are written out as JSON.
 */
export function resultSnapshot(returned: unknown): ToolResult {
  const value = jsonCopy(returned)
  if (!isRecord(value) || !Array.isArray(value['content'])) return deepFreeze({ content: [textOf(value)] })
  const content = value['content'].map((block: unknown) => readBlock(block))
  const details = value['details']
  return deepFreeze(details === undefined ? { content } : { content, details })
}

function readBlock(block: unknown): ContentBlock {
  if (!isRecord(block)) return textOf(block)
  const { type, text, data, mimeType } = block
  if (type === 'text' && typeof text === 'string') return { type, text }
  if (type === 'image' && typeof data === 'string' && typeof mimeType === 'string')
    return { type, data, mimeType }
  return textOf(block)
}

function textOf(value: unknown): ContentBlock {
  if (value === undefined || value === null) return { type: 'text', text: '' }
  return { type: 'text', text: typeof value === 'string' ? value : JSON.stringify(value, null, 2) }
}

/** Freezes a JSON value with all it holds. */
export function deepFreeze<Value>(value: Value): Value {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value)
    for (const member of Object.values(value)) deepFreeze(member)
  }
  return value
}
