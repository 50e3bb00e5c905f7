import { isControlTool } from '../catalog/controls.ts'
import type { Edition } from '../catalog/edition.ts'
import { buildInventory } from '../catalog/inventory.ts'
import type { InventorySource } from '../catalog/source.ts'
import type { Inventory, Tool } from '../catalog/types.ts'
import { findAgent } from '../config/agents.ts'
import type { Config } from '../config/types.ts'
import type { Context } from '../policy/context.ts'
import { compilePolicy } from '../policy/evaluate.ts'
import type { CompiledPolicy, Decision, PolicyInput } from '../policy/types.ts'
import type { ToolSearchState, View } from '../policy/view.ts'
import type { SessionEntry } from '../sessions/entry.ts'
import type { SessionRequest } from '../sessions/request.ts'
import { resolveContext } from '../sessions/resolve.ts'
import { controlsOf, controlTools, exposureOf } from '../tool-search/exposure.ts'
import type { IsolationSupport } from '../tool-search/code/support.ts'
import { resolveToolSearch } from '../tool-search/settings.ts'

/** What one session is judged from; plain values, so that a fix or a diff can judge it again under another config. */
export interface ViewSource {
  /** A validated config. */
  readonly config: Config
  readonly edition: Edition
  readonly request: SessionRequest
  /** Whether this machine can lock a code child; absent = it can. */
  readonly isolation?: IsolationSupport
  /** The stored entry, null when a store was asked and does not have the session, undefined when none was asked. */
  readonly entry: SessionEntry | null | undefined
  /** Tools that exist, in place of those that the config alone tells of. */
  readonly inventory: InventorySource | null
  /** What was found on this machine; counts beside what the config tells of, and only where no inventory does. */
  readonly discovered?: InventorySource | null
}

function isLean(config: Config, agentId: string): boolean {
  return (
    findAgent(config, agentId)?.config.experimental?.localModelLean ??
    config.agents?.defaults?.experimental?.localModelLean ??
    false
  )
}

function withControls(inventory: Inventory, controls: readonly Tool[]): Inventory {
  return { ...inventory, tools: [...inventory.tools, ...controls] }
}

/** Why code mode cannot be had: the session's runtime says so, or this machine. */
function isolationProblem(context: Context, isolation: IsolationSupport | undefined): string | null {
  if (!context.supports.permission) return 'the runtime of this session cannot lock down a code child'
  return isolation === undefined || isolation.supported ? null : isolation.because
}

function toolSearchOf({ config, edition, isolation }: ViewSource, context: Context): ToolSearchState {
  return resolveToolSearch(config.tools?.toolSearch, {
    edition: edition.id,
    harness: context.harness,
    lean: isLean(config, context.agentId),
    isolationProblem: isolationProblem(context, isolation),
    canUseTools: context.supports.tools && !context.disableTools && context.toolsAllow?.length !== 0,
  })
}

interface Judged {
  readonly inventory: Inventory
  readonly policy: CompiledPolicy
  readonly decisions: readonly Decision[]
  readonly visible: ReadonlyMap<string, Tool>
}

function judge(input: Omit<PolicyInput, 'inventory'>, declared: Inventory, state: ToolSearchState): Judged {
  const inventory = withControls(declared, controlTools(state))
  const policy = compilePolicy({ ...input, inventory })
  const decisions = inventory.tools.map((tool) => policy.evaluate(tool))
  const visible = new Map(
    decisions.flatMap(({ tool, verdict }) => (verdict === 'visible' ? [[tool.name, tool]] : [])),
  )
  return { inventory, policy, decisions, visible }
}

/** Why Tool Search cannot work although it is on: policy took one of the controls away, and without it deferred tools would be out of reach. */
function missingControl(state: ToolSearchState, { decisions, visible }: Judged): string | null {
  const lost = controlsOf(state.mode).find((name) => !visible.has(name))
  const decision = decisions.find(({ tool }) => tool.name === lost && isControlTool(tool))
  const entry = decision?.trace[decision.decisive]
  return entry ? `${lost} is not available (${entry.list}: ${entry.reason})` : null
}

/** Judges every tool of one session. Pure; UNKNOWN_AGENT and malformed session keys are errors. */
export function openView(source: ViewSource): View {
  const { config, edition, request, entry } = source
  const { context, missing, dropped } = resolveContext({ config, edition, request, entry })
  const declared = buildInventory({
    edition,
    config,
    agentId: context.agentId,
    ...(source.inventory && { file: source.inventory }),
    ...(source.discovered && { discovered: source.discovered }),
  })
  const input = { config, edition, context }
  let toolSearch = toolSearchOf(source, context)
  let judged = judge(input, declared, toolSearch)
  const because = missingControl(toolSearch, judged)
  if (because !== null) {
    toolSearch = { ...toolSearch, enabled: false, requestedMode: null, mode: null, fallback: null, because }
    judged = judge(input, declared, toolSearch)
  }
  const facts = { edition: edition.id, state: toolSearch, lean: isLean(config, context.agentId) }
  const { inventory, policy, decisions, visible } = judged
  return {
    config,
    edition,
    inventory,
    context,
    missing,
    dropped,
    policy,
    decisions,
    toolSearch,
    exposure: (tool) => (visible.get(tool.name) === tool ? exposureOf(tool, facts) : null),
  }
}
