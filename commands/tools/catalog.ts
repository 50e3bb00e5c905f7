import { catalogResult } from '../../src/catalog/catalog.ts'
import { BaseCommand, type Ui } from '../../src/ui/base-command.ts'
import { defineFlags, listFlags } from '../../src/ui/flags.ts'
import { openCaseFor } from '../../src/ui/open-case.ts'
import { connectFlag, sessionFlags, toSessionQuery } from '../../src/ui/session-flags.ts'

export default class ToolsCatalog extends BaseCommand<typeof ToolsCatalog> {
  static override summary =
    'List everything that could exist, before any policy; what a session has is tools effective.'
  static override examples = [
    'openclaw tools catalog',
    'openclaw tools catalog --edition 2026.9 --json | jq ".profiles"',
    'openclaw tools catalog --inventory machine.json5 --output names',
  ]
  static override flags = defineFlags({ ...sessionFlags, ...connectFlag, ...listFlags })

  protected async execute() {
    const asking = this.flags.connect ? { version: this.config.version, signal: this.signal } : null
    const options = { ...this.searchOptions(), edition: this.flags.edition }
    const each = await openCaseFor(options, toSessionQuery(this.flags), asking)
    const view = await each.view()
    const result = catalogResult(view.inventory, view.edition, view.context.agentId)
    return {
      data: result,
      names: () => result.groups.flatMap((group) => group.tools.map((tool) => tool.id)),
      human: async (ui: Ui) => {
        const { renderCatalog } = await import('../../src/ui/render/catalog.ts')
        return renderCatalog(result, ui)
      },
    }
  }
}
