import JSON5 from 'json5'
import { validateConfig } from '../../../src/config/validate.ts'
import type { EditionId } from '../../../src/kernel/edition-id.ts'

/** Everything validation says about a config written as JSON5, one finding a line; `valid` when it says nothing. */
export async function lines(config: string, edition: EditionId = '2026.7'): Promise<string> {
  return linesOf(JSON5.parse(config), edition)
}

/** The same for a value. */
export async function linesOf(value: unknown, edition: EditionId = '2026.7'): Promise<string> {
  const { valid, issues, warnings } = await validateConfig(value, { edition, locate: () => null })
  if (valid !== (issues.length === 0)) throw new Error('valid contradicts the issues')
  const errors = issues.map(({ path, message }) => `error ${path}: ${message}`)
  const notices = warnings.map(({ id, severity, message }) => `${severity} ${id} ${message}`)
  return [...errors, ...notices].join('\n') || 'valid'
}
