import type { Args, ContentBlock } from '../../calls/types.ts'
import type { Returned } from '../../calls/executor.ts'
import { isRecord } from '../../config/path-value.ts'
import type { CoreTool, OpenFamily } from '../family.ts'
import { imageBlock } from '../files/images.ts'
import type { CodingToolOptions } from '../options.ts'
import type { MediaRequest } from './backend.ts'
import { ownSection, ttsOf } from './choose.ts'
import { MediaDesk } from './desk.ts'
import { readMedia } from './inputs.ts'
import { mediaContent, saveMedia } from './outputs.ts'
import { pdfTool } from './pdf.ts'

const pictures = { kind: /^image\/(?:png|jpeg|gif|webp)$/, words: 'a png, jpeg, gif or webp image' }
const usualQuestion = 'Describe what is to be seen, with every text in it.'

/** The tools that make media and look into it. */
export function openMediaTools(options: CodingToolOptions): OpenFamily {
  const desk = new MediaDesk(options)
  const image: CoreTool = { run: (args, { signal }) => look(options, desk, args, signal) }
  const make =
    (
      kind: MediaRequest['kind'],
      request: (args: Args, signal: AbortSignal) => Promise<Partial<MediaRequest>>,
    ): CoreTool['run'] =>
    async (args, { signal }) => {
      const { value, model } = await desk.make(
        {
          kind,
          prompt: textOf(args['prompt'] ?? args['text']),
          ...named(args),
          ...(await request(args, signal)),
        },
        signal,
      )
      const saved = await saveMedia(options.stateDir, value)
      return { result: { content: mediaContent(saved, value), details: { model, files: saved } } }
    }
  return {
    tools: {
      image,
      view_image: image,
      image_generate: {
        run: make('image', async ({ count, size, image: from }, signal) => ({
          ...(typeof count === 'number' && { count }),
          ...(typeof from === 'string' && { inputs: [await readMedia(options, from, pictures, signal)] }),
          ...(typeof size === 'string' && { options: { size } }),
        })),
      },
      video_generate: { run: make('video', async ({ size, seconds }) => ({ options: { size, seconds } })) },
      music_generate: { run: make('music', async ({ seconds }) => ({ options: { seconds } })) },
      tts: {
        run: make('speech', async ({ voice }) => ({ options: { voice: voice ?? usualVoice(options) } })),
      },
      pdf: { run: (args, { signal }) => pdfTool(options, desk, args, signal) },
    },
  }
}

/** The session's own model looks at images itself; another one is asked where it cannot, or where a question or a model is given. */
async function look(
  options: CodingToolOptions,
  desk: MediaDesk,
  args: Args,
  signal: AbortSignal,
): Promise<Returned> {
  const { image, images = [], prompt } = args
  const names = [image, ...(Array.isArray(images) ? images : [])].map(textOf)
  const files = await Promise.all(names.map((name) => readMedia(options, name, pictures, signal)))
  const { model } = named(args)
  const { vision } = options.view().context.supports
  if (vision && model === undefined && !desk.has('vision')) {
    const content = files.flatMap(({ data, mimeType, name = '' }): ContentBlock[] =>
      imageBlock(Buffer.from(data), mimeType, name, true),
    )
    return { result: { content, details: { model: null, images: files.length } } }
  }
  const question = typeof prompt === 'string' && prompt.trim() !== '' ? prompt : usualQuestion
  const found = await desk.describe('vision', { prompt: question, files }, model, signal)
  return {
    result: {
      content: [{ type: 'text', text: found.value }],
      details: { model: found.model, images: files.length, text: found.value },
    },
  }
}

function usualVoice({ view }: CodingToolOptions): unknown {
  const tts = ttsOf(view().config)
  const { provider, voice } = tts
  const own = typeof provider === 'string' ? ownSection(tts, provider)['voice'] : undefined
  return own ?? (isRecord(voice) ? undefined : voice)
}

function named({ model }: Args): { readonly model?: string } {
  return typeof model === 'string' ? { model } : {}
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
