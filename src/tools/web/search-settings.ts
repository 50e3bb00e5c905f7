import { isRecord } from '../../config/path-value.ts'
import type { Config } from '../../config/types.ts'

/** Search providers that this program speaks to itself. */
export const ownProviders = ['brave', 'searxng'] as const

export type OwnProvider = (typeof ownProviders)[number]

/** Variables that stand in for a setting which the config leaves out. */
export const searchVariables = { brave: 'BRAVE_API_KEY', searxng: 'SEARXNG_BASE_URL' } as const

/** Path of the setting without which a provider cannot be asked. */
export const searchPaths = {
  brave: 'plugins.entries.brave.config.webSearch.apiKey',
  searxng: 'plugins.entries.searxng.config.webSearch.baseUrl',
} as const

/** `plugins.entries.<id>.config.<section>`; empty where there is none, or the entry is off. */
export function pluginSection(
  config: Config,
  id: string,
  section: string,
): Readonly<Record<string, unknown>> {
  const entry = config.plugins?.entries?.[id]
  if (entry?.enabled === false) return {}
  const found = entry?.config?.[section]
  return isRecord(found) ? found : {}
}

/** What the config says for the setting of `searchPaths`; a key of `tools.web.search` counts for Brave. */
export function ownSetting(config: Config, id: OwnProvider): unknown {
  const section = pluginSection(config, id, 'webSearch')
  if (id === 'searxng') return section['baseUrl']
  return section['apiKey'] ?? config.plugins?.entries?.['brave']?.apiKey ?? config.tools?.web?.search?.apiKey
}

/** The provider that `tools.web.search.provider` names; null where it names none. */
export function namedProvider(config: Config): string | null {
  const name = config.tools?.web?.search?.provider?.trim().toLowerCase() ?? ''
  return name === '' || name === 'auto' ? null : name
}
