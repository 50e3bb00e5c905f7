import { isRecord } from '../catalog/source.ts'
import { suggest } from '../kernel/suggest.ts'
import { showName } from '../kernel/untrusted-text.ts'
import type { Channel, Media, ModelProvider, WebSearch } from './authoring.ts'

/** What plugins can bring besides tools and hooks. */
export type Backend =
  | { readonly kind: 'channel'; readonly made: Channel }
  | { readonly kind: 'provider'; readonly made: ModelProvider }
  | { readonly kind: 'webSearch'; readonly made: WebSearch }
  | { readonly kind: 'media'; readonly made: Media }

export type BackendKind = Backend['kind']

/** A back end by name, as it is shown. */
export interface BackendName {
  readonly kind: BackendKind
  readonly id: string
}

/** What all plugins of a session bring, by id in lower case. */
export interface Backends {
  readonly channels: ReadonlyMap<string, Channel>
  readonly providers: ReadonlyMap<string, ModelProvider>
  readonly webSearch: ReadonlyMap<string, WebSearch>
  readonly media: ReadonlyMap<string, Media>
}

/** Where nothing is brought. */
export const noBackends: Backends = {
  channels: new Map(),
  providers: new Map(),
  webSearch: new Map(),
  media: new Map(),
}

/** Names of what is built in. */
const reserved: Readonly<Record<BackendKind, readonly string[]>> = {
  channel: ['webhook', 'outbox'],
  provider: [],
  webSearch: ['searxng', 'brave'],
  media: [],
}

const channelActions = ['read', 'react', 'edit', 'delete', 'pin', 'unpin', 'poll'] as const
const makes = ['image', 'video', 'music', 'speech'] as const
const looks = ['vision', 'pdf'] as const

/** Takes what a plugin registers as a back end, or says why it is of no use. */
export function takeBackend(kind: BackendKind, given: unknown): Backend | { readonly problem: string } {
  if (!isRecord(given)) return { problem: 'it is no object' }
  const { id } = given
  if (typeof id !== 'string' || !/^[a-z0-9][a-z0-9_-]{0,63}$/.test(id))
    return { problem: `its id ${showName(String(id))} is not made of lower-case letters, digits, - and _` }
  if (reserved[kind].includes(id)) return { problem: `${id} is built in` }
  switch (kind) {
    case 'channel':
      return isChannel(given) ? { kind, made: given } : { problem: channelProblem(given) }
    case 'provider':
      return isProvider(given) ? { kind, made: given } : { problem: 'its ask is no function' }
    case 'webSearch':
      return isWebSearch(given) ? { kind, made: given } : { problem: 'its search is no function' }
    case 'media':
      return isMedia(given) ? { kind, made: given } : { problem: mediaProblem(given) }
  }
}

/** Puts the back ends of several plugins together; the first one of a name counts, and `clash` is told of the others. */
export function joinBackends(
  plugins: readonly { readonly id: string; readonly backends: readonly Backend[] }[],
  clash: (pluginId: string, name: BackendName, owner: string) => void,
): Backends {
  const owners = new Map<string, string>()
  const all = plugins.flatMap(({ id, backends }) =>
    backends.filter(({ kind, made }) => {
      const name = `${kind} ${made.id}`
      const owner = owners.get(name)
      if (owner === undefined) owners.set(name, id)
      else clash(id, { kind, id: made.id }, owner)
      return owner === undefined
    }),
  )
  if (all.length === 0) return noBackends
  return {
    channels: new Map(all.flatMap((each) => (each.kind === 'channel' ? [[each.made.id, each.made]] : []))),
    providers: new Map(all.flatMap((each) => (each.kind === 'provider' ? [[each.made.id, each.made]] : []))),
    webSearch: new Map(all.flatMap((each) => (each.kind === 'webSearch' ? [[each.made.id, each.made]] : []))),
    media: new Map(all.flatMap((each) => (each.kind === 'media' ? [[each.made.id, each.made]] : []))),
  }
}

type Given = Readonly<Record<string, unknown>>

const isFunction = (value: unknown): boolean => typeof value === 'function'

function isChannel(given: unknown): given is Channel {
  return isRecord(given) && channelProblem(given) === ''
}

function channelProblem(given: Given): string {
  const { label, actions = [], send } = given
  if (!isFunction(send)) return 'its send is no function'
  for (const name of ['act', 'list', 'turn'])
    if (given[name] !== undefined && !isFunction(given[name])) return `its ${name} is no function`
  if (label !== undefined && typeof label !== 'string') return 'its label is no text'
  if (!Array.isArray(actions)) return 'its actions are no list'
  const odd: unknown = actions.find((action) => !channelActions.some((known) => known === action))
  if (odd !== undefined) {
    const [near] = suggest(String(odd), channelActions, 1)
    return `there is no action ${showName(String(odd))}${near === undefined ? '' : `; did you mean ${near}?`}`
  }
  return actions.length > 0 && given['act'] === undefined ? 'it names actions and has no act' : ''
}

function isProvider(given: unknown): given is ModelProvider {
  return isRecord(given) && isFunction(given['ask'])
}

function isWebSearch(given: unknown): given is WebSearch {
  return isRecord(given) && isFunction(given['search'])
}

function isMedia(given: unknown): given is Media {
  return isRecord(given) && mediaProblem(given) === ''
}

function mediaProblem({ kinds, generate, describe }: Given): string {
  if (!Array.isArray(kinds) || kinds.length === 0) return 'its kinds are no list of names'
  const isOf = (names: readonly string[]) => (kind: unknown) => names.some((name) => name === kind)
  const odd: unknown = kinds.find((kind) => !isOf([...makes, ...looks])(kind))
  if (odd !== undefined)
    return `there is no kind ${showName(String(odd))}; it is one of ${[...makes, ...looks].join(', ')}`
  if (kinds.some(isOf(makes)) && !isFunction(generate)) return 'its generate is no function'
  return kinds.some(isOf(looks)) && !isFunction(describe) ? 'its describe is no function' : ''
}
