import { boolean } from '@oclif/core/flags'
import { listServers } from '../../src/runtime/mcp.ts'
import { BaseCommand, type Ui } from '../../src/ui/base-command.ts'
import { defineFlags, listFlags } from '../../src/ui/flags.ts'
import { dialling } from '../../src/ui/progress.ts'

export default class McpList extends BaseCommand<typeof McpList> {
  static override summary = 'List the configured MCP servers with what was last seen of each.'
  static override examples = [
    'openclaw mcp list',
    'openclaw mcp list --connect',
    'openclaw mcp list --json | jq -r ".items[] | select(.status == \\"unseen\\") | .name"',
  ]
  static override flags = defineFlags({
    ...listFlags,
    connect: boolean({ summary: 'Start and ask the servers now.' }),
  })

  protected async execute() {
    const { connect, edition, json } = this.flags
    const options = { ...this.searchOptions(), edition }
    const { version } = this.config
    const { signal } = this
    const list = connect
      ? await dialling({ version, signal }, (dial) => listServers(options, dial))
      : await listServers(options, null)
    if (!json) await this.tell(list.notices)
    return {
      data: list,
      names: () => list.items.map((server) => server.name),
      human: async (ui: Ui) => {
        const { renderServers } = await import('../../src/ui/render/mcp.ts')
        return renderServers(list, ui, Date.now())
      },
    }
  }
}
