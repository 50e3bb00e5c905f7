import { randomUUID } from 'node:crypto'
import { failureText } from '../http/tools-invoke.ts'
import { toldMissing, type InvokeEnd } from '../invoke.ts'
import type { Methods } from '../method.ts'
import { flag, object, oneOf, optional, readParams, required, text, whole } from '../params.ts'
import { holds, isOwner, type Caller } from '../scopes.ts'

const key = text(1_024)
const agentId = text(256)
const toolName = text(512)

/** Which tools there are, which a session has, why, and calls of them. */
export const toolMethods: Methods = {
  'tools.catalog': {
    scope: 'operator.read',
    run: async (params, { host }) => {
      const asked = readParams('tools.catalog', params, {
        agentId: optional(agentId),
        includePlugins: optional(flag),
      })
      const result = await host.catalog(asked.agentId)
      if (asked.includePlugins !== false) return result
      return { ...result, groups: result.groups.filter(({ source }) => source === 'core') }
    },
  },
  'tools.effective': {
    scope: 'operator.read',
    run: async (params, { host }) => {
      const ref = readParams('tools.effective', params, {
        sessionKey: required(key),
        agentId: optional(agentId),
      })
      const session = await host.session(ref, { exists: 'stored' })
      return session.effective()
    },
  },
  'tools.explain': {
    scope: 'operator.read',
    run: async (params, { host }) => {
      const { name, ...ref } = readParams('tools.explain', params, {
        name: required(toolName),
        sessionKey: required(key),
        agentId: optional(agentId),
      })
      const session = await host.session(ref, { exists: 'stored' })
      return session.explain(name)
    },
  },
  'tools.search': {
    scope: 'operator.read',
    run: async (params, { host }) => {
      const { query, limit, ...ref } = readParams('tools.search', params, {
        query: required((value) => (typeof value === 'string' ? { value } : { must: 'be string' })),
        sessionKey: required(key),
        agentId: optional(agentId),
        limit: optional(whole(1, 10_000)),
      })
      const session = await host.session(ref, { exists: 'stored' })
      return session.search(query, limit)
    },
  },
  'tools.invoke': {
    scope: 'operator.write',
    run: async (params, { invoker, log }, { caller, signal }) => {
      const asked = readParams('tools.invoke', params, {
        name: required(toolName),
        args: optional(object),
        sessionKey: optional(key),
        agentId: optional(agentId),
        confirm: optional(flag),
        dryRun: optional(flag),
        idempotencyKey: optional(text(256)),
        conversationReadOrigin: optional(oneOf('direct-operator')),
      })
      const { name, idempotencyKey } = asked
      const end = await invoker.invoke({
        name,
        args: asked.args ?? {},
        ref: { sessionKey: asked.sessionKey, agentId: asked.agentId },
        session: { exists: 'stored-or-main', owner: isOwner(caller) },
        callId: `rpc-${asked.conversationReadOrigin ?? 'delegated'}-${idempotencyKey ?? randomUUID()}`,
        confirm: asked.confirm === true,
        dryRun: asked.dryRun === true,
        idempotencyKey,
        signal,
      })
      if (end.kind === 'failed') {
        const { code } = end.outcome
        log('info', 'tool call ended', { connId: caller.connId, tool: end.tool.name, code })
      }
      return invokePayload(end, name, caller)
    },
  },
}

/** How `tools.invoke` tells the end of a call: always a successful response, the failure in its payload (gateway facts §1.6). */
export function invokePayload(end: InvokeEnd, name: string, caller: Caller): object {
  const fail = (code: string, message: string, more: object = {}): object => ({
    ok: false,
    toolName: name,
    ...('requiresApproval' in more && { requiresApproval: true }),
    error: { code, message, ...more },
  })
  switch (end.kind) {
    case 'done': {
      const { tool, source, result, sessionKey } = end
      return { ok: true, toolName: tool.name, output: result, source, tool, sessionKey }
    }
    case 'checked':
      return { ok: true, toolName: end.tool.name, dryRun: true, tool: end.tool, args: end.args }
    case 'not-found': {
      const told = holds(caller.scopes, 'operator.read') ? toldMissing(end) : {}
      return fail('not_found', `Tool not available: ${name}`, told)
    }
    case 'invalid':
      return fail('validation_error', end.message)
    case 'failed': {
      const { outcome, tool } = end
      const { code, data } = outcome
      if (outcome.status === 'blocked') {
        const { approvalId, expiresAt } = data
        return outcome.by === 'approval-required'
          ? fail('requires_approval', outcome.message, { requiresApproval: true, approvalId, expiresAt })
          : fail('forbidden', outcome.message, { blockedBy: outcome.by })
      }
      if (code === 'INPUT_INVALID') {
        return fail('validation_error', outcome.message, { problems: data['problems'], hints: outcome.hints })
      }
      if (code === 'TOOL_DENIED') return fail('forbidden', outcome.message, { hints: outcome.hints })
      // Whoever owns this program may see what a tool threw; the guarded path has cleaned it.
      const message = isOwner(caller) ? outcome.message : failureText(outcome, tool.name)
      return fail('internal_error', message, {
        cause: code,
        ...(outcome.result && { result: outcome.result }),
      })
    }
  }
}
