import { jsonResult } from '../../calls/model-text.ts'
import { OpenClawError } from '../../kernel/errors.ts'
import { cleanLine } from '../../kernel/untrusted-text.ts'
import type { CoreTool, OpenFamily } from '../family.ts'
import type { CodingToolOptions } from '../options.ts'
import { changeGoals, goalFile, readGoals, readSteps, type Goal, type Step } from './state.ts'

/** The goal of a session and the plan or progress card of its work; all of it outlives the program. */
export function openGoals(options: CodingToolOptions): OpenFamily {
  const { stateDir, clock } = options
  const file = (): string | null => {
    const { agentId, sessionKey } = options.view().context
    return goalFile(stateDir, agentId, sessionKey)
  }
  const get_goal: CoreTool = {
    run: async () => ({ result: jsonResult({ goal: shown(readGoals(file()).goal) }) }),
  }
  const create_goal: CoreTool = {
    run: async ({ objective, tokenBudget }, { signal }) => {
      const next = await changeGoals(file(), signal, (state) => {
        if (state.goal !== null && state.goal.status !== 'complete') throw unfinished(state.goal)
        const now = clock()
        const goal: Goal = {
          objective: filled(objective, 'objective'),
          status: 'active',
          note: null,
          tokenBudget: typeof tokenBudget === 'number' ? tokenBudget : null,
          createdAt: now,
          updatedAt: now,
        }
        return { ...state, goal }
      })
      return { result: jsonResult({ goal: shown(next.goal) }) }
    },
  }
  const update_goal: CoreTool = {
    run: async ({ status, note }, { signal }) => {
      const { goal } = await changeGoals(file(), signal, (state) => {
        if (state.goal === null) {
          throw new OpenClawError('INPUT_INVALID', 'the session has no goal', {
            hints: ['create_goal sets one'],
          })
        }
        if (state.goal.status === 'complete') {
          throw new OpenClawError('INPUT_INVALID', 'the goal is complete already', {
            hints: ['create_goal sets the next one'],
          })
        }
        const next = (['complete', 'blocked', 'active'] as const).find((each) => each === status) ?? 'active'
        const said = typeof note === 'string' ? note : next === 'active' ? null : state.goal.note
        return { ...state, goal: { ...state.goal, status: next, note: said, updatedAt: clock() } }
      })
      return { result: jsonResult({ goal: shown(goal) }) }
    },
  }
  const update_plan: CoreTool = {
    run: async ({ explanation, plan }, { signal }) => {
      const steps = checked(plan)
      const note = typeof explanation === 'string' ? explanation : null
      await changeGoals(file(), signal, (state) => ({
        ...state,
        plan: { title: null, note, steps, updatedAt: clock() },
      }))
      return { result: jsonResult({ plan: steps, ...progress(steps) }) }
    },
  }
  const progress_card: CoreTool = {
    run: async ({ title, note, steps, clear }, { signal }) => {
      const given = steps === undefined ? null : checked(steps)
      const { plan } = await changeGoals(file(), signal, (state) => {
        if (clear === true) return { ...state, plan: null }
        const before = state.plan
        const card = {
          title: typeof title === 'string' ? title : (before?.title ?? null),
          note: typeof note === 'string' ? note : (before?.note ?? null),
          steps: given ?? before?.steps ?? [],
          updatedAt: clock(),
        }
        return { ...state, plan: card }
      })
      return { result: jsonResult({ card: plan, ...progress(plan?.steps ?? []) }) }
    },
  }
  return { tools: { get_goal, create_goal, update_goal, update_plan, progress_card } }
}

function filled(value: unknown, name: string): string {
  const text = String(value).trim()
  if (text === '') throw new OpenClawError('INPUT_INVALID', `${name} is empty`)
  return text
}

function checked(value: unknown): readonly Step[] {
  const steps = readSteps(value)
  const running = steps.filter(({ status }) => status === 'in_progress')
  if (running.length > 1) {
    throw new OpenClawError('INPUT_INVALID', `${running.length} steps are in progress, and one may be`, {
      hints: running.slice(0, 5).map(({ step }) => `in_progress: ${cleanLine(step, 80)}`),
    })
  }
  return steps.map(({ step, status }) => ({ step: filled(step, 'step'), status }))
}

function progress(steps: readonly Step[]): { readonly completed: number; readonly total: number } {
  return { completed: steps.filter(({ status }) => status === 'completed').length, total: steps.length }
}

function shown(goal: Goal | null): object | null {
  if (goal === null) return null
  const { createdAt, updatedAt, ...rest } = goal
  return {
    ...rest,
    createdAt: new Date(createdAt).toISOString(),
    updatedAt: new Date(updatedAt).toISOString(),
  }
}

function unfinished({ objective, status }: Goal): OpenClawError {
  return new OpenClawError(
    'INPUT_INVALID',
    `the session has a goal, and it is ${status}: ${cleanLine(objective, 200)}`,
    {
      hints: ['update_goal completes it'],
    },
  )
}
