import { calling, type CallingCommand } from './calling.ts'
import type { Answer } from './base-command.ts'

/** Answers searches with exactly what a model gets for them, several as one batch. */
export async function searchAsModelAnswer(
  command: CallingCommand,
  queries: readonly string[],
  limit: number | undefined,
): Promise<Answer> {
  const [{ withToolSession }, { searchAsModel }] = await Promise.all([
    import('../runtime/tool-session.ts'),
    import('../runtime/tool-calls.ts'),
  ])
  const result = await calling(command, (options) =>
    withToolSession({ ...options, code: null }, (session) =>
      searchAsModel(session, queries, limit, command.signal),
    ),
  )
  const { renderResult } = await import('./render/call.ts')
  return { data: result.details, human: () => renderResult(result) }
}
