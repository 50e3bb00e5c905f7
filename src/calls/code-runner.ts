import type { RunOptions } from '../tool-search/code/run.ts'
import type { CodeResult } from '../tool-search/code/result.ts'

/** Runs a snippet in a locked child that somebody keeps ready; never throws for what the snippet does. */
export type CodeRunner = (
  job: Omit<RunOptions, 'pool'> & { readonly signal: AbortSignal },
) => Promise<CodeResult>
