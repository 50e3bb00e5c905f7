import { string as argument } from '@oclif/core/args'
import { BaseCommand, type Ui } from '../../src/ui/base-command.ts'

export default class ConfigDiff extends BaseCommand<typeof ConfigDiff> {
  static override summary =
    'Show what the last write changed, or how the config differs from another file; secrets redacted.'
  static override examples = [
    'openclaw config diff',
    'openclaw config diff ~/.openclaw/openclaw.json.bak.2',
    'openclaw config diff other.json5 --json | jq ".changes[].path"',
  ]
  static override args = {
    file: argument({ description: 'File to compare with; without it the state before the last write.' }),
  }

  protected async execute() {
    const { compareConfig } = await import('../../src/runtime/config-edit/compare.ts')
    const data = await compareConfig(this.searchOptions(), this.args.file)
    return {
      data,
      human: async (ui: Ui) => {
        if (data.diff === '') return `No differences between ${data.other} and ${data.file}.`
        const { renderUnifiedDiff } = await import('../../src/ui/render/unified-diff.ts')
        return renderUnifiedDiff(data.diff, ui)
      },
    }
  }
}
