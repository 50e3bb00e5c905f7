import { string } from '@oclif/core/args'
import { BaseCommand, type Ui } from '../src/ui/base-command.ts'
import { environmentPage, exitCodePage, noticePage, type HelpPage } from '../src/ui/help-pages.ts'

const pages = {
  notices: noticePage,
  'exit-codes': exitCodePage,
  environment: environmentPage,
} as const

function render(page: HelpPage, { theme }: Ui): string {
  const entries = page.entries.map(
    ({ name, text }) => `${theme.name(name)}\n  ${text.replaceAll('\n', '\n  ')}`,
  )
  return [theme.heading(page.title), page.intro, ...entries].join('\n\n')
}

export default class Help extends BaseCommand<typeof Help> {
  static override summary = 'Show a help page, or the help of a topic or command.'
  static override examples = [
    'openclaw help notices',
    'openclaw help exit-codes',
    'openclaw help environment',
    'openclaw help tools explain',
  ]
  static override args = {
    page: string({
      description: 'Page to show; any other word is looked up as a topic or command.',
      required: true,
      options: Object.keys(pages),
    }),
  }

  protected async execute() {
    const name = this.args.page as keyof typeof pages
    const page = await pages[name]()
    return { data: { page: name, ...page }, human: (ui: Ui) => render(page, ui) }
  }
}
