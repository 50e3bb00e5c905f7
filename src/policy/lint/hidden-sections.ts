import { getIn } from '../../config/path-value.ts'
import { formatPath, type Path } from '../../kernel/path.ts'
import { sections } from '../explain/sections.ts'
import type { Decision } from '../types.ts'
import { listed, type Finding, type Rule } from './finding.ts'

interface Placed {
  readonly path: Path
  readonly tools: readonly string[]
}

function decidedAt(decision: Decision): string {
  const entry = decision.trace[decision.decisive]
  if (!entry) return ''
  const place = entry.path ? formatPath(entry.path) : entry.list
  return entry.rule !== null && entry.outcome === 'not-allowed' ? `${place} (${entry.rule})` : place
}

/** Sections that set up tools which policy hides from this agent altogether. */
export const hiddenSections: Rule = ({ view, agent }) => {
  const placed: Placed[] = [
    ...sections.flatMap((section) => [
      { path: ['tools', ...section.path], tools: section.tools },
      ...(agent && section.perAgent
        ? [{ path: [...agent.path, 'tools', ...section.path], tools: section.tools }]
        : []),
    ]),
    { path: ['browser'], tools: ['browser'] },
  ]
  return placed.flatMap(({ path, tools }): Finding[] => {
    const section = getIn(view.config, path)
    if (typeof section !== 'object' || section === null || Object.keys(section).length === 0) return []
    // Switching a tool off is not setting it up.
    if ('enabled' in section && section.enabled === false) return []
    const decisions = view.decisions.filter(({ tool }) => tool.source !== 'mcp' && tools.includes(tool.name))
    const [first] = decisions
    if (!first || decisions.some(({ verdict }) => verdict !== 'hidden')) return []
    const names = decisions.map(({ tool }) => tool.name)
    const verb = names.length === 1 ? 'is' : 'are'
    return [
      {
        id: 'configured-but-hidden',
        severity: 'info',
        message: `${formatPath(path)} is set, but ${listed(names)} ${verb} hidden from agent ${view.context.agentId} by ${decidedAt(first)}; a section never makes a tool visible`,
        path,
      },
    ]
  })
}
