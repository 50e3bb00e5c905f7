import { statSync } from 'node:fs'
import { join } from 'node:path'
import { OpenClawError } from '../../kernel/errors.ts'
import { showName } from '../../kernel/untrusted-text.ts'
import { idOf, type Dir } from './dir.ts'
import type { Spot } from './walk.ts'

/** What people answered to approvals, and what their answers allow for good, as entries of the state directory. */
const answers = ['approvals', 'exec-approvals.json']

/** Whether an entry is a part of the answers of people, under whatever name or link it was reached; `trail` leads to its directory. */
export function holdsAnswers(stateDir: string, trail: readonly Dir[], spot: Spot): boolean {
  const known = answers.map((name) => identity(join(stateDir, name)))
  const reached = [...trail.map(({ id }) => id), ...(spot.stat === null ? [] : [idOf(spot.stat)])]
  if (reached.some((id) => known.includes(id))) return true
  // One that is not there yet, or a link in its place.
  const [first = spot.name] = spot.missing
  return spot.dir.id === identity(stateDir) && answers.includes(first?.toLowerCase() ?? '')
}

/** The refusal to change them: whoever can write an answer needs none. */
export function noAnswers(given: string): OpenClawError {
  const message = `${showName(given, 300)} holds the answers of people to approvals, and no file tool changes those`
  return new OpenClawError('TOOL_DENIED', message, {
    hints: ['a person answers: openclaw approvals list, then allow or deny'],
    data: { path: given, reason: 'approvals' },
  })
}

function identity(path: string): string | null {
  try {
    return idOf(statSync(path, { bigint: true }))
  } catch {
    return null
  }
}
