import { BaseCommand, type Ui } from '../../src/ui/base-command.ts'
import { defineFlags, listFlags } from '../../src/ui/flags.ts'

export default class QaList extends BaseCommand<typeof QaList> {
  static override summary = 'List the scenarios of the QA suite, and what each one asserts.'
  static override examples = [
    'openclaw qa list',
    'openclaw qa list --json | jq -r ".items[].checks[].title"',
    'openclaw qa suite --scenario $(openclaw qa list --output names | head -1)',
  ]
  static override flags = defineFlags({ ...listFlags })

  protected async execute() {
    const { listScenarios } = await import('../../src/runtime/qa.ts')
    const data = listScenarios()
    return {
      data,
      names: () => data.items.map(({ id }) => id),
      human: async (ui: Ui) => {
        const { renderScenarios } = await import('../../src/ui/render/qa.ts')
        return renderScenarios(data.items, ui)
      },
    }
  }
}
