import type { AgentEvent } from '../agent/events.ts'
import type { AgentAnswer } from '../runtime/agent.ts'
import { AgentStream, endingLine, usageLine } from './agent-stream.ts'
import { describeStream } from './terminal.ts'
import { loadTheme } from './theme.ts'

/** Where a command shows a run. */
export interface AgentScreen {
  readonly take: (event: AgentEvent) => void
  readonly tell: (line: string) => void
  /** Says what is left to say when the run is over. */
  finish(answer: AgentAnswer): void
  /** Ends the line that is begun, however the run ended. */
  end(): void
}

/** Prepares stdout and stderr for a run. Has to be called before foreign code runs, which is kept away from stdout meanwhile. */
export async function agentScreen(options: {
  readonly json: boolean
  readonly noColor: boolean
  readonly note: (line: string) => void
  readonly signal: AbortSignal
}): Promise<AgentScreen> {
  const { json, noColor, note, signal } = options
  const { stdout, stderr } = process
  const write = stdout.write.bind(stdout)
  const stream = new AgentStream({
    answer: (text) => {
      if (!json) write(text)
    },
    aside: note,
    theme: await loadTheme(describeStream(stderr, noColor).color),
  })
  // The report on an interrupt follows at once, and is no part of the answer.
  signal.addEventListener('abort', () => stream.end(), { once: true })
  return {
    take: stream.take,
    tell: (line) => {
      stream.end()
      note(line)
    },
    finish: (answer) => {
      stream.end()
      const ending = endingLine(answer)
      if (ending !== null) note(ending)
      for (const { command } of answer.pending) note(`try: ${command}`)
      if (!json && answer.turns.length > 0) note(usageLine(answer))
    },
    end: () => stream.end(),
  }
}
