import { exitCodes, type ExitCode } from '../kernel/errors.ts'
import type { Notice } from '../kernel/path.ts'
import type { ExplainResult } from '../policy/explain.ts'
import type { AgentsResult } from '../runtime/answers.ts'
import type { Answer, Ui } from './base-command.ts'

const isUsable = (verdict: string): boolean => verdict === 'visible' || verdict === 'deferred'

function exitOf(verdicts: readonly string[], check: boolean): ExitCode {
  return check && !verdicts.every(isUsable) ? exitCodes.denied : exitCodes.ok
}

/** The answer of `tools explain` about one session. */
export function explainAnswer(
  result: ExplainResult & { readonly notices: readonly Notice[] },
  {
    check,
    full,
    sessionKey,
  }: { readonly check: boolean; readonly full: boolean; readonly sessionKey: string },
): Answer {
  return {
    data: result,
    exitCode: exitOf([result.verdict], check),
    human: async (ui: Ui) => {
      const { renderExplain } = await import('./render/explain.ts')
      return renderExplain(result, full, sessionKey, ui)
    },
  }
}

/** The answer of `tools explain --all-agents`. */
export function agentsAnswer(result: AgentsResult, check: boolean): Answer {
  return {
    data: result,
    exitCode: exitOf(
      result.agents.map((row) => row.verdict),
      check,
    ),
    human: async (ui: Ui) => {
      const { renderAgentMatrix } = await import('./render/explain.ts')
      return renderAgentMatrix(result, ui)
    },
  }
}
