import { findConfig } from '../../src/config/find.ts'
import { BaseCommand } from '../../src/ui/base-command.ts'

export default class ConfigFile extends BaseCommand<typeof ConfigFile> {
  static override summary = 'Print the path of the config file, whether it exists or not.'
  static override examples = [
    'openclaw config file',
    'openclaw config file --profile work',
    'openclaw config file --json',
  ]

  protected async execute() {
    const { file, exists, stateDir } = await findConfig(this.searchOptions())
    return {
      data: { file, exists, stateDir },
      exact: true,
      human: () => {
        if (!exists) this.note('note: the file does not exist; every setting has its default')
        return file
      },
    }
  }
}
