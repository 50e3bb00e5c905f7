import { toolKey } from '../../catalog/names.ts'
import type { Agent } from '../../config/agents.ts'
import type { ToolPolicy } from '../../config/types.ts'
import type { Path } from '../../kernel/path.ts'
import type { Matcher } from '../matcher.ts'
import type { Entry, Layer, PolicyInput } from '../types.ts'
import { builtInEntries, entriesAt, isFilled } from './lists.ts'

interface Picked {
  readonly list: readonly string[]
  readonly path: Path
}

function pick(input: PolicyInput, agent: Agent | undefined, field: keyof ToolPolicy): Picked | null {
  const own = agent?.config.tools?.sandbox?.tools?.[field]
  if (agent && own) return { list: own, path: [...agent.path, 'tools', 'sandbox', 'tools', field] }
  const global = input.config.tools?.sandbox?.tools?.[field]
  return global ? { list: global, path: ['tools', 'sandbox', 'tools', field] } : null
}

/** The sandbox lists of a sandboxed session: allow, alsoAllow and deny are each the agent's, else the global one, else built in (policy facts §5.4). */
export function sandboxLayer(input: PolicyInput, agent: Agent | undefined, matcher: Matcher): Layer | null {
  if (!input.context.sandboxed) return null
  const { edition } = input
  const allow = pick(input, agent, 'allow')
  const also = pick(input, agent, 'alsoAllow')
  const deny = pick(input, agent, 'deny')

  const alsoEntries = also ? entriesAt(also.list, also.path) : []
  const configured = allow ? entriesAt(allow.list, allow.path) : null
  const everything = configured !== null && !isFilled(configured)
  const allowEntries: Entry[] = everything
    ? []
    : [...(configured ?? builtInEntries(edition.sandbox.allow)), ...alsoEntries]

  // The built-in deny gives way to what the user explicitly allowed; a configured deny never does.
  const explicit = matcher.plainList([...(configured ?? []), ...alsoEntries])
  const denyEntries: Entry[] = deny
    ? entriesAt(deny.list, deny.path)
    : builtInEntries(edition.sandbox.deny).filter((entry) => !explicit.has(toolKey(entry.text, edition)))

  const image = edition.sandbox.imageTool
  const named = (entries: readonly Entry[]): boolean =>
    entries.some((entry) => toolKey(entry.text, edition) === image)
  if (allowEntries.length > 0 && !named(allowEntries) && !named(denyEntries)) {
    allowEntries.push({ text: image, path: null })
  }
  // `image` is the old name of the image tool; a sandbox that denied it keeps denying the new one.
  const oldImage = image === 'image' ? null : matcher.list(denyEntries, 'deny').first('image')
  if (oldImage) denyEntries.push({ text: image, written: oldImage.text, path: oldImage.path })

  return {
    step: 'sandbox.tools',
    path: null,
    allow: allowEntries.length > 0 ? allowEntries : null,
    allowPath: allow?.path ?? also?.path ?? null,
    implicitAllowAll: false,
    deny: denyEntries,
  }
}
