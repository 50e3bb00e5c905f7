import type { EditionId } from '../catalog/edition.ts'
import { OpenClawError } from '../kernel/errors.ts'
import type { SessionDiff } from '../policy/diff.ts'
import { diffCases } from './answers.ts'
import { openCase, type CaseOptions, type CaseQuery } from './case.ts'

/** The two sides of `tools diff`. */
export interface DiffSides {
  readonly from: string | undefined
  readonly to: string | undefined
  readonly toEdition: EditionId | undefined
  readonly allAgents: boolean
}

/** Answers `tools diff`: two configs, a config with `--set`/`--unset`, or a move to another edition; USAGE when nothing differs by construction. */
export async function diffQuestion(
  options: CaseOptions,
  query: CaseQuery,
  sides: DiffSides,
): Promise<SessionDiff[]> {
  const { set = [], unset = [], ...same } = query
  const changes = set.length > 0 || unset.length > 0
  if (sides.from === undefined && sides.to === undefined && sides.toEdition === undefined && !changes) {
    throw new OpenClawError(
      'USAGE',
      'nothing to compare: give --from, --to, --to-edition, --set or --unset',
      {
        hints: ['openclaw tools diff --set tools.profile=coding'],
      },
    )
  }
  const at = (file: string | undefined): CaseOptions => (file === undefined ? options : { ...options, file })
  const before = await openCase(at(sides.from), same)
  // A change of the same config starts from the same side; two configs are compared as they are.
  const after = await openCase(
    {
      ...at(sides.to ?? (changes || sides.toEdition !== undefined ? sides.from : undefined)),
      edition: sides.toEdition ?? options.edition,
    },
    { ...same, set, unset },
  )
  return diffCases(before, after, sides.allAgents)
}
