import { string as stringArg } from '@oclif/core/args'
import { boolean, string } from '@oclif/core/flags'
import { OpenClawError } from '../../src/kernel/errors.ts'
import { readQueries } from '../../src/runtime/queries.ts'
import { openSearch } from '../../src/runtime/tool-search.ts'
import { BaseCommand, type Ui } from '../../src/ui/base-command.ts'
import { count, defineFlags, listFlags } from '../../src/ui/flags.ts'
import { askGatewayFlags } from '../../src/ui/gateway-flags.ts'
import { openCaseFor } from '../../src/ui/open-case.ts'
import { connectFlag, sessionFlags, toSessionQuery } from '../../src/ui/session-flags.ts'

export default class ToolsSearch extends BaseCommand<typeof ToolsSearch> {
  static override summary = 'Find tools of a session by what they do, as Tool Search does for the model.'
  static override examples = [
    'openclaw tools search create a branch',
    'openclaw tools search "send a message" --agent work --limit 3 --json',
    'openclaw tools search --batch queries.txt --inventory machine.json5',
  ]
  static override args = {
    query: stringArg({ multiple: true, description: 'What the tool should do, or its name.' }),
  }
  static override flags = defineFlags({
    ...sessionFlags,
    ...connectFlag,
    ...listFlags,
    limit: count({ summary: 'Most hits; else searchDefaultLimit, and never above maxSearchLimit.' }),
    batch: string({
      helpValue: 'FILE',
      summary: 'Answer every line of FILE (- for stdin), one JSON object a line.',
    }),
    ...askGatewayFlags,
    'as-model': boolean({ summary: 'Print exactly what a model gets; several queries are one batch.' }),
  })

  protected async execute() {
    const { batch, limit: wanted, json } = this.flags
    const words = this.args.query as readonly string[] | undefined
    if ((words === undefined) === (batch === undefined)) {
      throw new OpenClawError('USAGE', 'expected a query, or --batch FILE', {
        hints: ['openclaw tools search create a branch', 'openclaw tools search --help'],
      })
    }
    const { flags, signal, isTyped } = this
    const { version } = this.config
    const options = { ...this.searchOptions(), edition: flags.edition }
    const session = toSessionQuery(flags)
    const queries = batch === undefined ? null : await readQueries(batch, options.cwd, session)
    const asked = queries ?? [(words ?? []).join(' ')]
    const tell = (line: string) => this.note(line)
    if (flags.gateway !== undefined) {
      const { searchAnswer } = await import('../../src/ui/ask-gateway.ts')
      const command = { flags, options, version, signal, isTyped }
      return searchAnswer(command, asked, { limit: wanted, isBatch: queries !== null, note: tell })
    }
    if (flags['as-model']) {
      const { searchAsModelAnswer } = await import('../../src/ui/as-model.ts')
      return searchAsModelAnswer({ options, query: session, version, signal, tell }, asked, wanted)
    }
    const each = await openCaseFor(options, session, flags.connect ? { version, signal } : null)
    const search = await openSearch(each, wanted)
    const { limit, notices } = search
    if (wanted !== undefined && limit < wanted)
      this.note(`limit ${wanted} is lowered to ${limit}, the maxSearchLimit of this session`)
    if (queries !== null) {
      await this.tell(notices)
      return { lines: search.all(queries) }
    }
    const result = await search.one(asked[0] ?? '')
    if (!json) await this.tell(notices)
    return {
      data: { ...result, notices },
      names: () => result.hits.map((hit) => hit.name),
      human: async (ui: Ui) => {
        const { renderSearch, searchHints } = await import('../../src/ui/render/search.ts')
        for (const hint of searchHints(result)) this.note(hint)
        return renderSearch(result, ui)
      },
    }
  }
}
