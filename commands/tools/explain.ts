import { string } from '@oclif/core/args'
import { boolean } from '@oclif/core/flags'
import { exitCodes, OpenClawError } from '../../src/kernel/errors.ts'
import { explainForAgents, explainInCase } from '../../src/runtime/answers.ts'
import { targetNotices } from '../../src/runtime/notices.ts'
import { skillNames } from '../../src/runtime/skills.ts'
import { BaseCommand, type Ui } from '../../src/ui/base-command.ts'
import { defineFlags } from '../../src/ui/flags.ts'
import { openCaseFor } from '../../src/ui/open-case.ts'
import {
  allAgentsFlag,
  connectFlag,
  sessionFlags,
  toSessionQuery,
  wantsAllAgents,
} from '../../src/ui/session-flags.ts'

const isUsable = (verdict: string): boolean => verdict === 'visible' || verdict === 'deferred'

export default class ToolsExplain extends BaseCommand<typeof ToolsExplain> {
  static override summary =
    'Say why a session has a tool or not: the step, the config line, the smallest fix.'
  static override examples = [
    'openclaw tools explain exec',
    'openclaw tools explain exec --agent work --full',
    'openclaw tools explain exec --all-agents',
    'openclaw tools explain github__create_issue --check || echo "no such luck"',
  ]
  static override args = { tool: string({ required: true, description: 'Name or id of a tool.' }) }
  static override flags = defineFlags({
    ...sessionFlags,
    ...connectFlag,
    ...allAgentsFlag,
    check: boolean({ summary: 'Exit 3 unless the tool is visible or deferred.' }),
    full: boolean({ summary: 'Print what every step said.' }),
  })

  protected async execute() {
    const { tool } = this.args
    if (tool.trim() === '') throw new OpenClawError('USAGE', 'the name of the tool is empty')
    const { check, full } = this.flags
    const asking = this.flags.connect ? { version: this.config.version, signal: this.signal } : null
    const options = { ...this.searchOptions(), edition: this.flags.edition }
    const each = await openCaseFor(options, toSessionQuery(this.flags), asking)
    const skills = skillNames(each)
    const exit = (verdicts: readonly string[]) =>
      check && !verdicts.every(isUsable) ? exitCodes.denied : exitCodes.ok
    if (wantsAllAgents(this.flags, this.isTyped)) {
      const result = await explainForAgents(each, tool, skills)
      return {
        data: result,
        exitCode: exit(result.agents.map((row) => row.verdict)),
        human: async (ui: Ui) => {
          const { renderAgentMatrix } = await import('../../src/ui/render/explain.ts')
          return renderAgentMatrix(result, ui)
        },
      }
    }
    const view = await each.view()
    const result = await explainInCase(each, tool, skills)
    const notices = targetNotices(each, view)
    if (!this.flags.json) await this.tell(notices)
    return {
      data: { ...result, notices },
      exitCode: exit([result.verdict]),
      human: async (ui: Ui) => {
        const { renderExplain } = await import('../../src/ui/render/explain.ts')
        return renderExplain(result, full, view.context.sessionKey, ui)
      },
    }
  }
}
