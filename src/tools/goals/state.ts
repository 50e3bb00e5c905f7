import { createHash } from 'node:crypto'
import { dirname, join } from 'node:path'
import { agentKey } from '../../config/agents.ts'
import { makeDirectory } from '../../config/make-directory.ts'
import { isRecord } from '../../config/path-value.ts'
import { withLock } from '../../config/write/lock.ts'
import { OpenClawError } from '../../kernel/errors.ts'
import { replaceJsonFile } from '../../sessions/json-file.ts'
import { textIfThere } from '../../sessions/text-file.ts'

/** What a session is to reach. */
export interface Goal {
  readonly objective: string
  readonly status: 'active' | 'complete' | 'blocked'
  readonly note: string | null
  /** Tokens that it may take; null where nobody said. */
  readonly tokenBudget: number | null
  /** Milliseconds since 1970. */
  readonly createdAt: number
  readonly updatedAt: number
}

export interface Step {
  readonly step: string
  readonly status: 'pending' | 'in_progress' | 'completed'
}

/** How far the work of a session is. */
export interface Plan {
  readonly title: string | null
  readonly note: string | null
  readonly steps: readonly Step[]
  readonly updatedAt: number
}

/** Goal and plan of a session; kept beside the session stores, which may be databases that are only read. */
export interface GoalState {
  readonly goal: Goal | null
  readonly plan: Plan | null
}

const nothing: GoalState = { goal: null, plan: null }

/** The file with goal and plan of a session; null for an agent id that is no file name. */
export function goalFile(stateDir: string, agentId: string, sessionKey: string): string | null {
  if (/[/\\\0]|^\.{0,2}$/.test(agentId)) return null
  const key = sessionKey.toLowerCase()
  const hash = createHash('sha256').update(key).digest('hex').slice(0, 12)
  const readable = key.replaceAll(/[^a-z0-9-]+/g, '-').slice(0, 80)
  return join(stateDir, 'agents', agentKey(agentId), 'goals', `${readable}.${hash}.json`)
}

/** Reads goal and plan; both null where there are none. INPUT_INVALID for a file that is not what this program wrote. */
export function readGoals(file: string | null): GoalState {
  if (file === null) return nothing
  const text = textIfThere(file)
  if (text === null) return nothing
  try {
    const value: unknown = JSON.parse(text)
    if (isRecord(value)) return { goal: readGoal(value['goal']), plan: readPlan(value['plan']) }
  } catch {
    // Said below.
  }
  throw new OpenClawError('INPUT_INVALID', `goal and plan in ${file} cannot be read`, {
    hints: ['move the file away, and they are begun anew'],
    data: { file },
  })
}

/** Changes goal and plan of a session; the file is replaced as a whole, and two that change it come one after the other. */
export async function changeGoals(
  file: string | null,
  signal: AbortSignal,
  change: (state: GoalState) => GoalState,
): Promise<GoalState> {
  if (file === null) throw new OpenClawError('INPUT_INVALID', 'the state of this agent cannot be stored')
  makeDirectory(dirname(file))
  return withLock(file, { signal }, async () => {
    const next = change(readGoals(file))
    await replaceJsonFile(file, next)
    return next
  })
}

const goalStatuses = ['active', 'complete', 'blocked'] as const
const stepStatuses = ['pending', 'in_progress', 'completed'] as const

function readGoal(value: unknown): Goal | null {
  if (!isRecord(value) || typeof value['objective'] !== 'string') return null
  const { objective, status, note, tokenBudget, createdAt, updatedAt } = value
  return {
    objective,
    status: goalStatuses.find((each) => each === status) ?? 'active',
    note: typeof note === 'string' ? note : null,
    tokenBudget: typeof tokenBudget === 'number' ? tokenBudget : null,
    createdAt: time(createdAt),
    updatedAt: time(updatedAt),
  }
}

function readPlan(value: unknown): Plan | null {
  if (!isRecord(value)) return null
  const { title, note, updatedAt } = value
  return {
    title: typeof title === 'string' ? title : null,
    note: typeof note === 'string' ? note : null,
    steps: readSteps(value['steps']),
    updatedAt: time(updatedAt),
  }
}

function time(value: unknown): number {
  return typeof value === 'number' && value >= 0 && value <= 8.64e15 ? value : 0
}

/** Steps of a list that has passed the tool's schema, or of a stored one. */
export function readSteps(value: unknown): readonly Step[] {
  if (!Array.isArray(value)) return []
  return value.filter(isRecord).flatMap(({ step, status }) => {
    const known = stepStatuses.find((each) => each === status)
    return typeof step === 'string' && known !== undefined ? [{ step, status: known }] : []
  })
}
