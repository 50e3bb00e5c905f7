import type { ContentBlock } from '../../calls/types.ts'
import { showName } from '../../kernel/untrusted-text.ts'
import { inputError } from './errors.ts'
import { imageBytes } from './limits.ts'

const shownToModels = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp'])

/** MIME type of bytes that are no text, by what they hold and never by a name; null for an unknown kind. */
export async function foreignKind(bytes: Buffer): Promise<string | null> {
  const { fileTypeFromBuffer } = await import('file-type')
  try {
    return (await fileTypeFromBuffer(bytes))?.mime ?? null
  } catch {
    // What a hostile file does to its reader says nothing about the file.
    return null
  }
}

/** An image for a model, or words about it where the model cannot look. Error: INPUT_INVALID for a kind or size that models do not take. */
export function imageBlock(bytes: Buffer, mimeType: string, path: string, vision: boolean): ContentBlock[] {
  const shown = showName(path, 300)
  if (!shownToModels.has(mimeType)) {
    throw inputError(`${shown} is an image of a kind that models do not take (${mimeType})`, path, [
      'convert it to png with exec',
    ])
  }
  if (bytes.length > imageBytes) {
    throw inputError(
      `${shown} has ${bytes.length} bytes; images are read up to ${imageBytes} bytes`,
      path,
      ['make it smaller with exec'],
      { bytes: bytes.length, mimeType },
    )
  }
  const text = `[Image ${shown}: ${mimeType}, ${bytes.length} bytes]`
  if (!vision) return [{ type: 'text', text: `${text} The model of this session cannot look at images.` }]
  return [
    { type: 'text', text },
    { type: 'image', data: bytes.toString('base64'), mimeType },
  ]
}
