import type { ToolSessionOptions } from '../runtime/tool-session.ts'
import { terminalPrompt } from './approval-prompt.ts'
import { withForeignOutput } from './foreign-output.ts'
import { dialling } from './progress.ts'
import { terminalQuestion } from './question-prompt.ts'

/** What a command that runs tools brings along. */
export interface CallingCommand extends Pick<ToolSessionOptions, 'options' | 'query' | 'yes' | 'tell'> {
  readonly version: string
  readonly signal: AbortSignal
}

/** Runs work that calls tools: a person at the terminal sees what is waited for and may be asked, plugins cannot write into the answer. */
export function calling<Result>(
  { version, signal, ...rest }: CallingCommand,
  work: (options: Omit<ToolSessionOptions, 'code'>) => Promise<Result>,
): Promise<Result> {
  const warn = (message: string): void => rest.tell(`warning: ${message}`)
  return withForeignOutput(signal, warn, () =>
    dialling({ version, signal }, (dial) =>
      work({
        ...rest,
        dial: { ...dial, version, signal },
        prompt: terminalPrompt(),
        askUser: terminalQuestion(),
      }),
    ),
  )
}
