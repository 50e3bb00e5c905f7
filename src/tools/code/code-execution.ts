import { jsonResult } from '../../calls/model-text.ts'
import type { AnyCodeRunner } from '../../calls/code-runner.ts'
import { OpenClawError } from '../../kernel/errors.ts'
import type { OpenFamily } from '../family.ts'

const usualTimeoutMs = 10_000

interface Runner {
  readonly run: AnyCodeRunner
  readonly close: () => Promise<void>
}

/**
 * The tool that computes: JavaScript in the locked child of Tool Search, without the bridge to tools. A snippet that fails is a result
 * that says why; TOOL_UNAVAILABLE where this runtime cannot lock down a child.
 */
export function openCodeExecution(): OpenFamily {
  let runner: Promise<Runner> | null = null
  return {
    tools: {
      code_execution: {
        run: async ({ code, timeoutMs }, { signal }) => {
          runner ??= openRunner()
          const { run } = await runner
          const limits = { timeoutMs: typeof timeoutMs === 'number' ? timeoutMs : usualTimeoutMs }
          const { telemetry: _none, ...result } = await run({
            code: String(code),
            bridge: null,
            signal,
            limits,
          })
          return { result: jsonResult(result), failed: !result.ok }
        },
      },
    },
    close: async () => (await runner)?.close(),
  }
}

async function openRunner(): Promise<Runner> {
  const { isolationSupport } = await import('../../tool-search/code/support.ts')
  const support = isolationSupport()
  if (!support.supported) {
    throw new OpenClawError('TOOL_UNAVAILABLE', `code_execution cannot run here: ${support.because}`)
  }
  const [{ CodePool }, { runCode }] = await Promise.all([
    import('../../tool-search/code/pool.ts'),
    import('../../tool-search/code/run.ts'),
  ])
  const pool = new CodePool({ size: 0 })
  return { run: (job) => runCode({ ...job, pool }), close: () => pool.close() }
}
