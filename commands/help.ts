import { string } from '@oclif/core/args'
import { BaseCommand, type Ui } from '../src/ui/base-command.ts'
import { openHelpPage, renderHelpPage } from '../src/ui/help-pages.ts'

export default class Help extends BaseCommand<typeof Help> {
  static override summary = 'Show a help page, or the help of a topic or command.'
  static override examples = [
    'openclaw help notices',
    'openclaw help notices empty-allow',
    'openclaw help exit-codes',
    'openclaw help tools explain',
  ]
  static override args = {
    page: string({
      description: 'notices, files, exit-codes, environment, or a topic or command.',
      required: true,
    }),
    entry: string({ description: 'Only this entry of the page.' }),
  }

  protected async execute() {
    const page = await openHelpPage(this.args.page, this.args.entry)
    return { data: page, human: (ui: Ui) => renderHelpPage(page, ui) }
  }
}
