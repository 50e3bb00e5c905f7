import { takeDirective } from '../../agent/directives.ts'
import type { Methods } from '../method.ts'
import { optional, readParams, required, text, whole } from '../params.ts'
import { isOwner } from '../scopes.ts'

const longestMessage = 1_000_000
const longestWaitMs = 600_000

/** Runs of agents: begun with one request, waited for with another. */
export const agentMethods: Methods = {
  agent: {
    scope: 'operator.write',
    run: (params, { runs }, { caller }) => {
      const asked = readParams('agent', params, {
        message: required(text(longestMessage)),
        sessionKey: optional(text(1_024)),
        agentId: optional(text(256)),
        model: optional(text(256)),
        idempotencyKey: optional(text(256)),
      })
      const { text: message, directive } = takeDirective(asked.message)
      const { clientId: client } = caller
      const ask = {
        ...asked,
        message,
        directive,
        owner: isOwner(caller),
        ...(client !== undefined && { client }),
      }
      return { status: 'accepted', ...runs.start(ask) }
    },
  },
  'agent.wait': {
    scope: 'operator.write',
    run: (params, { runs }, { signal }) => {
      const { runId, timeoutMs = 30_000 } = readParams('agent.wait', params, {
        runId: required(text(256)),
        timeoutMs: optional(whole(0, longestWaitMs)),
      })
      return runs.wait(runId, timeoutMs, signal)
    },
  },
  'agent.abort': {
    scope: 'operator.write',
    run: (params, { runs }) => {
      const { runId } = readParams('agent.abort', params, { runId: required(text(256)) })
      return { runId, aborted: runs.abort(runId) }
    },
  },
}
