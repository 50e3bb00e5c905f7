import type { NeedCheck, NeedChecks, UnmetNeed } from '../need.ts'
import type { MediaKind } from './backend.ts'
import { modelSettings, modelsFor } from './choose.ts'

const words: Readonly<Record<MediaKind, string>> = {
  image: 'a model that makes images',
  video: 'a model that makes videos',
  music: 'a plugin that makes music',
  speech: 'a speech model',
  vision: 'a model that looks at images',
  pdf: 'a model that reads documents',
}

const examples: Readonly<Partial<Record<MediaKind, string>>> = {
  image: 'openai/gpt-image-1',
  video: 'openai/sora-2',
  vision: 'openai/gpt-5.5',
  pdf: 'openai/gpt-5.5',
}

/** What is missing to make or look into one kind of media. */
export function mediaNeed(kind: MediaKind): UnmetNeed {
  if (kind === 'music')
    return { needs: words.music, path: null, hints: ['a plugin brings one with api.registerMedia'] }
  const path = kind === 'speech' ? 'messages.tts.model' : `agents.defaults.${modelSettings[kind]}`
  const example = examples[kind] ?? 'openai/gpt-4o-mini-tts'
  return {
    needs: words[kind],
    path,
    hints: [
      `openclaw config set ${path} ${example}`,
      'its provider is described under models.providers: { baseUrl, apiKey }',
    ],
  }
}

const check =
  (kind: MediaKind): NeedCheck =>
  ({ view: { config, context, inventory }, services }) => {
    if (modelsFor(kind, config, context.agentId).length > 0) return null
    // Only the code of plugins says which media they make.
    const may =
      services?.has('media') ??
      inventory.plugins.some(({ enabled, problem }) => enabled && problem === undefined)
    return may ? null : mediaNeed(kind)
  }

const looks: NeedCheck = (facts) => (facts.view.context.supports.vision ? null : check('vision')(facts))

/** Needs of the media tools; `pdf` can at least return the text of a document. */
export const mediaNeeds: NeedChecks = {
  image: looks,
  view_image: looks,
  image_generate: check('image'),
  video_generate: check('video'),
  music_generate: check('music'),
  tts: check('speech'),
}
