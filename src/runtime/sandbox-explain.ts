import { findAgent } from '../config/agents.ts'
import type { Notice } from '../kernel/path.ts'
import { formatPath } from '../kernel/path.ts'
import { judgeTool, type Verdict } from '../policy/explain.ts'
import type { Entry, Layer } from '../policy/types.ts'
import type { View } from '../policy/view.ts'
import { mainSessionKey } from '../sessions/target.ts'
import {
  readLevel,
  resolveElevated,
  type ElevatedFailure,
  type ElevatedLevel,
} from '../tools/elevated/resolve.ts'
import { whyNoEffect } from '../tools/elevated/words.ts'
import { chooseBackend, type LimitedBy } from '../tools/sandbox/backend.ts'
import { scopeKey, scratchDir } from '../tools/sandbox/scope.ts'
import { sessionSandbox, type SandboxLimits, type SandboxSettings } from '../tools/sandbox/settings.ts'
import type { Case } from './case.ts'
import { elevatedContext, elevatedEffect, keptLevel } from './elevated.ts'
import { explainExec, type ExecExplanation } from './exec-explain.ts'
import { needsOf } from './needs.ts'
import { caseNotices } from './notices.ts'
import { sandboxHost } from './sandbox-host.ts'
import { fixesFor } from './sandbox-fixes.ts'
import { workspaceOf } from './tool-context.ts'

/** Where a list of the sandbox comes from. */
export interface ListSource {
  readonly source: 'agent' | 'global' | 'default'
  readonly key: string
}

/** The answer of `openclaw sandbox explain` (policy facts §11, contract §8). */
export interface SandboxExplanation {
  readonly agentId: string
  readonly sessionKey: string
  readonly mainSessionKey: string
  readonly sandbox: {
    readonly mode: SandboxSettings['mode']
    readonly scope: SandboxSettings['scope']
    /** As configured; `available` says what it comes to on this machine. */
    readonly backend: SandboxSettings['backend']
    readonly workspaceAccess: SandboxSettings['workspaceAccess']
    readonly sessionIsSandboxed: boolean
    readonly because: string
    /** Directory that commands start in, the same inside; null for a config that is not on this machine. */
    readonly workspace: string | null
    readonly network: boolean
    readonly limits: SandboxLimits
    /** The backend that was really started for a try; null where none was needed or may be. */
    readonly available: {
      readonly backend: 'bubblewrap' | 'docker' | null
      readonly reason: string | null
      readonly hints: readonly string[]
      readonly limitedBy: LimitedBy | null
    } | null
    readonly tools: {
      readonly allow: readonly string[]
      readonly deny: readonly string[]
      readonly sources: { readonly allow: ListSource; readonly deny: ListSource }
    }
  }
  readonly elevated: {
    readonly enabled: boolean
    readonly channel: string | null
    readonly sender: string | null
    readonly allowedByConfig: boolean
    /** Everyone on this channel may have it. */
    readonly alwaysAllowedByConfig: boolean
    readonly allowFrom: { readonly global: readonly string[]; readonly agent: readonly string[] | null }
    readonly level: ElevatedLevel
    /** As the session keeps it. */
    readonly sessionLevel: string | null
    /** Why the level changes nothing here. */
    readonly noEffect: string | null
    readonly failures: readonly ElevatedFailure[]
  }
  readonly exec: ExecExplanation
  /** What policy says of the tools that the sandbox is about. */
  readonly policy: {
    readonly tools: readonly (Verdict & { readonly tool: string; readonly needs: string | null })[]
  }
  readonly fixIt: readonly string[]
  readonly notices: readonly Notice[]
}

const concerned = ['exec', 'process', 'read', 'write', 'edit', 'apply_patch', 'ls']

/** Explains sandbox, policy and elevated of one session side by side; a backend is started for a try where the session runs in a sandbox. */
export async function explainSandbox(each: Case): Promise<SandboxExplanation> {
  const view = await each.view()
  const { config, context } = view
  const { agentId, sessionKey } = context
  const settings = sessionSandbox(view)
  const sessionLevel = await keptLevel(each, view)
  const who = elevatedContext(view)
  const resolved = resolveElevated(config, who, { session: sessionLevel })
  const wouldBe = readLevel(sessionLevel) ?? resolved.level
  const available = await availableBackend(each, view, settings)
  const answer: Omit<SandboxExplanation, 'fixIt'> = {
    agentId,
    sessionKey,
    mainSessionKey: mainSessionKey(config, agentId),
    sandbox: {
      mode: settings.mode,
      scope: settings.scope,
      backend: settings.backend,
      workspaceAccess: settings.workspaceAccess,
      sessionIsSandboxed: context.sandboxed,
      because: whySandboxed(settings, view),
      workspace: workspaceIn(each, view, settings),
      network: settings.network,
      limits: settings.limits,
      available,
      tools: await sandboxLists(each, view),
    },
    elevated: {
      enabled: resolved.enabled,
      channel: who.channel,
      sender: context.sender?.id ?? who.peer ?? context.sender?.e164 ?? context.sender?.username ?? null,
      allowedByConfig: resolved.allowed,
      alwaysAllowedByConfig: resolveElevated(config, { ...who, sender: null, peer: null }).allowed,
      allowFrom: allowLists(view, who.channel),
      level: resolved.level,
      sessionLevel: sessionLevel ?? null,
      noEffect: whyNoEffect(wouldBe, elevatedEffect(view)),
      failures: resolved.failures,
    },
    exec: explainExec(each, view, resolved, available?.backend === null ? available.reason : null),
    policy: { tools: verdicts(each, view) },
    notices: caseNotices(each, view),
  }
  return { ...answer, fixIt: fixesFor(answer) }
}

function whySandboxed({ mode }: SandboxSettings, { context, config }: View): string {
  const isMain = context.sessionKey === mainSessionKey(config, context.agentId)
  const usual = mode === 'all' || (mode === 'non-main' && !isMain)
  if (context.sandboxed !== usual)
    return context.sandboxed
      ? 'it was asked for, for this session'
      : 'it was asked to be off, for this session'
  if (mode === 'off') return 'sandbox.mode is off'
  if (mode === 'all') return 'sandbox.mode is all'
  return isMain
    ? 'sandbox.mode is non-main, and this is the main session'
    : 'sandbox.mode is non-main, and this is not the main session'
}

function workspaceIn(each: Case, { context }: View, settings: SandboxSettings): string | null {
  const { loaded } = each
  if (loaded === null) return null
  const isScratch = context.sandboxed && settings.workspaceAccess === 'none'
  return isScratch
    ? scratchDir(loaded.stateDir, scopeKey(settings, context))
    : workspaceOf(each, context.agentId)
}

async function availableBackend(
  each: Case,
  { context }: View,
  settings: SandboxSettings,
): Promise<SandboxExplanation['sandbox']['available']> {
  const host = sandboxHost(each)
  if (!context.sandboxed || host === null || each.inventory !== null) return null
  const found = await chooseBackend(settings, host)
  if (found.name !== null) return { backend: found.name, reason: null, hints: [], limitedBy: found.limitedBy }
  return { backend: null, reason: found.reason, hints: found.hints, limitedBy: null }
}

/** The lists that apply to the session, or would if it were sandboxed. */
async function sandboxLists(each: Case, view: View): Promise<SandboxExplanation['sandbox']['tools']> {
  const judged = view.context.sandboxed ? view : await each.about({ ...each.request, sandboxed: true }).view()
  const layer = judged.policy.layers.find(({ step }) => step === 'sandbox.tools')
  return {
    allow: layer?.allow?.map(({ text }) => text) ?? ['*'],
    deny: layer?.deny.map(({ text }) => text) ?? [],
    sources: { allow: sourceOf(layer, 'allow'), deny: sourceOf(layer, 'deny') },
  }
}

function sourceOf(layer: Layer | undefined, list: 'allow' | 'deny'): ListSource {
  const entries: readonly Entry[] = layer?.[list] ?? []
  const path =
    entries.find((entry) => entry.path !== null)?.path ?? (list === 'allow' ? layer?.allowPath : null)
  if (path == null) return { source: 'default', key: `tools.sandbox.tools.${list}` }
  const at = path.findIndex((segment) => segment === list || segment === 'alsoAllow')
  return { source: path[0] === 'agents' ? 'agent' : 'global', key: formatPath(path.slice(0, at + 1)) }
}

function allowLists(
  { config, context }: View,
  channel: string | null,
): SandboxExplanation['elevated']['allowFrom'] {
  const texts = (
    lists: Readonly<Record<string, readonly (string | number)[]>> | undefined,
  ): readonly string[] => (channel === null ? [] : (lists?.[channel] ?? [])).map(String)
  const own = findAgent(config, context.agentId)?.config.tools?.elevated?.allowFrom
  return { global: texts(config.tools?.elevated?.allowFrom), agent: own === undefined ? null : texts(own) }
}

function verdicts(each: Case, view: View): SandboxExplanation['policy']['tools'] {
  const needs = needsOf(each, view)
  return concerned.flatMap((tool) => {
    const verdict = judgeTool(view, tool, each.locate)
    const own = view.inventory.tools.find(({ name, source }) => name === tool && source === 'core')
    if (verdict === null || own === undefined) return []
    return [{ tool, ...verdict, needs: needs(own)?.needs ?? null }]
  })
}
