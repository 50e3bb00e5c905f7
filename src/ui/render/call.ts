import type { ToolResult } from '../../calls/types.ts'
import { cleanText } from '../../kernel/untrusted-text.ts'

const longestText = 1024 * 1024

/** Renders a tool's result: its texts, its pictures in a word, and its details where it says nothing else. */
export function renderResult({ content, details }: ToolResult): string {
  const texts = content.map((block) =>
    block.type === 'text'
      ? cleanText(block.text, longestText)
      : `[image ${cleanText(block.mimeType, 80)}, ${block.data.length} characters of base64]`,
  )
  const text = texts.filter((each) => each !== '').join('\n')
  return text === '' && details !== undefined ? renderValue(details) : text
}

/** Renders `tools call --dry-run`: what was checked, and what only the call itself finds out. */
export function renderPlan(tool: string): string {
  return `${tool} may be called with these arguments by policy and its input schema; hooks and approvals are asked when it is. Nothing was done.`
}

/** Renders the value of a snippet: a text as it is, anything else as JSON. */
export function renderValue(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value, null, 2) ?? 'null')
  return cleanText(text, longestText)
}
