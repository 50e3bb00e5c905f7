import { openCase } from '../../src/runtime/case.ts'
import { BaseCommand } from '../../src/ui/base-command.ts'
import { sessionFlags, toSessionQuery } from '../../src/ui/session-flags.ts'

export default class ToolsSnapshot extends BaseCommand<typeof ToolsSnapshot> {
  static override summary = 'Print everything one answer depends on, secrets redacted, to replay it anywhere.'
  static override examples = [
    'openclaw tools snapshot --agent work > case.json',
    'openclaw tools explain exec --replay case.json',
  ]
  static override flags = sessionFlags

  protected async execute() {
    const each = await openCase(
      { ...this.searchOptions(), edition: this.flags.edition },
      toSessionQuery(this.flags),
    )
    const { takeSnapshot } = await import('../../src/runtime/snapshot.ts')
    const data = await takeSnapshot(each)
    return { data, human: () => JSON.stringify(data, null, 2) }
  }
}
