import { jsonResult } from '../../calls/model-text.ts'
import { requireAgentId } from '../../config/agents.ts'
import { OpenClawError } from '../../kernel/errors.ts'
import { cleanText } from '../../kernel/untrusted-text.ts'
import { mainSessionKey } from '../../sessions/target.ts'
import { boundsOf } from '../bounds.ts'
import type { CoreTool } from '../family.ts'
import type { CodingToolOptions } from '../options.ts'
import type { SessionDesk } from './desk.ts'
import { redactorOf } from './messages.ts'
import type { SeenStored, SessionShelf } from './store.ts'

const usualSeconds = 30
const longestReply = 32_000
/** Where a line begins as those of the system do; with line breaks among the blanks an empty line before it would be taken for it. */
const systemMark = /^[^\S\r\n\u2028\u2029]*\[system\]/gim

/** `sessions_send`: says something to another session, whose agent answers under its own policy, with the rights of whoever is asking and no tools that a session of fewer tools than its agent does not have. */
export function sessionsSend(
  { runId }: Pick<CodingToolOptions, 'runId'>,
  shelf: SessionShelf,
  desk: SessionDesk,
): CoreTool {
  return {
    run: async ({ sessionKey, label, agentId, message, timeoutSeconds }, { signal }) => {
      const { view } = shelf
      const from = view.context.sessionKey
      const target = await targetOf(shelf, sessionKey, label, agentId)
      const end = await desk.send({
        from,
        fromRun: runId,
        agentId: target.agentId,
        sessionKey: target.key,
        // No line of it may pass for one of the system.
        text: `Message from session ${from}:\n${String(message).replaceAll(systemMark, '> $&')}`,
        owner: view.context.isOwner !== false,
        bounds: boundsOf(view),
        limitMs: (typeof timeoutSeconds === 'number' ? timeoutSeconds : usualSeconds) * 1000,
        signal,
      })
      const where = { sessionKey: target.key }
      switch (end.status) {
        case 'ok': {
          const reply = cleanText(redactorOf(view).text(end.end.text), longestReply)
          return { result: jsonResult({ status: 'ok', ...where, reply, ended: end.end.ended }) }
        }
        case 'error':
          return { result: jsonResult({ status: 'error', ...where, error: end.message }), failed: true }
        case 'timeout': {
          const note = 'It goes on; its answer comes with your next message.'
          return { result: jsonResult({ status: 'timeout', ...where, note }) }
        }
        case 'accepted':
          return { result: jsonResult({ status: 'accepted', ...where }) }
      }
    },
  }
}

async function targetOf(
  shelf: SessionShelf,
  sessionKey: unknown,
  label: unknown,
  agentId: unknown,
): Promise<SeenStored> {
  const agent = typeof agentId === 'string' ? agentId : undefined
  if (typeof sessionKey === 'string') {
    const found = await shelf.find(sessionKey, true)
    if (typeof label !== 'string') return found
    throw new OpenClawError('INPUT_INVALID', 'sessionKey and label both name a session; give one of them')
  }
  if (typeof label === 'string') return shelf.labelled(label, agent)
  if (agent === undefined) {
    throw new OpenClawError('INPUT_INVALID', 'nobody is named to send to', {
      hints: ['give a sessionKey, a label or an agentId; sessions_list shows them'],
    })
  }
  const { config } = shelf.view
  return shelf.find(mainSessionKey(config, knownAgent(shelf, agent)), true)
}

/** The agent as it is configured; one that is not sounds like one that may not be seen. */
function knownAgent({ view }: SessionShelf, agentId: string): string {
  try {
    return requireAgentId(view.config, agentId)
  } catch (error) {
    if (error instanceof OpenClawError) return agentId
    throw error
  }
}
