import { findAgent } from '../config/agents.ts'
import type { Config, ModelSelection } from '../config/types.ts'
import { splitModel, type SessionRequest } from './request.ts'

/** Provider and model of an agent whose session names none: its primary model, else that of all agents (ruling 5). */
export function configuredModel(config: Config, agentId: string): SessionRequest {
  const model = primary(findAgent(config, agentId)?.config.model) ?? primary(config.agents?.defaults?.model)
  // A variable without a value stays as written; it names no model.
  if (model === undefined || model.includes('${')) return {}
  const { provider, model: id } = splitModel(resolveAlias(config, { model }).model ?? '')
  return { provider: provider ?? undefined, model: id ?? undefined }
}

/** Replaces a model that is named alone and is an alias of `agents.defaults.models` by the model it stands for. */
export function resolveAlias(config: Config, request: SessionRequest): SessionRequest {
  const wanted = request.model?.trim().toLowerCase()
  if (wanted === undefined || request.provider !== undefined || wanted.includes('/')) return request
  const model = Object.entries(config.agents?.defaults?.models ?? {}).find(
    ([, settings]) => aliasOf(settings)?.toLowerCase() === wanted,
  )?.[0]
  return model === undefined ? request : { ...request, model }
}

function aliasOf(settings: unknown): string | undefined {
  if (typeof settings !== 'object' || settings === null || !('alias' in settings)) return undefined
  return typeof settings.alias === 'string' ? settings.alias.trim() : undefined
}

function primary(selection: ModelSelection | undefined): string | undefined {
  const model = typeof selection === 'string' ? selection : selection?.primary
  return model === undefined || model.trim() === '' ? undefined : model.trim()
}
