import { randomUUID } from 'node:crypto'
import { jsonResult } from '../../calls/model-text.ts'
import { agentKey } from '../../config/agents.ts'
import { OpenClawError } from '../../kernel/errors.ts'
import { cleanLine, showName } from '../../kernel/untrusted-text.ts'
import { formatSessionKey } from '../../sessions/key.ts'
import { boundsOf } from '../bounds.ts'
import type { CoreTool } from '../family.ts'
import type { CodingToolOptions } from '../options.ts'
import { subagentSettings } from './agents.ts'
import { isActive } from './child.ts'
import type { SessionDesk } from './desk.ts'
import { inheritedPolicy } from './inheritance.ts'
import { namedModel } from './models.ts'
import type { SessionShelf } from './store.ts'

/** Sub-agents that one session may have under way. */
const mostActive = 20

/** `sessions_spawn`: begins a sub-agent in a session of its own, with no more rights than this one has. */
export function sessionsSpawn(
  { clock, runId }: Pick<CodingToolOptions, 'clock' | 'runId'>,
  shelf: SessionShelf,
  desk: SessionDesk,
): CoreTool {
  return {
    run: async ({ task, label, agentId, model, runTimeoutSeconds, cleanup }) => {
      const { view } = shelf
      const { config, context } = view
      const settings = subagentSettings(view)
      const depth = context.subagentDepth + 1
      if (depth > settings.maxSpawnDepth) throw tooDeep(context.subagentDepth, settings.maxSpawnDepth)
      const agent = childAgent(agentId, context.agentId, settings.agentIds)
      if (desk.children.of(context.sessionKey).filter(isActive).length >= mostActive) {
        throw new OpenClawError(
          'TOOL_FAILED',
          `${mostActive} of your sub-agents are under way, and no more may be`,
          {
            hints: ['sessions_yield waits for them', 'subagents kill ends one'],
          },
        )
      }
      const wanted = typeof model === 'string' ? model : settings.model
      const chosen = wanted === null ? null : namedModel(config, wanted)
      const sessionKey = formatSessionKey({ agentId: agent, rest: `subagent:${randomUUID()}` })
      const name = typeof label === 'string' ? cleanLine(label, 100) : null
      const session = { agentId: agent, key: sessionKey, stored: null }
      await shelf.save(session, {
        sessionId: randomUUID(),
        updatedAt: clock(),
        ...(name !== null && { label: name }),
        spawnedBy: context.sessionKey,
        spawnDepth: depth,
        subagentRole: depth < settings.maxSpawnDepth ? 'orchestrator' : 'leaf',
        ...inheritedPolicy(view),
        ...(chosen && { providerOverride: chosen.provider, modelOverride: chosen.model }),
        status: 'running',
      })
      const child = desk.children.spawn(
        {
          agentId: agent,
          sessionKey,
          parentKey: context.sessionKey,
          parentAgentId: context.agentId,
          label: name,
          task: String(task),
          owner: context.isOwner !== false,
          bounds: {},
          parentBounds: boundsOf(view),
          hops: desk.hops(runId),
          limitMs: typeof runTimeoutSeconds === 'number' ? runTimeoutSeconds * 1000 : 0,
          mostRunning: settings.maxConcurrent,
        },
        async ({ status, endedAt }) => {
          if (cleanup === 'delete') await shelf.remove(session)
          else await shelf.save(session, { status, endedAt, updatedAt: clock() })
        },
      )
      return {
        result: jsonResult({
          status: 'accepted',
          state: child.status,
          runId: child.runId,
          childSessionKey: sessionKey,
          agentId: agent,
          label: name,
          note: 'Its result comes to you as a message; sessions_yield ends your turn until then.',
        }),
      }
    },
  }
}

function childAgent(asked: unknown, own: string, allowed: readonly string[]): string {
  if (typeof asked !== 'string') return own
  const agent = allowed.find((id) => agentKey(id) === agentKey(asked))
  if (agent !== undefined) return agent
  throw new OpenClawError('TOOL_DENIED', `agent "${showName(asked)}" may not be spawned from here`, {
    hints: [`you may spawn ${allowed.join(', ')}`, 'agents.defaults.subagents.allowAgents names more'],
  })
}

function tooDeep(depth: number, most: number): OpenClawError {
  const where =
    depth === 0 ? 'sub-agents are switched off' : `this session is ${depth} deep, and ${most} is the most`
  return new OpenClawError('TOOL_DENIED', `no sub-agent may be begun here: ${where}`, {
    hints: ['do the work yourself', 'agents.defaults.subagents.maxSpawnDepth says how deep they go'],
  })
}
