import { isControlName } from '../catalog/controls.ts'
import { OpenClawError } from '../kernel/errors.ts'
import type { CallEnvelope, ModelHits } from '../tool-search/controls.ts'
import type { BatchResponse } from '../tool-search/search-response.ts'
import type { ContentBlock, ToolResult } from './types.ts'

const text = (value: string): ContentBlock => ({ type: 'text', text: value })

/** A value as a model reads it, and as programs do. */
export function jsonResult(value: unknown): ToolResult {
  return { content: [text(JSON.stringify(value, null, 2) ?? 'null')], details: value }
}

/** The answer of `tool_search`: the bare list of hits, what must be known about an empty one in words behind it. */
export function searchResult(found: ModelHits | BatchResponse): ToolResult {
  if ('results' in found) return jsonResult(found)
  const { content, details } = jsonResult(found.hits)
  return { content: found.note ? [...content, text(`Note: ${found.note.message}.`)] : content, details }
}

/** The answer of `tool_call`: the envelope with the tool in few words, its pictures behind it; all of it in `details`. */
export function callResult(envelope: CallEnvelope, blocked: boolean): ToolResult {
  const { tool, result } = envelope
  const { id, name, source } = tool
  const images = result.content.filter(isImage)
  const shown = result.content.map((block) =>
    isImage(block) ? { type: 'text', text: `[image ${block.mimeType}]` } : block,
  )
  const short = { tool: { id, name, source }, result: { ...result, content: shown } }
  return {
    content: [text(JSON.stringify(short, null, 2)), ...images],
    details: { tool, result, ...(blocked && { status: 'blocked' }) },
  }
}

function isImage(block: { readonly type: string }): block is Extract<ContentBlock, { type: 'image' }> {
  return block.type === 'image'
}

/** Where a model is told to look for a tool that it called by a wrong name. */
const recovery = {
  code: 'Find tools with openclaw.tools.search, read one with openclaw.tools.describe, then call it by its id.',
  controls:
    'Find tools with tool_search, read one with tool_describe, then call it through tool_call by its id.',
} as const

/** An unknown selector in words for a model: what may have been meant, and how to find out; names of tools in reach only. */
export function unknownForModel(error: OpenClawError, from: keyof typeof recovery): OpenClawError {
  if (error.data['direct'] !== undefined) return error
  const suggestions = error.hints.filter((hint) => !isControlName(hint))
  const meant = suggestions.length > 0 ? `. Did you mean: ${suggestions.join(', ')}?` : '.'
  return new OpenClawError(error.code, `${error.message}${meant} ${recovery[from]}`, {
    hints: error.hints,
    data: error.data,
    cause: error,
  })
}
