import { memoryNeeds } from './memory/needs.ts'
import type { NeedChecks, NeedFacts, UnmetNeed } from './need.ts'

/** Checks of every family; these files import nothing that costs a start. */
const checks: readonly NeedChecks[] = [memoryNeeds]

/** What a built-in tool lacks to work here, by its name; null where it lacks nothing. */
export function unmetNeed(name: string, facts: NeedFacts): UnmetNeed | null {
  for (const family of checks) if (Object.hasOwn(family, name)) return family[name]?.(facts) ?? null
  return null
}
