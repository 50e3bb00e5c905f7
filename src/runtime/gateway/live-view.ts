import type { InventorySource } from '../../catalog/source.ts'
import type { View } from '../../policy/view.ts'
import type { Case } from '../case.ts'
import { loadPlugins, withLivePlugins, type LivePlugins } from '../live-plugins.ts'

/** A session judged by what the code of its plugins says of their tools. */
export interface LiveView {
  readonly view: View
  readonly plugins: LivePlugins
  /** What was found on this machine, with what plugins say. */
  readonly source: InventorySource
}

const nothing: InventorySource = { plugins: [], servers: [], client: [], channel: [], providers: {} }

const noPlugins: LivePlugins = {
  sources: new Map(),
  hooks: { before_tool_call: [], after_tool_call: [] },
  tool: () => undefined,
  notices: [],
}

/** Judges a session after running the code of its plugins; where none are installed nothing of that is loaded. */
export async function openLive(each: Case, tell: (text: string) => void): Promise<LiveView> {
  const view = await each.view()
  const source = each.discovered?.source ?? nothing
  if (each.discovered === null || each.discovered.plugins === null)
    return { view, plugins: noPlugins, source }
  const logger = { debug: () => {}, info: tell, warn: tell, error: tell }
  const plugins = await loadPlugins(each, view, logger)
  for (const { message } of plugins.notices) tell(message)
  const live = withLivePlugins(source, plugins)
  return { view: each.rediscover(view, live), plugins, source: live }
}
