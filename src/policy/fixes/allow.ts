import { getIn, hasIn } from '../../config/path-value.ts'
import type { Path } from '../../kernel/path.ts'
import { findProviderMatches } from '../layers/scopes.ts'
import type { StepId, TraceEntry } from '../types.ts'
import type { Edit } from './edits.ts'
import { append, entryFor, listAt, set, type Target } from './target.ts'

const agentTools = (target: Target): Path | null => (target.agent ? [...target.agent.path, 'tools'] : null)

/** The scopes whose alsoAllow could widen a profile, the nearer first. */
function profileScopes(target: Target, step: StepId): Path[] {
  if (step === 'tools.profile') {
    const own = agentTools(target)
    return [...(own ? [own] : []), ['tools']]
  }
  const { agent, global } = findProviderMatches(target.view.policy.input, target.agent)
  return [agent, global].flatMap((match) => (match ? [match.path] : []))
}

/** The alsoAllow in force, or the places where one may be created without replacing another. */
function alsoAllowPaths(target: Target, scopes: readonly Path[]): Path[] {
  const paths = scopes.map((scope) => [...scope, 'alsoAllow'])
  const inForce = paths.find((path) => hasIn(target.view.config, path))
  if (!inForce) return paths
  // An empty list may be replaced by a nearer one without losing anything.
  const isEmpty = listAt(target, inForce).length === 0
  return isEmpty ? paths.slice(0, paths.indexOf(inForce) + 1) : [inForce]
}

/** Ways to get a tool into a profile through alsoAllow. */
export function profileAlternatives(target: Target, entry: TraceEntry): Edit[][] {
  return alsoAllowPaths(target, profileScopes(target, entry.step)).map((path) => [
    append(path, entryFor(target)),
  ])
}

/** The last resort: another profile, or none. */
export function otherProfiles(target: Target, entry: TraceEntry): Edit[][] {
  const key = entry.path
  if (!key) return []
  const current = getIn(target.view.config, key)
  const others = Object.keys(target.view.edition.profiles).filter((id) => id !== current)
  return [...others.map((id) => [set(key, id)]), [{ op: 'unset', path: key, value: current }]]
}

/** Ways into the sandbox lists: each of them is the agent's, else the global one, else built in (policy facts §5.4). */
export function sandboxAlternatives(target: Target): Edit[][] {
  const { view } = target
  const own = agentTools(target)
  const scopes: Path[] = [...(own ? [own] : []), ['tools']].map((scope) => [...scope, 'sandbox', 'tools'])
  const allow = scopes.map((scope) => [...scope, 'allow']).find((path) => hasIn(view.config, path))
  const inAllow = allow && listAt(target, allow).length > 0 ? [[append(allow, entryFor(target))]] : []
  const inAlso = alsoAllowPaths(target, scopes).map((path) => [append(path, entryFor(target))])
  return [...inAllow, ...inAlso]
}

/** Ways to name a subagent's tool: in its allow list if there is one, else in alsoAllow. */
export function subagentAlternatives(target: Target): Edit[][] {
  const base: Path = ['tools', 'subagents', 'tools']
  const list = listAt(target, [...base, 'allow']).length > 0 ? 'allow' : 'alsoAllow'
  return [[append([...base, list], entryFor(target))]]
}

/** Ways to name a tool in a list that selects or keeps it: the allow lists in force, else alsoAllow of the agent or of all. */
export function namingAlternatives(target: Target): Edit[][] {
  const { view } = target
  const inForce = view.policy.layers.flatMap((layer) =>
    layer.profile === undefined && layer.path && layer.allowPath?.at(-1) === 'allow' ? [layer.allowPath] : [],
  )
  const own = agentTools(target)
  const scopes: Path[] = [...(own ? [own] : []), ['tools']]
  const also = alsoAllowPaths(target, scopes)
  const edits = [...inForce.filter((path) => hasIn(view.config, path)), ...also]
  return edits.map((path) => [append(path, entryFor(target))])
}
