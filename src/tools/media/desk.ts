import { OpenClawError } from '../../kernel/errors.ts'
import type { CodingToolOptions } from '../options.ts'
import type { MediaBackend, MediaFile, MediaKind, MediaRequest } from './backend.ts'
import { modelsFor } from './choose.ts'
import type { MediaModel, MediaModels } from './models.ts'
import { mediaNeed } from './needs.ts'
import { generateOver } from './openai-media.ts'

/** What was made or found out, and by which model. */
export interface MediaAnswer<Value> {
  readonly value: Value
  readonly model: string
}

/** Finds who makes or looks into media: plugins by the provider's name, else the endpoint of the provider; the next model where one fails. */
export class MediaDesk {
  readonly #options: CodingToolOptions

  constructor(options: CodingToolOptions) {
    this.#options = options
  }

  /** Makes files. Errors: TOOL_UNAVAILABLE where nothing can, PROVIDER_FAILED, and those of a plugin. */
  make(request: MediaRequest, signal: AbortSignal): Promise<MediaAnswer<readonly MediaFile[]>> {
    return this.#first(request.kind, request.model, signal, async ({ provider, model }, backend) => {
      if (backend?.generate !== undefined) return backend.generate({ ...request, model }, signal)
      const endpoint = await this.#models().endpoint({ provider, model })
      return generateOver(endpoint, { ...request, model }, signal)
    })
  }

  /** Asks about files. Errors as `make`. */
  describe(
    kind: 'vision' | 'pdf',
    question: { readonly prompt: string; readonly files: readonly MediaFile[]; readonly text?: string },
    asked: string | undefined,
    signal: AbortSignal,
  ): Promise<MediaAnswer<string>> {
    const { prompt, files, text } = question
    return this.#first(kind, asked, signal, async (ref, backend) => {
      if (backend?.describe !== undefined) {
        return backend.describe({ kind, prompt, files, model: ref.model }, signal)
      }
      const images = files.filter(({ mimeType }) => mimeType.startsWith('image/'))
      return this.#models().ask(
        ref,
        { text: text === undefined ? prompt : `${prompt}\n\n${text}`, images },
        signal,
      )
    })
  }

  /** Whether a model is set for a kind, or a plugin does it. */
  has(kind: MediaKind, asked?: string): boolean {
    return this.#candidates(kind, asked).length > 0
  }

  async #first<Value>(
    kind: MediaKind,
    asked: string | undefined,
    signal: AbortSignal,
    work: (model: MediaModel, backend: MediaBackend | undefined) => Promise<Value>,
  ): Promise<MediaAnswer<Value>> {
    const models = this.#candidates(kind, asked)
    let failure: unknown
    for (const ref of models) {
      try {
        const value = await work(ref, this.#backend(ref.provider, kind))
        return { value, model: ref.model === '' ? ref.provider : `${ref.provider}/${ref.model}` }
      } catch (error) {
        signal.throwIfAborted()
        failure = error
      }
    }
    if (failure !== undefined) throw failure
    const { needs, hints } = mediaNeed(kind)
    throw new OpenClawError('TOOL_UNAVAILABLE', `it needs ${needs}`, { hints })
  }

  #candidates(kind: MediaKind, asked: string | undefined): readonly MediaModel[] {
    const { config, context } = this.#options.view()
    const models = modelsFor(kind, config, context.agentId, asked)
    if (models.length > 0) return models
    return [...(this.#options.services.media ?? [])].flatMap(([provider, { kinds }]) =>
      kinds.includes(kind) ? [{ provider, model: '' }] : [],
    )
  }

  #backend(provider: string, kind: MediaKind): MediaBackend | undefined {
    const backend = this.#options.services.media?.get(provider)
    return backend?.kinds.includes(kind) === true ? backend : undefined
  }

  #models(): MediaModels {
    const { models } = this.#options.services
    if (models !== undefined) return models
    throw new OpenClawError('TOOL_UNAVAILABLE', 'no models can be asked here')
  }
}
