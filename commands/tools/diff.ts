import { option } from '@oclif/core/flags'
import { diffQuestion } from '../../src/runtime/diff.ts'
import { BaseCommand, type Ui } from '../../src/ui/base-command.ts'
import { defineFlags, word } from '../../src/ui/flags.ts'
import { allAgentsFlag, sessionFlags, toSessionQuery, wantsAllAgents } from '../../src/ui/session-flags.ts'

export default class ToolsDiff extends BaseCommand<typeof ToolsDiff> {
  static override summary =
    'Say which tools a change of the config, or a move to another edition, adds and removes.'
  static override examples = [
    'openclaw tools diff --set tools.profile=coding',
    'openclaw tools diff --from old.json5 --to new.json5 --all-agents',
    'openclaw tools diff --to-edition 2026.9 --json',
  ]
  static override flags = defineFlags({
    ...sessionFlags,
    ...allAgentsFlag,
    from: word({ helpValue: 'CONFIG', summary: 'Config before the change; else the config in use.' }),
    to: word({ helpValue: 'CONFIG', summary: 'Config after the change; else the config in use.' }),
    'to-edition': option({ options: ['2026.7', '2026.9'] as const })({
      summary: 'Edition after the change.',
    }),
  })

  protected async execute() {
    const { from, to, 'to-edition': toEdition } = this.flags
    const allAgents = wantsAllAgents(this.flags, this.isTyped)
    const options = { ...this.searchOptions(), edition: this.flags.edition }
    const query = toSessionQuery(this.flags)
    const sessions = await diffQuestion(options, query, { from, to, toEdition, allAgents })
    return {
      data: { sessions },
      human: async (ui: Ui) => {
        const { renderDiff } = await import('../../src/ui/render/diff.ts')
        return renderDiff(sessions, ui)
      },
    }
  }
}
