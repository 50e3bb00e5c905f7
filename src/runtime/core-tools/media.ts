import type { CaseOptions, Case } from '../case.ts'
import { OpenClawError } from '../../kernel/errors.ts'
import type { ModelSettings } from '../../agent/providers/settings.ts'
import type { MediaModel, MediaModels } from '../../tools/media/models.ts'

/** Stands in the user agent behind the name of this program, where turns of a model have its version. */
const agentName = 'tools'

/** The models of a config for media tools; nothing is loaded before the first question. */
export function mediaModels(each: Case, options: Pick<CaseOptions, 'env' | 'cwd'>): MediaModels {
  const settingsOf = async (ref: MediaModel): Promise<ModelSettings> => {
    const { modelSettingsOf } = await import('../model-candidates.ts')
    return modelSettingsOf(each, ref, options)
  }
  return {
    endpoint: async (ref) => {
      const { baseUrl, headers, secrets } = await settingsOf(ref)
      return { baseUrl, headers, secrets }
    },
    ask: async (ref, { text, images }, signal) => {
      const { createModel } = await import('../../agent/providers/model.ts')
      const { textOf } = await import('../../agent/messages.ts')
      const settings = await settingsOf(ref)
      if (images.length > 0 && !settings.readsImages) {
        throw new OpenClawError('PROVIDER_FAILED', `${ref.provider}/${ref.model} does not look at images`, {
          hints: [`if it does: models.providers.${ref.provider}.models[] with input: ["text", "image"]`],
        })
      }
      const content = [
        { type: 'text' as const, text },
        ...images.map(({ data, mimeType }) => ({
          type: 'image' as const,
          data: Buffer.from(data).toString('base64'),
          mimeType,
        })),
      ]
      const messages = [{ role: 'user' as const, content, timestamp: Date.now() }]
      const asked = { system: '', messages, tools: [], stream: false }
      const { message } = await createModel(settings, agentName).ask(asked, { signal })
      return textOf(message)
    },
  }
}
