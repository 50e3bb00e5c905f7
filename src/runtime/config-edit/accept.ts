import type { EditionId } from '../../catalog/edition.ts'
import { hasIn } from '../../config/path-value.ts'
import { validateConfig, type Issue } from '../../config/validate.ts'
import type { Config } from '../../config/types.ts'
import { OpenClawError } from '../../kernel/errors.ts'
import { formatPath, type Notice, type Path } from '../../kernel/path.ts'
import { shellQuote } from '../../policy/fixes/edits.ts'
import type { Edited } from './workspace.ts'

/** How an edited config stands: valid or not, before and after, and what it warns of that it did not warn of before. */
export interface Accepted {
  readonly before: Config | null
  readonly after: Config | null
  readonly notices: readonly Notice[]
}

/** How many issues an error message lists. */
const listed = 5

function isWithin(issue: Issue, path: string): boolean {
  if (path === '' || issue.path === path) return true
  return issue.path.startsWith(path) && '.['.includes(issue.path.charAt(path.length))
}

/** A value that was put below a key nobody reads; to take something away from there is a repair. */
function isUnread(issue: Issue, written: Path, config: unknown): boolean {
  const path = formatPath(written)
  return (
    issue.message.startsWith('unknown key') &&
    isWithin({ ...issue, path }, issue.path) &&
    hasIn(config, written)
  )
}

function leftErrors(issues: readonly Issue[]): Notice[] {
  const [first] = issues
  if (first === undefined) return []
  const count = issues.length === 1 ? '1 error was' : `${issues.length} errors were`
  return [
    {
      id: 'errors-left',
      severity: 'warning',
      message: `${count} there before and ${issues.length === 1 ? 'is' : 'are'} left, as openclaw config validate shows: ${first.path || 'the config'}: ${first.message}`,
      location: first.location,
    },
  ]
}

/** The command that writes what was probably meant. */
function suggested({ path, expected, suggestion }: Issue): string[] {
  if (suggestion === undefined) return []
  // What is no value, but an entry with its key, goes into no command.
  const isEntry = /^\w+: /.test(suggestion)
  if (expected === undefined || path === '' || isEntry) return [`did you mean ${suggestion}?`]
  const word = /^"[\w./-]+"$/.test(suggestion) ? suggestion.slice(1, -1) : suggestion
  return [`openclaw config set ${shellQuote(path)} ${shellQuote(word)}`]
}

function refusal({ after, textProblem }: Edited, issues: readonly Issue[]): OpenClawError {
  const say = ({ path, message, expected, got }: Issue): string => {
    // What stands there is a misread value; to guess at what that could mean would lead away from the quotes.
    const text = textProblem !== null && expected !== undefined ? `expected ${expected}, got ${got}` : message
    return `${path === '' ? 'the config' : path}: ${text}`
  }
  const more = issues.length > listed ? [`… and ${issues.length - listed} more`] : []
  const hints =
    textProblem === null
      ? issues.flatMap(suggested).slice(0, 1)
      : [
          `the value starts like JSON5 but is none (${textProblem}), so it was taken as text: check its quotes`,
        ]
  const lines = [...issues.slice(0, listed).map(say), ...more, 'nothing was written']
  return new OpenClawError('CONFIG_INVALID', lines.join('\n'), {
    hints,
    // Lines would be those of a text that does not exist.
    data: { file: after.file, issues: issues.map((issue) => ({ ...issue, location: null })) },
  })
}

function keyOf({ id, message }: Notice): string {
  return `${id} ${message}`
}

/**
 * Decides whether an edited config may be written: it must be valid, or at least have no more errors than before and none in
 * what the edit itself wrote, so that a broken config can be repaired step by step. Throws CONFIG_INVALID; without `strict` it only tells.
 */
export async function acceptEdit(
  edited: Edited,
  editions: { readonly before: EditionId; readonly after: EditionId },
  { strict }: { readonly strict: boolean },
): Promise<Accepted> {
  const { before, after } = edited
  const old = await validateConfig(before.config, { edition: editions.before, locate: before.locate })
  const isPlain = old.valid && old.warnings.length === 0 && editions.before === editions.after
  const now = await validateConfig(after.config, {
    edition: editions.after,
    locate: after.locate,
    beside: isPlain ? old.config : undefined,
  })
  if (!now.valid && strict) {
    const paths = edited.written.map((path) => formatPath(path))
    const own = now.issues.filter(
      (issue) =>
        paths.some((path) => isWithin(issue, path)) ||
        edited.written.some((path) => isUnread(issue, path, after.config)),
    )
    const known = new Set(old.issues.map(({ path, message }) => `${path} ${message}`))
    const fresh = now.issues.filter(({ path, message }) => !known.has(`${path} ${message}`))
    if (own.length > 0) throw refusal(edited, own)
    if (now.issues.length > old.issues.length) throw refusal(edited, fresh)
  }
  const seen = new Set([...before.notices, ...old.warnings].map(keyOf))
  return {
    before: old.valid ? old.config : null,
    after: now.valid ? now.config : null,
    notices: [
      ...[...after.notices, ...now.warnings].filter((notice) => !seen.has(keyOf(notice))),
      ...leftErrors(now.issues),
    ],
  }
}
