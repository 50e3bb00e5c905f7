import { findConfig } from '../../src/config/find.ts'
import { exitCodes } from '../../src/kernel/errors.ts'
import { validateFile } from '../../src/runtime/validate.ts'
import { BaseCommand, type Ui } from '../../src/ui/base-command.ts'

export default class ConfigValidate extends BaseCommand<typeof ConfigValidate> {
  static override summary =
    'Check the config: every error with its place, and what its tool lists do not say.'
  static override examples = [
    'openclaw config validate',
    'openclaw config validate --config ./openclaw.json5 --json | jq .valid',
    'openclaw config validate --edition 2026.9',
  ]

  protected async execute() {
    const options = this.searchOptions()
    const { file, exists } = await findConfig(options)
    if (!exists && !this.flags.json) this.note('note: the file does not exist; every setting has its default')
    const result = await validateFile(options, this.flags.edition, file)
    if (!this.flags.json) await this.tell(result.warnings, true)
    return {
      data: result,
      exitCode: result.valid ? exitCodes.ok : exitCodes.configInvalid,
      human: async (ui: Ui) => {
        const { renderValidation } = await import('../../src/ui/render/config.ts')
        return renderValidation(result, ui)
      },
    }
  }
}
