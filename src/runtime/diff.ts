import type { EditionId } from '../catalog/edition.ts'
import { OpenClawError } from '../kernel/errors.ts'
import { diffViews, type SessionDiff } from '../policy/diff.ts'
import type { View } from '../policy/view.ts'
import { caseAgents, openCase, type Case, type CaseOptions, type CaseQuery } from './case.ts'
import { repeatable } from './inputs.ts'

/** The two sides of `tools diff`. */
export interface DiffSides {
  readonly from: string | undefined
  readonly to: string | undefined
  readonly toEdition: EditionId | undefined
  readonly allAgents: boolean
}

function requireDifference(query: CaseQuery, { from, to, toEdition }: DiffSides): void {
  const changes = (query.set ?? []).length > 0 || (query.unset ?? []).length > 0
  if (from === undefined && to === undefined && toEdition === undefined && !changes) {
    throw new OpenClawError(
      'USAGE',
      'nothing to compare: give --from, --to, --to-edition, --set or --unset',
      { hints: ['openclaw tools diff --set tools.profile=coding'] },
    )
  }
  if (query.replayFile !== undefined && (from !== undefined || to !== undefined)) {
    throw new OpenClawError(
      'USAGE',
      '--replay brings its own config; it cannot stand beside --from or --to',
      {
        hints: ['--replay FILE --set PATH=VALUE', '--replay FILE --to-edition EDITION'],
      },
    )
  }
  if (from === '-' && to === '-') {
    throw new OpenClawError('USAGE', '--from and --to cannot both be standard input')
  }
}

/** Opens one side; a file that is not there is blamed on the flag that named it. */
async function openSide(flag: string, file: string | undefined, options: CaseOptions, query: CaseQuery) {
  if (file === undefined) return openCase(options, query)
  try {
    return await openCase({ ...options, file }, query)
  } catch (error) {
    if (!(error instanceof OpenClawError) || error.code !== 'CONFIG_NOT_FOUND') throw error
    const { code, message, data } = error
    throw new OpenClawError(code, `${flag}: ${message}`, { hints: ['check the path'], data, cause: error })
  }
}

/** The session of one side; null where its config has no such agent. */
async function viewIfThere(each: Case, agentId?: string): Promise<View | null> {
  try {
    return await each.view(agentId)
  } catch (error) {
    if (error instanceof OpenClawError && error.code === 'UNKNOWN_AGENT') return null
    throw error
  }
}

async function diffOneSession(from: Case, to: Case): Promise<SessionDiff> {
  const { agentId, sessionKey } = from.request
  const isNamed = agentId !== undefined || sessionKey !== undefined
  const before = isNamed ? await viewIfThere(from) : await from.view()
  // The default agent may be another one after the change; comparing two agents would answer no question.
  const after = await viewIfThere(to, isNamed ? undefined : before?.context.agentId)
  if (before) return diffViews((after ?? before).context, before, after)
  // Neither side has the agent: the error of the newer one says which there are.
  const only = after ?? (await to.view())
  return diffViews(only.context, null, only)
}

/** The main session of every agent that either config has. */
async function diffAllAgents(from: Case, to: Case): Promise<SessionDiff[]> {
  const sessions: SessionDiff[] = []
  for (const agentId of new Set([...caseAgents(to), ...caseAgents(from)])) {
    const before = await viewIfThere(from, agentId)
    const after = await viewIfThere(to, agentId)
    const present = after ?? before
    if (present) sessions.push(diffViews(present.context, before, after))
  }
  return sessions
}

/**
 * Answers `tools diff`: two configs, a config with `--set`/`--unset`, or a move to another edition, for one session or the
 * main session of every agent; an agent that only one side has gains or loses all its tools. USAGE when nothing differs by
 * construction, UNKNOWN_AGENT for an agent that neither side has.
 */
export async function diffQuestion(
  options: CaseOptions,
  query: CaseQuery,
  sides: DiffSides,
): Promise<SessionDiff[]> {
  requireDifference(query, sides)
  const { from, to, toEdition, allAgents } = sides
  const { set = [], unset = [], ...same } = query
  const changes = set.length > 0 || unset.length > 0
  const shared = { ...options, stdin: repeatable(() => options.stdin ?? process.stdin) }
  const before = await openSide('--from', from, shared, same)
  // A change of the same config starts from the same side; two configs are compared as they are.
  const changed = to ?? (changes || toEdition !== undefined ? from : undefined)
  const after = await openSide(
    to === undefined ? '--from' : '--to',
    changed,
    { ...shared, edition: toEdition ?? options.edition },
    { ...same, set, unset },
  )
  return allAgents ? diffAllAgents(before, after) : [await diffOneSession(before, after)]
}
