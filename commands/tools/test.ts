import { resolve } from 'node:path'
import { string as stringArg } from '@oclif/core/args'
import { boolean, string } from '@oclif/core/flags'
import { exitCodes, OpenClawError } from '../../src/kernel/errors.ts'
import { createInputs } from '../../src/runtime/inputs.ts'
import { BaseCommand, type Ui } from '../../src/ui/base-command.ts'
import { defineFlags } from '../../src/ui/flags.ts'

export default class ToolsTest extends BaseCommand<typeof ToolsTest> {
  static override summary = 'Run policy tests: files that say which tools a config must show and hide.'
  static override examples = [
    'openclaw tools test policy.test.json5',
    'openclaw tools test tests/*.json5 --junit report.xml',
    'openclaw tools test policy.test.json5 --update',
    'openclaw help files policy-test  # what a file looks like',
  ]
  static override args = {
    file: stringArg({ required: true, multiple: true, description: 'Policy test files, - for stdin.' }),
  }
  static override flags = defineFlags({
    update: boolean({ summary: 'Rewrite the claims of failing cases to what is true now.' }),
    junit: string({ helpValue: 'FILE', summary: 'Write a JUnit report, too.' }),
  })

  protected async execute() {
    const { runPolicyTests } = await import('../../src/runtime/policy-tests.ts')
    const { edition, update, junit } = this.flags
    const files: readonly string[] = this.args.file
    if (update && files.includes('-')) {
      throw new OpenClawError('USAGE', '--update needs files; stdin cannot be rewritten')
    }
    const { cwd } = this.searchOptions()
    const result = await runPolicyTests(
      createInputs(cwd, () => process.stdin),
      files,
      { edition, update },
    )
    if (junit !== undefined) {
      const { writeJunit } = await import('../../src/runtime/policy-tests.ts')
      writeJunit(resolve(cwd, junit), result)
    }
    if (result.updated) this.note(`updated ${result.updated} case${result.updated === 1 ? '' : 's'}`)
    return {
      data: result,
      exitCode: result.failed > 0 ? exitCodes.denied : exitCodes.ok,
      human: async (ui: Ui) => {
        const { renderPolicyTests } = await import('../../src/ui/render/policy-tests.ts')
        return renderPolicyTests(result, ui)
      },
    }
  }
}
