import { controlNames, isControlTool, type ControlName } from '../catalog/controls.ts'
import type { EditionId } from '../catalog/edition.ts'
import type { Tool } from '../catalog/types.ts'
import type { Exposure, ToolSearchState } from '../policy/view.ts'

/** The controls a mode needs. */
export function controlsOf(mode: ToolSearchState['mode']): readonly ControlName[] {
  if (mode === null) return []
  return mode === 'code' ? ['tool_search_code'] : ['tool_search', 'tool_describe', 'tool_call']
}

const descriptions: Readonly<Record<ControlName, string>> = {
  tool_search_code: 'Run a short JavaScript program that searches, describes and calls tools',
  tool_search: 'Search the tools of this session',
  tool_describe: 'Show one tool with its full input schema',
  tool_call: 'Call one tool by id or unique name',
}

/** The Tool Search controls as core tools; those that the mode does not use carry the reason they are unavailable. */
export function controlTools(state: ToolSearchState): readonly Tool[] {
  const wanted: ReadonlySet<string> = new Set(controlsOf(state.mode))
  return controlNames.map((name) => ({
    name,
    label: name,
    description: descriptions[name],
    source: 'core',
    catalogMode: 'direct-only',
    ...(wanted.has(name)
      ? {}
      : {
          defect: {
            step: 'tool-search',
            rule: state.enabled ? `mode ${state.mode}` : 'tools.toolSearch',
            reason: state.enabled
              ? `Tool Search in mode ${state.mode} does not use this control`
              : state.because === undefined
                ? 'Tool Search is off'
                : `Tool Search is off: ${state.because}`,
            path: ['tools', 'toolSearch'],
          },
        }),
  }))
}

/** Core file and shell tools, which stay in the request from edition 2026.9 on; a search finds them nevertheless (tool search facts §1.4). */
const alwaysDirect: ReadonlySet<string> = new Set([
  'ls',
  'read',
  'write',
  'edit',
  'apply_patch',
  'exec',
  'process',
])

/** Core tools that never enter the catalogue from edition 2026.9 on (tool search facts §1.4). */
const directOnly: ReadonlySet<string> = new Set([
  'computer',
  'openclaw',
  'sessions_yield',
  'heartbeat_respond',
])

/** What decides how one visible tool reaches the model. */
export interface ExposureFacts {
  readonly edition: EditionId
  readonly state: ToolSearchState
  readonly lean: boolean
}

/**
 * Whether a visible tool is one that Tool Search looks through: no control, not direct-only, and no client tool in directory mode, which
 * leaves those in the request (tool search facts §1.4–1.5). The same tools while Tool Search is off, so that an operator can try it.
 */
export function isCatalogued(
  tool: Tool,
  { edition, state }: Pick<ExposureFacts, 'edition' | 'state'>,
): boolean {
  if (isControlTool(tool) || tool.catalogMode === 'direct-only') return false
  if (tool.source === 'client') return state.mode !== 'directory'
  return !(tool.source === 'core' && edition === '2026.9' && directOnly.has(tool.name))
}

/** Says how a visible tool reaches the model (tool search facts §1.4–1.5); the caller has removed hidden tools. */
export function exposureOf(tool: Tool, facts: ExposureFacts): Exposure {
  if (isControlTool(tool)) return 'control'
  if (!facts.state.enabled || !isCatalogued(tool, facts)) return 'direct'
  if (tool.source === 'core') {
    if (facts.edition === '2026.9' && alwaysDirect.has(tool.name)) return 'direct'
    if (facts.lean && tool.name === 'exec') return 'direct'
  }
  return 'deferred'
}
