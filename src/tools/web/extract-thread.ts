import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'
import { isRecord } from '../../config/path-value.ts'
import { OpenClawError } from '../../kernel/errors.ts'
import type { PdfText } from './pdf-text.ts'
import { stripped, type Extracted, type ExtractMode } from './stripped-text.ts'

/** What is to be taken out of what. */
export interface HtmlJob {
  readonly what: 'html'
  readonly html: string
  readonly url: string
  readonly mode: ExtractMode
  readonly readability: boolean
}

/** A PDF file, and which of its pages: "1-3,7", or all. */
interface PdfJob {
  readonly what: 'pdf'
  readonly bytes: Uint8Array
  readonly pages: string | null
}

const kind = 'openclaw-extract'
const memoryMb = 512
/** Bytes by which the whole program may grow meanwhile: what a file unpacks to is no memory of the thread's heap. */
const mostGrowth = 1024 * 1024 * 1024
const lookMs = 50

/**
 * Reads a page in a thread of its own, so that one which is made to eat time or memory costs only that thread; one that cannot be read so is
 * stripped of its marks. Throws the signal's reason.
 */
export async function extractPage(job: HtmlJob, limitMs: number, signal: AbortSignal): Promise<Extracted> {
  try {
    const found = await inThread(job, limitMs, signal)
    if (isExtracted(found)) return found
  } catch {
    signal.throwIfAborted()
  }
  return stripped(job.html)
}

/** Reads a PDF file in such a thread. Errors: TIMEOUT after `limitMs`, TOOL_FAILED; the signal's reason. */
export async function extractPdfFile(
  bytes: Uint8Array,
  pages: string | null,
  limitMs: number,
  signal: AbortSignal,
): Promise<PdfText> {
  const found = await inThread({ what: 'pdf', bytes, pages }, limitMs, signal)
  if (isPdfText(found)) return found
  throw unreadable('the PDF file', 'its reader says nothing')
}

async function inThread(job: HtmlJob | PdfJob, limitMs: number, signal: AbortSignal): Promise<unknown> {
  signal.throwIfAborted()
  const worker = new Worker(new URL(import.meta.url), {
    workerData: { kind, job },
    // What its libraries print is for nobody.
    stdout: true,
    stderr: true,
    execArgv: ['--disable-warning=ExperimentalWarning'],
    resourceLimits: { maxOldGenerationSizeMb: memoryMb },
  })
  const what = job.what === 'pdf' ? 'the PDF file' : 'the page'
  const { promise, resolve, reject } = Promise.withResolvers<unknown>()
  const onAbort = (): void => reject(signal.reason)
  signal.addEventListener('abort', onAbort, { once: true })
  const timer = setTimeout(() => {
    reject(new OpenClawError('TIMEOUT', `${what} could not be read within ${limitMs / 1000} s`))
  }, limitMs)
  const before = process.memoryUsage.rss()
  const look = setInterval(() => {
    if (process.memoryUsage.rss() - before > mostGrowth) reject(unreadable(what, 'it takes too much memory'))
  }, lookMs)
  worker.on('message', (message: unknown) => {
    if (!isRecord(message)) return
    const { found, problem } = message
    if (typeof problem === 'string') reject(unreadable(what, problem))
    else resolve(found)
  })
  worker.on('error', (error) => reject(unreadable(what, error instanceof Error ? error.message : '')))
  worker.once('exit', () => reject(unreadable(what, 'its reader ended')))
  try {
    return await promise
  } finally {
    clearTimeout(timer)
    clearInterval(look)
    signal.removeEventListener('abort', onAbort)
    await worker.terminate()
  }
}

function unreadable(what: string, reason: string): OpenClawError {
  return new OpenClawError('TOOL_FAILED', `${what} cannot be read: ${reason}`)
}

function isExtracted(value: unknown): value is Extracted {
  return isRecord(value) && typeof value['text'] === 'string' && typeof value['extractor'] === 'string'
}

function isPdfText(value: unknown): value is PdfText {
  return isRecord(value) && typeof value['count'] === 'number' && Array.isArray(value['pages'])
}

async function work(job: HtmlJob | PdfJob): Promise<Extracted | PdfText> {
  if (job.what === 'html') {
    const { extractHtml } = await import('./html-text.ts')
    return extractHtml(job.html, job.url, job.mode, job.readability)
  }
  const { extractPdf } = await import('./pdf-text.ts')
  return extractPdf(job.bytes, job.pages)
}

function isJob(value: unknown): value is { readonly job: HtmlJob | PdfJob } {
  return isRecord(value) && value['kind'] === kind
}

if (!isMainThread && isJob(workerData)) {
  const port = parentPort
  work(workerData.job).then(
    (found) => port?.postMessage({ found }),
    (error: unknown) =>
      port?.postMessage({ problem: error instanceof Error ? error.message : 'it is broken' }),
  )
}
