import { string as argument } from '@oclif/core/args'
import { boolean, string } from '@oclif/core/flags'
import { BaseCommand } from '../../src/ui/base-command.ts'
import { changeOptions, replaceFlag, writeAnswer, writerFlags } from '../../src/ui/config-writer.ts'
import { defineFlags } from '../../src/ui/flags.ts'

export default class ConfigPatch extends BaseCommand<typeof ConfigPatch> {
  static override summary =
    'Merge a JSON5 object into the config (RFC 7396): objects merge, null deletes, lists replace.'
  static override examples = [
    'openclaw config patch \'{ tools: { profile: "coding", deny: null } }\'',
    'openclaw config patch --file changes.json5 --dry-run',
    'openclaw config patch --merge-by-id \'{ agents: { list: [{ id: "work", tools: { profile: "full" } }] } }\'',
    'cat changes.json5 | openclaw config patch -',
  ]
  static override args = {
    patch: argument({ description: 'The patch itself; - reads it from stdin.' }),
  }
  static override flags = defineFlags({
    file: string({ summary: 'Read the patch from a file; - is stdin.', helpValue: 'FILE' }),
    'merge-by-id': boolean({ summary: 'Merge lists of objects entry by entry, by their id.' }),
    ...replaceFlag,
    ...writerFlags,
  })

  protected async execute() {
    const { flags, args, signal } = this
    const load = this.searchOptions()
    const { operate } = await import('../../src/runtime/config-edit/operate.ts')
    const { readPatch } = await import('../../src/runtime/config-edit/requests.ts')
    const { createInputs } = await import('../../src/runtime/inputs.ts')
    const patch = await readPatch(
      args.patch,
      flags.file,
      createInputs(load.cwd, () => process.stdin),
    )
    const argv = flags.file === undefined ? [] : ['--file', flags.file]
    const options = changeOptions(load, flags, { command: 'config patch', argv, signal })
    const outcome = await operate([{ op: 'merge', patch, byId: flags['merge-by-id'] }], {
      ...options,
      replace: flags.replace,
    })
    if (!flags.json) await this.tell(outcome.result.notices)
    return writeAnswer(outcome)
  }
}
