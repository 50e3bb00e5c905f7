import { toolKey } from '../../catalog/names.ts'
import { compileGlob } from '../../kernel/glob.ts'
import { formatPath } from '../../kernel/path.ts'
import { listed, type Finding, type Rule, type Scan } from './finding.ts'
import { listsOf } from './scopes.ts'

const advice = 'name the tool, its plugin id or group:plugins'

/** Plugin tools that an entry would match but that were never selected, because patterns and groups do not select. */
function skipped(scan: Scan, entry: string): string[] {
  const { view } = scan
  return view.decisions
    .filter(({ tool, trace }) => {
      const step = trace.find(({ step: id }) => id === 'plugin')
      return tool.source === 'plugin' && step?.outcome === 'not-allowed' && step.path?.[0] !== 'plugins'
    })
    .filter(({ tool }) => view.policy.matches(entry, tool, 'allow'))
    .map(({ tool }) => tool.name)
}

/** A pattern that can only be meant for the tools of plugins which nothing lists here. */
function meansOpaquePlugin(scan: Scan, name: string): boolean {
  const { view, names } = scan
  if (names.opaquePlugins.length === 0 || /^\*+$/.test(name) || name.startsWith('group:')) return false
  const pattern = compileGlob(name)
  const servers = view.inventory.servers.some(({ safeName }) => pattern(`${safeName.toLowerCase()}__tool`))
  const known = [
    ...view.inventory.tools.map((tool) => scan.matcher.key(tool)),
    ...view.edition.tools.map(({ id }) => id),
  ]
  return !servers && !known.some(pattern)
}

/** Patterns and groups of built-in tools in allow lists, where plugin tools stay unselected. */
export const pluginGlobs: Rule = (scan) => {
  const inForce = new Set(
    scan.view.policy.layers.flatMap((layer) =>
      (layer.allow ?? []).flatMap(({ path }) => (path ? [formatPath(path)] : [])),
    ),
  )
  return scan.scopes.flatMap(listsOf).flatMap((list) => {
    if (list.name === 'deny') return []
    return list.entries.flatMap((entry, index): Finding[] => {
      const path = [...list.path, index]
      const name = toolKey(entry, scan.view.edition)
      const isGlob = name.includes('*')
      if (!isGlob && !scan.matcher.isGroup(name)) return []
      const finding = (severity: Finding['severity'], what: string): Finding => ({
        id: 'glob-skips-plugin-tools',
        severity,
        message: `${JSON.stringify(entry.trim())} in ${formatPath(list.path)} does not select ${what}; ${advice}`,
        path,
      })
      const tools = inForce.has(formatPath(path)) ? skipped(scan, entry) : []
      if (tools.length > 0) {
        return [
          finding(
            'warning',
            `the plugin ${tools.length === 1 ? 'tool' : 'tools'} ${listed(tools)}: ${isGlob ? 'patterns' : 'groups of built-in tools'} leave plugin tools out`,
          ),
        ]
      }
      return isGlob && meansOpaquePlugin(scan, name)
        ? [finding('info', 'plugin tools: in allow lists patterns leave them out')]
        : []
    })
  })
}
