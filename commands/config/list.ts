import { boolean } from '@oclif/core/flags'
import { loadConfig } from '../../src/config/load.ts'
import { editionOf, listConfig } from '../../src/runtime/config-view.ts'
import { BaseCommand, type Ui } from '../../src/ui/base-command.ts'
import { defineFlags, listFlags } from '../../src/ui/flags.ts'

export default class ConfigList extends BaseCommand<typeof ConfigList> {
  static override summary = 'List every value of the config by path, secrets redacted.'
  static override examples = [
    'openclaw config list',
    'openclaw config list --origin',
    'openclaw config list --output names',
  ]
  static override flags = defineFlags({
    ...listFlags,
    origin: boolean({ summary: 'Say where each value is set, and list the defaults of the rest.' }),
  })

  protected async execute() {
    const loaded = await loadConfig(this.searchOptions())
    await this.tell(loaded.notices)
    const { origin } = this.flags
    const items = listConfig(loaded, editionOf(loaded, this.flags.edition), origin)
    return {
      data: { file: loaded.file, items: origin ? items : items.map(({ path, value }) => ({ path, value })) },
      names: () => items.map((item) => item.path),
      human: async (ui: Ui) => {
        const { renderConfigList } = await import('../../src/ui/render/config.ts')
        return renderConfigList(items, origin, ui)
      },
    }
  }
}
