import { findAgent } from '../../config/agents.ts'
import { OpenClawError } from '../../kernel/errors.ts'
import type { View } from '../../policy/view.ts'
import type { ElevatedLevel, ResolvedElevated } from '../elevated/resolve.ts'
import type { CommandWish } from '../place.ts'

export type ExecHost = NonNullable<CommandWish['host']>

/** Where a command runs, before it is known whether that is possible. */
export interface ChosenHost {
  readonly host: 'sandbox' | 'gateway' | 'node'
  readonly elevated: ElevatedLevel
}

/** `tools.exec.host` of the session's agent, with the path at which it stands. */
export function configuredHost({ config, context }: Pick<View, 'config' | 'context'>): ExecHost {
  const own = findAgent(config, context.agentId)?.config.tools?.exec?.host
  return own ?? config.tools?.exec?.host ?? 'auto'
}

/**
 * Where a command runs (policy facts §8): in the configured place, `auto` being the sandbox of a sandboxed session and else this machine; a call may
 * name another one only where `auto` is configured and it leads out of no sandbox; elevated lifts it onto this machine. Errors: TOOL_DENIED for a host
 * or an elevation that the session may not have, TOOL_UNAVAILABLE for a sandbox that the session has not. Pure.
 */
export function chooseHost(
  view: Pick<View, 'config' | 'context'>,
  wish: CommandWish,
  elevated: ResolvedElevated,
): ChosenHost {
  const { sandboxed } = view.context
  const configured = configuredHost(view)
  const asked = wish.host === undefined || wish.host === 'auto' ? configured : wish.host
  const isLifted = wish.elevated ?? elevated.level !== 'off'
  if (isLifted && !elevated.allowed) throw notElevated(elevated)
  if (!mayName(asked, configured, sandboxed, isLifted)) throw hostDenied(asked, configured, sandboxed)
  if (isLifted) {
    const level = elevated.level === 'off' ? 'ask' : elevated.level
    return { host: asked === 'node' ? 'node' : 'gateway', elevated: level }
  }
  if (asked === 'auto') return { host: sandboxed ? 'sandbox' : 'gateway', elevated: 'off' }
  if (asked === 'sandbox' && !sandboxed) throw noSandbox()
  return { host: asked, elevated: 'off' }
}

function mayName(asked: ExecHost, configured: ExecHost, sandboxed: boolean, isLifted: boolean): boolean {
  if (asked === configured) return true
  if (configured !== 'auto') return false
  return !sandboxed || asked === 'sandbox' || isLifted
}

function hostDenied(asked: ExecHost, configured: ExecHost, sandboxed: boolean): OpenClawError {
  const leadsOut = configured === 'auto' && sandboxed
  const message = leadsOut
    ? `exec may not choose host "${asked}" here: the session runs in a sandbox`
    : `exec may not choose host "${asked}" here: tools.exec.host is "${configured}"`
  return new OpenClawError('TOOL_DENIED', message, {
    hints: leadsOut
      ? [
          'leave out host: the command then runs in the sandbox',
          'openclaw sandbox explain says who may leave it',
        ]
      : ['leave out host', 'or let calls choose: openclaw config set tools.exec.host auto'],
    data: { host: asked, configured, sandboxed },
  })
}

function notElevated({ failures }: ResolvedElevated): OpenClawError {
  const why = failures.map(({ gate, key }) => `${gate} (${key})`).join(', ')
  return new OpenClawError('TOOL_DENIED', `elevated is not available to this sender: ${why}`, {
    hints: [
      'leave out elevated: the command then runs where the session runs',
      'openclaw sandbox explain shows every gate',
    ],
    data: { failures },
  })
}

function noSandbox(): OpenClawError {
  return new OpenClawError('TOOL_UNAVAILABLE', 'exec is to run in a sandbox, and this session has none', {
    hints: [
      'run its sessions in one: openclaw config set agents.defaults.sandbox.mode all',
      'or let exec run where the session runs: openclaw config set tools.exec.host auto',
    ],
    data: { host: 'sandbox' },
  })
}
