import { string } from '@oclif/core/args'
import { loadConfig } from '../../src/config/load.ts'
import { editionOf, getConfigValue } from '../../src/runtime/config-view.ts'
import { BaseCommand } from '../../src/ui/base-command.ts'

export default class ConfigGet extends BaseCommand<typeof ConfigGet> {
  static override summary = 'Print a value of the config, includes and variables resolved, secrets redacted.'
  static override examples = [
    'openclaw config get tools.profile',
    "openclaw config get 'agents.list[id=work].tools.deny'",
    `openclaw config get 'tools.byProvider["openai/gpt-5"]' --json`,
  ]
  static override args = {
    path: string({ description: 'Path such as tools.deny[0]; the whole config without it.' }),
  }

  protected async execute() {
    const loaded = await loadConfig(this.searchOptions())
    await this.tell(loaded.notices)
    const value = getConfigValue(loaded, this.args.path, editionOf(loaded, this.flags.edition))
    return {
      data: value,
      exact: true,
      human: async () => {
        const { renderValue } = await import('../../src/ui/render/config.ts')
        return renderValue(value)
      },
    }
  }
}
