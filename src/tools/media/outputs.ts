import { randomUUID } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { makeDirectory } from '../../config/make-directory.ts'
import type { ContentBlock } from '../../calls/types.ts'
import { OpenClawError } from '../../kernel/errors.ts'
import { foreignKind } from '../files/images.ts'
import { imageBytes } from '../files/limits.ts'
import type { MediaFile } from './backend.ts'

/** A file that a tool has made, as its result names it. */
export interface SavedMedia {
  /** Absolute path below the state directory. */
  readonly path: string
  readonly mimeType: string
  readonly bytes: number
}

const endings: Readonly<Record<string, string>> = {
  'image/png': 'png',
  'image/jpeg': 'jpg',
  'image/webp': 'webp',
  'image/gif': 'gif',
  'video/mp4': 'mp4',
  'audio/mpeg': 'mp3',
  'audio/wav': 'wav',
  'audio/ogg': 'ogg',
  'audio/flac': 'flac',
}

/**
 * Keeps made files under `<state dir>/media`, readable for their owner alone; the kind is read off the bytes where they show it.
 * Error: PROVIDER_FAILED for what cannot be media of the kind that it is said to be; nothing is kept then.
 */
export async function saveMedia(
  stateDir: string,
  files: readonly MediaFile[],
): Promise<readonly SavedMedia[]> {
  const found = await Promise.all(files.map(({ data }) => foreignKind(Buffer.from(data))))
  for (const [at, file] of files.entries()) mustBeMedia(file, found[at] ?? null)
  const dir = join(stateDir, 'media')
  makeDirectory(dir)
  const saved: SavedMedia[] = []
  for (const [at, { data, mimeType: said }] of files.entries()) {
    const mimeType = found[at] ?? said
    const path = join(dir, `${randomUUID()}.${endings[mimeType] ?? 'bin'}`)
    writeFileSync(path, data, { mode: 0o600, flag: 'wx' })
    saved.push({ path, mimeType, bytes: data.length })
  }
  return saved
}

/** Some services answer a mistake with status 200 and a page or JSON about it; kept as a sound or a film that would be lost. */
function mustBeMedia({ data, mimeType: said }: MediaFile, found: string | null): void {
  const [wanted = ''] = said.split('/')
  const isDrawing = said.startsWith('image/svg')
  const why =
    data.length === 0
      ? 'it is empty'
      : found !== null && !isDrawing && !isLike(found, wanted)
        ? `it is ${found}`
        : found === null && !isDrawing && isDocument(data)
          ? 'it is a text'
          : found === null && !isDrawing && wanted === 'image'
            ? 'nobody knows its kind'
            : null
  if (why === null) return
  const what = { image: 'an image', audio: 'sound', video: 'a film' }[wanted] ?? 'media'
  throw new OpenClawError('PROVIDER_FAILED', `what the provider made is not ${what}: ${why}`, {
    data: { expected: said, found },
  })
}

/** Containers of sound and film are named after either. */
function isLike(found: string, wanted: string): boolean {
  const [kind = ''] = found.split('/')
  if (wanted === 'image') return kind === 'image'
  return kind === 'audio' || kind === 'video' || /^application\/(?:ogg|mp4|vnd\.apple\.mpegurl)/.test(found)
}

/** Whether bytes begin as JSON or a page does, and as no sound, film or picture. */
function isDocument(data: Uint8Array): boolean {
  const start = Buffer.from(data.subarray(0, 512)).toString('latin1').trimStart()
  return /^(?:\{\s*["}]|\[\s*[[{"\]]|<(?:!doctype|html|\?xml|h\d|head|body|error|p)\b)/i.test(start)
}

/** What a model gets of made files: their paths, and images of a size that models take. */
export function mediaContent(saved: readonly SavedMedia[], files: readonly MediaFile[]): ContentBlock[] {
  const lines = saved.map(({ path, mimeType, bytes }) => `Saved ${path} (${mimeType}, ${bytes} bytes)`)
  const images = saved.flatMap(({ mimeType, bytes }, at): ContentBlock[] => {
    const data = files[at]?.data
    if (data === undefined || !mimeType.startsWith('image/') || bytes > imageBytes) return []
    return [{ type: 'image', data: Buffer.from(data).toString('base64'), mimeType }]
  })
  return [{ type: 'text', text: lines.join('\n') }, ...images]
}
