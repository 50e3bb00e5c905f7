import { join } from 'node:path'
import type { ExecutorParts } from '../../calls/executors.ts'
import type { Backends } from '../../plugins/backends.ts'
import type { View } from '../../policy/view.ts'
import { createOpenClawCodingTools, type CodingTools } from '../../tools/coding-tools.ts'
import type { ToolServices } from '../../tools/options.ts'
import { openPlaces } from '../../tools/sandbox/places.ts'
import type { Case, CaseOptions } from '../case.ts'
import type { ElevatedTurn } from '../elevated.ts'
import { samePlugin } from '../plugin-settings.ts'
import { elevatedSource, sandboxHost } from '../sandbox-host.ts'
import { workspaceOf } from '../tool-context.ts'
import { commandReviewer } from './command-reviewer.ts'
import { mediaModels } from './media.ts'
import { secretReader } from './secrets.ts'

/** What the program around a run knows and its tools are made from. */
export interface CoreToolsInput {
  readonly each: Case
  readonly view: () => View
  readonly runId: string
  readonly env: CaseOptions['env']
  readonly cwd: string
  readonly clock: () => number
  readonly tell: (text: string) => void
  readonly services: ToolServices
  /** What plugins bring besides tools and hooks. */
  readonly backends: Backends
  /** What was ordered about elevated for the turn that is under way; absent where nobody gives orders. */
  readonly elevated?: ElevatedTurn
}

/** The built-in tools of a run on this machine; null where the config is not one of this machine, so that nothing can run. */
export function openCoreTools({
  each,
  cwd,
  services,
  backends,
  elevated = {},
  ...input
}: CoreToolsInput): CodingTools | null {
  const { loaded } = each
  const host = sandboxHost(each)
  if (loaded === null || host === null || each.inventory !== null) return null
  const { stateDir, home } = loaded
  const { agentId } = input.view().context
  const workspace = workspaceOf(each, agentId) ?? join(stateDir, 'workspace')
  return createOpenClawCodingTools({
    ...input,
    services: {
      commandReviewer: commandReviewer(each, input.view, cwd),
      ...coreServices(each, services, { env: input.env, cwd }, backends),
    },
    workspace,
    places: openPlaces({
      view: input.view,
      workspace,
      host,
      elevated: elevatedSource(each, input.view, elevated),
    }),
    stateDir,
    homeDir: home,
  })
}

/** What a run offers to its tools: what the program around it does, what the config says, and what plugins bring. */
export function coreServices(
  each: Case,
  services: ToolServices,
  places: Pick<CaseOptions, 'env' | 'cwd'>,
  { channels, webSearch, media }: Backends,
): ToolServices {
  return {
    readSecret: secretReader(each, places.cwd),
    models: mediaModels(each, places),
    channels,
    webSearch,
    media,
    ...services,
  }
}

/** The parts of a run that run built-in tools, and those that this program brings for bundled plugins which are not installed. */
export function corePart(tools: CodingTools | null, each: Case): Pick<ExecutorParts, 'core' | 'bundled'> {
  if (tools === null) return {}
  const installed = each.discovered?.plugins?.plugins ?? []
  return {
    core: (name) => tools.executor(name),
    bundled: (pluginId, name) =>
      installed.some(({ id }) => samePlugin(id, pluginId)) ? undefined : tools.bundled(pluginId, name),
  }
}
