import type { CaseOptions } from './case.ts'
import { openCase } from './case.ts'
import { OpenClawError } from '../kernel/errors.ts'
import { listingCommand } from '../kernel/path.ts'
import { inspectIsolation, type Wall } from '../tool-search/code/walls.ts'
import { caseNotices } from './notices.ts'

/** One thing `doctor` looked at. */
export interface Check {
  readonly id: string
  readonly status: 'ok' | 'warning' | 'error'
  readonly message: string
  readonly hint?: string
}

/** The answer of `doctor`: what works on this machine and what does not. */
export interface DoctorReport {
  readonly ok: boolean
  readonly checks: readonly Check[]
  /** The walls around model-written code, each with whether it holds here; empty where code mode cannot be had. */
  readonly walls: readonly Wall[]
}

async function checkConfig(options: CaseOptions): Promise<Check[]> {
  try {
    const each = await openCase(options, { request: {} })
    const view = await each.view()
    const warnings = caseNotices(each, view).filter((notice) => notice.severity === 'warning')
    const visible = view.decisions.filter(({ verdict }) => verdict === 'visible').length
    const where =
      each.loaded?.exists === false ? `${each.file} does not exist; defaults apply` : `${each.file} is valid`
    return [
      { id: 'config', status: 'ok', message: where },
      warnings.length === 0
        ? { id: 'config-notices', status: 'ok', message: 'no warnings' }
        : {
            id: 'config-notices',
            status: 'warning',
            message: `${warnings.length} warning${warnings.length === 1 ? '' : 's'}, the first: ${warnings[0]!.message}`,
            hint: `${listingCommand(warnings.map(({ id }) => id))} lists them`,
          },
      visible > 0
        ? {
            id: 'tools',
            status: 'ok',
            message: `the main session of ${view.context.agentId} has ${visible} tools`,
          }
        : {
            id: 'tools',
            status: 'warning',
            message: `the main session of ${view.context.agentId} has no tools`,
            hint: 'openclaw tools effective --why',
          },
    ]
  } catch (error) {
    if (!(error instanceof OpenClawError)) throw error
    return [
      {
        id: 'config',
        status: 'error',
        message: error.message,
        ...(error.hints[0] !== undefined && { hint: error.hints[0] }),
      },
    ]
  }
}

/** Looks at the config and at what this machine can do; never changes anything. */
export async function examine(options: CaseOptions): Promise<DoctorReport> {
  const [config, isolation] = await Promise.all([checkConfig(options), inspectIsolation()])
  const node: Check = {
    id: 'node',
    status: 'ok',
    message: `Node ${process.versions.node} on ${process.platform}`,
  }
  const fallen = isolation.supported ? isolation.walls.filter((wall) => !wall.holds) : []
  const code: Check = isolation.supported
    ? {
        id: 'code-mode',
        status: 'ok',
        message:
          fallen.length === 0
            ? `model-written code runs behind ${isolation.walls.length} walls`
            : `model-written code runs behind ${isolation.walls.length - fallen.length} of ${isolation.walls.length} walls (without ${fallen.map((wall) => wall.id).join(', ')})`,
      }
    : {
        id: 'code-mode',
        status: 'warning',
        message: isolation.because,
        hint: 'Tool Search uses tools mode instead',
      }
  const checks = [node, ...config, code]
  return {
    ok: checks.every((check) => check.status !== 'error'),
    checks,
    walls: isolation.supported ? isolation.walls : [],
  }
}
