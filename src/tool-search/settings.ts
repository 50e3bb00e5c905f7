import type { ToolSearchState } from '../policy/view.ts'

type Mode = 'code' | 'tools' | 'directory'

const modes: ReadonlySet<unknown> = new Set(['code', 'tools', 'directory'])
const isMode = (value: unknown): value is Mode => modes.has(value)

/** Defaults and bounds of `tools.toolSearch`; milliseconds and numbers of hits (tool search facts §1.1–1.2). */
export const toolSearchLimits = {
  codeTimeoutMs: { default: 10_000, min: 1_000, max: 60_000 },
  maxSearchLimit: { default: 20, min: 1, max: 50 },
  searchDefaultLimit: { default: 8, min: 1 },
} as const

/** What decides the settings besides `tools.toolSearch` itself. */
export interface ToolSearchFacts {
  readonly edition: '2026.7' | '2026.9'
  readonly harness: 'openclaw' | 'codex'
  /** Lean mode for local models forces a small `tools` mode on when nothing is set. */
  readonly lean: boolean
  /** Why the runtime cannot lock a code child, so that code mode falls back to `tools`; null when it can. */
  readonly isolationProblem: string | null
  /** False when the run has no tools to offer: model without tools, tools off, an empty cap. */
  readonly canUseTools: boolean
}

type Adjustment = ToolSearchState['adjusted'][number]

interface Requested {
  readonly enabled: boolean
  readonly values: Readonly<Record<string, unknown>>
}

function readRequest(raw: unknown, facts: ToolSearchFacts): Requested {
  if (raw === undefined) {
    if (facts.lean) {
      return { enabled: true, values: { mode: 'tools', searchDefaultLimit: 5, maxSearchLimit: 10 } }
    }
    return facts.edition === '2026.9'
      ? { enabled: true, values: { mode: 'tools' } }
      : { enabled: false, values: {} }
  }
  if (typeof raw === 'boolean') return { enabled: raw, values: {} }
  if (typeof raw !== 'object' || raw === null || Array.isArray(raw)) return { enabled: false, values: {} }
  const values: Record<string, unknown> = { ...raw }
  const enabled = values.enabled
  return {
    enabled: typeof enabled === 'boolean' ? enabled : Object.keys(values).some((key) => key !== 'enabled'),
    values,
  }
}

function readInteger(
  key: string,
  raw: unknown,
  fallback: number,
  min: number,
  max: number,
  adjusted: Adjustment[],
  upper: string,
): number {
  const usable = typeof raw === 'number' && Number.isInteger(raw) && raw > 0
  if (raw !== undefined && !usable) {
    const to = Math.min(max, fallback)
    adjusted.push({ key, from: raw, to, because: 'not a positive whole number' })
    return to
  }
  const value = usable ? raw : fallback
  const clamped = Math.min(max, Math.max(min, value))
  if (clamped !== value) {
    adjusted.push({ key, from: value, to: clamped, because: value < min ? `minimum is ${min}` : upper })
  }
  return clamped
}

/** Resolves `tools.toolSearch`: out-of-range numbers are clamped and listed, odd kinds fall back to the default as the library rule says (tool search facts §1.2). */
export function resolveToolSearch(raw: unknown, facts: ToolSearchFacts): ToolSearchState {
  const { enabled, values } = readRequest(raw, facts)
  const { codeTimeoutMs, maxSearchLimit, searchDefaultLimit } = toolSearchLimits
  const adjusted: Adjustment[] = []
  const timeout = readInteger(
    'codeTimeoutMs',
    values.codeTimeoutMs,
    codeTimeoutMs.default,
    codeTimeoutMs.min,
    codeTimeoutMs.max,
    adjusted,
    `maximum is ${codeTimeoutMs.max}`,
  )
  const maximum = readInteger(
    'maxSearchLimit',
    values.maxSearchLimit,
    maxSearchLimit.default,
    maxSearchLimit.min,
    maxSearchLimit.max,
    adjusted,
    `maximum is ${maxSearchLimit.max}`,
  )
  const limit = readInteger(
    'searchDefaultLimit',
    values.searchDefaultLimit,
    searchDefaultLimit.default,
    searchDefaultLimit.min,
    maximum,
    adjusted,
    `maxSearchLimit is ${maximum}`,
  )
  if (values.mode !== undefined && !isMode(values.mode)) {
    adjusted.push({ key: 'mode', from: values.mode, to: 'code', because: 'unknown mode' })
  }
  const requested: Mode = isMode(values.mode) ? values.mode : 'code'
  const off = !enabled
    ? undefined
    : facts.harness === 'codex'
      ? 'codex harness'
      : facts.canUseTools
        ? undefined
        : 'the run has no tools'
  const on = enabled && off === undefined
  const falls = on && requested === 'code' && facts.isolationProblem !== null
  return {
    enabled: on,
    requestedMode: on ? requested : null,
    mode: on ? (falls ? 'tools' : requested) : null,
    codeTimeoutMs: timeout,
    searchDefaultLimit: limit,
    maxSearchLimit: maximum,
    adjusted,
    fallback: falls ? { from: 'code', to: 'tools', because: facts.isolationProblem ?? '' } : null,
    ...(off === undefined ? {} : { because: off }),
  }
}
