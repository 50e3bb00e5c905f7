import { commandOf } from '../policy/fixes/edits.ts'
import { parsePath } from '../config/path-syntax.ts'
import type { SandboxExplanation } from './sandbox-explain.ts'

/** What helps a session whose exec does not run, or not where it is wanted: commands where one is enough, else words. */
export function fixesFor({
  sandbox,
  elevated,
  policy,
  exec,
}: Omit<SandboxExplanation, 'fixIt'>): readonly string[] {
  const hidden = policy.tools.filter(({ verdict }) => verdict !== 'visible' && verdict !== 'deferred')
  const fixes = [...(sandbox.available?.hints ?? [])]
  for (const { tool } of hidden) fixes.push(`openclaw tools explain ${tool}`)
  const withExec = !hidden.some(({ tool }) => tool === 'exec')
  if (sandbox.sessionIsSandboxed && withExec) {
    for (const { gate, key } of elevated.failures) {
      const path = parsePath(key)
      if (gate === 'enabled') fixes.push(commandOf({ op: 'set', path, value: true }))
      else if (gate === 'provider')
        fixes.push(
          'name the channel for elevated: --session agent:main:telegram:direct:ID, or --channel ID --sender id:ID',
        )
      else if (elevated.sender === null)
        fixes.push(`name the sender for elevated: --sender id:ID, and list it under ${key}`)
      else fixes.push(commandOf({ op: 'append', path, value: elevated.sender }))
    }
  }
  if (exec.configuredHost === 'node' || (exec.configuredHost === 'sandbox' && !sandbox.sessionIsSandboxed))
    fixes.push('openclaw config set tools.exec.host auto')
  return [...new Set(fixes)]
}
