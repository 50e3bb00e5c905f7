import { string as stringArg } from '@oclif/core/args'
import { boolean, string } from '@oclif/core/flags'
import { readCallArgs } from '../../src/runtime/call-input.ts'
import { BaseCommand } from '../../src/ui/base-command.ts'
import { calling } from '../../src/ui/calling.ts'
import { defineFlags } from '../../src/ui/flags.ts'
import { askGatewayFlags } from '../../src/ui/gateway-flags.ts'
import { sessionFlags, toSessionQuery } from '../../src/ui/session-flags.ts'

export default class ToolsCall extends BaseCommand<typeof ToolsCall> {
  static override summary = 'Call one tool as the session may: policy, hooks and approvals apply.'
  static override examples = [
    'openclaw tools call github__create_issue --args \'{ title: "Crash on startup" }\'',
    'openclaw tools call mcp:calendar:create_event --args - --json < event.json',
    'openclaw tools call note_add --args \'{ text: "x" }\' --dry-run',
  ]
  static override args = { id: stringArg({ required: true, description: 'Id or unique name of a tool.' }) }
  static override flags = defineFlags({
    ...sessionFlags,
    ...askGatewayFlags,
    args: string({ helpValue: 'JSON5', summary: 'Arguments of the tool; - reads them from stdin.' }),
    yes: boolean({ summary: 'Answer every approval of this call with yes.' }),
    'dry-run': boolean({ summary: 'Check the call without making it.' }),
  })

  protected async execute() {
    const { yes, json, edition, args: text, 'dry-run': dryRun } = this.flags
    const query = toSessionQuery(this.flags)
    const args = await readCallArgs(text, query)
    const { id } = this.args
    const { version } = this.config
    const { signal, isTyped, flags } = this
    const options = { ...this.searchOptions(), edition }
    const render = () => import('../../src/ui/render/call.ts')
    if (flags.gateway !== undefined) {
      const { callAnswer } = await import('../../src/ui/ask-gateway.ts')
      return callAnswer({ flags, options, version, signal, isTyped }, { name: id, args, dryRun, yes })
    }
    const [{ withToolSession }, { callTool, planCall }] = await Promise.all([
      import('../../src/runtime/tool-session.ts'),
      import('../../src/runtime/tool-calls.ts'),
    ])
    const command = {
      options,
      query,
      yes,
      version,
      signal,
      tell: (line: string) => this.note(line),
    }
    return calling(command, (opening) =>
      withToolSession({ ...opening, code: null, once: true }, async (session) => {
        if (dryRun) {
          const plan = await planCall(session, id, args)
          if (!json) await this.tell(session.notices)
          return { data: plan, human: async () => (await render()).renderPlan(plan.tool.id) }
        }
        const called = await callTool(session, id, args, this.signal)
        if (!json) await this.tell(session.notices)
        return {
          data: called,
          human: async () => (await render()).renderResult(called.result),
        }
      }),
    )
  }
}
