import { openCommandGate } from '../exec-approvals/gate.ts'
import type { OpenFamily } from '../family.ts'
import type { CodingToolOptions } from '../options.ts'
import { execTool } from './exec.ts'
import { commandHost } from './host.ts'
import { processTool } from './process.ts'

/** Opens exec and process for a run. With the run ends what it started and did not hand to the program. */
export function openCommandTools(options: CodingToolOptions): OpenFamily {
  const owner = {}
  const { processes } = options.services
  const host = processes ?? commandHost('run')
  const parts = { options, host, owner, gate: openCommandGate(options) }
  return {
    tools: { exec: execTool(parts), process: processTool(parts) },
    close: () => (processes === undefined ? host.close() : host.endRun(owner)),
  }
}
