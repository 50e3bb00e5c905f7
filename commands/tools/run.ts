import { string } from '@oclif/core/flags'
import { exitCodes } from '../../src/kernel/errors.ts'
import { readSnippet } from '../../src/runtime/call-input.ts'
import { BaseCommand } from '../../src/ui/base-command.ts'
import { calling } from '../../src/ui/calling.ts'
import { defineFlags } from '../../src/ui/flags.ts'
import { sessionFlags, toSessionQuery } from '../../src/ui/session-flags.ts'

export default class ToolsRun extends BaseCommand<typeof ToolsRun> {
  static override summary = 'Run a snippet in the locked code child, over the tools of a session.'
  static override examples = [
    'openclaw tools run --code snippet.js',
    'echo \'return await openclaw.tools.search("create an issue")\' | openclaw tools run --code -',
    'openclaw tools run --code snippet.js --agent work --json',
  ]
  static override flags = defineFlags({
    ...sessionFlags,
    code: string({
      required: true,
      helpValue: 'FILE',
      summary: 'The body of an async function (- for stdin).',
    }),
  })

  protected async execute() {
    const { code: file, json, edition } = this.flags
    const query = toSessionQuery(this.flags)
    const options = { ...this.searchOptions(), edition }
    const code = await readSnippet(file, options.cwd, query)
    const [{ withToolSession }, { runSnippet }, { withCodeRunner }] = await Promise.all([
      import('../../src/runtime/tool-session.ts'),
      import('../../src/runtime/tool-calls.ts'),
      import('../../src/runtime/code-runner.ts'),
    ])
    const note = (line: string) => this.note(line)
    const command = { options, query, version: this.config.version, signal: this.signal, tell: note }
    return calling(command, (base) =>
      withCodeRunner((runner) =>
        withToolSession({ ...base, code: runner }, async (session) => {
          const result = await runSnippet(session, code, this.signal)
          for (const { command: way } of session.log.pending) note(`try: ${way}`)
          if (!json) await this.tell(session.notices)
          return {
            data: result,
            exitCode: result.ok ? exitCodes.ok : exitCodes.failed,
            human: async () => {
              const { renderValue } = await import('../../src/ui/render/call.ts')
              for (const line of [...result.logs, ...(result.notes ?? [])]) note(renderValue(line))
              if (result.ok) return renderValue(result.value)
              note(`error: ${result.error.code}: ${renderValue(result.error.message)}`)
              return ''
            },
          }
        }),
      ),
    )
  }
}
