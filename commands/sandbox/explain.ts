import { BaseCommand, type Ui } from '../../src/ui/base-command.ts'
import { defineFlags } from '../../src/ui/flags.ts'
import { openCaseFor } from '../../src/ui/open-case.ts'
import { sessionFlags, toSessionQuery } from '../../src/ui/session-flags.ts'

export default class SandboxExplain extends BaseCommand<typeof SandboxExplain> {
  static override summary =
    'Show where the tools of a session run, which it has, and who may leave its sandbox.'
  static override examples = [
    'openclaw sandbox explain',
    'openclaw sandbox explain --session agent:main:telegram:direct:1000001',
    'openclaw sandbox explain --agent work --channel discord --sender id:42 --json',
    "openclaw sandbox explain --set agents.defaults.sandbox.mode=all --json | jq '.sandbox.available'",
  ]
  static override flags = defineFlags({ ...sessionFlags })

  protected async execute() {
    const { explainSandbox } = await import('../../src/runtime/sandbox-explain.ts')
    const options = { ...this.searchOptions(), edition: this.flags.edition }
    const each = await openCaseFor(options, toSessionQuery(this.flags), null)
    const data = await explainSandbox(each)
    if (!this.flags.json) await this.tell(data.notices)
    return {
      data,
      human: async (ui: Ui) => {
        const { renderSandbox } = await import('../../src/ui/render/sandbox.ts')
        return renderSandbox(data, ui)
      },
    }
  }
}
