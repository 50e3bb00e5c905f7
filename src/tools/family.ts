import type { Executor } from '../calls/executor.ts'
import type { CodingToolOptions } from './options.ts'

/** A built-in tool that runs. What its `run` throws is the failure of the call: OpenClawError keeps its code; TOOL_UNAVAILABLE with hints where a need is not met. */
export type CoreTool = Omit<Executor, 'nests' | 'limitMs'>

/** Tools that share state, made once for a run when the first of them is called. */
export interface OpenFamily {
  /** By name; a tool that needs something which is not there throws TOOL_UNAVAILABLE when it is called. */
  readonly tools: Readonly<Record<string, CoreTool>>
  /** Ends what belongs to the run: processes, connections, timers. */
  readonly close?: () => Promise<void>
}

/** A family of built-in tools. Its code is loaded when the first of its tools is called, so that no start pays for it. */
export interface ToolFamily {
  /** Part of the construction plan that it belongs to. */
  readonly part: ConstructionPart
  /** Names in any edition. */
  readonly names: readonly string[]
  readonly open: (options: CodingToolOptions) => Promise<OpenFamily>
  /** Milliseconds that calls of some of its tools may take, where that is not what calls may take in general. */
  readonly limitMs?: Readonly<Record<string, number>>
}

/** The parts that a run's tools are built from, one by one. */
export const constructionParts = ['baseCoding', 'shell', 'web', 'openclaw', 'channel', 'plugin'] as const

export type ConstructionPart = (typeof constructionParts)[number]
