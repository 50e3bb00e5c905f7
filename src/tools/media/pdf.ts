import type { Returned } from '../../calls/executor.ts'
import type { Args } from '../../calls/types.ts'
import { OpenClawError } from '../../kernel/errors.ts'
import type { CodingToolOptions } from '../options.ts'
import { cleanLine } from '../../kernel/untrusted-text.ts'
import { extractPdfFile } from '../web/extract-thread.ts'
import { asExternal, safeText } from '../web/external-text.ts'
import { pagesIn } from '../web/pdf-pages.ts'
import type { MediaDesk } from './desk.ts'
import { readMedia } from './inputs.ts'

const documents = { kind: /^application\/pdf$/, words: 'a PDF document' }
const mostChars = 100_000
/** Milliseconds for taking the text out of a document. */
const limitMs = 30_000

/** Reads a PDF: its text by pages, or the answer of a model to a question about it. Errors: INPUT_INVALID for what is no readable PDF or has no such page, and those of reading and asking. */
export async function pdfTool(
  options: CodingToolOptions,
  desk: MediaDesk,
  { pdf, prompt, pages, model }: Args,
  signal: AbortSignal,
): Promise<Returned> {
  const file = await readMedia(options, String(pdf), documents, signal)
  const asked = typeof model === 'string' ? model : undefined
  const question = typeof prompt === 'string' ? prompt.trim() : ''
  const wanted = typeof pages === 'string' ? pages : null
  const { text, count, shown, isPart } = await textOf(file.data, wanted, signal)
  const safe = safeText(text, mostChars)
  const quoted = asExternal(safe.text, `the document ${file.name ?? 'that was given'}`)
  const about = { pages: count, read: shown, truncated: safe.truncated || isPart }
  if (question === '') {
    const note = safe.text.trim() === '' ? '\nIt has no text; its pages may be pictures.' : ''
    return {
      result: { content: [{ type: 'text', text: quoted + note }], details: { model: null, ...about } },
    }
  }
  const found = await desk.describe('pdf', { prompt: question, files: [file], text: quoted }, asked, signal)
  return {
    result: {
      content: [{ type: 'text', text: found.value }],
      details: { model: found.model, ...about, text: found.value },
    },
  }
}

async function textOf(
  data: Uint8Array,
  wanted: string | null,
  signal: AbortSignal,
): Promise<{
  readonly text: string
  readonly count: number
  readonly shown: number
  readonly isPart: boolean
}> {
  const { count, pages } = await extractPdfFile(data, wanted, limitMs, signal).catch((error: unknown) => {
    if (!(error instanceof OpenClawError) || error.code !== 'TOOL_FAILED') throw error
    throw new OpenClawError('INPUT_INVALID', cleanLine(error.message, 300))
  })
  const numbers = wanted === null ? null : pagesIn(wanted, count)
  if (typeof numbers === 'string') {
    throw new OpenClawError('INPUT_INVALID', `there is no page ${numbers}; the document has ${count}`)
  }
  const parts = pages.map(({ number, text }) => `[page ${number}]\n${text}`)
  const isPart = pages.length < (numbers?.length ?? count)
  return { text: parts.join('\n\n'), count, shown: pages.length, isPart }
}
