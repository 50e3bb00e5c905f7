import { findAgent } from '../config/agents.ts'
import { parsePath } from '../config/path-syntax.ts'
import { OpenClawError } from '../kernel/errors.ts'
import { formatPath, type Location } from '../kernel/path.ts'
import type { View } from '../policy/view.ts'
import type { ResolvedElevated } from '../tools/elevated/resolve.ts'
import { approvalsFile, filePolicy, readApprovals, silentFile } from '../tools/exec-approvals/file.ts'
import { execPolicy, modeOf, type ExecPolicy, type Mode } from '../tools/exec-approvals/policy.ts'
import type { Ask, Layer, Security } from '../tools/exec-approvals/types.ts'
import { chooseHost, configuredHost, type ExecHost } from '../tools/sandbox/exec-host.ts'
import type { Case } from './case.ts'

/** Where a setting of exec comes from; `key` is a config path, or a field of the approvals file. */
export interface ExecSource {
  readonly source: 'agent' | 'global' | 'default' | 'exec-approvals'
  readonly key: string
  readonly location: Location | null
}

/** What the settings of exec come to for a session, with who had the last word on each. */
export interface ExecExplanation {
  readonly configuredHost: ExecHost
  /** Where a command runs as things stand; null where it cannot. */
  readonly host: 'sandbox' | 'gateway' | 'node' | null
  readonly because: string | null
  /** Which commands may run outside of a sandbox, and when somebody is asked, config and approvals file taken together. */
  readonly mode: Mode
  readonly security: Security
  readonly ask: Ask
  readonly sources: Readonly<Record<'host' | 'mode' | 'security' | 'ask', ExecSource>>
  /** False where commands run in the sandbox, in which nothing is asked. */
  readonly applies: boolean
  /** The approvals file where there is one, and why it cannot be read; every command is refused then. */
  readonly approvals: { readonly file: string; readonly problem: string | null } | null
}

/** Explains where commands of a session run and what is asked for them; `noBackend` says why its sandbox cannot be had. */
export function explainExec(
  each: Case,
  view: View,
  resolved: ResolvedElevated,
  noBackend: string | null,
): ExecExplanation {
  const { policy, approvals } = policyOf(each, view)
  const { security, ask, securityFrom, askFrom } = policy
  const found = placeOf(view, resolved, noBackend)
  const place =
    found.host === 'gateway' && security === 'deny'
      ? { host: null, because: approvals?.problem ?? `${securityFrom.path} is deny` }
      : found
  const sources = {
    host: hostSource(each, view),
    security: sourceOf(each, view, securityFrom),
    ask: sourceOf(each, view, askFrom),
  }
  return {
    configuredHost: configuredHost(view),
    ...place,
    mode: modeOf(policy),
    security,
    ask,
    sources: { ...sources, mode: sources.security.source === 'default' ? sources.ask : sources.security },
    applies: found.host !== 'sandbox',
    approvals,
  }
}

function placeOf(
  view: View,
  resolved: ResolvedElevated,
  noBackend: string | null,
): Pick<ExecExplanation, 'host' | 'because'> {
  try {
    const { host } = chooseHost(view, {}, resolved)
    if (host === 'node') return { host: null, because: 'no node is paired' }
    if (host === 'sandbox' && noBackend !== null) return { host: null, because: noBackend }
    return { host, because: null }
  } catch (error) {
    return { host: null, because: error instanceof Error ? error.message : String(error) }
  }
}

function policyOf(
  { loaded }: Case,
  { config, context }: View,
): { readonly policy: ExecPolicy; readonly approvals: ExecExplanation['approvals'] } {
  const { agentId } = context
  if (loaded === null) return { policy: execPolicy(config, agentId, silentFile), approvals: null }
  const file = approvalsFile(loaded.stateDir)
  try {
    const read = readApprovals(loaded.stateDir)
    const policy = execPolicy(config, agentId, filePolicy(read, agentId))
    return { policy, approvals: read === null ? null : { file, problem: null } }
  } catch (error) {
    if (!(error instanceof OpenClawError)) throw error
    const from: Layer = { name: 'exec-approvals', path: '(damaged)' }
    const policy = execPolicy(config, agentId, { ...silentFile, security: { word: 'deny', from } })
    return { policy, approvals: { file, problem: error.message } }
  }
}

function hostSource(each: Case, view: View): ExecSource {
  const agent = findAgent(view.config, view.context.agentId)
  const isOwn = agent?.config.tools?.exec?.host !== undefined
  const path = [...(isOwn ? agent.path : []), 'tools', 'exec', 'host']
  return sourceOf(each, view, { name: 'config', path: formatPath(path) })
}

function sourceOf(each: Case, { config }: View, { name, path: key }: Layer): ExecSource {
  if (name === 'exec-approvals') return { source: 'exec-approvals', key, location: null }
  const path = parsePath(key)
  if (path[0] === 'agents') return { source: 'agent', key, location: each.locate(path) }
  const exec: Readonly<Record<string, unknown>> = config.tools?.exec ?? {}
  const isSet = exec[String(path.at(-1))] !== undefined
  return isSet
    ? { source: 'global', key, location: each.locate(path) }
    : { source: 'default', key, location: null }
}
