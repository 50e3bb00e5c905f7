import { closeSync } from 'node:fs'
import { basename } from 'node:path'
import { OpenClawError } from '../../kernel/errors.ts'
import { showName } from '../../kernel/untrusted-text.ts'
import { foreignKind } from '../files/images.ts'
import { openFile, readWhole } from '../files/open-file.ts'
import { scopeOf } from '../files/scope.ts'
import { visit } from '../files/walk.ts'
import type { CodingToolOptions } from '../options.ts'
import { download } from '../web/download.ts'
import { AddressGuard } from '../web/guard.ts'
import { fetchSettings } from '../web/settings.ts'
import type { MediaFile } from './backend.ts'

const largest = 16 * 1024 * 1024

/** Reads a file that a call names: a path in reach of the file tools, an address that web_fetch may go to, or a data: URL. Errors: INPUT_INVALID for another kind than expected or more than 16 MiB, and those of reading and fetching. */
export async function readMedia(
  options: CodingToolOptions,
  given: string,
  expected: { readonly kind: RegExp; readonly words: string },
  signal: AbortSignal,
): Promise<MediaFile> {
  const { data, name } = await bytesOf(options, given, signal)
  const mimeType = await foreignKind(Buffer.from(data))
  if (mimeType !== null && expected.kind.test(mimeType)) return { data, mimeType, name }
  const what = mimeType === null ? 'of an unknown kind' : mimeType
  throw new OpenClawError(
    'INPUT_INVALID',
    `${showName(shown(given), 200)} is ${what}; expected ${expected.words}`,
    { data: { file: shown(given), mimeType } },
  )
}

async function bytesOf(
  options: CodingToolOptions,
  given: string,
  signal: AbortSignal,
): Promise<{ readonly data: Buffer; readonly name: string }> {
  const inline = /^data:[^,]{0,200};base64,([\s\S]*)$/i.exec(given)
  if (inline) return { data: sized(Buffer.from(inline[1] ?? '', 'base64'), 'data:'), name: 'inline' }
  if (/^https?:/i.test(given)) {
    const settings = fetchSettings(options.view().config)
    const guard = new AddressGuard(settings.rules)
    const url = guard.check(given)
    const { userAgent, headers, timeoutMs, maxRedirects, useTrustedEnvProxy } = settings
    const limits = { timeoutMs, maxRedirects, maxBytes: largest }
    const found = await download(
      { url, headers: { 'user-agent': userAgent }, ownHeaders: headers },
      guard,
      limits,
      signal,
      useTrustedEnvProxy ? options.env : undefined,
    )
    if (found.truncated) throw tooLarge(given)
    if (found.status >= 400)
      throw new OpenClawError('TOOL_FAILED', `${showName(given, 200)} answers with status ${found.status}`)
    return { data: found.bytes, name: basename(found.url.pathname) || found.url.hostname }
  }
  const scope = await scopeOf(options, 'files')
  return visit(scope, given, {}, (spot) => {
    const file = openFile(spot)
    try {
      const data = readWhole(file, largest)
      if (data === null) throw tooLarge(given)
      return { data, name: basename(spot.path) }
    } finally {
      closeSync(file.fd)
    }
  })
}

function sized(data: Buffer, given: string): Buffer {
  if (data.length > largest) throw tooLarge(given)
  return data
}

function tooLarge(given: string): OpenClawError {
  return new OpenClawError(
    'INPUT_INVALID',
    `${showName(shown(given), 200)} is larger than the ${largest / 1024 / 1024} MiB that are read`,
  )
}

/** An input as it may be repeated: inline data is no name. */
function shown(given: string): string {
  return /^data:/i.test(given) ? 'the data: URL' : given
}
