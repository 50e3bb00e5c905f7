import { dirname } from 'node:path'
import type { Candidate } from '../agent/model-choice.ts'
import { createModel } from '../agent/providers/model.ts'
import { readModelSettings, type ModelRef, type ModelSettings } from '../agent/providers/settings.ts'
import { findAgent } from '../config/agents.ts'
import { createLookup } from '../config/env.ts'
import { stdinFile } from '../config/find.ts'
import type { Config } from '../config/types.ts'
import { OpenClawError } from '../kernel/errors.ts'
import { showName } from '../kernel/untrusted-text.ts'
import { noBackends, type Backends } from '../plugins/backends.ts'
import type { View } from '../policy/view.ts'
import { resolveAlias } from '../sessions/model-choice.ts'
import { splitModel } from '../sessions/request.ts'
import type { Case, CaseOptions } from './case.ts'

/** The models a session may ask, the preferred one first; fallbacks only where nobody asked for a model by name. PROVIDER_FAILED where there is none. */
export function modelRefs(each: Case, view: View): readonly ModelRef[] {
  const { config } = each
  const { provider, model, agentId } = view.context
  if (model === null) {
    throw new OpenClawError('PROVIDER_FAILED', 'no model is configured', {
      hints: ['openclaw config set agents.defaults.model.primary PROVIDER/MODEL', 'or give one with --model'],
      data: { fault: 'no-model', agentId },
    })
  }
  const first = { provider: provider ?? ownerOf(config, model), model }
  if (each.request.model !== undefined) return [first]
  const own = findAgent(config, agentId)?.config.model ?? config.agents?.defaults?.model
  const fallbacks = typeof own === 'object' ? (own.fallbacks ?? []) : []
  const refs = [first, ...fallbacks.flatMap((text) => readRef(config, text, first.provider))]
  const seen = new Set<string>()
  return refs.filter((ref) => {
    const name = `${ref.provider}/${ref.model}`
    return !seen.has(name) && seen.add(name)
  })
}

/** The model that a text names, by an alias or as `provider/model`; none for a text that names no model. */
export function readRef(config: Config, text: string, usual: string): readonly ModelRef[] {
  const { provider, model } = splitModel(resolveAlias(config, { model: text }).model ?? '')
  return model === null ? [] : [{ provider: provider ?? usual, model }]
}

/** The provider that lists a model which is named alone. */
function ownerOf(config: Config, model: string): string {
  const owners = Object.entries(config.models?.providers ?? {}).flatMap(([id, { models = [] }]) =>
    models.some((each) => each.id === model) ? [id] : [],
  )
  const [owner] = owners
  if (owner !== undefined && owners.length === 1) return owner
  const problem =
    owner === undefined ? 'no configured provider lists it' : `${owners.join(' and ')} all list it`
  throw new OpenClawError('PROVIDER_FAILED', `model "${showName(model)}" names no provider: ${problem}`, {
    hints: ['write it as provider/model'],
    data: { fault: 'no-provider', model },
  })
}

/** Models that can be asked, by the config as it is when their turn comes. */
export function candidatesOf(
  refs: readonly ModelRef[],
  current: () => Case,
  options: Pick<CaseOptions, 'env' | 'cwd'>,
  version: string,
  plugins: () => Backends = () => noBackends,
): readonly Candidate[] {
  return refs.map((ref) => ({
    ref,
    open: async () => {
      const each = current()
      const provider = plugins().providers.get(ref.provider.toLowerCase())
      // An address in the config means that the config says how it is asked.
      if (provider !== undefined && each.config.models?.providers?.[ref.provider]?.baseUrl === undefined) {
        const { createPluginModel } = await import('../agent/providers/plugin-model.ts')
        return createPluginModel(provider, ref.model)
      }
      return createModel(await modelSettingsOf(each, ref, options), version)
    },
  }))
}

/** How a model of a config is asked. Errors as `readModelSettings`, with the place in the config. */
export async function modelSettingsOf(
  { config, loaded, locate }: Case,
  ref: ModelRef,
  { env, cwd }: Pick<CaseOptions, 'env' | 'cwd'>,
): Promise<ModelSettings> {
  if (loaded === null) throw new OpenClawError('INTERNAL', 'a model of a config that is not on this machine')
  const { stateDir, home, file, authored } = loaded
  const lookup = createLookup(env, cwd, stateDir, authored)
  const baseDir = file === stdinFile ? cwd : dirname(file)
  try {
    return await readModelSettings(ref, { config, lookup, baseDir, home })
  } catch (error) {
    throw error instanceof OpenClawError ? withPlace(error, locate) : error
  }
}

/** The same error with the place of the config entry it speaks of. */
function withPlace(error: OpenClawError, locate: Case['locate']): OpenClawError {
  const { path } = error.data
  if (!Array.isArray(path)) return error
  // An entry that is missing is looked for where it would have to be.
  const location = path
    .map((_, at) => locate(path.slice(0, path.length - at)))
    .find((place) => place !== null)
  if (!location) return error
  const { file, line, column } = location
  return new OpenClawError(error.code, `${file}:${line}:${column}: ${error.message}`, {
    hints: error.hints,
    data: { ...error.data, location },
    cause: error,
  })
}
