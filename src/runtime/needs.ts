import type { Tool } from '../catalog/types.ts'
import type { View } from '../policy/view.ts'
import { isBundledTool } from '../tools/bundled.ts'
import type { UnmetNeed } from '../tools/need.ts'
import { unmetNeed } from '../tools/needs.ts'
import { findProgram } from '../tools/programs.ts'
import type { Case } from './case.ts'
import { samePlugin } from './plugin-settings.ts'

/** What built-in tools of a session lack on this machine; nothing is said of a session that an inventory or a snapshot describes. */
export function needsOf(
  { loaded, inventory, discovered, env }: Case,
  view: View,
): (tool: Tool) => UnmetNeed | null {
  if (loaded === null || inventory !== null) return () => null
  const { stateDir } = loaded
  const known = new Map<string, boolean>()
  const hasProgram = (name: string): boolean => {
    const found = known.get(name) ?? findProgram(name, env['PATH']) !== null
    known.set(name, found)
    return found
  }
  const facts = { view, env, stateDir, hasProgram, services: null }
  const installed = discovered?.plugins?.plugins ?? []
  return (tool) => {
    const { source, name, pluginId = '' } = tool
    const isOwn =
      source === 'core' ||
      (isBundledTool(pluginId, name) && !installed.some(({ id }) => samePlugin(id, pluginId)))
    return isOwn ? unmetNeed(name, facts) : null
  }
}
