import type { Path } from '../../kernel/path.ts'
import { forbiddenKeys, maxDepth, secretRefFault } from '../oddity.ts'
import { isSensitiveKey } from '../sensitive.ts'
import { quote } from './describe.ts'
import type { Findings } from './findings.ts'

/** Other settings have a source, too: a reference stands under a telling key, or names its provider. The providers themselves are no references. */
function namesSecret(path: Path, value: object): boolean {
  if (path[0] === 'secrets') return false
  return (
    'provider' in value || isSensitiveKey(String(path.findLast((segment) => typeof segment === 'string')))
  )
}

/** What is wrong wherever it stands, also in sections the schema does not describe. */
export function checkEverywhere(value: unknown, findings: Findings): void {
  const visit = (current: unknown, path: Path): void => {
    if (typeof current === 'number' && !Number.isFinite(current)) {
      findings.error(path, {
        message: `expected a finite number, got ${current}`,
        expected: 'a finite number',
        got: String(current),
      })
    }
    if (typeof current !== 'object' || current === null) return
    if (path.length >= maxDepth) {
      findings.error(path, { message: `is nested deeper than ${maxDepth} levels` })
      return
    }
    if (Array.isArray(current)) {
      for (const [index, item] of current.entries()) visit(item, [...path, index])
      return
    }
    const fault = secretRefFault(current)
    if (fault !== null && namesSecret(path, current))
      findings.warn(path, { id: 'secret-ref', severity: 'warning', message: fault })
    for (const [key, item] of Object.entries(current)) {
      if (forbiddenKeys.has(key)) {
        findings.error([...path, key], {
          message: `the key ${quote(key)} is not allowed anywhere in a config`,
        })
      } else visit(item, [...path, key])
    }
  }
  visit(value, [])
}
