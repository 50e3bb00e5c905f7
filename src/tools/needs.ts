import { automationNeeds } from './automation/needs.ts'
import { mediaNeeds } from './media/needs.ts'
import { execNeeds } from './exec-approvals/needs.ts'
import { browserNeeds } from './browser/needs.ts'
import { gatewayNeeds } from './gateway-control/needs.ts'
import { memoryNeeds } from './memory/needs.ts'
import { messagingNeeds } from './messaging/needs.ts'
import { sessionNeeds } from './sessions/needs.ts'
import type { NeedChecks, NeedFacts, UnmetNeed } from './need.ts'
import { sandboxNeeds } from './sandbox/needs.ts'
import { pluginHostNeeds } from './plugin-hosts/needs.ts'
import { webNeeds } from './web/needs.ts'

/** Checks of every family; these files import nothing that costs a start. */
const checks: readonly NeedChecks[] = [
  sandboxNeeds,
  execNeeds,
  automationNeeds,
  gatewayNeeds,
  memoryNeeds,
  pluginHostNeeds,
  messagingNeeds,
  webNeeds,
  browserNeeds,
  sessionNeeds,
  mediaNeeds,
]

/** What a built-in tool lacks to work here, by its name; null where it lacks nothing. */
export function unmetNeed(name: string, facts: NeedFacts): UnmetNeed | null {
  for (const family of checks) {
    const need = Object.hasOwn(family, name) ? family[name]?.(facts) : null
    if (need) return need
  }
  return null
}
