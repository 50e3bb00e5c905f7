import { createHash } from 'node:crypto'
import { join } from 'node:path'
import type { Context } from '../../policy/context.ts'
import type { SandboxSettings } from './settings.ts'

/** What shares one sandbox: a session, an agent, or all of them (`sandbox.scope`). */
export function scopeKey(
  { scope }: Pick<SandboxSettings, 'scope'>,
  { agentId, sessionKey }: Pick<Context, 'agentId' | 'sessionKey'>,
): string {
  if (scope === 'shared') return 'shared'
  return scope === 'agent' ? `agent:${agentId}` : sessionKey
}

/** A name for files and groups of a scope: readable, and different for different keys. */
export function scopeName(key: string): string {
  const readable = key.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')
  const mark = createHash('sha256').update(key).digest('hex').slice(0, 8)
  return `${readable.slice(0, 40).replaceAll(/^-+|-+$/g, '')}-${mark}`
}

/** Directory in which sandboxes keep what is theirs. */
export function sandboxesDir(stateDir: string): string {
  return join(stateDir, 'sandboxes')
}

/** The scratch workspace of a scope, which a sandbox without access to the agent's workspace has instead. */
export function scratchDir(stateDir: string, key: string): string {
  return join(sandboxesDir(stateDir), scopeName(key), 'workspace')
}
