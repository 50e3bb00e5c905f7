import { getIn, hasIn } from '../../config/path-value.ts'
import type { Path } from '../../kernel/path.ts'
import type { TraceEntry } from '../types.ts'
import { namingAlternatives } from './allow.ts'
import type { Edit } from './edits.ts'
import { excludeAlternatives } from './deny.ts'
import { append, listAt, set, type Target } from './target.ts'

const sameId = (left: string, right: string): boolean =>
  left.trim().toLowerCase() === right.trim().toLowerCase()

/** Ways to open what a plugin as a whole or the selection of plugin tools closes. */
export function pluginAlternatives(target: Target, entry: TraceEntry): Edit[][] {
  const { tool, view } = target
  const id = tool.pluginId
  if (id === undefined) return []
  const [first, second] = entry.path ?? []
  if (first === 'plugins' && second === 'deny') {
    const list = listAt(target, ['plugins', 'deny'])
    const indexes = list.flatMap((text, index) => (sameId(text, id) ? [index] : []))
    return [
      indexes
        .toReversed()
        .map((index) => ({ op: 'unset', path: ['plugins', 'deny', index], value: list[index] })),
    ]
  }
  if (first === 'plugins' && second === 'allow') return [[append(['plugins', 'allow'], id)]]
  if (entry.rule === 'plugin invalid') return []
  if (entry.rule === 'plugin slot' && entry.path) return [[set(entry.path, id)]]
  if (first === 'plugins' && entry.path) return [[set(entry.path, true)]]
  if (entry.outcome === 'not-allowed') return namingAlternatives(target)
  if (entry.rule !== 'plugin disabled') return []
  const key = Object.keys(view.config.plugins?.entries ?? {}).find((each) => sameId(each, id)) ?? id
  return [[set(['plugins', 'entries', key, 'enabled'], true)]]
}

function workspaceAccess(target: Target): Edit[][] {
  const own: Path | null = target.agent ? [...target.agent.path, 'sandbox', 'workspaceAccess'] : null
  const path =
    own && hasIn(target.view.config, own) ? own : ['agents', 'defaults', 'sandbox', 'workspaceAccess']
  return [[set(path, 'rw')]]
}

function modelName(target: Target): string | null {
  const { provider, model } = target.view.context
  if (model === null) return null
  return provider === null || model.includes('/') ? model : `${provider}/${model}`
}

/** Ways through a capability gate that a setting keeps shut; none for what only a model, provider or client can bring. */
export function capabilityAlternatives(target: Target, entry: TraceEntry): Edit[][] {
  switch (entry.rule) {
    case 'workspaceAccess':
      return workspaceAccess(target)
    case 'applyPatch.enabled':
    case 'web.search.enabled':
    case 'web.fetch.enabled':
    case 'updatePlan':
    case 'provider tts':
    case 'provider web_search':
      return entry.path ? [[set(entry.path, true)]] : []
    case 'applyPatch.allowModels': {
      const name = modelName(target)
      return entry.path && name !== null ? [[append(entry.path, name)]] : []
    }
    case 'experimental.planTool':
      return [[set(['tools', 'experimental', 'planTool'], true)], ...namingAlternatives(target)]
    case 'swarm':
      return [[set(entry.path ?? ['tools', 'swarm', 'enabled'], true)]]
    default:
      return []
  }
}

/** Ways to let an MCP server offer the tool: its filter, or its switch. */
export function mcpAlternatives(target: Target, entry: TraceEntry): Edit[][] {
  const { path } = entry
  if (!path) return []
  if (path.at(-1) === 'enabled') return [[set(path, true)]]
  if (path.at(-1) === 'include') return [[append(path, target.tool.mcpToolName ?? target.tool.name)]]
  return path.at(-2) === 'exclude' ? excludeAlternatives(target, path) : []
}

/** Ways to switch a Tool Search control on. */
export function toolSearchAlternatives(target: Target): Edit[][] {
  const path: Path = ['tools', 'toolSearch']
  const current = getIn(target.view.config, path)
  const mode = target.tool.name === 'tool_search_code' ? 'code' : 'tools'
  const isObject = typeof current === 'object' && current !== null
  if (!isObject) return [[set(path, { enabled: true, mode })]]
  const enable = set([...path, 'enabled'], true)
  const switched = set([...path, 'mode'], mode)
  return [[enable], [switched], [enable, switched]]
}

/** Ways to keep a heavy tool in lean mode: name it, or leave lean mode. */
export function leanAlternatives(target: Target, entry: TraceEntry): Edit[][] {
  return [...namingAlternatives(target), ...(entry.path ? [[set(entry.path, false)]] : [])]
}

/** Ways to make the sender an owner. */
export function ownerAlternatives(target: Target): Edit[][] {
  const { sender, channel } = target.view.context
  const id = sender?.id ?? sender?.e164
  if (id === undefined || listAt(target, ['commands', 'ownerAllowFrom']).length === 0) return []
  const name = channel !== null && !id.includes(':') ? `${channel}:${id}` : id
  return [[append(['commands', 'ownerAllowFrom'], name)]]
}
