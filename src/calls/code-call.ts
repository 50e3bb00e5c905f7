import type { Bridge } from '../tool-search/code/bridge.ts'
import type { CodeResult } from '../tool-search/code/result.ts'
import type { Outer, ToolSearchControls } from '../tool-search/controls.ts'
import type { SearchTelemetry } from '../tool-search/counters.ts'
import type { CodeRunner } from './code-runner.ts'

/** The answer of `tool_search_code` and of `tools run` (contract §5). */
export type CodeCallResult = CodeResult & { readonly telemetry: SearchTelemetry }

export interface CodeCall {
  readonly code: string
  /** Id of the call that runs the snippet; absent when no model made it. */
  readonly callId?: string
  readonly signal: AbortSignal
  readonly timeoutMs: number
}

/**
 * Runs a snippet over the controls. Every call that it started has come to its end, if only by the abort that an early end of the snippet
 * is for it, when the result is there; `telemetry` is read last, so that it counts whatever happened.
 */
export async function runCodeCall(
  { code, callId, signal, timeoutMs }: CodeCall,
  run: CodeRunner,
  controls: ToolSearchControls,
  telemetry: () => SearchTelemetry,
): Promise<CodeCallResult> {
  const started = new Set<Promise<unknown>>()
  const said = new Set<string>()
  let count = 0
  const outer = (of: AbortSignal): Outer => ({
    callId,
    from: 'code',
    signal: of,
    next: () => {
      count += 1
      return count
    },
  })
  const bridge: Bridge = {
    search: async ({ query, limit }) => {
      const { hits, note } = await controls.searchFromCode(query, limit)
      if (note) said.add(note.message)
      return hits
    },
    describe: ({ id }, of) => controls.describeFromCode(id, outer(of)),
    call: ({ id, args }, of) => {
      const work = controls.callFromCode(id, args, outer(of))
      started.add(work)
      void work.catch(() => {}).finally(() => started.delete(work))
      return work
    },
  }
  const result = await run({ code, bridge, signal, limits: { timeoutMs } })
  await Promise.allSettled(started)
  const notes = [...(result.notes ?? []), ...said]
  return { ...result, ...(notes.length > 0 && { notes }), telemetry: telemetry() }
}
