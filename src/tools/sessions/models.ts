import { OpenClawError } from '../../kernel/errors.ts'
import { suggest } from '../../kernel/suggest.ts'
import { showName } from '../../kernel/untrusted-text.ts'
import type { Config } from '../../config/types.ts'
import { resolveAlias } from '../../sessions/model-choice.ts'
import { splitModel } from '../../sessions/request.ts'

const mostShown = 50

/** Models that a config names, as `provider/model`. */
export function knownModels(config: Config): readonly string[] {
  const listed = Object.entries(config.models?.providers ?? {}).flatMap(([provider, { models = [] }]) =>
    models.flatMap(({ id }) => (typeof id === 'string' ? [`${provider}/${id}`] : [])),
  )
  return [...new Set([...listed, ...Object.keys(config.agents?.defaults?.models ?? {})])].slice(0, mostShown)
}

/** The model that somebody names, by an alias or as provider/model. INPUT_INVALID where its provider is not configured. */
export function namedModel(
  config: Config,
  written: string,
): { readonly provider: string; readonly model: string } {
  const { provider, model } = splitModel(resolveAlias(config, { model: written }).model ?? '')
  const providers = Object.keys(config.models?.providers ?? {})
  const known = knownModels(config)
  if (
    model !== null &&
    provider !== null &&
    providers.some((id) => id.toLowerCase() === provider.toLowerCase())
  )
    return { provider, model }
  const [only, another] = provider === null ? known.filter((each) => each.endsWith(`/${model}`)) : []
  if (only !== undefined && another === undefined) return namedModel(config, only)
  const near = suggest(written, known)
  throw new OpenClawError('INPUT_INVALID', `no provider for the model "${showName(written)}" is configured`, {
    hints: near.length > 0 ? near : known.slice(0, 5),
  })
}
