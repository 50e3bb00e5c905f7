import type { AnyCodeRunner } from '../calls/code-runner.ts'

/** What runs snippets, for the time of some work; its children end with it. Null is given where this Node cannot lock them down. */
export async function withCodeRunner<Result>(
  work: (run: AnyCodeRunner | null) => Promise<Result>,
): Promise<Result> {
  const { isolationSupport } = await import('../tool-search/code/support.ts')
  if (!isolationSupport().supported) return work(null)
  const [{ CodePool }, { runCode }] = await Promise.all([
    import('../tool-search/code/pool.ts'),
    import('../tool-search/code/run.ts'),
  ])
  // One snippet needs one child: a spare would be started for nobody.
  const pool = new CodePool({ size: 0 })
  try {
    return await work((job) => runCode({ ...job, pool }))
  } finally {
    await pool.close()
  }
}
