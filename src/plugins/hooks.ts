import { isRecord } from '../catalog/source.ts'
import { cleanLine, cleanText } from '../kernel/untrusted-text.ts'
import type {
  AfterToolCallEvent,
  ApprovalRequest,
  BeforeToolCallEvent,
  HookHandlers,
  ToolCallContext,
} from './authoring.ts'
import { causeOf } from './code-error.ts'
import { withinLimit } from './limit.ts'
import { answerable } from './strays.ts'

export type HookEvent = keyof HookHandlers

export const hookEvents = ['before_tool_call', 'after_tool_call'] as const satisfies readonly HookEvent[]

/** Milliseconds a hook may take unless it says otherwise, and at most. */
export const hookTimeout = { usual: 5000, longest: 600_000 } as const

/** A handler that a plugin registered. */
export interface Hook<Event extends HookEvent> {
  readonly event: Event
  readonly pluginId: string
  readonly handler: HookHandlers[Event]
  readonly priority: number
  readonly timeoutMs: number
}

/** The handlers of every event; in the order of registration until `orderHooks` sorts them. */
export type Hooks = { readonly [Event in HookEvent]: readonly Hook<Event>[] }

/** All handlers in the order in which they run: higher priority first, else as plugins and handlers were registered. */
export function orderHooks(registered: readonly Hooks[]): Hooks {
  const ordered = <Event extends HookEvent>(hooks: readonly Hook<Event>[]): readonly Hook<Event>[] =>
    hooks.toSorted((a, b) => b.priority - a.priority)
  return {
    before_tool_call: ordered(registered.flatMap((hooks) => hooks.before_tool_call)),
    after_tool_call: ordered(registered.flatMap((hooks) => hooks.after_tool_call)),
  }
}

/** An approval that a hook asks for, bounded and with its defaults. */
export interface WantedApproval extends Required<Omit<ApprovalRequest, 'timeoutMs'>> {
  readonly pluginId: string
  readonly timeoutMs: number | null
  /** False where a yes can only be for this one call. */
  readonly lasting?: boolean
  /** What a lasting yes adds beside the call itself, in the words of whoever asked; `kind` names who understands it. */
  readonly remember?: Remembered
}

/** JSON that is kept with a question until it is answered. */
export interface Remembered {
  readonly kind: string
  readonly [key: string]: unknown
}

/** What the hooks before a call decided together. */
export type BeforeOutcome =
  | {
      readonly decision: 'proceed'
      /** The arguments as the hooks left them. */
      readonly params: Readonly<Record<string, unknown>>
      /** In the order in which they were asked for; the call needs every one. */
      readonly approvals: readonly WantedApproval[]
    }
  | {
      readonly decision: 'block'
      readonly pluginId: string
      readonly reason: string
      /** Whether the hook said so, or failed to answer and is taken for a no. */
      readonly cause: 'asked' | 'failed'
    }

const defaultReason = 'Tool call blocked by plugin hook'

/**
 * Asks the `before_tool_call` hooks, one after the other in the given order (tool search facts §5.3). Each sees the arguments as
 * the earlier ones left them. The first block ends it, also after an approval was asked for; a hook that throws, takes too long
 * or answers with something malformed blocks.
 */
export async function runBeforeToolCall(
  hooks: readonly Hook<'before_tool_call'>[],
  event: BeforeToolCallEvent,
  context: ToolCallContext,
): Promise<BeforeOutcome> {
  let { params } = event
  const approvals: WantedApproval[] = []
  for (const { handler, pluginId, timeoutMs } of hooks) {
    const fail = (why: string): BeforeOutcome => ({
      decision: 'block',
      pluginId,
      reason: `the before_tool_call hook of plugin ${pluginId} ${why}, so the call is blocked`,
      cause: 'failed',
    })
    let answer: unknown
    try {
      // A copy, so that a hook changes arguments only by saying so.
      const copy = { ...event, params: structuredClone(params) }
      answer = await withinLimit(() => answerable(pluginId, () => handler(copy, context)), timeoutMs, 'it')
    } catch (error) {
      return fail(`failed (${causeOf(error)})`)
    }
    if (answer === undefined || answer === null) continue
    if (!isRecord(answer)) return fail('answered with no object')
    const { block, blockReason, params: changes, requireApproval } = answer
    if (block !== undefined && typeof block !== 'boolean')
      return fail('answered with a block that is neither true nor false')
    if (block === true) {
      const said = typeof blockReason === 'string' ? cleanText(blockReason, 1000).trim() : ''
      return { decision: 'block', pluginId, reason: said === '' ? defaultReason : said, cause: 'asked' }
    }
    if (changes !== undefined) {
      if (!isRecord(changes)) return fail('answered with params that are no object')
      params = { ...params, ...changes }
    }
    if (requireApproval !== undefined) {
      const wanted = approvalOf(requireApproval, pluginId)
      if (wanted === null) return fail('asked for an approval without a title')
      approvals.push(wanted)
    }
  }
  return { decision: 'proceed', params, approvals }
}

/** Tells the `after_tool_call` hooks of a call that has ended; returns what went wrong in them, which changes nothing for the call. */
export async function runAfterToolCall(
  hooks: readonly Hook<'after_tool_call'>[],
  event: AfterToolCallEvent,
  context: ToolCallContext,
): Promise<readonly { readonly pluginId: string; readonly problem: string }[]> {
  const problems: { pluginId: string; problem: string }[] = []
  for (const { handler, pluginId, timeoutMs } of hooks) {
    try {
      await withinLimit(
        () => answerable(pluginId, () => handler(structuredClone(event), context)),
        timeoutMs,
        'it',
      )
    } catch (error) {
      problems.push({ pluginId, problem: causeOf(error) })
    }
  }
  return problems
}

function approvalOf(value: unknown, pluginId: string): WantedApproval | null {
  if (!isRecord(value)) return null
  const { title, description, severity, timeoutMs, timeoutBehavior } = value
  const shown = typeof title === 'string' ? cleanLine(title, 80) : ''
  if (shown === '') return null
  return {
    pluginId,
    title: shown,
    description: typeof description === 'string' ? cleanText(description, 512) : '',
    severity: severity === 'info' || severity === 'critical' ? severity : 'warning',
    timeoutMs:
      typeof timeoutMs === 'number' && timeoutMs > 0 ? Math.min(timeoutMs, hookTimeout.longest) : null,
    timeoutBehavior: timeoutBehavior === 'allow' ? 'allow' : 'deny',
  }
}
