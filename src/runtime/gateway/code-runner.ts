import type { AnyCodeRunner } from '../../calls/code-runner.ts'
import { codeError } from '../../tool-search/code/result.ts'

/** What runs snippets for as long as the server runs; nothing of it is loaded or started before the first snippet. */
export interface LastingCodeRunner {
  readonly run: AnyCodeRunner
  close(): Promise<void>
}

/** Makes a runner whose pool of children starts with the first snippet. */
export function lastingCodeRunner(): LastingCodeRunner {
  let opened: Promise<Opened> | null = null
  return {
    run: async (job) => {
      opened ??= open()
      return (await opened).run(job)
    },
    close: async () => (await opened)?.close(),
  }
}

interface Opened {
  readonly run: AnyCodeRunner
  readonly close: () => Promise<void>
}

async function open(): Promise<Opened> {
  const { isolationSupport } = await import('../../tool-search/code/support.ts')
  if (!isolationSupport().supported) {
    const telemetry = { searchCount: 0, describeCount: 0, callCount: 0 }
    const error = codeError('unavailable', 'this runtime cannot lock down a code child')
    return { run: async () => ({ ok: false, error, logs: [], telemetry }), close: async () => {} }
  }
  const [{ CodePool }, { runCode }] = await Promise.all([
    import('../../tool-search/code/pool.ts'),
    import('../../tool-search/code/run.ts'),
  ])
  const pool = new CodePool({ size: 1 })
  return { run: (job) => runCode({ ...job, pool }), close: () => pool.close() }
}
