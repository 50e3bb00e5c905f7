import { findAgent } from '../../config/agents.ts'
import { compileGlob } from '../../kernel/glob.ts'
import { findProviderMatches } from '../../policy/layers/scopes.ts'
import type { View } from '../../policy/view.ts'

interface Scope {
  readonly profile?: string | undefined
  readonly alsoAllow?: readonly string[] | undefined
}

/**
 * Whether a session may read the config: from edition 2026.9 on `gateway` in the profiles minimal, coding and messaging means updates
 * alone, and only an `alsoAllow` that names it, or no profile, means more; the provider's profile counts as well (policy facts §1.4).
 */
export function configReadAllowed({ config, context, edition, policy }: View): boolean {
  if (edition.id !== '2026.9') return true
  const agent = findAgent(config, context.agentId)
  const providers = findProviderMatches(policy.input, agent)
  const base = [agent?.config.tools, config.tools]
  return [base, [providers.agent?.policy, providers.global?.policy]].every((scopes) =>
    allows(scopes, edition.groups),
  )
}

/** The nearer profile and the nearer alsoAllow count. */
function allows(
  scopes: readonly (Scope | undefined)[],
  groups: Readonly<Record<string, readonly string[]>>,
): boolean {
  const profile = scopes.find((scope) => scope?.profile !== undefined)?.profile
  if (profile === undefined || profile === 'full') return true
  const also = scopes.find((scope) => scope?.alsoAllow !== undefined)?.alsoAllow ?? []
  return also.some((entry) => {
    const key = entry.trim().toLowerCase()
    return groups[key]?.includes('gateway') ?? compileGlob(key)('gateway')
  })
}
