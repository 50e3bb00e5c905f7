import { jsonResult } from '../../calls/model-text.ts'
import { OpenClawError } from '../../kernel/errors.ts'
import type { CoreTool } from '../family.ts'
import type { CodingToolOptions } from '../options.ts'
import { missing } from './needs.ts'

/** What an agent wants to know from the person it works for. */
export interface UserQuestion {
  readonly sessionKey: string
  readonly question: string
  /** Answers to choose from; empty where any will do. */
  readonly choices: readonly string[]
}

/** Asks the person who is there; null when nobody answered before the signal fired. */
export type AskUser = (question: UserQuestion, signal: AbortSignal) => Promise<string | null>

/** `ask_user`: asks the person at the terminal. */
export function askUserTool({ services, view }: CodingToolOptions): CoreTool {
  return {
    run: async ({ question, choices }, { signal }) => {
      const { askUser } = services
      if (askUser === undefined) {
        const { needs, hints } = missing.ask_user
        throw new OpenClawError('TOOL_UNAVAILABLE', `ask_user needs ${needs}`, { hints })
      }
      const { sessionKey } = view().context
      const asked = {
        sessionKey,
        question: String(question),
        choices: Array.isArray(choices) ? choices.map(String) : [],
      }
      const answer = await askUser(asked, signal)
      signal.throwIfAborted()
      return {
        result: jsonResult(answer === null ? { status: 'no-answer' } : { status: 'answered', answer }),
      }
    },
  }
}
