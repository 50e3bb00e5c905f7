import { OpenClawError } from '../../kernel/errors.ts'
import type { CoreTool, OpenFamily } from '../family.ts'
import { hostNeeds } from './needs.ts'

/** Tools that only a plugin or a client can carry out: called all the same, each says what it needs. */
export function openPluginHosts(): OpenFamily {
  const tools = Object.entries(hostNeeds).map(([name, { needs, hints }]): [string, CoreTool] => [
    name,
    {
      run: async () => {
        throw new OpenClawError('TOOL_UNAVAILABLE', `${name} needs ${needs}`, { hints })
      },
    },
  ])
  return { tools: Object.fromEntries(tools) }
}
