import { string } from '@oclif/core/args'
import { BaseCommand, type Ui } from '../../src/ui/base-command.ts'
import { defineFlags } from '../../src/ui/flags.ts'
import { openCaseFor } from '../../src/ui/open-case.ts'
import { connectFlag, sessionFlags, toSessionQuery } from '../../src/ui/session-flags.ts'

export default class ToolsDescribe extends BaseCommand<typeof ToolsDescribe> {
  static override summary = 'Show one tool of a session with its full input schema.'
  static override examples = [
    'openclaw tools describe mcp:github:create_issue',
    'openclaw tools describe web_fetch --agent work',
    'openclaw tools describe github__create_issue --json | jq .parameters',
  ]
  static override args = { id: string({ required: true, description: 'Id or unique name of a tool.' }) }
  static override flags = defineFlags({ ...sessionFlags, ...connectFlag })

  protected async execute() {
    const { flags, signal } = this
    const asking = flags.connect ? { version: this.config.version, signal } : null
    const options = { ...this.searchOptions(), edition: flags.edition }
    const each = await openCaseFor(options, toSessionQuery(flags), asking)
    const { describeTool } = await import('../../src/runtime/tool-description.ts')
    const { skillNames } = await import('../../src/runtime/skills.ts')
    const { description, outsideCatalogue } = await describeTool(each, this.args.id, () => skillNames(each))
    return {
      data: description,
      human: async (ui: Ui) => {
        const { renderDescription } = await import('../../src/ui/render/search.ts')
        if (outsideCatalogue)
          this.note(`${description.name} is never behind Tool Search: a search does not find it`)
        return renderDescription(description, ui)
      },
    }
  }
}
