import type { Bridge } from '../tool-search/code/bridge.ts'
import type { RunOptions } from '../tool-search/code/run.ts'
import type { CodeResult } from '../tool-search/code/result.ts'

type Job = Omit<RunOptions, 'pool' | 'bridge'> & { readonly signal: AbortSignal }

/** Runs a snippet in a locked child that somebody keeps ready; never throws for what the snippet does. */
export type CodeRunner = (job: Job & { readonly bridge: Bridge }) => Promise<CodeResult>

/** `CodeRunner` that can also run a snippet which has no tools and only computes. */
export type AnyCodeRunner = (job: Job & { readonly bridge: Bridge | null }) => Promise<CodeResult>
