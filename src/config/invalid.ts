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

/** The CONFIG_INVALID error of a config that does not validate; `data.issues` has every issue. */
export function invalidConfig(file: string, issues: readonly Issue[]): OpenClawError {
  const lines = issues.slice(0, listed).map((issue) => `  ${issueLine(issue)}`)
  if (issues.length > listed) lines.push(`  … and ${issues.length - listed} more`)
  const suggestion = issues.find((issue) => issue.suggestion !== undefined)
  const count = issues.length === 1 ? 'an error' : `${issues.length} errors`
  return new OpenClawError('CONFIG_INVALID', `the config ${file} has ${count}\n${lines.join('\n')}`, {
    hints: [
      ...(suggestion ? [`did you mean ${suggestion.suggestion}?`] : []),
      'openclaw config validate lists every error with its place',
    ],
    data: { file, issues },
  })
}
