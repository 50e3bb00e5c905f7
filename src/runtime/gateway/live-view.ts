import type { InventorySource } from '../../catalog/source.ts'
import type { Notice } from '../../kernel/path.ts'
import type { ToolContext } from '../../plugins/authoring.ts'
import { noBackends } from '../../plugins/backends.ts'
import type { LoadedPlugin } from '../../plugins/load.ts'
import type { SessionEntry } from '../../sessions/entry.ts'
import type { SessionRequest } from '../../sessions/request.ts'
import { resolveContext } from '../../sessions/resolve.ts'
import type { Case } from '../case.ts'
import { loadCode, makeLive, withLivePlugins, type LivePlugins } from '../live-plugins.ts'
import { toolContext } from '../tool-context.ts'

const nothing: InventorySource = { plugins: [], servers: [], client: [], channel: [], providers: {} }

const noPlugins: LivePlugins = {
  sources: new Map(),
  hooks: { before_tool_call: [], after_tool_call: [] },
  backends: noBackends,
  tool: () => undefined,
  notices: [],
}

/** The code of the plugins of one config, run once for all its sessions. */
export class PluginShelf {
  readonly #each: Case
  readonly #tell: (text: string) => void
  readonly #told = new Set<string>()
  #loaded: Promise<readonly LoadedPlugin[]> | null = null
  #last: InventorySource | null = null
  #always: Promise<LivePlugins> | null = null

  constructor(each: Case, tell: (text: string) => void) {
    this.#each = each
    this.#tell = tell
  }

  /** Runs the code with the first session; where no plugins are installed nothing of that is loaded. */
  load(): Promise<readonly LoadedPlugin[]> {
    this.#loaded ??= this.#load()
    return this.#loaded
  }

  /** The tools of plugins for a session; where no tool depends on its session, all have the same. */
  async make(context: ToolContext): Promise<LivePlugins> {
    const loaded = await this.load()
    const isForAll = loaded.every(({ tools }) => tools.every(({ made }) => typeof made !== 'function'))
    if (!isForAll) return makeLive(loaded, context)
    this.#always ??= makeLive(loaded, context)
    return this.#always
  }

  /** Says what is wrong with plugins, each thing once for all sessions. */
  tell(notices: readonly Notice[]): void {
    for (const { message } of notices) {
      if (!this.#told.has(message)) this.#tell(message)
      this.#told.add(message)
    }
  }

  /** The source that an earlier session had where this one holds the same: an inventory is built once for a source. */
  same(source: InventorySource): InventorySource {
    if (this.#last === null || !holdsSame(this.#last, source)) this.#last = source
    return this.#last
  }

  async #load(): Promise<readonly LoadedPlugin[]> {
    const tell = this.#tell
    if (this.#each.discovered === null || this.#each.discovered.plugins === null) return []
    return loadCode(this.#each, await this.#each.view(), {
      debug: () => {},
      info: tell,
      warn: tell,
      error: tell,
    })
  }
}

/** A session judged by what the code of its plugins says of their tools. */
export interface LiveCase {
  readonly each: Case
  readonly plugins: LivePlugins
  /** What was found on this machine, with what plugins say. */
  readonly source: InventorySource
}

/** Opens a session of a config with the tools that its plugins make for it. */
export async function openLive(
  config: Case,
  shelf: PluginShelf,
  request: SessionRequest,
  entry: SessionEntry | null,
): Promise<LiveCase> {
  const found = config.discovered?.source ?? nothing
  const loaded = await shelf.load()
  if (loaded.length === 0) {
    return { each: config.about(request, entry), plugins: noPlugins, source: found }
  }
  const { context } = resolveContext({ config: config.config, edition: config.edition, request, entry })
  const plugins = await shelf.make(toolContext(config, context))
  shelf.tell(plugins.notices)
  const source = shelf.same(withLivePlugins(found, plugins))
  return { each: config.about(request, entry, source), plugins, source }
}

/** Whether two sources of one discovery differ in nothing that plugins made for a session. */
function holdsSame(one: InventorySource, other: InventorySource): boolean {
  return (
    one.servers === other.servers &&
    one.plugins.length === other.plugins.length &&
    one.plugins.every(({ id, problem, tools = [] }, at) => {
      const plugin = other.plugins[at]
      const theirs = plugin?.tools ?? []
      return (
        plugin?.id === id &&
        plugin.problem === problem &&
        theirs.length === tools.length &&
        theirs.every((tool, index) => tool === tools[index])
      )
    })
  )
}
