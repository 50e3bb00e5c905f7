import { string as stringArg } from '@oclif/core/args'
import { string } from '@oclif/core/flags'
import { probeServers } from '../../src/runtime/mcp.ts'
import { BaseCommand, type Ui } from '../../src/ui/base-command.ts'
import { defineFlags } from '../../src/ui/flags.ts'
import { dialling } from '../../src/ui/progress.ts'

export default class McpProbe extends BaseCommand<typeof McpProbe> {
  static override summary = 'Ask MCP servers for their tools, and say which of them an agent gets.'
  static override examples = [
    'openclaw mcp probe',
    'openclaw mcp probe github --agent work',
    'openclaw mcp probe github --json | jq ".servers[0].hidden"',
  ]
  static override args = {
    server: stringArg({
      multiple: true,
      description: 'Configured servers; else all that are not switched off.',
    }),
  }
  static override flags = defineFlags({
    agent: string({ helpValue: 'ID', summary: 'Agent whose tools are meant; else the default one.' }),
    session: string({ helpValue: 'KEY', summary: 'Session key; else agent:<agent>:main.' }),
  })

  protected async execute() {
    const { agent, session, edition, json } = this.flags
    const names: readonly string[] = this.args.server ?? []
    const request = {
      ...(agent !== undefined && { agentId: agent }),
      ...(session !== undefined && { sessionKey: session }),
    }
    const options = { ...this.searchOptions(), edition }
    const { probe, exitCode } = await dialling(
      { version: this.config.version, signal: this.signal },
      (dial) => probeServers(options, { request }, names, dial),
    )
    // The text of the answer says these itself, beside the server or tool concerned.
    const said = new Set(['mcp-unreachable', 'schema-quarantined'])
    if (!json) await this.tell(probe.notices.filter(({ id }) => !said.has(id)))
    return {
      data: probe,
      exitCode,
      human: async (ui: Ui) => {
        const { renderProbe } = await import('../../src/ui/render/mcp.ts')
        return renderProbe(probe, ui, Date.now())
      },
    }
  }
}
