import { toolKey } from '../catalog/names.ts'
import type { Edition } from '../catalog/edition.ts'
import type { Inventory, Tool } from '../catalog/types.ts'
import { compileGlob } from '../kernel/glob.ts'
import type { Entry } from './types.ts'

/** What one entry selects: exact names, a pattern, or everything. */
interface Selector {
  readonly names: readonly string[]
  readonly pattern: ((name: string) => boolean) | null
}

/** Who owns which tools, for entries that name a plugin. */
interface Owners {
  readonly byPlugin: ReadonlyMap<string, readonly string[]>
  readonly all: readonly string[]
}

export type ListKind = 'allow' | 'deny'

/** Answers whether tools are matched by entries; one per inventory, since plugin ids expand to the tools that are present. */
export interface Matcher {
  /** Name of a tool as entries are compared with it. */
  key(tool: Tool): string
  list(entries: readonly Entry[], kind: ListKind): CompiledList
  /** A list that knows names, groups and globs but no plugins, for rules that look past the pipeline. */
  plainList(entries: readonly Entry[]): CompiledList
  /** Names and globs an entry stands for after group expansion only, tested against a plugin id (ruling 8). */
  coversPluginId(text: string, pluginId: string): boolean
  isPluginId(text: string): boolean
  isGroup(text: string): boolean
}

/** A list ready to be asked many times. */
export interface CompiledList {
  /** False when the list has no usable entry, so an allow list restricts nothing. */
  readonly effective: boolean
  has(key: string): boolean
  /** First entry in list order that selects the name, or null. */
  first(key: string): Entry | null
}

function ownersOf(inventory: Inventory, key: (tool: Tool) => string): Owners {
  const byPlugin = new Map<string, string[]>()
  const all: string[] = []
  for (const tool of inventory.tools) {
    if (tool.pluginId === undefined) continue
    const id = tool.pluginId.trim().toLowerCase()
    const names = byPlugin.get(id)
    if (names) names.push(key(tool))
    else byPlugin.set(id, [key(tool)])
    all.push(key(tool))
  }
  return { byPlugin, all }
}

const matchers = new WeakMap<Inventory, Map<Edition, Matcher>>()

/** The matcher of an inventory, made once: aliases, plugin ids, groups, renames and `*` (policy facts §2, rulings 8–10). */
export function matcherOf(edition: Edition, inventory: Inventory): Matcher {
  const byEdition = matchers.get(inventory) ?? new Map<Edition, Matcher>()
  const matcher = byEdition.get(edition) ?? createMatcher(edition, inventory)
  matchers.set(inventory, byEdition.set(edition, matcher))
  return matcher
}

function createMatcher(edition: Edition, inventory: Inventory): Matcher {
  const keyOf = (name: string): string => toolKey(name, edition)
  // Of tools only, whose number is bounded, while texts to compare may come from anybody.
  const keys = new Map<string, string>()
  const key = ({ name }: Tool): string => {
    let known = keys.get(name)
    if (known === undefined) keys.set(name, (known = keyOf(name)))
    return known
  }
  const owners = ownersOf(inventory, key)

  const renames = (name: string): readonly string[] =>
    Object.hasOwn(edition.policyRenames, name) ? edition.policyRenames[name]! : []

  const expandGroup = (name: string): readonly string[] => {
    if (Object.hasOwn(edition.groups, name)) return edition.groups[name]!
    const renamed = renames(name)
    return renamed.length > 0 ? renamed : [name]
  }

  const plainSelector = (name: string): Selector => {
    const names = expandGroup(name)
    if (names.length === 1 && names[0] === name && name.includes('*')) {
      return { names: [], pattern: compileGlob(name) }
    }
    return { names, pattern: null }
  }

  // Plugin ids expand before groups (ruling 9); a denied plugin id takes a tool of that very name along.
  const selector = (text: string, kind: ListKind): Selector | null => {
    const name = keyOf(text)
    if (name === '') return null
    if (name === 'group:plugins' && owners.all.length > 0) return { names: owners.all, pattern: null }
    const owned = owners.byPlugin.get(name)
    if (!owned) return plainSelector(name)
    // A renamed tool keeps its new names although a plugin has the old one as its id.
    const others = kind === 'deny' ? expandGroup(name) : renames(name)
    return { names: [...owned, ...others], pattern: null }
  }

  const coversPluginId = (text: string, pluginId: string): boolean => {
    const id = pluginId.trim().toLowerCase()
    const name = keyOf(text)
    if (name === '') return false
    if (name.includes('*')) {
      const pattern = compileGlob(name)
      return pattern(id) || pattern('group:plugins')
    }
    return (
      name === id ||
      name === 'group:plugins' ||
      (Object.hasOwn(edition.groups, name) && expandGroup(name).includes(id))
    )
  }

  const compile = (
    entries: readonly Entry[],
    impliesPatch: boolean,
    select: (text: string) => Selector | null,
  ): CompiledList => {
    const exact = new Map<string, number>()
    const patterns: { readonly pattern: (name: string) => boolean; readonly index: number }[] = []
    let effective = false
    entries.forEach((entry, index) => {
      const selected = select(entry.text)
      if (!selected) return
      effective = true
      for (const name of selected.names) if (!exact.has(name)) exact.set(name, index)
      if (selected.pattern) patterns.push({ pattern: selected.pattern, index })
    })
    const indexOf = (name: string): number => {
      let found = exact.get(name) ?? -1
      for (const { pattern, index } of patterns) {
        if (found >= 0 && index > found) break
        if (pattern(name)) found = index
      }
      return found
    }
    const has = (name: string): boolean => exact.has(name) || patterns.some(({ pattern }) => pattern(name))
    return {
      effective,
      has: (name) => has(name) || (impliesPatch && name === 'apply_patch' && has('write')),
      first: (name) => {
        let index = indexOf(name)
        if (index < 0 && impliesPatch && name === 'apply_patch') index = indexOf('write')
        return index < 0 ? null : (entries[index] ?? null)
      },
    }
  }

  return {
    key,
    // Allowing `write` allows `apply_patch`, never the other way round and never in a deny list (policy facts §2).
    list: (entries, kind) => compile(entries, kind === 'allow', (text) => selector(text, kind)),
    plainList: (entries) =>
      compile(entries, false, (text) => {
        const name = keyOf(text)
        return name === '' ? null : plainSelector(name)
      }),
    coversPluginId,
    isPluginId: (text) => owners.byPlugin.has(keyOf(text)),
    isGroup: (text) => {
      const name = keyOf(text)
      return name === 'group:plugins' || Object.hasOwn(edition.groups, name)
    },
  }
}
