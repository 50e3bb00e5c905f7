import type { LoopSettings } from './settings.ts'

/** A call as the detectors see it; equal keys are equal tools with equal arguments. */
export interface LoopCall {
  readonly tool: string
  readonly key: string
  /** Asks for the state of something that runs: repeating it is its purpose. */
  readonly poll: boolean
  /** No tool of that name could be called. */
  readonly unknown: boolean
}

/** A call of the past; `outcome` is null while it runs. */
export interface LoopRecord extends LoopCall {
  readonly outcome: string | null
}

export type LoopDetector =
  | 'unknown_tool_repeat'
  | 'global_circuit_breaker'
  | 'known_poll_no_progress'
  | 'ping_pong'
  | 'generic_repeat'
  | 'argument_churn'
  | 'post_compaction'

/** What was found about a call that is about to run; a critical finding blocks it. */
export interface LoopFinding {
  readonly level: 'warning' | 'critical'
  readonly detector: LoopDetector
  /** Calls of the past that the finding rests on. */
  readonly count: number
  readonly message: string
}

const pollTools: ReadonlySet<string> = new Set(['command_status'])
const pollActions: ReadonlySet<unknown> = new Set(['poll', 'log'])

/** Whether a call asks for the state of something that runs (policy facts §9). */
export function isPoll(tool: string, args: Readonly<Record<string, unknown>>): boolean {
  return pollTools.has(tool) || (tool === 'process' && pollActions.has(args['action']))
}

/** Calls with this key that ended alike, counted back from the latest; calls of others between them do not count. */
function streak(history: readonly LoopRecord[], key: string): number {
  let count = 0
  let outcome: string | null = null
  for (let at = history.length - 1; at >= 0; at--) {
    const record = history[at]
    if (record?.key !== key || record.outcome === null) continue
    outcome ??= record.outcome
    if (record.outcome !== outcome) break
    count += 1
  }
  return count
}

interface Alternation {
  readonly count: number
  /** Each of the two calls ended alike every time. */
  readonly still: boolean
}

/** The tail of two calls in turn which the coming call would continue. */
function alternation(history: readonly LoopRecord[], call: LoopCall): Alternation {
  const last = history.at(-1)
  if (last === undefined || last.key === call.key) return { count: 0, still: false }
  const outcomes = new Map<string, Set<string>>()
  let count = 0
  for (let at = history.length - 1; at >= 0; at--) {
    const record = history[at]
    const expected = count % 2 === 0 ? last.key : call.key
    if (record?.key !== expected) break
    count += 1
    if (record.outcome === null) continue
    outcomes.set(record.key, (outcomes.get(record.key) ?? new Set()).add(record.outcome))
  }
  const still = [last.key, call.key].every((key) => outcomes.get(key)?.size === 1)
  return { count: count < 2 ? 0 : count, still }
}

/** Calls of the same tool in a row, each with other arguments and all with one outcome. */
function churn(history: readonly LoopRecord[], call: LoopCall): number {
  const keys = new Set([call.key])
  let outcome: string | null = null
  let count = 0
  for (let at = history.length - 1; at >= 0; at--) {
    const record = history[at]
    if (record?.tool !== call.tool || record.outcome === null || keys.has(record.key)) break
    outcome ??= record.outcome
    if (record.outcome !== outcome) break
    keys.add(record.key)
    count += 1
  }
  return count
}

function unknownCalls(history: readonly LoopRecord[], tool: string): number {
  return history.filter((record) => record.unknown && record.tool === tool).length
}

/**
 * Judges a call by the calls of the same run before it (policy facts §9), the first finding in the order of the detectors; null
 * where nothing repeats. Warnings count calls, blocks need outcomes that show no progress. Pure.
 */
export function detectLoop(
  history: readonly LoopRecord[],
  call: LoopCall,
  settings: LoopSettings,
): LoopFinding | null {
  if (!settings.enabled) return null
  const { warningThreshold, criticalThreshold, globalCircuitBreakerThreshold, detectors } = settings
  const name = call.tool
  const found = (level: LoopFinding['level'], detector: LoopDetector, count: number, message: string) => ({
    level,
    detector,
    count,
    message,
  })

  if (call.unknown) {
    const count = unknownCalls(history, name)
    if (count < settings.unknownToolThreshold) return null
    const message = `${name} was called ${count} times and is no tool of this session; search for one that is`
    return found('critical', 'unknown_tool_repeat', count, message)
  }

  const same = streak(history, call.key)
  if (same >= globalCircuitBreakerThreshold) {
    const message = `${name} was called ${same} times with the same arguments and the same outcome; the run is stopped`
    return found('critical', 'global_circuit_breaker', same, message)
  }
  if (call.poll) {
    if (!detectors.knownPollNoProgress || same < warningThreshold) return null
    const level = same >= criticalThreshold ? 'critical' : 'warning'
    const message = `${name} was polled ${same} times and nothing changed; wait longer, or report that it hangs`
    return found(level, 'known_poll_no_progress', same, message)
  }
  if (detectors.pingPong) {
    const { count, still } = alternation(history, call)
    const critical = still && count >= criticalThreshold
    if (critical || count >= warningThreshold) {
      const other = history.at(-1)?.tool ?? name
      const how = still ? ' and nothing changed' : ''
      const message = `${other} and ${name} were called in turn ${count} times${how}; try something else`
      return found(critical ? 'critical' : 'warning', 'ping_pong', count, message)
    }
  }
  if (detectors.genericRepeat) {
    if (same >= criticalThreshold) {
      const message = `${name} was called ${same} times with the same arguments and the same outcome; try something else`
      return found('critical', 'generic_repeat', same, message)
    }
    const repeats = history.filter((record) => record.key === call.key).length
    if (repeats >= warningThreshold) {
      const message = `${name} was called ${repeats} times with the same arguments`
      return found('warning', 'generic_repeat', repeats, message)
    }
  }
  if (detectors.argumentChurn) {
    const count = churn(history, call)
    if (count >= warningThreshold) {
      const message = `${name} was called ${count} times with other arguments each time and always ended alike`
      return found('warning', 'argument_churn', count, message)
    }
  }
  return null
}

/** Whether the calls since a compaction only repeat one call with one outcome, so that the run lost its thread (policy facts §9). */
export function detectAfterCompaction(
  since: readonly LoopRecord[],
  call: LoopCall,
  window: number,
): LoopFinding | null {
  const [first] = since
  if (first === undefined || since.length < window) return null
  const same = since.every(
    (record) => record.key === first.key && record.outcome !== null && record.outcome === first.outcome,
  )
  if (!same || call.key !== first.key) return null
  return {
    level: 'critical',
    detector: 'post_compaction',
    count: since.length,
    message: `since the history was shortened, ${call.tool} was called ${since.length} times with the same arguments and the same outcome; the run is stopped`,
  }
}
