import { editionOfVersion, type EditionId } from '../kernel/edition-id.ts'
import type { Location, Notice, Path } from '../kernel/path.ts'
import { startCheck } from './generated/start-check.ts'
import { meets } from './meets.ts'
import { hasOddity } from './oddity.ts'
import { getIn, isRecord } from './path-value.ts'
import { repeatedAgents } from './repeated-agents.ts'
import type { Config } from './types.ts'

/** One error of a config (contract §6). `got` names type and value; values of secrets are left out. */
export interface Issue {
  readonly path: string
  readonly message: string
  readonly expected?: string
  readonly got?: string
  readonly location: Location | null
  /** What was probably meant: a key, a value, or the path where the value belongs. */
  readonly suggestion?: string
  /** The line of a syntax error with a caret under it. */
  readonly excerpt?: string
}

export interface ValidateOptions {
  readonly edition: EditionId
  /** Place of a value in the files, if it has one. */
  readonly locate: (path: Path) => Location | null
  /** A config of which nothing was to report in this edition; sections that are its very objects need no second look. */
  readonly beside?: Config | undefined
}

export type Validation =
  | {
      readonly valid: true
      readonly config: Config
      readonly issues: readonly Issue[]
      readonly warnings: readonly Notice[]
    }
  | {
      readonly valid: false
      readonly issues: readonly Issue[]
      readonly warnings: readonly Notice[]
    }

/**
 * Checks a config (after `$include` and `${VAR}`): all errors and warnings in file order, what is which by contract §6.
 * The report is loaded only for a config that has something to report.
 */
export async function validateConfig(value: unknown, options: ValidateOptions): Promise<Validation> {
  if (isUnremarkable(value, options.edition, options.beside))
    return { valid: true, config: value, issues: [], warnings: [] }
  const { reportOn } = await import('./report/report.ts')
  const { issues, warnings } = reportOn(value, options)
  return isAccepted(value, issues)
    ? { valid: true, config: value, issues, warnings }
    : { valid: false, issues, warnings }
}

/** Whether a report on this value would be empty. */
export function isUnremarkable(value: unknown, edition: EditionId, beside?: Config): value is Config {
  const sections = beside === undefined ? value : sectionsBeside(value, beside)
  return (
    isMet(value, sections, edition) &&
    !hasOddity(sections) &&
    repeatedAgents(value).length === 0 &&
    (editionOfVersion(value.meta?.lastTouchedVersion) ?? edition) === edition
  )
}

/** The sections of a config that are not those of another one. */
function sectionsBeside(value: unknown, other: Config): unknown {
  if (!isRecord(value)) return value
  return Object.fromEntries(Object.entries(value).filter(([key, section]) => section !== getIn(other, [key])))
}

/** Whether the sections of a config meet the schema, which asks nothing of them together. */
function isMet(_value: unknown, sections: unknown, edition: EditionId): _value is Config {
  return meets(startCheck, sections, edition, startCheck)
}

function isAccepted(_value: unknown, issues: readonly Issue[]): _value is Config {
  return issues.length === 0
}
