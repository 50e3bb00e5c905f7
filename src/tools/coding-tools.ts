import type { Executor, NoExecutor } from '../calls/executor.ts'
import type { Tool } from '../catalog/types.ts'
import { OpenClawError } from '../kernel/errors.ts'
import type { View } from '../policy/view.ts'
import { isBundledTool } from './bundled.ts'
import { families } from './families.ts'
import { constructionParts, type ConstructionPart, type OpenFamily, type ToolFamily } from './family.ts'
import type { CodingToolOptions } from './options.ts'

/** Which parts of a run's tools are built. */
export type OpenClawCodingToolConstructionPlan = Readonly<Record<ConstructionPart, boolean>>

/** The built-in tools of one run. */
export interface CodingTools {
  readonly plan: OpenClawCodingToolConstructionPlan
  /** The tools that the session sees and that are built here, in catalogue order. */
  readonly tools: readonly Tool[]
  /** What runs a tool; undefined for a name that is none of theirs. */
  executor(name: string): Executor | NoExecutor | undefined
  /** What runs a tool of a bundled plugin; undefined for a tool that is none of theirs. */
  bundled(pluginId: string, name: string): Executor | undefined
  /** Ends what the tools of the run have started and should not outlive it. */
  close(): Promise<void>
}

/**
 * Builds the tools of a run, part by part and only those it can use: a part none of whose tools the session can see is left out. Families
 * are loaded when they are first called.
 */
export function createOpenClawCodingTools(
  options: CodingToolOptions,
  given?: OpenClawCodingToolConstructionPlan,
): CodingTools {
  const opened = new Map<ToolFamily, Promise<OpenFamily>>()
  // A session that is judged anew may come to see a part which it could not see at first.
  let known: { readonly view: View; readonly plan: OpenClawCodingToolConstructionPlan } | null = null
  const plan = (): OpenClawCodingToolConstructionPlan => {
    if (given !== undefined) return given
    const view = options.view()
    if (known?.view !== view) known = { view, plan: constructionPlan(options) }
    return known.plan
  }
  const open = (family: ToolFamily): Promise<OpenFamily> => {
    const earlier = opened.get(family)
    if (earlier !== undefined) return earlier
    const made = family.open(options)
    opened.set(family, made)
    // Whoever calls a tool of it sees the failure; the next call tries again.
    made.catch(() => opened.delete(family))
    return made
  }
  const plannedFamily = (name: string): ToolFamily | undefined => {
    const family = families.find(({ names }) => names.includes(name))
    return family !== undefined && plan()[family.part] ? family : undefined
  }
  const executorOf = (name: string): Executor | undefined => {
    const family = plannedFamily(name)
    if (family === undefined) return undefined
    const tool = async () => {
      const { tools } = await open(family)
      const found = Object.hasOwn(tools, name) ? tools[name] : undefined
      if (found === undefined)
        throw new OpenClawError('TOOL_UNAVAILABLE', `${name} cannot run in this session`)
      return found
    }
    const limitMs = family.limitMs?.[name]
    return {
      run: async (args, running) => (await tool()).run(args, running),
      approval: async (args) => (await (await tool()).approval?.(args)) ?? null,
      ...(limitMs !== undefined && { limitMs }),
    }
  }
  return {
    get plan() {
      return plan()
    },
    get tools() {
      return options
        .view()
        .decisions.filter(({ tool, verdict }) => verdict === 'visible' && isOurs(tool))
        .map(({ tool }) => tool)
        .filter(({ name }) => plannedFamily(name) !== undefined)
    },
    executor: (name) => executorOf(name),
    bundled: (pluginId, name) => (isBundledTool(pluginId, name) ? executorOf(name) : undefined),
    close: async () => {
      const all = await Promise.allSettled(opened.values())
      await Promise.allSettled(
        all.map((each) => (each.status === 'fulfilled' ? each.value.close?.() : undefined)),
      )
    },
  }
}

function isOurs({ source, pluginId, name }: Tool): boolean {
  return source === 'core' || (source === 'plugin' && isBundledTool(pluginId ?? '', name))
}

/** The plan of a session: the parts of which it can see a tool (policy facts §4). */
export function constructionPlan({
  view,
}: Pick<CodingToolOptions, 'view'>): OpenClawCodingToolConstructionPlan {
  const { decisions } = view()
  const visible = new Set<string>()
  const parts = new Set<ConstructionPart>()
  for (const { tool, verdict } of decisions) {
    if (verdict !== 'visible') continue
    if (tool.source === 'core') visible.add(tool.name)
    else if (tool.source === 'channel') parts.add('channel')
    else if (tool.source === 'plugin' || tool.source === 'mcp') parts.add('plugin')
  }
  for (const { part, names } of families) if (names.some((name) => visible.has(name))) parts.add(part)
  const plan: [ConstructionPart, boolean][] = constructionParts.map((part) => [part, parts.has(part)])
  return Object.fromEntries(plan) as Record<ConstructionPart, boolean>
}
