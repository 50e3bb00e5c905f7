import type { EditionId } from '../edition.ts'
import type { CoreToolSpec, CoreToolSpecs } from './spec.ts'
import { fileTools } from './files.ts'
import { codeTools } from './code.ts'
import { commandTools } from './commands.ts'
import { webTools } from './web.ts'
import { browserTools } from './browser.ts'
import { sessionTools } from './sessions.ts'
import { goalTools } from './goals.ts'
import { memoryTools } from './memory.ts'
import { messagingTools } from './messaging.ts'
import { automationTools } from './automation.ts'
import { gatewayTools } from './gateway.ts'
import { mediaTools } from './media.ts'
import { pluginHostTools } from './plugin-hosts.ts'

const families = [
  fileTools,
  commandTools,
  codeTools,
  webTools,
  browserTools,
  sessionTools,
  goalTools,
  memoryTools,
  messagingTools,
  automationTools,
  gatewayTools,
  mediaTools,
  pluginHostTools,
] as const

const known = new Map<EditionId, CoreToolSpecs>()

/** What is known of the built-in tools of an edition, by name. */
function coreToolSpecs(edition: EditionId): CoreToolSpecs {
  const earlier = known.get(edition)
  if (earlier !== undefined) return earlier
  const specs: Record<string, CoreToolSpec> = {}
  for (const family of families) Object.assign(specs, family(edition))
  known.set(edition, specs)
  return specs
}

/** What is known of a built-in tool of an edition by its name; undefined where there is no such tool. */
export function coreToolSpec(name: string, edition: EditionId): CoreToolSpec | undefined {
  const specs = coreToolSpecs(edition)
  return Object.hasOwn(specs, name) ? specs[name] : undefined
}
