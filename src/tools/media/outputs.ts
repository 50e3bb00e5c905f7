import { randomUUID } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ContentBlock } from '../../calls/types.ts'
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

/** Keeps made files under `<state dir>/media`, readable for their owner alone; the kind is read off the bytes where they show it. */
export async function saveMedia(
  stateDir: string,
  files: readonly MediaFile[],
): Promise<readonly SavedMedia[]> {
  const dir = join(stateDir, 'media')
  mkdirSync(dir, { recursive: true, mode: 0o700 })
  const saved: SavedMedia[] = []
  for (const { data, mimeType: said } of files) {
    const mimeType = (await foreignKind(Buffer.from(data))) ?? said
    const path = join(dir, `${randomUUID()}.${endings[mimeType] ?? 'bin'}`)
    writeFileSync(path, data, { mode: 0o600, flag: 'wx' })
    saved.push({ path, mimeType, bytes: data.length })
  }
  return saved
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
