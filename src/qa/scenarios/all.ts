import { OpenClawError } from '../../kernel/errors.ts'
import { suggest } from '../../kernel/suggest.ts'
import type { Scenario } from '../scenario.ts'
import { approvalRoundTrip } from './approval-round-trip.ts'
import { browserPage } from './browser-page.ts'
import { codingInSandbox } from './coding-in-sandbox.ts'
import { configHotReload } from './config-hot-reload.ts'
import { largeCatalogue } from './large-catalogue.ts'
import { memoryAndMedia } from './memory-and-media.ts'
import { messagesAndJobs } from './messages-and-jobs.ts'
import { mcpServerDies } from './mcp-server-dies.ts'
import { policyBySender } from './policy-by-sender.ts'
import { providerFaults } from './provider-faults.ts'
import { subAgents } from './sub-agents.ts'
import { toolSearchGateway } from './tool-search-gateway.ts'
import { webTools } from './web-tools.ts'

/** Every scenario, in the order in which they run. */
export const scenarios: readonly Scenario[] = [
  toolSearchGateway,
  policyBySender,
  mcpServerDies,
  approvalRoundTrip,
  configHotReload,
  providerFaults,
  largeCatalogue,
  codingInSandbox,
  webTools,
  messagesAndJobs,
  subAgents,
  memoryAndMedia,
  browserPage,
]

/** The scenarios of these ids, each once, in the order of the ids; all of them without any. USAGE for an id that nobody has. */
export function chooseScenarios(ids: readonly string[]): readonly Scenario[] {
  if (ids.length === 0) return scenarios
  const known = scenarios.map(({ id }) => id)
  return [...new Set(ids)].map((id) => {
    const found = scenarios.find((scenario) => scenario.id === id)
    if (found !== undefined) return found
    const near = suggest(id, known)
    throw new OpenClawError('USAGE', `unknown scenario ${JSON.stringify(id)}`, {
      hints: [...near.map((name) => `did you mean ${name}?`), 'openclaw qa list'],
      data: { scenario: id, suggestions: near },
    })
  })
}
