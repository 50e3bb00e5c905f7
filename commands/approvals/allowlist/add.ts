import { string as argument } from '@oclif/core/args'
import { boolean, string } from '@oclif/core/flags'
import { BaseCommand } from '../../../src/ui/base-command.ts'
import { defineFlags, word } from '../../../src/ui/flags.ts'

export default class ApprovalsAllowlistAdd extends BaseCommand<typeof ApprovalsAllowlistAdd> {
  static override summary = 'Let commands of exec start a program without a question.'
  static override examples = [
    'openclaw approvals allowlist add rg',
    "openclaw approvals allowlist add '~/bin/*' --agent work",
    "openclaw approvals allowlist add git --arg-pattern '^(status|log)\\b'",
  ]
  static override args = {
    pattern: argument({
      required: true,
      description:
        'A program, of which the real path is kept; or a pattern with *, ? and **, of a path or of a name that is found on the PATH.',
    }),
  }
  static override flags = defineFlags({
    agent: string({ helpValue: 'ID', summary: "For this agent; else for every one, as '*'." }),
    'arg-pattern': word({
      helpValue: 'REGEX',
      summary: 'Only with arguments that it fits, joined by blanks.',
    }),
    'as-written': boolean({ summary: 'Keep the pattern as it is, also of a program that is not here.' }),
  })

  protected async execute() {
    const { allowProgram } = await import('../../../src/runtime/exec-allowlist.ts')
    const { agent, 'arg-pattern': argPattern, 'as-written': asWritten } = this.flags
    const wanted = { pattern: this.args.pattern, argPattern, asWritten, agent }
    const data = await allowProgram(this.searchOptions(), wanted)
    return {
      data,
      human: async () => {
        const { renderAdded } = await import('../../../src/ui/render/allowlist.ts')
        for (const note of data.notes) this.note(`note: ${note}`)
        return renderAdded(data)
      },
    }
  }
}
