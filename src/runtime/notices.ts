import { findAgent } from '../config/agents.ts'
import { isRecord } from '../config/path-value.ts'
import { formatPath, type Notice, type Path } from '../kernel/path.ts'
import { lint } from '../policy/lint.ts'
import type { Locate } from '../policy/report.ts'
import type { View } from '../policy/view.ts'
import { buildPayload, directBytes } from '../tool-search/payload.ts'
import type { Case } from './case.ts'

/** Notices about one session: inputs, inventory, Tool Search, then the rules of lint. */
export function caseNotices(each: Case, view: View): readonly Notice[] {
  return [...each.notices, ...viewNotices(view, each.locate)]
}

/** Notices that a judged session gives by itself; policy tests have nothing else. */
export function viewNotices(view: View, locate: Locate): readonly Notice[] {
  return [...sessionNotices(view, locate), ...lint(view, locate)]
}

function sessionNotices(view: View, locate: Locate): Notice[] {
  const notices: Notice[] = view.inventory.notices.map(({ id, severity, message, path }) => ({
    id,
    severity,
    message,
    location: path && locate(path),
  }))
  notices.push(...contextNotices(view))
  const { toolSearch } = view
  if (toolSearch.fallback) {
    const { from, to, because } = toolSearch.fallback
    notices.push({
      id: 'tool-search-fallback',
      severity: 'warning',
      message: `Tool Search runs in mode ${to} instead of ${from}: ${because}`,
      location: locate(['tools', 'toolSearch']),
    })
  }
  const off = whyOff(view)
  if (off !== null) {
    notices.push({
      id: 'tool-search-fallback',
      severity: 'warning',
      message: `Tool Search is switched on and does nothing here, every schema is sent: ${off}`,
      location: locate(['tools', 'toolSearch']),
    })
  }
  notices.push(...codeModeNotices(view, locate))
  const small = smallCatalog(view)
  if (small !== null) {
    notices.push({
      id: 'tool-search-small-catalog',
      severity: 'info',
      message: `Tool Search costs ${small.compact} bytes a request here and all tools at once ${small.direct}: the catalogue is too small to save anything`,
      location: locate(['tools', 'toolSearch']),
    })
  }
  return notices
}

/** Why Tool Search is off in a session that has tools although the config switches it on; null where nobody did, and for a harness that never has it. */
function whyOff({ config, context, toolSearch }: View): string | null {
  const setting = config.tools?.toolSearch
  const isSet =
    setting === true || (isRecord(setting) && setting['enabled'] !== false && Object.keys(setting).length > 0)
  if (!isSet || toolSearch.enabled || context.harness !== 'openclaw') return null
  if (!context.supports.tools || context.disableTools || context.toolsAllow?.length === 0) return null
  return toolSearch.because ?? null
}

/** That the config asks for `tools.codeMode`, which this program does not have. */
export function codeModeNotices(view: View, locate: Locate): Notice[] {
  const path = codeModePath(view)
  if (path === null) return []
  const message = `${formatPath(path)} asks for a feature this program does not have; Tool Search in code mode is tools.toolSearch`
  return [{ id: 'code-mode-unsupported', severity: 'info', message, location: locate(path) }]
}

/** How the session differs from the one asked for: it is not stored, or not everything said about it can be true. */
function contextNotices({ context, dropped }: View): Notice[] {
  const notices = dropped.map(({ field, value, reason }): Notice => ({
    id: 'context-field-dropped',
    severity: 'warning',
    message: `${field} ${JSON.stringify(value)} is not believed: ${reason}`,
    location: null,
  }))
  if (!context.notStored) return notices
  const message = `no session store holds ${context.sessionKey}; it is judged by what the key spells out`
  return [{ id: 'session-not-stored', severity: 'info', message, location: null }, ...notices]
}

/** Notices on which session an answer is about; an answer about one tool gives these and leaves the rest to `tools effective`. */
export function targetNotices(each: Case, view: View): readonly Notice[] {
  const stores = each.notices.filter(({ id }) => id === 'session-store-unreadable')
  return [...stores, ...contextNotices(view)]
}

/** Where the session's config switches the exec/wait code mode on, which is recognised and out of scope (contract §4). */
function codeModePath(view: View): Path | null {
  const isOn = (value: unknown): boolean =>
    isRecord(value) ? value.enabled !== false : value === true || value === 'auto'
  const agent = findAgent(view.config, view.context.agentId)
  if (agent?.config.tools?.codeMode !== undefined) {
    return isOn(agent.config.tools.codeMode) ? [...agent.path, 'tools', 'codeMode'] : null
  }
  return isOn(view.config.tools?.codeMode) ? ['tools', 'codeMode'] : null
}

/** More than the controls of any mode without a directory take. */
const controlBytes = 3_000

/** Whether names, descriptions and inputs are larger than any controls, so that nothing has to be written to know it. */
function surelySaves(deferred: View['decisions']): boolean {
  let bytes = 0
  for (const { tool } of deferred) {
    const properties = isRecord(tool.parameters) ? tool.parameters['properties'] : undefined
    // Every tool has its braces and keys, every property has some, too.
    bytes += tool.name.length + tool.description.length + 90
    if (isRecord(properties)) for (const name of Object.keys(properties)) bytes += name.length + 20
    if (bytes > controlBytes) return true
  }
  return false
}

/** Bytes with and without Tool Search where it saves nothing; a tool whose schema is not known yet makes no such claim possible, which is found out first because it is the usual case. */
function smallCatalog(view: View): { readonly compact: number; readonly direct: number } | null {
  if (!view.toolSearch.enabled) return null
  const deferred = view.decisions.filter(({ tool }) => view.exposure(tool) === 'deferred')
  if (deferred.length === 0 || deferred.some(({ tool }) => tool.parameters === undefined)) return null
  if (view.toolSearch.mode !== 'directory' && view.edition.id === '2026.7' && surelySaves(deferred))
    return null
  const { bytes } = buildPayload(view)
  const compact = bytes.tools + bytes.prompt
  const direct = directBytes(view)
  return compact < direct ? null : { compact, direct }
}
