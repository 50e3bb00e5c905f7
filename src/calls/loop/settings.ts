import { findAgent } from '../../config/agents.ts'
import type { Config, ToolScope } from '../../config/types.ts'
import type { EditionId } from '../../kernel/edition-id.ts'

/** When repeated calls are told about and when they are stopped; all numbers are counts of calls (policy facts §9). */
export interface LoopSettings {
  readonly enabled: boolean
  /** Calls of one run that are remembered. */
  readonly historySize: number
  readonly warningThreshold: number
  readonly unknownToolThreshold: number
  readonly criticalThreshold: number
  readonly globalCircuitBreakerThreshold: number
  readonly detectors: {
    readonly genericRepeat: boolean
    readonly knownPollNoProgress: boolean
    readonly pingPong: boolean
    /** Other arguments each time, the same outcome: only warned about, from edition 2026.9 on. */
    readonly argumentChurn: boolean
  }
  /** Identical calls after a compaction that end the run; null where nothing is watched. */
  readonly postCompactionWindow: number | null
}

type Written = NonNullable<ToolScope['loopDetection']>

const numbers = {
  historySize: 30,
  warningThreshold: 10,
  unknownToolThreshold: 10,
  criticalThreshold: 20,
  globalCircuitBreakerThreshold: 30,
} as const
const usualWindow = 3

/**
 * The settings in force for one agent: its own over the global ones, field by field, over the defaults of the edition. A critical
 * threshold that is not above the warning becomes warning + 1, a breaker that is not above it critical + 1; edition 2026.9 has fixed numbers.
 */
export function loopSettings(config: Config, agentId: string, edition: EditionId): LoopSettings {
  const shared: Written = config.tools?.loopDetection ?? {}
  const own: Written = findAgent(config, agentId)?.config.tools?.loopDetection ?? {}
  const enabled = own.enabled ?? shared.enabled
  if (edition === '2026.9') {
    return {
      ...numbers,
      enabled: enabled ?? true,
      detectors: { genericRepeat: true, knownPollNoProgress: true, pingPong: true, argumentChurn: true },
      postCompactionWindow: enabled === false ? null : usualWindow,
    }
  }
  const field = (name: keyof typeof numbers): number => own[name] ?? shared[name] ?? numbers[name]
  const detector = (name: 'genericRepeat' | 'knownPollNoProgress' | 'pingPong'): boolean =>
    own.detectors?.[name] ?? shared.detectors?.[name] ?? true
  const warningThreshold = field('warningThreshold')
  const criticalThreshold = Math.max(field('criticalThreshold'), warningThreshold + 1)
  const window = own.postCompactionGuard?.windowSize ?? shared.postCompactionGuard?.windowSize
  return {
    enabled: enabled ?? false,
    historySize: field('historySize'),
    warningThreshold,
    unknownToolThreshold: field('unknownToolThreshold'),
    criticalThreshold,
    globalCircuitBreakerThreshold: Math.max(field('globalCircuitBreakerThreshold'), criticalThreshold + 1),
    detectors: {
      genericRepeat: detector('genericRepeat'),
      knownPollNoProgress: detector('knownPollNoProgress'),
      pingPong: detector('pingPong'),
      argumentChurn: false,
    },
    postCompactionWindow: enabled === false ? null : (window ?? usualWindow),
  }
}
