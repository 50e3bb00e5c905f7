import { OpenClawError } from '../../kernel/errors.ts'
import { cleanLine, showName } from '../../kernel/untrusted-text.ts'
import { download, type Download, type DownloadRequest } from './download.ts'
import { AddressGuard, hostOf } from './guard.ts'

/** A provider that the owner of this machine has configured. */
export interface ProviderCall {
  readonly id: string
  readonly baseUrl: string
  /** Config path of the address, for messages. */
  readonly urlPath: string
  /** Config path of the key, for hints; null where it has none. */
  readonly keyPath: string | null
  readonly timeoutMs: number
  /** Values that must not be printed. */
  readonly secrets: readonly string[]
}

const largestAnswer = 4_000_000
/** What no header may hold; a key that was pasted over two lines, say. */
const unsendable = /[^\t -~\u0080-\u00FF]/

/** The address of a provider with something after it. CONFIG_INVALID where it is no web address. */
export function providerUrl({ id, baseUrl, urlPath }: ProviderCall, path: string): URL {
  const base = baseUrl.trim().replace(/\/+$/, '')
  const full = base.endsWith(path) ? base : `${base}${path}`
  if (URL.canParse(full) && /^https?:$/.test(new URL(full).protocol)) return new URL(full)
  throw new OpenClawError('CONFIG_INVALID', `the address of ${id} is no http or https URL`, {
    hints: [`openclaw config set ${urlPath} https://…`],
    data: { path: urlPath },
  })
}

/**
 * Asks a provider and gives the JSON of its answer. It may be on this machine or its network, because its owner has named it; it may not send the
 * key on by redirecting. Errors: PROVIDER_FAILED, TIMEOUT, CONFIG_INVALID; the signal's reason.
 */
export async function askProvider(
  call: ProviderCall,
  request: Omit<DownloadRequest, 'headers'> & { readonly headers?: Readonly<Record<string, string>> },
  signal: AbortSignal,
): Promise<unknown> {
  const { id, keyPath, urlPath, timeoutMs } = call
  const host = hostOf(request.url)
  const guard = new AddressGuard({ hosts: [host], allowPrivate: false, hostsPath: null })
  const headers = { accept: 'application/json', 'user-agent': 'openclaw', ...request.headers }
  if (Object.values(headers).some((value) => unsendable.test(value))) {
    const hints = keyPath === null ? [] : [`openclaw config set ${keyPath} '\${NAME_OF_A_VARIABLE}'`]
    throw failed(id, 'its key has characters in it that cannot be sent', hints)
  }
  const limits = { timeoutMs, maxBytes: largestAnswer, maxRedirects: 0 }
  let answer: Download
  try {
    const url = guard.check(request.url.href)
    answer = await download({ ...request, url, headers }, guard, limits, signal)
  } catch (error) {
    if (!(error instanceof OpenClawError) || signal.aborted || error.code === 'TIMEOUT') throw error
    throw failed(id, error.message, [`openclaw config get ${urlPath}`])
  }
  const { status, bytes, truncated } = answer
  const text = bytes.toString('utf8')
  if (status === 401 || (status === 403 && keyPath !== null)) {
    throw failed(
      id,
      `it refuses the key (HTTP ${status})`,
      keyPath === null ? [] : [`openclaw config set ${keyPath} '\${NAME_OF_A_VARIABLE}'`],
    )
  }
  if (status === 429) {
    const after = answer.headers['retry-after']
    throw failed(
      id,
      `it allows no more searches now (HTTP 429)${after === undefined ? '' : `; try again after ${cleanLine(after, 40)}${/^\d+$/.test(after.trim()) ? ' s' : ''}`}`,
      [],
    )
  }
  if (status >= 300 && status < 400)
    throw failed(id, 'it redirects, where the key would go, too', [`set ${urlPath} to where it is`])
  if (status !== 200) throw failed(id, `it answered with HTTP ${status}${reason(text, call.secrets)}`, [])
  if (truncated) throw failed(id, `its answer has more than ${largestAnswer / 1e6} MB`, [])
  try {
    return JSON.parse(text)
  } catch {
    throw failed(id, 'its answer is no JSON; its address may be wrong', [`openclaw config get ${urlPath}`])
  }
}

/** The error for an answer that is JSON and not what the provider is said to be. */
export function strangeAnswer({ id, urlPath }: ProviderCall): OpenClawError {
  return failed(id, 'its answer is none of a search; its address may be wrong', [
    `openclaw config get ${urlPath}`,
  ])
}

function failed(id: string, message: string, hints: readonly string[]): OpenClawError {
  return new OpenClawError('PROVIDER_FAILED', `${showName(id)}: ${message}`, {
    hints,
    data: { provider: id },
  })
}

function reason(text: string, secrets: readonly string[]): string {
  if (/^\s*</.test(text)) return ''
  // A key that is cut in two would not be found.
  let safe = text
  for (const secret of secrets) if (secret !== '') safe = safe.replaceAll(secret, '…')
  const line = cleanLine(safe, 200)
  return line === '' ? '' : `: ${line}`
}
