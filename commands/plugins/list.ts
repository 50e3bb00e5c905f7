import { openCase } from '../../src/runtime/case.ts'
import { listPlugins } from '../../src/runtime/plugin-list.ts'
import { BaseCommand, type Ui } from '../../src/ui/base-command.ts'
import { defineFlags, listFlags } from '../../src/ui/flags.ts'
import { sessionFlags } from '../../src/ui/session-flags.ts'

export default class PluginsList extends BaseCommand<typeof PluginsList> {
  static override summary = 'List installed plugins, and say why any is off; runs none of their code.'
  static override examples = [
    'openclaw plugins list',
    'openclaw plugins list --output names',
    'openclaw plugins list --json | jq -r ".items[] | [.id, .status, .off.reason] | @tsv"',
  ]
  static override flags = defineFlags({ ...listFlags, inventory: sessionFlags.inventory })

  protected async execute() {
    const options = { ...this.searchOptions(), edition: this.flags.edition }
    const each = await openCase(options, { request: {}, inventoryFile: this.flags.inventory })
    const result = await listPlugins(each)
    return {
      data: result,
      names: () => result.items.map((item) => item.id),
      human: async (ui: Ui) => {
        const { renderPluginList } = await import('../../src/ui/render/plugins.ts')
        return renderPluginList(result, ui)
      },
    }
  }
}
