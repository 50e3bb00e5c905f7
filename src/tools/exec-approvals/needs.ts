import { OpenClawError } from '../../kernel/errors.ts'
import type { NeedCheck, NeedChecks } from '../need.ts'
import { filePolicy, readApprovals } from './file.ts'
import { execPolicy } from './policy.ts'

/** What exec lacks where every command on this machine would be refused: leave of the config and of the approvals file. */
const needsLeave: NeedCheck = ({ view: { config, context }, stateDir }) => {
  // What runs in a sandbox needs none.
  if (context.sandboxed) return null
  try {
    const file = filePolicy(readApprovals(stateDir), context.agentId)
    const { security, securityFrom } = execPolicy(config, context.agentId, file)
    if (security !== 'deny') return null
    const { name, path } = securityFrom
    const isConfig = name === 'config'
    const where = isConfig ? path : `exec-approvals.json (${path})`
    const change = path.endsWith('.mode') ? `${path} ask` : `${path} allowlist`
    return {
      needs: `leave to run commands here, which ${where} denies`,
      path: isConfig ? path : null,
      hints: [
        isConfig
          ? `openclaw config set ${change}`
          : 'edit exec-approvals.json in the state directory; the stricter of it and the config holds',
      ],
    }
  } catch (error) {
    if (!(error instanceof OpenClawError)) throw error
    return { needs: `a sound exec-approvals.json: ${error.message}`, path: null, hints: error.hints }
  }
}

/** What the exec policy of this machine has exec lack. */
export const execNeeds: NeedChecks = { exec: needsLeave }
