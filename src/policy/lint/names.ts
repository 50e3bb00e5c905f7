import { isControlName } from '../../catalog/controls.ts'
import { editions } from '../../catalog/edition.ts'
import { mcpPluginId, toolKey } from '../../catalog/names.ts'
import { compileGlob } from '../../kernel/glob.ts'
import { suggest } from '../../kernel/suggest.ts'
import { foreignNames, renamedTo } from '../explain/foreign-names.ts'
import type { View } from '../view.ts'

/** What is known about the name in a list entry. */
export type NameFact =
  | { readonly kind: 'known' | 'blank' }
  /** Known by name, but this edition or session cannot have it. */
  | { readonly kind: 'absent'; readonly why: string; readonly renamed: boolean }
  | {
      readonly kind: 'unknown'
      readonly why: string
      readonly near: readonly string[]
      readonly sure: boolean
    }

/** Judges list entries by name; one per session. */
export interface Names {
  fact(entry: string): NameFact
  /** Enabled plugins whose tools nothing tells. */
  readonly opaquePlugins: readonly string[]
}

const lower = (text: string): string => text.trim().toLowerCase()

const unknown = (why: string, near: readonly string[] = [], sure = true): NameFact => ({
  kind: 'unknown',
  why,
  near,
  sure,
})

/** Ids of plugins the config or the inventory knows, and of those the catalogue names. */
function pluginIds(view: View): ReadonlySet<string> {
  const { plugins } = view.config
  return new Set(
    [
      mcpPluginId,
      ...view.inventory.plugins.map(({ id }) => id),
      ...view.inventory.tools.flatMap(({ pluginId }) => pluginId ?? []),
      ...Object.keys(plugins?.entries ?? {}),
      ...(plugins?.allow ?? []),
      ...(plugins?.deny ?? []),
      ...Object.keys(view.config.channels ?? {}),
      // The built-in sandbox deny names every bundled channel.
      ...view.edition.sandbox.deny,
    ].map(lower),
  )
}

function opaquePlugins(view: View): string[] {
  const entries = view.config.plugins?.entries ?? {}
  return view.inventory.plugins
    .filter(({ id, enabled, tools }) => enabled && tools.length === 0 && entries[id]?.enabled !== false)
    .map(({ id }) => id)
}

/** Builds the judge of entries of one session. */
export function createNames(view: View): Names {
  const { edition, inventory } = view
  const plugins = pluginIds(view)
  const opaque = opaquePlugins(view)
  const toolKeys = new Set(inventory.tools.map((tool) => toolKey(tool.name, edition)))
  const catalogued = new Set([
    ...edition.tools.map(({ id }) => id),
    ...edition.otherCoreTools,
    ...Object.keys(edition.policyRenames),
  ])
  const servers = new Map(inventory.servers.map((server) => [lower(server.safeName), server]))
  const listed = new Set(inventory.servers.map((server) => server.name))
  for (const name of Object.keys(view.config.mcp?.servers ?? {})) {
    if (!listed.has(name)) servers.set(lower(name), { name, safeName: name, status: 'unknown', toolCount: 0 })
  }
  const candidates = [
    ...new Set([...inventory.tools.map(({ name }) => name), ...edition.tools.map(({ id }) => id)]),
  ]
  const otherEdition = Object.values(editions).find(({ id }) => id !== edition.id)
  const unlisted = [...servers.values()].filter(({ toolCount }) => toolCount === 0)

  const globFact = (name: string): NameFact => {
    const pattern = compileGlob(name)
    const hits = (names: Iterable<string>): boolean => [...names].some(pattern)
    if (hits(toolKeys) || hits(catalogued)) return { kind: 'known' }
    if (
      [...servers.keys()].some(
        (server) =>
          name.startsWith(`${server}__`) && unlisted.some(({ safeName }) => lower(safeName) === server),
      )
    )
      return { kind: 'known' }
    if (unlisted.some(({ safeName }) => pattern(`${lower(safeName)}__tool`))) return { kind: 'known' }
    if (hits(plugins)) return { kind: 'known' }
    if (name.startsWith('group:')) return unknown('patterns are never compared with group names')
    const prefix = /^([a-z0-9_-]+?)__/.exec(name)?.[1]
    if (prefix !== undefined && !servers.has(prefix)) {
      return unknown(
        `no MCP server ${prefix} is configured`,
        suggest(prefix, servers.keys()).map((each) => `${each}__*`),
        opaque.length === 0,
      )
    }
    return unknown('the pattern matches no tool', [], opaque.length === 0)
  }

  const mcpFact = (name: string, at: number): NameFact => {
    const prefix = name.slice(0, at)
    const server = servers.get(prefix)
    if (!server) {
      const near = suggest(prefix, servers.keys()).map((each) => `${each}${name.slice(at)}`)
      return unknown(`no MCP server ${prefix} is configured`, near, opaque.length === 0)
    }
    if (server.toolCount === 0) return { kind: 'known' }
    const own = inventory.tools.filter((tool) => tool.mcpServer === server.name).map((tool) => tool.name)
    return unknown(`the MCP server ${server.name} offers no such tool`, suggest(name, own))
  }

  const fact = (entry: string): NameFact => {
    const name = toolKey(entry, edition)
    if (name === '') return { kind: 'blank' }
    if (toolKeys.has(name) || isControlName(name)) return { kind: 'known' }
    const tool = edition.tools.find(({ id }) => id === name)
    if (tool) {
      const why =
        tool.plugin === undefined ? 'nothing here provides it' : `its plugin ${tool.plugin} is not here`
      return { kind: 'absent', why, renamed: false }
    }
    if (plugins.has(name)) return { kind: 'known' }
    if (edition.tools.some(({ plugin }) => plugin === name)) {
      return { kind: 'absent', why: 'that plugin is not here', renamed: false }
    }
    if (name === 'group:plugins' || Object.hasOwn(edition.groups, name)) return { kind: 'known' }
    if (Object.hasOwn(edition.policyRenames, name) || edition.otherCoreTools.includes(name))
      return { kind: 'known' }
    if (name.includes('*')) return globFact(name)
    if (name.startsWith('group:')) {
      return unknown('there is no such group', suggest(name, Object.keys(edition.groups)))
    }
    const renamed = renamedTo(name, (each) => edition.tools.some(({ id }) => id === each))
    if (renamed !== null) {
      return { kind: 'absent', why: `edition ${edition.id} calls it ${renamed}`, renamed: true }
    }
    if (otherEdition?.tools.some(({ id }) => id === name)) {
      return { kind: 'absent', why: `it is a tool of edition ${otherEdition.id}`, renamed: false }
    }
    const at = name.indexOf('__')
    if (at > 0) return mcpFact(name, at)
    if (servers.has(name)) return unknown('it is an MCP server, not a tool', [`${name}__*`])
    if (Object.hasOwn(edition.profiles, name)) return unknown('it is a profile, not a tool')
    if (/[?[\]]/.test(name)) return unknown('* is the only wildcard')
    if (Object.hasOwn(foreignNames, name)) {
      const here = foreignNames[name]!.filter((each) => edition.tools.some(({ id }) => id === each))
      return unknown('it is a tool of other products', here, opaque.length === 0)
    }
    const sure = opaque.length === 0
    // With plugins whose tools are not known, a name near their id is more likely theirs than a slip.
    const near = suggest(name, [...candidates, ...Object.keys(edition.groups), ...(sure ? plugins : [])])
    return unknown('no tool, group or plugin has this name', near, sure)
  }

  const facts = new Map<string, NameFact>()
  return {
    opaquePlugins: opaque,
    fact: (entry) => {
      let found = facts.get(entry)
      if (!found) facts.set(entry, (found = fact(entry)))
      return found
    },
  }
}
