import { string } from '@oclif/core/args'
import { boolean } from '@oclif/core/flags'
import { openCase } from '../../src/runtime/case.ts'
import { BaseCommand, type Ui } from '../../src/ui/base-command.ts'
import { defineFlags } from '../../src/ui/flags.ts'
import { sessionFlags, toSessionQuery } from '../../src/ui/session-flags.ts'

export default class PluginsInspect extends BaseCommand<typeof PluginsInspect> {
  static override summary =
    'Show one plugin: its tools and why a session has each or not, its skills, what is wrong with it.'
  static override examples = [
    'openclaw plugins inspect notes',
    'openclaw plugins inspect notes --agent work',
    'openclaw plugins inspect notes --runtime   # runs its code and shows what it registers',
  ]
  static override args = { id: string({ required: true, description: 'Id of a plugin.' }) }
  static override flags = defineFlags({
    ...sessionFlags,
    runtime: boolean({ summary: 'Run the code of the plugin and show what it registers, hooks included.' }),
  })

  protected async execute() {
    const each = await openCase(
      { ...this.searchOptions(), edition: this.flags.edition },
      toSessionQuery(this.flags),
    )
    const { inspectPlugin } = await import('../../src/runtime/plugin-inspect.ts')
    const { runtime } = this.flags
    const result = await inspectPlugin(each, this.args.id, { runtime, signal: this.signal })
    if (runtime && result.runtime === null)
      this.note('its code was not run: the plugin is off, broken or not installed here')
    return {
      data: result,
      human: async (ui: Ui) => {
        const { renderPluginInspection } = await import('../../src/ui/render/plugins.ts')
        return renderPluginInspection(result, ui)
      },
    }
  }
}
