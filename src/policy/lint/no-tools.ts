import { isControlTool } from '../../catalog/controls.ts'
import { formatPath, type Path } from '../../kernel/path.ts'
import type { Decision, Layer } from '../types.ts'
import { listed, type Rule, type Scan } from './finding.ts'

/** Layers whose allow lists the empty-allowlist guard of a run looks at: neither profiles nor senders (policy facts §4, 12). */
function allowLayers(scan: Scan): Layer[] {
  return scan.view.policy.layers.filter(
    (layer) =>
      layer.profile === undefined &&
      layer.step !== 'sender' &&
      layer.allow !== null &&
      !layer.implicitAllowAll,
  )
}

function placeOf(layer: Layer): string {
  return layer.allowPath ? formatPath(layer.allowPath) : layer.step
}

function hidingList(decision: Decision): string {
  const entry = decision.trace[decision.decisive]
  if (!entry) return ''
  const name =
    entry.step === 'tools.profile' || entry.step === 'tools.byProvider.profile' ? ` (${entry.rule})` : ''
  return entry.path && name === '' ? formatPath(entry.path) : `${entry.list}${name}`
}

/** What the allow lists let through, and what hides that. */
function collision(scan: Scan, layers: readonly Layer[]): string {
  const lists = layers.map((layer) => scan.matcher.list(layer.allow ?? [], 'allow'))
  const passed = scan.view.decisions.filter(({ tool }) =>
    lists.every((list) => list.has(scan.matcher.key(tool))),
  )
  const places = listed(layers.map(placeOf))
  if (passed.length === 0)
    return `${places} ${layers.length === 1 ? 'matches' : 'together match'} no tool of this session`
  const hiders = new Set(passed.map(hidingList))
  const names = passed.map(({ tool }) => tool.name)
  return `${places} ${layers.length === 1 ? 'lets' : 'let'} only ${listed(names)} through, and ${listed([...hiders])} ${hiders.size === 1 ? 'hides' : 'hide'} that`
}

const isLeft = ({ tool, verdict }: Decision): boolean => verdict === 'visible' && !isControlTool(tool)

/** Whether an allow entry may be meant for tools of a plugin or server that has not told its tools. */
function mayComeLater(scan: Scan, layers: readonly Layer[]): boolean {
  const { inventory } = scan.view
  const isOpaque =
    scan.names.opaquePlugins.length > 0 || inventory.servers.some(({ toolCount }) => toolCount === 0)
  if (!isOpaque) return false
  return layers
    .flatMap((layer) => layer.allow ?? [])
    .some((entry) => {
      const fact = scan.names.fact(entry.text)
      const selected = scan.matcher.list([entry], 'allow')
      const isEmpty = !inventory.tools.some((tool) => selected.has(scan.matcher.key(tool)))
      return isEmpty && (fact.kind === 'known' || (fact.kind === 'unknown' && !fact.sure))
    })
}

/** No tool is left although nothing switched tools off for the run. */
export const noCallableTools: Rule = (scan) => {
  const { view } = scan
  if (view.decisions.some(isLeft)) return []
  const { disableTools, supports, toolsAllow } = view.context
  if (disableTools || !supports.tools || toolsAllow?.length === 0) return []
  if (
    view.decisions.some(({ trace }) =>
      trace.some(({ step, outcome }) => step === 'model.tools' && outcome === 'gate'),
    )
  )
    return []
  const layers = allowLayers(scan).filter(
    ({ step, allowPath }) => allowPath !== null || step !== 'sandbox.tools',
  )
  if (mayComeLater(scan, layers)) return []
  const path: Path | null = layers.find(({ allowPath }) => allowPath !== null)?.allowPath ?? null
  const counts = new Map<string, number>()
  for (const decision of view.decisions) {
    if (decision.verdict === 'hidden')
      counts.set(hidingList(decision), (counts.get(hidingList(decision)) ?? 0) + 1)
  }
  const most = [...counts].toSorted((a, b) => b[1] - a[1]).map(([list]) => list)
  const denyPath = view.decisions
    .map((decision) => decision.trace[decision.decisive])
    .find((entry) => entry?.outcome === 'deny' && entry.path)?.path
  const why =
    layers.length > 0
      ? collision(scan, layers)
      : `${listed(most.slice(0, 3))} ${most.length === 1 ? 'hides' : 'hide'} everything`
  return [
    {
      id: 'no-callable-tools',
      severity: 'warning',
      message: `agent ${view.context.agentId} has no callable tool: ${why}`,
      path: path ?? denyPath ?? null,
    },
  ]
}
