import { OpenClawError } from '../../kernel/errors.ts'
import type { View } from '../../policy/view.ts'
import type { CommandPlace, Places } from '../place.ts'

/** The places of a session; never the host where a sandbox was asked for. */
export function openPlaces(view: () => View, workspace: string): Places {
  const host = (): CommandPlace => {
    if (view().context.sandboxed) {
      throw new OpenClawError('TOOL_UNAVAILABLE', 'this session runs in a sandbox, and this machine has none')
    }
    return {
      kind: 'host',
      backend: 'host',
      cwd: workspace,
      roots: null,
      elevated: 'off',
      wrap: (command) => command,
    }
  }
  return { files: async () => host(), commands: async () => host() }
}
