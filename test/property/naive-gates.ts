import type { Edition } from '../../src/catalog/edition.ts'
import type { Inventory } from '../../src/catalog/types.ts'
import { findAgent } from '../../src/config/agents.ts'
import type { Config } from '../../src/config/types.ts'
import type { Context } from '../../src/policy/context.ts'
import { clean, plain } from './naive-lookups.ts'

/** Names of the built-in tools that cannot exist in this session (facts 4.1, rulings 1, 3 and 17). */
export function naiveGone(
  config: Config,
  edition: Edition,
  { providers }: Inventory,
  context: Context,
  isNamed: (tool: string) => boolean,
): readonly string[] {
  const [shared, { sandboxed, clientCaps, supports }] = [config.tools ?? {}, context]
  const agent = findAgent(config, context.agentId)?.config.tools ?? {}
  const newer = edition.id === '2026.9'
  const patch = { ...shared.exec?.applyPatch, ...agent.exec?.applyPatch }
  const model = plain(context.model)
  const models = [model, model.includes('/') ? model : `${plain(context.provider)}/${model}`]
  const patchable = !patch.allowModels?.length || clean(patch.allowModels).some((id) => models.includes(id))
  const planner = plain(context.provider) === 'openai' && model.startsWith('gpt-5')
  const gates: readonly (readonly [isOpen: unknown, tools: string])[] = [
    [!sandboxed || context.workspaceAccess !== 'ro', 'write edit apply_patch'],
    [patch.enabled !== false && patchable, 'apply_patch'],
    [supports.vision || providers.image, edition.sandbox.imageTool],
    [providers.image_generate, 'image_generate'],
    [providers.video_generate, 'video_generate'],
    [providers.music_generate, 'music_generate'],
    [providers.pdf, 'pdf'],
    [providers.tts, 'tts'],
    [providers.web_search && shared.web?.search?.enabled !== false, 'web_search'],
    [shared.web?.fetch?.enabled !== false, 'web_fetch'],
    [(shared.experimental?.planTool ?? planner) || isNamed('update_plan'), 'update_plan'],
    [shared.updatePlan !== false, 'progress_card'],
    [!sandboxed, newer ? 'skill_workshop openclaw ls terminal portal' : 'skill_workshop'],
    [!newer || context.subagentDepth === 0, 'ask_user secrets'],
    [agent.swarm?.enabled ?? shared.swarm?.enabled, 'agents_wait'],
    [supports.vision, 'computer'],
    [clientCaps.includes('ui-commands'), 'screen'],
    [clientCaps.includes('task-suggestions'), 'suggest_task dismiss_task'],
    [clientCaps.includes('canvas'), 'show_widget'],
    // Nothing in a config or context says that these could exist.
    [false, 'heartbeat_respond github_publish github_identity_status'],
  ]
  return gates.flatMap(([isOpen, tools]) => (isOpen ? [] : tools.split(' ')))
}
