import { formatPath } from '../../kernel/path.ts'
import { coverageOf } from './coverage.ts'
import { listed, type Finding, type Rule } from './finding.ts'

const writers = ['write', 'edit', 'apply_patch'] as const

/** Deny lists that take away some of the tools which change files and leave others. */
export const partialWriteDeny: Rule = (scan) => {
  const { view, agent } = scan
  const isVisible = (name: string): boolean =>
    view.decisions.some(({ tool, verdict }) => tool.name === name && verdict === 'visible')
  const shared = [...(view.config.tools?.deny ?? []), ...(agent?.config.tools?.deny ?? [])]
  const everywhere = coverageOf(scan, shared, 'deny')
  return scan.scopes.flatMap((scope): Finding[] => {
    const deny = scope.policy.deny ?? []
    const own = coverageOf(scan, deny, 'deny')
    const denied = writers.filter((name) => own.all(name))
    const left = writers.filter((name) => !own.all(name) && !everywhere.all(name) && isVisible(name))
    if (denied.length === 0 || left.length === 0) return []
    const index = deny.findIndex((entry) => coverageOf(scan, [entry], 'deny').all(denied[0]!))
    const path = [...scope.path, 'deny']
    return [
      {
        id: 'partial-write-deny',
        severity: 'warning',
        message: `${formatPath(path)} denies ${listed(denied)} but not ${listed(left)}, so files can still be changed; deny all three, or group:fs`,
        path: [...path, Math.max(index, 0)],
      },
    ]
  })
}
