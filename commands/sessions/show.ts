import { string } from '@oclif/core/args'
import { findSession, shownSession } from '../../src/runtime/sessions.ts'
import { BaseCommand, type Ui } from '../../src/ui/base-command.ts'

export default class SessionsShow extends BaseCommand<typeof SessionsShow> {
  static override summary = 'Show one session: what the store says of it, and where its logs are.'
  static override examples = [
    'openclaw sessions show main',
    'openclaw sessions show agent:main:telegram:group:-100 --json',
  ]
  static override args = { key: string({ required: true, description: 'Session key.' }) }

  protected async execute() {
    const { edition, json } = this.flags
    const found = await findSession({ ...this.searchOptions(), edition }, this.args.key)
    if (!json) await this.tell(found.notices)
    return {
      data: shownSession(found),
      human: async (ui: Ui) => {
        const { renderSession } = await import('../../src/ui/render/sessions.ts')
        return renderSession(found, ui)
      },
    }
  }
}
