import { boolean, integer } from '@oclif/core/flags'
import { exitCodes } from '../src/kernel/errors.ts'
import { BaseCommand } from '../src/ui/base-command.ts'
import { calling } from '../src/ui/calling.ts'
import { defineFlags, word } from '../src/ui/flags.ts'
import { sessionFlags, toSessionQuery } from '../src/ui/session-flags.ts'

// A replayed or declared session has no tools that run, and another harness runs its own models.
const { replay: _replay, inventory: _inventory, harness: _harness, ...flagsOfSession } = sessionFlags

export default class Agent extends BaseCommand<typeof Agent> {
  static override summary = 'Say something to an agent, and watch it answer with the tools it has.'
  static override examples = [
    'openclaw agent --message "Which of my notes mention the roadmap?"',
    'openclaw agent --agent work --model openai/gpt-5.5 --message "Summarise README.md"',
    'git diff | openclaw agent --message "Review this change" --file -',
    'openclaw agent --message "List the open issues" --json | jq -r .text',
  ]
  static override flags = defineFlags({
    ...flagsOfSession,
    message: word({ char: 'm', helpValue: 'TEXT', summary: 'What to say.' }),
    file: word({ helpValue: 'FILE', summary: 'Text that goes below the message; - reads stdin.' }),
    stream: boolean({ allowNo: true, default: true, summary: 'Show the answer while it comes.' }),
    'max-turns': integer({ min: 1, max: 1000, helpValue: 'N', summary: 'Requests to the model at most.' }),
    yes: boolean({ summary: 'Answer every approval of this run with yes.' }),
  })

  protected async execute() {
    const { json, message, file, edition, stream, yes, 'max-turns': maxTurns } = this.flags
    const query = toSessionQuery({
      ...this.flags,
      replay: undefined,
      inventory: undefined,
      harness: undefined,
    })
    const options = { ...this.searchOptions(), edition }
    const [{ readDirected }, { answerMessage, endedWell }, { withCodeRunner }, { agentScreen }] =
      await Promise.all([
        import('../src/runtime/elevated.ts'),
        import('../src/runtime/agent.ts'),
        import('../src/runtime/code-runner.ts'),
        import('../src/ui/agent-screen.ts'),
      ])
    const said = await readDirected(message, file, options.cwd, query)
    const note = (line: string) => this.note(line)
    const screen = await agentScreen({ json, noColor: this.flags['no-color'], note, signal: this.signal })
    const command = { options, query, yes, version: this.config.version, signal: this.signal }
    try {
      const answer = await calling({ ...command, tell: screen.tell }, (session) =>
        withCodeRunner((code) =>
          answerMessage({ ...session, ...said, code, stream, maxTurns, emit: screen.take }),
        ),
      )
      if (!json) await this.tell(answer.notices)
      screen.finish(answer)
      return { data: answer, exitCode: endedWell(answer) ? exitCodes.ok : exitCodes.failed }
    } finally {
      screen.end()
    }
  }
}
