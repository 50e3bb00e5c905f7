import { option, string } from '@oclif/core/flags'
import { exitCodes } from '../../src/kernel/errors.ts'
import { BaseCommand, type Ui } from '../../src/ui/base-command.ts'
import { count, defineFlags, word } from '../../src/ui/flags.ts'

export default class QaSuite extends BaseCommand<typeof QaSuite> {
  static override summary = 'Prove the whole program end to end, against a provider on this machine.'
  static override examples = [
    'openclaw qa suite',
    'openclaw qa suite --provider-mode mock-openai --scenario tool-search-gateway-e2e',
    'openclaw qa suite --scenario tool-search-gateway-e2e --tools 200 --output-dir qa-reports',
    'openclaw qa suite --json | jq ".scenarios[] | {id, status}"',
  ]
  static override flags = defineFlags({
    'provider-mode': option({ options: ['mock-openai'] as const })({
      default: 'mock-openai',
      summary: 'Which models answer; mock-openai does as the scenario says and costs nothing.',
    }),
    scenario: string({
      multiple: true,
      helpValue: 'ID',
      summary: 'Run this scenario; repeat it for several. All of them unless told.',
    }),
    concurrency: count({
      summary: 'Run N scenarios, or N lanes of one, at the same time; else one a CPU, at most 4.',
    }),
    'output-dir': word({
      helpValue: 'DIR',
      summary: 'Folder for the reports; else a new one in .artifacts/qa-e2e.',
    }),
    tools: count({
      default: 36,
      summary: 'Tools in the catalogue of the Tool Search scenario; 36 unless told.',
    }),
  })

  protected async execute() {
    const { scenario = [], concurrency, tools } = this.flags
    const [{ suiteProgress }, { runQaSuite }] = await Promise.all([
      import('../../src/ui/qa-progress.ts'),
      import('../../src/runtime/qa.ts'),
    ])
    const progress = await suiteProgress(this.flags['no-color'])
    const { env, cwd } = this.searchOptions()
    try {
      const data = await runQaSuite({
        scenarios: scenario,
        providerMode: this.flags['provider-mode'],
        tools,
        concurrency,
        outputDir: this.flags['output-dir'],
        env,
        cwd,
        version: this.config.version,
        signal: this.signal,
        onEvent: progress.onEvent,
      })
      return {
        data,
        exitCode: data.counts.failed > 0 ? exitCodes.failed : exitCodes.ok,
        human: async (ui: Ui) => {
          const { renderSuite } = await import('../../src/ui/render/qa.ts')
          return renderSuite(data, ui)
        },
      }
    } finally {
      await progress.end()
    }
  }
}
