import type { Returned } from '../../calls/executor.ts'
import type { Args } from '../../calls/types.ts'
import { OpenClawError } from '../../kernel/errors.ts'
import type { CodingToolOptions } from '../options.ts'
import { asExternal, safeText } from '../web/external-text.ts'
import type { MediaDesk } from './desk.ts'
import { readMedia } from './inputs.ts'

const documents = { kind: /^application\/pdf$/, words: 'a PDF document' }
const mostChars = 100_000

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
  const { text, count, shown } = await textOf(file.data, typeof pages === 'string' ? pages : null)
  const safe = safeText(text, mostChars)
  const quoted = asExternal(safe.text, `the document ${file.name ?? 'that was given'}`)
  const about = { pages: count, read: shown, truncated: safe.truncated }
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
): Promise<{ readonly text: string; readonly count: number; readonly shown: number }> {
  const { getDocumentProxy, extractText } = await import('unpdf')
  let texts: readonly string[]
  try {
    const document = await getDocumentProxy(new Uint8Array(data), { verbosity: 0 })
    ;({ text: texts } = await extractText(document, { mergePages: false }))
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    throw new OpenClawError('INPUT_INVALID', `the PDF cannot be read: ${why.slice(0, 200)}`)
  }
  const numbers = wanted === null ? texts.map((_, at) => at + 1) : pagesIn(wanted, texts.length)
  const parts = numbers.map((number) => `[page ${number}]\n${texts[number - 1]?.trim() ?? ''}`)
  return { text: parts.join('\n\n'), count: texts.length, shown: numbers.length }
}

function pagesIn(wanted: string, count: number): readonly number[] {
  const numbers = wanted.split(',').flatMap((range) => {
    const [from = 0, to = from] = range.split('-').map(Number)
    if (from < 1 || to < from || from > count) {
      throw new OpenClawError('INPUT_INVALID', `there is no page ${range}; the document has ${count}`)
    }
    return Array.from({ length: Math.min(to, count) - from + 1 }, (_, at) => from + at)
  })
  return [...new Set(numbers)].toSorted((a, b) => a - b)
}
