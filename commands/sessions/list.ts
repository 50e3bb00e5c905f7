import { string } from '@oclif/core/flags'
import { listSessions } from '../../src/runtime/sessions.ts'
import { BaseCommand, type Ui } from '../../src/ui/base-command.ts'
import { defineFlags, listFlags } from '../../src/ui/flags.ts'

export default class SessionsList extends BaseCommand<typeof SessionsList> {
  static override summary = 'List stored sessions, the latest first.'
  static override examples = [
    'openclaw sessions list',
    'openclaw sessions list --agent work --output names',
    'openclaw sessions list --json | jq -r ".items[] | [.key, .model] | @tsv"',
  ]
  static override flags = defineFlags({
    ...listFlags,
    agent: string({ helpValue: 'ID', summary: 'Sessions of this agent only.' }),
  })

  protected async execute() {
    const { agent, edition, json } = this.flags
    const data = await listSessions({ ...this.searchOptions(), edition }, agent)
    if (!json) await this.tell(data.notices)
    return {
      data,
      names: () => data.items.map(({ key }) => key),
      human: async (ui: Ui) => {
        const { renderSessions } = await import('../../src/ui/render/sessions.ts')
        return renderSessions(data.items, ui)
      },
    }
  }
}
