import { toolKey } from '../../catalog/names.ts'
import type { Edition } from '../../catalog/edition.ts'
import type { Entry, Layer, PolicyInput } from '../types.ts'
import { builtInEntries, entriesAt } from './lists.ts'

const subagentPath = ['tools', 'subagents', 'tools'] as const

/** Built-in names a subagent never gets; leaves lose the spawning tools, too (policy facts §5.5). */
function builtInSubagentDeny(edition: Edition, role: string, lifted: ReadonlySet<string>): Entry[] {
  const names =
    role === 'leaf' ? [...edition.subagent.always, ...edition.subagent.leafOnly] : edition.subagent.always
  return builtInEntries(names.filter((name) => !lifted.has(name)))
}

/** The subagent layer: configured lists and the built-in deny, which exact names in allow or alsoAllow lift in edition 2026.7 only. */
export function subagentLayer(input: PolicyInput): Layer | null {
  const { context, edition, config } = input
  if (context.subagentDepth === 0) return null
  const policy = config.tools?.subagents?.tools ?? {}
  const named = edition.subagent.explicitAllowLifts
    ? [...(policy.allow ?? []), ...(policy.alsoAllow ?? [])]
    : []
  const lifted = new Set(named.map((name) => toolKey(name, edition)))
  const allow =
    policy.allow && policy.allow.length > 0 ? entriesAt(policy.allow, [...subagentPath, 'allow']) : null
  return {
    step: 'subagent',
    path: subagentPath,
    // alsoAllow alone gives no allow list here, and beside an allow list the schema refuses it.
    allow: allow && [...allow, ...entriesAt(policy.alsoAllow, [...subagentPath, 'alsoAllow'])],
    allowPath: [...subagentPath, 'allow'],
    implicitAllowAll: false,
    deny: [
      ...builtInSubagentDeny(edition, context.subagentRole, lifted),
      ...entriesAt(policy.deny, [...subagentPath, 'deny']),
    ],
  }
}

/** Lists stored when the parent session spawned this one. */
export function inheritedLayer(input: PolicyInput): Layer | null {
  const inherited = input.context.inherited
  if (!inherited) return null
  const allow = builtInEntries(inherited.allow)
  return {
    step: 'inherited',
    path: null,
    allow: allow.length > 0 ? allow : null,
    allowPath: null,
    implicitAllowAll: false,
    deny: builtInEntries(inherited.deny),
  }
}

/** Owner-only names, denied to a sender who is known not to be an owner (ruling 2). */
export function ownerLayer(input: PolicyInput): Layer | null {
  if (input.context.isOwner !== false) return null
  return {
    step: 'owner',
    path: null,
    allow: null,
    allowPath: null,
    implicitAllowAll: false,
    deny: builtInEntries(input.edition.ownerOnly),
  }
}

/** The per-run cap; an empty one means no tools, unlike an empty list in the config. */
export function runCapLayer(input: PolicyInput): Layer | null {
  const cap = input.context.toolsAllow
  if (cap === null) return null
  return {
    step: 'run.toolsAllow',
    path: null,
    allow: builtInEntries(cap),
    allowPath: null,
    implicitAllowAll: false,
    deny: [],
  }
}
