import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'
import { isRecord } from '../../config/path-value.ts'
import { OpenClawError } from '../../kernel/errors.ts'
import { stripped, type Extracted, type ExtractMode } from './stripped-text.ts'

/** What is to be taken out of what. */
export type ExtractJob =
  | {
      readonly what: 'html'
      readonly html: string
      readonly url: string
      readonly mode: ExtractMode
      readonly readability: boolean
    }
  | { readonly what: 'pdf'; readonly bytes: Uint8Array }

const kind = 'openclaw-extract'
const memoryMb = 512

/**
 * Reads a page or a PDF file in a thread of its own, so that one which is made to eat time or memory costs only that thread. A page that
 * cannot be read so is stripped of its marks; a PDF file gives TIMEOUT after `limitMs`, or TOOL_FAILED. Throws the signal's reason.
 */
export async function extract(job: ExtractJob, limitMs: number, signal: AbortSignal): Promise<Extracted> {
  try {
    return await inThread(job, limitMs, signal)
  } catch (error) {
    if (signal.aborted || job.what === 'pdf') throw error
    return stripped(job.html)
  }
}

async function inThread(job: ExtractJob, limitMs: number, signal: AbortSignal): Promise<Extracted> {
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
  const { promise, resolve, reject } = Promise.withResolvers<Extracted>()
  const onAbort = (): void => reject(signal.reason)
  signal.addEventListener('abort', onAbort, { once: true })
  const timer = setTimeout(() => {
    reject(new OpenClawError('TIMEOUT', `${what} could not be read within ${limitMs / 1000} s`))
  }, limitMs)
  worker.on('message', (message: unknown) => {
    if (!isRecord(message)) return
    const { extracted, problem } = message
    if (isExtracted(extracted)) resolve(extracted)
    else reject(unreadable(what, typeof problem === 'string' ? problem : 'it says nothing'))
  })
  worker.on('error', (error) => reject(unreadable(what, error instanceof Error ? error.message : '')))
  worker.once('exit', () => reject(unreadable(what, 'its reader ended')))
  try {
    return await promise
  } finally {
    clearTimeout(timer)
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

async function work(job: ExtractJob): Promise<Extracted> {
  if (job.what === 'html') {
    const { extractHtml } = await import('./html-text.ts')
    return extractHtml(job.html, job.url, job.mode, job.readability)
  }
  const { extractPdf } = await import('./pdf-text.ts')
  return extractPdf(job.bytes)
}

function isJob(value: unknown): value is { readonly job: ExtractJob } {
  return isRecord(value) && value['kind'] === kind
}

if (!isMainThread && isJob(workerData)) {
  const port = parentPort
  work(workerData.job).then(
    (extracted) => port?.postMessage({ extracted }),
    (error: unknown) =>
      port?.postMessage({ problem: error instanceof Error ? error.message : 'it is broken' }),
  )
}
