import { isRecord } from '../catalog/source.ts'
import { cleanLine } from '../kernel/untrusted-text.ts'
import { inMegabytes } from './limits.ts'

/** One block of a tool's result (contract §7). */
export type ContentBlock =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'image'; readonly data: string; readonly mimeType: string }

/** Result of an MCP tool in the form in which every tool answers. */
export interface McpToolResult {
  readonly content: readonly ContentBlock[]
  readonly details: {
    readonly mcpServer: string
    readonly mcpTool: string
    readonly structuredContent?: unknown
    /** Set when the tool ran and says that it failed. */
    readonly status?: 'error'
  }
  readonly isError: boolean
}

/** Characters of all texts of one result together. */
export const longestText = 1024 * 1024
/** Characters of base64 that one image may have. */
export const largestImage = 8 * 1024 * 1024
const mostBlocks = 1000

/**
 * Puts a server's answer to `tools/call` into the form of any tool's result (tool search facts §5.5). What is no block of a known
 * kind becomes JSON; what is too long is cut where a marker says so. Never throws: the answer is a stranger's.
 */
export function toolResult(raw: unknown, server: string, tool: string): McpToolResult {
  const result = isRecord(raw) ? raw : {}
  const isError = result['isError'] === true
  const structured = result['structuredContent']
  const budget = new TextBudget(longestText)
  const blocks = Array.isArray(result['content']) ? result['content'] : []
  const content = blocks.slice(0, mostBlocks).map((block) => readBlock(block, budget))
  if (blocks.length > mostBlocks) content.push(text(`[${blocks.length - mostBlocks} more blocks left out]`))
  if (!content.some((block) => block.type === 'image' || block.text !== '')) {
    content.splice(0, content.length, text(budget.take(withoutContent(result, isError))))
  }
  return {
    content,
    details: {
      mcpServer: server,
      mcpTool: tool,
      ...(structured !== undefined && budget.fits(structured) && { structuredContent: structured }),
      ...(isError && { status: 'error' }),
    },
    isError,
  }
}

/** What to show of a result without content: its data, else that it is done. */
function withoutContent(result: Readonly<Record<string, unknown>>, isError: boolean): string {
  const { structuredContent, content: _content, isError: _isError, _meta, ...rest } = result
  if (structuredContent !== undefined) return printed(structuredContent)
  if (Object.keys(rest).length > 0) return printed(rest)
  return isError ? 'The tool failed and did not say why.' : 'Done, without output.'
}

function readBlock(block: unknown, budget: TextBudget): ContentBlock {
  if (!isRecord(block)) return text(budget.take(printed(block)))
  const { type, data, mimeType } = block
  const kind = typeof mimeType === 'string' ? cleanLine(mimeType, 80) : ''
  if (type === 'text' && typeof block['text'] === 'string') return text(budget.take(block['text']))
  if (type === 'image' && typeof data === 'string' && kind !== '') {
    if (data.length > largestImage) return text(`[image ${kind} of ${inMegabytes(data.length)} left out]`)
    return { type: 'image', data, mimeType: kind }
  }
  if (type === 'audio') return text(`[audio ${kind}]`)
  if (type === 'resource_link') {
    const label = [block['title'], block['name']].find((name) => typeof name === 'string') ?? 'resource'
    return text(budget.take(`[${cleanLine(String(label), 200)}] ${String(block['uri'] ?? '')}`))
  }
  if (type === 'resource' && isRecord(block['resource'])) return readResource(block['resource'], budget)
  return text(budget.take(printed(block)))
}

/** An embedded resource: its text, its picture, or where it is. */
function readResource(resource: Readonly<Record<string, unknown>>, budget: TextBudget): ContentBlock {
  const { uri, text: body, blob, mimeType } = resource
  if (typeof body === 'string') return text(budget.take(body))
  const isImage = typeof blob === 'string' && typeof mimeType === 'string' && mimeType.startsWith('image/')
  if (isImage && blob.length <= largestImage)
    return { type: 'image', data: blob, mimeType: cleanLine(mimeType, 80) }
  return text(budget.take(`[resource] ${String(uri ?? '')}`))
}

function text(value: string): ContentBlock & { type: 'text' } {
  return { type: 'text', text: value }
}

function printed(value: unknown): string {
  try {
    return JSON.stringify(value, null, 2) ?? 'null'
  } catch {
    return '[an answer that cannot be printed]'
  }
}

/** Shares out the characters of one result, first come, first served. */
class TextBudget {
  #left: number

  constructor(left: number) {
    this.#left = left
  }

  take(value: string): string {
    const kept = value.slice(0, this.#left)
    this.#left -= kept.length
    const missing = value.length - kept.length
    return missing === 0 ? kept : `${kept.toWellFormed()}\n[${missing} more characters left out]`
  }

  fits(value: unknown): boolean {
    return printed(value).length <= longestText
  }
}
