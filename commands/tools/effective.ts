import { boolean } from '@oclif/core/flags'
import { effectiveTools } from '../../src/runtime/answers.ts'
import { BaseCommand, type Ui } from '../../src/ui/base-command.ts'
import { defineFlags, listFlags } from '../../src/ui/flags.ts'
import { askGatewayFlags } from '../../src/ui/gateway-flags.ts'
import { openCaseFor } from '../../src/ui/open-case.ts'
import { renderEffective } from '../../src/ui/render/effective.ts'
import { connectFlag, sessionFlags, toSessionQuery } from '../../src/ui/session-flags.ts'

export default class ToolsEffective extends BaseCommand<typeof ToolsEffective> {
  static override summary = 'List the tools a session really has, and count the hidden ones.'
  static override examples = [
    'openclaw tools effective',
    'openclaw tools effective --agent work --channel telegram --sender id:100 --no-owner',
    'openclaw tools effective --why',
    'openclaw tools effective --json | jq -r ".hidden[] | [.id, .step] | @tsv"',
  ]
  static override flags = defineFlags({
    ...sessionFlags,
    ...connectFlag,
    ...askGatewayFlags,
    ...listFlags,
    why: boolean({ summary: 'Print each hidden tool with one reason.' }),
    all: boolean({ summary: 'Print hidden and unavailable tools, too.' }),
  })

  protected async execute() {
    const { json, why, all } = this.flags
    const result = await this.#result(json || why || all)
    if (!json) await this.tell(result.notices)
    return {
      data: result,
      names: () => result.groups.flatMap((group) => group.tools.map((tool) => tool.name)),
      human: (ui: Ui) => renderEffective(result, this.flags, ui),
    }
  }

  async #result(places: boolean) {
    const { connect, edition, gateway } = this.flags
    const { version } = this.config
    const { signal, isTyped, flags } = this
    const options = { ...this.searchOptions(), edition }
    if (gateway !== undefined) {
      const { effectiveOf } = await import('../../src/ui/ask-gateway.ts')
      return effectiveOf({ flags, options, version, signal, isTyped })
    }
    const each = await openCaseFor(options, toSessionQuery(flags), connect ? { version, signal } : null)
    return effectiveTools(each, places)
  }
}
