import { formatPath } from '../../kernel/path.ts'
import type { StepId } from '../types.ts'
import type { Finding, Rule } from './finding.ts'

const scopes: ReadonlySet<StepId> = new Set([
  'tools',
  'tools.byProvider',
  'agent.tools',
  'agent.tools.byProvider',
  'group.tools',
  'sender',
])

/** Allow entries of which the profile lets nothing through. */
export const profileOutsiders: Rule = ({ view, matcher }) => {
  const profiles = view.policy.layers
    .filter((layer) => layer.profile !== undefined)
    .map((layer) => ({ layer, allows: matcher.list(layer.allow ?? [], 'allow') }))
  if (profiles.length === 0) return []
  return view.policy.layers
    .filter((layer) => scopes.has(layer.step))
    .flatMap((layer) => layer.allow ?? [])
    .flatMap((entry): Finding[] => {
      if (!entry.path || entry.path.at(-2) !== 'allow') return []
      const selected = matcher.list([{ text: entry.text, path: null }], 'allow')
      const keys = view.inventory.tools.map((tool) => matcher.key(tool)).filter(selected.has)
      if (keys.length === 0) return []
      const out = profiles.find(({ allows }) => !keys.some(allows.has))
      if (!out) return []
      const place = formatPath(entry.path.slice(0, -1))
      const profile = `profile ${out.layer.profile} (${formatPath([...(out.layer.path ?? []), 'profile'])})`
      return [
        {
          id: 'allow-outside-profile',
          severity: 'warning',
          message: `${JSON.stringify(entry.text.trim())} in ${place} grants nothing: ${profile} does not include it, and allow only narrows; use alsoAllow to add to a profile`,
          path: entry.path,
        },
      ]
    })
}
