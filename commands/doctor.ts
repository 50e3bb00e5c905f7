import { exitCodes } from '../src/kernel/errors.ts'
import { BaseCommand, type Ui } from '../src/ui/base-command.ts'

export default class Doctor extends BaseCommand<typeof Doctor> {
  static override summary =
    'Check the config and what this machine can do, down to the walls around model-written code.'
  static override examples = [
    'openclaw doctor',
    'openclaw doctor --json | jq ".walls[] | select(.holds | not)"',
  ]

  protected async execute() {
    const { examine } = await import('../src/runtime/doctor.ts')
    const report = await examine({ ...this.searchOptions(), edition: this.flags.edition })
    return {
      data: report,
      exitCode: report.ok ? exitCodes.ok : exitCodes.failed,
      human: async (ui: Ui) => {
        const { renderDoctor } = await import('../src/ui/render/doctor.ts')
        return renderDoctor(report, ui)
      },
    }
  }
}
