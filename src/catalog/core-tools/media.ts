import type { EditionId } from '../edition.ts'
import type { CoreToolSpec, CoreToolSpecs } from './spec.ts'

const file = (what: string) => ({
  type: 'string',
  minLength: 1,
  description: `${what}: a path in reach of the file tools, an http(s) address, or a data: URL.`,
})
const model = { type: 'string', minLength: 1, description: 'provider/model; else the one that is set.' }
const prompt = (what: string) => ({ type: 'string', minLength: 1, description: what })

function closed(properties: object, required: readonly string[]): CoreToolSpec['parameters'] {
  return { type: 'object', properties, required, additionalProperties: false }
}

const image: CoreToolSpec = {
  parameters: closed(
    {
      image: file('The image'),
      images: {
        type: 'array',
        items: { type: 'string', minLength: 1 },
        maxItems: 8,
        description: 'More images, written in the same way.',
      },
      prompt: { type: 'string', description: 'What to find out; a description unless told.' },
      model,
    },
    ['image'],
  ),
}

function maker(what: string, more: object = {}): CoreToolSpec {
  return {
    parameters: closed({ prompt: prompt(what), ...more, model }, ['prompt']),
    executionMode: 'sequential',
  }
}

const common: CoreToolSpecs = {
  image_generate: maker('What the image shows.', {
    count: { type: 'integer', minimum: 1, maximum: 4, description: 'How many; 1 unless told.' },
    size: { type: 'string', pattern: '^(?:auto|\\d{2,5}x\\d{2,5})$', description: 'As 1024x1024.' },
    image: file('An image to start from'),
  }),
  video_generate: maker('What the video shows.', {
    seconds: { type: 'integer', minimum: 1, maximum: 60, description: 'How long it is.' },
    size: { type: 'string', pattern: '^\\d{2,5}x\\d{2,5}$', description: 'As 1280x720.' },
  }),
  music_generate: maker('What the music is like.', {
    seconds: { type: 'integer', minimum: 1, maximum: 600, description: 'How long it is.' },
  }),
  tts: {
    parameters: closed(
      {
        text: { type: 'string', minLength: 1, maxLength: 4096, description: 'The words to speak.' },
        voice: { type: 'string', minLength: 1, description: 'Name of a voice of the provider.' },
        model,
      },
      ['text'],
    ),
    executionMode: 'sequential',
  },
  pdf: {
    parameters: closed(
      {
        pdf: file('The document'),
        prompt: { type: 'string', description: 'A question about it; without one its text is returned.' },
        pages: {
          type: 'string',
          pattern: '^\\d+(?:-\\d+)?(?:,\\d+(?:-\\d+)?)*$',
          description: 'Pages from 1, as 1-3,7; all unless told.',
        },
        model,
      },
      ['pdf'],
    ),
  },
}

/** Inputs of images, sound, video and documents in an edition. */
export function mediaTools(edition: EditionId): CoreToolSpecs {
  return edition === '2026.7' ? { ...common, image } : { ...common, view_image: image }
}
