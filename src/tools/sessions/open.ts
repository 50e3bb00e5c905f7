import { jsonResult } from '../../calls/model-text.ts'
import { OpenClawError } from '../../kernel/errors.ts'
import type { CoreTool, OpenFamily } from '../family.ts'
import type { CodingToolOptions } from '../options.ts'
import type { UnmetNeed } from '../need.ts'
import { agentsList } from './agents.ts'
import { askUserTool } from './ask.ts'
import type { SessionDesk } from './desk.ts'
import { missing } from './needs.ts'
import { sessionsHistory, sessionsList, sessionsSearch } from './reading.ts'
import { sessionsSend } from './sending-tool.ts'
import { sessionsTool } from './settings.ts'
import { sessionsSpawn } from './spawn.ts'
import { sessionStatus } from './status.ts'
import { SessionShelf } from './store.ts'
import { agentsWait, subagentsTool } from './subagents.ts'

/** The tools about sessions and agents; those that run turns need the program around them to be able to. */
export function openSessions(options: CodingToolOptions): OpenFamily {
  const shelf = new SessionShelf(options)
  const desk = options.services.sessions
  const needsDesk = (name: string, make: (desk: SessionDesk) => CoreTool): CoreTool =>
    desk === undefined ? without(name, turns) : make(desk)
  return {
    tools: {
      session_status: sessionStatus(options, shelf),
      sessions_list: sessionsList(options, shelf),
      sessions_history: sessionsHistory(shelf),
      sessions_search: sessionsSearch(shelf),
      sessions: sessionsTool(options, shelf),
      agents_list: agentsList(shelf),
      sessions_send: needsDesk('sessions_send', (own) => sessionsSend(options, shelf, own)),
      sessions_spawn: needsDesk('sessions_spawn', (own) => sessionsSpawn(options, shelf, own)),
      sessions_yield: needsDesk('sessions_yield', (own) => sessionsYield(shelf, own)),
      subagents: needsDesk('subagents', (own) => subagentsTool(shelf, own)),
      agents_wait: needsDesk('agents_wait', (own) => agentsWait(shelf, own)),
      ...Object.fromEntries(Object.entries(missing).map(([name, need]) => [name, without(name, need)])),
      ask_user: askUserTool(options),
    },
  }
}

/** `sessions_yield`: ends the turn; the run goes on when the sub-agents under way have ended. */
function sessionsYield(shelf: SessionShelf, desk: SessionDesk): CoreTool {
  return {
    run: async () => {
      const { sessionKey } = shelf.view.context
      if (!desk.isRunning(sessionKey)) {
        throw new OpenClawError(
          'TOOL_UNAVAILABLE',
          'sessions_yield ends a turn of an agent, and none is under way',
          {
            hints: ['subagents shows what became of sub-agents'],
          },
        )
      }
      const status = desk.yield(sessionKey) ? 'yielded' : 'nothing-to-wait-for'
      return { result: jsonResult({ status }) }
    },
  }
}

const turns: UnmetNeed = { needs: 'a program that can run turns of an agent', path: null, hints: [] }

function without(name: string, { needs, hints }: UnmetNeed): CoreTool {
  return {
    run: async () => {
      throw new OpenClawError('TOOL_UNAVAILABLE', `${name} needs ${needs}`, { hints })
    },
  }
}
