import { isRecord } from '../source.ts'

const groupKeys = ['allOf', 'anyOf', 'oneOf'] as const
const deepest = 16

/** Why an availability condition can never be met (an empty or malformed group), or null; conditions themselves are not judged here. */
export function availabilityProblem(value: unknown, at = 'availability', depth = 0): string | null {
  if (value === undefined) return null
  if (!isRecord(value)) return `${at} is not an object`
  if (depth > deepest) return `${at} is nested too deeply`
  for (const key of groupKeys) {
    const group = value[key]
    if (group === undefined) continue
    if (!Array.isArray(group)) return `${at}.${key} is not a list`
    if (group.length === 0) return `empty availability group ${at}.${key}`
    for (const [index, item] of group.entries()) {
      const inner = isRecord(item) ? availabilityProblem(item, `${at}.${key}[${index}]`, depth + 1) : null
      if (inner !== null) return inner
    }
  }
  return null
}
