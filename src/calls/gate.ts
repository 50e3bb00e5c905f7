import { catalogId } from '../catalog/ids.ts'
import type { Tool } from '../catalog/types.ts'
import { OpenClawError } from '../kernel/errors.ts'
import { shownStep } from '../policy/report.ts'
import type { Decision } from '../policy/types.ts'
import type { View } from '../policy/view.ts'

/** Whether a session may call a tool now, by the decision that also says what it sees. */
export type Passage =
  | { readonly open: true; readonly tool: Tool }
  | {
      readonly open: false
      readonly verdict: 'hidden' | 'unavailable'
      /** Step of the pipeline that decided; `inventory` for a tool that has gone. */
      readonly step: string
      readonly reason: string
    }

/** A passage that is closed. */
export type Closed = Extract<Passage, { readonly open: false }>

const decisions = new WeakMap<View, ReadonlyMap<string, Decision>>()

function decisionOf(view: View, name: string): Decision | undefined {
  let known = decisions.get(view)
  if (known === undefined) {
    known = new Map(view.decisions.map((decision) => [decision.tool.name, decision]))
    decisions.set(view, known)
  }
  return known.get(name)
}

/** Asks the session as it is judged now about a tool that somebody found earlier: by name and owner, since the inventory may have been built anew. */
export function passage(view: View, tool: Tool): Passage {
  const decision = decisionOf(view, tool.name)
  const now = decision?.tool
  if (decision === undefined || now === undefined || !isSame(now, tool)) {
    return {
      open: false,
      verdict: 'unavailable',
      step: 'inventory',
      reason: `${tool.name} is no longer available`,
    }
  }
  const entry = decision.trace[decision.decisive]
  if (view.exposure(now) !== null) return { open: true, tool: now }
  return {
    open: false,
    verdict: decision.verdict === 'hidden' ? 'hidden' : 'unavailable',
    step: entry === undefined ? 'exposure' : shownStep(entry),
    reason: entry?.reason ?? 'the session does not offer it',
  }
}

/** The tool of the session that a name or id means although the model cannot reach it, and what keeps it out; null where there is none. */
export function hiddenTool(view: View, selector: string): Closed | null {
  const text = selector.trim()
  const decision =
    decisionOf(view, text) ??
    view.decisions.find(({ tool }) => text.includes(':') && catalogId(tool) === text)
  if (decision === undefined) return null
  const found = passage(view, decision.tool)
  return found.open ? null : found
}

/** The error of a call that a session may not make: TOOL_DENIED where a rule hides the tool, else TOOL_UNAVAILABLE. */
export function refusal(tool: Tool, { verdict, step, reason }: Closed): OpenClawError {
  const code = verdict === 'hidden' ? 'TOOL_DENIED' : 'TOOL_UNAVAILABLE'
  return new OpenClawError(code, `${tool.name} is ${verdict} in this session, at ${step}: ${reason}`, {
    hints: [`openclaw tools explain ${tool.name}`],
    data: { tool: tool.name, verdict, step, reason },
  })
}

function isSame(now: Tool, then: Tool): boolean {
  return (
    now.source === then.source &&
    now.pluginId === then.pluginId &&
    now.mcpServer === then.mcpServer &&
    now.mcpToolName === then.mcpToolName
  )
}
