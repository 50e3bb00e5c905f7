import { BaseCommand } from '../../src/ui/base-command.ts'
import { defineFlags } from '../../src/ui/flags.ts'
import { openCaseFor } from '../../src/ui/open-case.ts'
import { connectFlag, sessionFlags, toSessionQuery } from '../../src/ui/session-flags.ts'

export default class ToolsSnapshot extends BaseCommand<typeof ToolsSnapshot> {
  static override summary = 'Print everything one answer depends on, secrets redacted, to replay it anywhere.'
  static override examples = [
    'openclaw tools snapshot --agent work > case.json',
    'openclaw tools explain exec --replay case.json',
  ]
  static override flags = defineFlags({ ...sessionFlags, ...connectFlag })

  protected async execute() {
    const asking = this.flags.connect ? { version: this.config.version, signal: this.signal } : null
    const options = { ...this.searchOptions(), edition: this.flags.edition }
    const each = await openCaseFor(options, toSessionQuery(this.flags), asking)
    const { takeSnapshot } = await import('../../src/runtime/snapshot.ts')
    const data = await takeSnapshot(each)
    return { data, exact: true, human: () => JSON.stringify(data, null, 2) }
  }
}
