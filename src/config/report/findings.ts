import { formatPath, type Location, type Notice, type Path } from '../../kernel/path.ts'
import { cleanLine } from '../../kernel/untrusted-text.ts'
import type { Issue, ValidateOptions } from '../validate.ts'

/** Keys come from a file somebody else may have written; a message must not carry their control characters. */
const shownPath = 200

/** What a check says about one place. */
export interface Finding {
  readonly message: string
  readonly expected?: string
  readonly got?: string
  readonly suggestion?: string | undefined
}

/** What a check may say about one place without refusing the config. */
export interface Remark {
  readonly id: string
  readonly severity: 'info' | 'warning'
  readonly message: string
}

interface Placed<T> {
  readonly entry: T
  readonly location: Location | null
  readonly order: number
}

/** Collects errors and warnings; the same words at the same place count once. */
export interface Findings {
  error(path: Path, finding: Finding): void
  warn(path: Path, remark: Remark): void
  issues(): Issue[]
  warnings(): Notice[]
}

/** Order of files is the order in which they are first met, so the root file comes first. */
function inFileOrder<T>(placed: readonly Placed<T>[]): T[] {
  const files = [...new Set(placed.map(({ location }) => location?.file))]
  const rank = ({ location }: Placed<T>): number => files.indexOf(location?.file)
  return placed
    .toSorted(
      (a, b) =>
        rank(a) - rank(b) ||
        (a.location?.line ?? 0) - (b.location?.line ?? 0) ||
        (a.location?.column ?? 0) - (b.location?.column ?? 0) ||
        a.order - b.order,
    )
    .map(({ entry }) => entry)
}

/** A place that has no own text (a missing key) is shown at the nearest object that has one. */
function locateNear(path: Path, locate: ValidateOptions['locate']): Location | null {
  for (let length = path.length; length >= 0; length--) {
    const location = locate(path.slice(0, length))
    if (location) return location
  }
  return null
}

/** An empty collection; places are looked up once per finding. */
export function collectFindings({ locate }: ValidateOptions): Findings {
  const seen = new Set<string>()
  const issues: Placed<Issue>[] = []
  const warnings: Placed<Notice>[] = []
  const isNew = (kind: string, path: string, message: string): boolean => {
    const key = `${kind}\n${path}\n${message}`
    if (seen.has(key)) return false
    seen.add(key)
    return true
  }
  return {
    error(path, { message, expected, got, suggestion }) {
      const text = formatPath(path)
      if (!isNew('error', text, message)) return
      const location = locateNear(path, locate)
      const entry: Issue = {
        path: text,
        message,
        ...(expected !== undefined && { expected }),
        ...(got !== undefined && { got }),
        location,
        ...(suggestion !== undefined && { suggestion }),
      }
      issues.push({ entry, location, order: issues.length })
    },
    warn(path, { id, severity, message }) {
      const text = formatPath(path)
      if (!isNew(id, text, message)) return
      const location = locateNear(path, locate)
      const entry: Notice = {
        id,
        severity,
        message: text === '' ? message : `${cleanLine(text, shownPath)}: ${message}`,
        location,
      }
      warnings.push({ entry, location, order: warnings.length })
    },
    issues: () => inFileOrder(issues),
    warnings: () => inFileOrder(warnings),
  }
}
