import { string } from '@oclif/core/args'
import { boolean } from '@oclif/core/flags'
import { sessionLog, sessionSummary } from '../../src/runtime/session-log.ts'
import { BaseCommand, type Ui } from '../../src/ui/base-command.ts'
import { count, defineFlags } from '../../src/ui/flags.ts'

const usualLimit = 50

export default class SessionsLog extends BaseCommand<typeof SessionsLog> {
  static override summary = 'Show what happened in a session, or sum up what it did with its tools.'
  static override examples = [
    'openclaw sessions log main',
    'openclaw sessions log main --summary',
    'openclaw sessions log agent:work:main --limit 500 --json',
  ]
  static override args = { key: string({ required: true, description: 'Session key.' }) }
  static override flags = defineFlags({
    summary: boolean({
      summary: 'Schemas up front, searches, descriptions, the tools called and where from.',
      exclusive: ['limit'],
    }),
    limit: count({ summary: `The last N entries; ${usualLimit} unless told, all with --json.` }),
  })

  protected async execute() {
    const { summary, limit, json, edition } = this.flags
    const options = { ...this.searchOptions(), edition }
    const { key } = this.args
    const render = () => import('../../src/ui/render/sessions.ts')
    if (summary) {
      const data = await sessionSummary(options, key)
      return { data, human: async (ui: Ui) => (await render()).renderSummary(data, ui) }
    }
    const log = await sessionLog(options, key, limit ?? (json ? Number.MAX_SAFE_INTEGER : usualLimit))
    if (!json && log.unreadable > 0) this.note(`${log.unreadable} lines cannot be read`)
    return { data: log, human: async (ui: Ui) => (await render()).renderLog(log, ui) }
  }
}
