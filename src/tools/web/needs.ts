import { createLookup } from '../../config/env.ts'
import { searchProviders } from '../../config/search-providers.ts'
import type { NeedCheck, NeedChecks, UnmetNeed } from '../need.ts'
import {
  namedProvider,
  ownProviders,
  ownSetting,
  searchPaths,
  searchVariables,
  type OwnProvider,
} from './search-settings.ts'
import { xaiKey } from './xai-settings.ts'

const howTo = {
  searxng: `openclaw config set ${searchPaths.searxng} https://search.example.org`,
  brave: `openclaw config set ${searchPaths.brave} '\${BRAVE_API_KEY}'`,
} as const

/** What is missing to search the web: the setting of a provider, or any provider at all. */
export function searchNeed(id: OwnProvider | null): UnmetNeed {
  if (id === 'searxng')
    return { needs: 'the address of a SearXNG instance', path: searchPaths.searxng, hints: [howTo.searxng] }
  if (id === 'brave')
    return { needs: 'a key for Brave Search', path: searchPaths.brave, hints: [howTo.brave] }
  return {
    needs: 'a web search provider',
    path: 'tools.web.search.provider',
    hints: [howTo.searxng, howTo.brave],
  }
}

/** What is missing where a provider is named that this program does not speak to. */
export function unknownProvider(name: string): UnmetNeed {
  return {
    needs: `a plugin that brings the web search provider ${JSON.stringify(name)}`,
    path: 'tools.web.search.provider',
    hints: [`without a plugin: openclaw config set tools.web.search.provider searxng, or brave`],
  }
}

const webSearch: NeedCheck = ({ view, env, stateDir, services }) => {
  const { config, inventory } = view
  const lookup = createLookup(env, stateDir, stateDir, config)
  const isSet = (id: OwnProvider): boolean =>
    config.plugins?.entries?.[id]?.enabled !== false &&
    ((ownSetting(config, id) ?? '') !== '' || lookup.find(searchVariables[id]) !== null)
  const named = namedProvider(config)
  const own = ownProviders.find((id) => id === named)
  if (own !== undefined) return isSet(own) ? null : searchNeed(own)
  // Only the code of plugins says which providers they bring, so one that is on may well bring it.
  const plugins = inventory.plugins.filter(({ enabled, problem }) => enabled && problem === undefined)
  const mayBring = services?.has('webSearch') === true || plugins.some(({ id }) => !isKnownId(id))
  if (mayBring) return null
  if (named !== null) return unknownProvider(named)
  return ownProviders.some(isSet) ? null : searchNeed(null)
}

/** Ids of entries which only hold settings. */
function isKnownId(id: string): boolean {
  const name = id.trim().toLowerCase()
  return [...ownProviders, ...searchProviders, 'xai', 'browser', 'canvas', 'memory-core'].includes(name)
}

const xSearch: NeedCheck = ({ view, env, stateDir }) => {
  const lookup = createLookup(env, stateDir, stateDir, view.config)
  if (xaiKey(view.config) !== undefined || lookup.find('XAI_API_KEY') !== null) return null
  return {
    needs: 'a key for xAI',
    path: 'models.providers.xai.apiKey',
    hints: [
      "openclaw config set plugins.entries.xai.config.webSearch.apiKey '${XAI_API_KEY}'",
      'or set XAI_API_KEY',
    ],
  }
}

/** What the web tools lack; web_fetch needs nothing. */
export const webNeeds: NeedChecks = { web_search: webSearch, x_search: xSearch }
