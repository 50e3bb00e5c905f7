import { OpenClawError } from '../kernel/errors.ts'
import type { Issue } from './validate.ts'

/** How many issues an error message lists; `config validate` lists all. */
const listed = 20

/** One issue as a line: place, path, message. */
export function issueLine(issue: Issue): string {
  const { location } = issue
  const place = location ? `${location.file}:${location.line}:${location.column}: ` : ''
  const path = issue.path === '' ? '' : `${issue.path}: `
  return `${place}${path}${issue.message}`
}

function invalid(
  what: string,
  file: string,
  issues: readonly Issue[],
  hints: readonly string[],
): OpenClawError {
  const lines = issues.slice(0, listed).map((issue) => `  ${issueLine(issue)}`)
  if (issues.length > listed) lines.push(`  … and ${issues.length - listed} more`)
  const [only, ...others] = issues
  // With several errors nobody could tell which one a suggestion is for; each line has its own.
  const near = others.length === 0 && only?.suggestion !== undefined
  return new OpenClawError('CONFIG_INVALID', `${what}\n${lines.join('\n')}`, {
    hints: [...(near ? [`did you mean ${only.suggestion}?`] : []), ...hints],
    data: { file, issues },
  })
}

/** The CONFIG_INVALID error of a config that does not validate; `data.issues` has every issue. */
export function invalidConfig(file: string, issues: readonly Issue[]): OpenClawError {
  const count = issues.length === 1 ? 'an error' : `${issues.length} errors`
  return invalid(`the config ${file} has ${count}`, file, issues, [
    'openclaw config validate lists every error with its place',
  ])
}

/** The same for a config that stands in no file as it is, with `--set` and `--unset` applied or in a snapshot: `what` says which, and only what a file still holds has a place. */
export function invalidValue(what: string, file: string, issues: readonly Issue[]): OpenClawError {
  const placed = issues.map((issue) =>
    issue.location?.path === issue.path ? issue : { ...issue, location: null },
  )
  return invalid(what, file, placed, [])
}
