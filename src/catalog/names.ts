import { controlNames } from './controls.ts'
import type { Edition } from './edition.ts'

/** Plugin id under which policy entries address MCP tools. */
export const mcpPluginId = 'bundle-mcp'

/** Catalogue tools which the edition data lists without an owner although a plugin or a provider supplies them (policy facts §1). */
const suppliedTools: ReadonlySet<string> = new Set(['code_execution', 'x_search'])

/** The form under which two names are the same tool: trimmed, lower-case, alias resolved (policy facts §2). */
export function toolKey(name: string, edition: Edition): string {
  const key = name.trim().toLowerCase()
  return Object.hasOwn(edition.aliases, key) ? (edition.aliases[key] ?? key) : key
}

/** Whether a catalogue tool exists only where a plugin or a provider supplies it. */
export function isSupplied(tool: { readonly id: string; readonly plugin?: string }): boolean {
  return tool.plugin !== undefined || suppliedTools.has(tool.id)
}

/** Names which no plugin, channel, server or client may take: the built-in tools of the edition and the Tool Search controls. */
export function reservedNames(edition: Edition): ReadonlySet<string> {
  const names = new Set<string>(controlNames)
  for (const tool of edition.tools) if (!isSupplied(tool)) names.add(tool.id)
  for (const name of edition.otherCoreTools) names.add(name)
  return names
}

const clientReserved = ['bash', 'edit', 'find', 'grep', 'ls', 'read', 'write']

/** Further names which a client or channel may not give its tools: those of the whole catalogue, and file tools models know from elsewhere (tool search facts §1.5). */
export function refusedNames(edition: Edition): ReadonlySet<string> {
  return new Set([...clientReserved, ...edition.tools.map((tool) => tool.id)])
}

const usableName = /^[A-Za-z0-9_-]{1,64}$/

/** Why a name cannot be offered to a model as it is, or null: providers accept 1 to 64 of `A-Z a-z 0-9 _ -`, harnesses keep `mcp__` for themselves. */
export function nameProblem(name: string): string | null {
  if (name === '') return 'it has no name'
  if (!usableName.test(name)) {
    return name.length > 64
      ? 'its name is longer than 64 characters'
      : 'its name has characters other than A-Z a-z 0-9 _ -'
  }
  return name.toLowerCase().startsWith('mcp__') ? 'its name starts with the reserved mcp__' : null
}
