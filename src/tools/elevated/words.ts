import type { ElevatedFailure, ElevatedLevel, ResolvedElevated } from './resolve.ts'

/** What decides whether a level has any effect in a session. */
export interface ElevatedEffect {
  readonly sandboxed: boolean
  readonly harness: 'openclaw' | 'codex'
  /** Whether the session can see exec at all; elevated never restores it. */
  readonly execVisible: boolean
  /** `tools.exec.host`. */
  readonly host: 'auto' | 'sandbox' | 'gateway' | 'node'
  /** Whether the configured policy is full and off: only then `full` skips approvals, if the approvals file says the same. */
  readonly skipsApprovals: boolean
}

/** Why a level changes nothing in this session; null where it does. */
export function whyNoEffect(level: ElevatedLevel, effect: ElevatedEffect): string | null {
  if (level === 'off') return null
  if (effect.harness !== 'openclaw')
    return `the ${effect.harness} harness runs commands by tools of its own, which elevated does not reach`
  if (!effect.execVisible)
    return 'this session has no exec, and elevated never restores it (openclaw tools explain exec)'
  if (effect.host === 'node') return 'exec is to run on a node, and no node is paired'
  return effect.sandboxed ? null : 'this session is not sandboxed: exec runs on this machine anyway'
}

/** Where exec runs at a level, in words. */
export function describeLevel(level: ElevatedLevel, effect: ElevatedEffect): string {
  if (level === 'off')
    return effect.sandboxed ? 'exec runs in the sandbox' : 'exec runs on this machine, as it does without it'
  const approvals =
    level === 'full' && effect.skipsApprovals
      ? 'without approvals unless exec-approvals.json asks for them'
      : 'with the approvals that exec needs'
  return `exec runs on this machine, outside the sandbox, ${approvals}`
}

/** The gates that refuse, each with the path that decides it. */
export function describeFailures(failures: readonly ElevatedFailure[]): string {
  const words: Readonly<Record<ElevatedFailure['gate'], string>> = {
    enabled: 'it is switched off',
    provider: 'the channel of this session is not known',
    allowFrom: 'the sender is not on the list',
  }
  return failures.map(({ gate, key }) => `${words[gate]} (${key})`).join('; ')
}

/** What is answered to `/elevated` alone: how things stand. */
export function statusReply(
  resolved: ResolvedElevated,
  kept: ElevatedLevel | undefined,
  effect: ElevatedEffect,
): string {
  const { level, allowed, failures } = resolved
  if (!allowed) {
    const stored =
      kept === undefined || kept === 'off' ? '' : ` The session keeps level ${kept}, which does not apply.`
    return `Elevated is not available here: ${describeFailures(failures)}.${stored}`
  }
  const none = whyNoEffect(level, effect)
  return `Elevated is ${level}: ${none === null ? describeLevel(level, effect) : `it changes nothing here, since ${none}`}.`
}

/** What is answered to an order that was obeyed and kept. */
export function keptReply(level: ElevatedLevel, effect: ElevatedEffect): string {
  const none = whyNoEffect(level, effect)
  if (none === null) return `Elevated is now ${level} for this session: ${describeLevel(level, effect)}.`
  return `Elevated ${level} is stored for this session but not applicable: ${none}.`
}
