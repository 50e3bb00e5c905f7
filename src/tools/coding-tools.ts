import type { Executor, NoExecutor } from '../calls/executor.ts'
import { OpenClawError } from '../kernel/errors.ts'
import { isBundledTool } from './bundled.ts'
import { families } from './families.ts'
import { constructionParts, type ConstructionPart, type OpenFamily, type ToolFamily } from './family.ts'
import type { CodingToolOptions } from './options.ts'

/** Which parts of a run's tools are built. */
export type OpenClawCodingToolConstructionPlan = Readonly<Record<ConstructionPart, boolean>>

/** The built-in tools of one run. */
export interface CodingTools {
  readonly plan: OpenClawCodingToolConstructionPlan
  /** Names of the tools that were built. */
  readonly names: readonly string[]
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
  const plan = (): OpenClawCodingToolConstructionPlan => given ?? constructionPlan(options)
  const open = (family: ToolFamily): Promise<OpenFamily> => {
    const known = opened.get(family)
    if (known !== undefined) return known
    const made = family.open(options)
    opened.set(family, made)
    // Whoever calls a tool of it sees the failure; the next call tries again.
    made.catch(() => opened.delete(family))
    return made
  }
  const executorOf = (name: string): Executor | undefined => {
    const family = families.find(({ names }) => names.includes(name))
    if (family === undefined || !plan()[family.part]) return undefined
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
    get names() {
      const built = plan()
      return families.flatMap(({ part, names }) => (built[part] ? names : []))
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
