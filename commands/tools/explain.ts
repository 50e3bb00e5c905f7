import { string } from '@oclif/core/args'
import { boolean } from '@oclif/core/flags'
import { OpenClawError } from '../../src/kernel/errors.ts'
import { explainForAgents, explainInCase } from '../../src/runtime/answers.ts'
import { targetNotices } from '../../src/runtime/notices.ts'
import { skillNames } from '../../src/runtime/skills.ts'
import { BaseCommand } from '../../src/ui/base-command.ts'
import { agentsAnswer, explainAnswer } from '../../src/ui/explain-answer.ts'
import { defineFlags } from '../../src/ui/flags.ts'
import { askGatewayFlags } from '../../src/ui/gateway-flags.ts'
import { openCaseFor } from '../../src/ui/open-case.ts'
import {
  allAgentsFlag,
  connectFlag,
  sessionFlags,
  toSessionQuery,
  wantsAllAgents,
} from '../../src/ui/session-flags.ts'

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
    ...askGatewayFlags,
    check: boolean({ summary: 'Exit 3 unless the tool is visible or deferred.' }),
    full: boolean({ summary: 'Print what every step said.' }),
  })

  protected async execute() {
    const { tool } = this.args
    if (tool.trim() === '') throw new OpenClawError('USAGE', 'the name of the tool is empty')
    const { check, full, json, connect, edition, gateway } = this.flags
    const { version } = this.config
    const { signal, isTyped, flags } = this
    const options = { ...this.searchOptions(), edition }
    if (gateway !== undefined) {
      const { explainOf } = await import('../../src/ui/ask-gateway.ts')
      const result = await explainOf({ flags, options, version, signal, isTyped }, tool)
      if (!json) await this.tell(result.notices)
      return explainAnswer(result, { check, full, sessionKey: flags.session ?? 'main' })
    }
    const each = await openCaseFor(options, toSessionQuery(flags), connect ? { version, signal } : null)
    const skills = skillNames(each)
    if (wantsAllAgents(flags, isTyped)) {
      return agentsAnswer(await explainForAgents(each, tool, skills), check)
    }
    const view = await each.view()
    const result = await explainInCase(each, tool, skills)
    const notices = targetNotices(each, view)
    if (!json) await this.tell(notices)
    return explainAnswer({ ...result, notices }, { check, full, sessionKey: view.context.sessionKey })
  }
}
