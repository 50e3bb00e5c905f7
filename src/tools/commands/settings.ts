import { findAgent } from '../../config/agents.ts'
import type { View } from '../../policy/view.ts'

/** How commands of a session run: `tools.exec` of the config with what its agent says instead. */
export interface CommandSettings {
  /** Milliseconds a call waits before its command goes on in the background. */
  readonly backgroundMs: number
  /** Milliseconds a command may run; infinite where nothing ends it. */
  readonly timeoutMs: number
  /** Milliseconds a finished background command stays listed. */
  readonly cleanupMs: number
  readonly notifyOnExit: boolean
  readonly notifyOnExitEmptySuccess: boolean
  readonly pathPrepend: readonly string[]
}

const usual = { backgroundMs: 10_000, timeoutSeconds: 1_800, cleanupMs: 1_800_000 }

/** Reads the settings of a session; each one from its agent, else from `tools.exec`, else the usual (policy facts §3). */
export function commandSettings({ config, context }: Pick<View, 'config' | 'context'>): CommandSettings {
  const global = config.tools?.exec
  const own = findAgent(config, context.agentId)?.config.tools?.exec
  // An edition has one of the two names; a config that was carried over may still have the other.
  const seconds =
    own?.timeoutSeconds ??
    own?.timeoutSec ??
    global?.timeoutSeconds ??
    global?.timeoutSec ??
    usual.timeoutSeconds
  return {
    backgroundMs: own?.backgroundMs ?? global?.backgroundMs ?? usual.backgroundMs,
    timeoutMs: millisecondsOf(seconds),
    cleanupMs: own?.cleanupMs ?? global?.cleanupMs ?? usual.cleanupMs,
    notifyOnExit: own?.notifyOnExit ?? global?.notifyOnExit ?? true,
    notifyOnExitEmptySuccess: own?.notifyOnExitEmptySuccess ?? global?.notifyOnExitEmptySuccess ?? false,
    pathPrepend: own?.pathPrepend ?? global?.pathPrepend ?? [],
  }
}

/** Seconds as milliseconds; 0 means no limit. */
export function millisecondsOf(seconds: number): number {
  return seconds === 0 ? Number.POSITIVE_INFINITY : Math.max(1, Math.round(seconds * 1000))
}
