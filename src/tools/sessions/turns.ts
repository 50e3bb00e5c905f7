import type { Bounds } from '../bounds.ts'

/** A message for a session that is answered by its agent, under that session's own policy. */
export interface Turn {
  readonly agentId: string
  readonly sessionKey: string
  readonly text: string
  /** False where whoever caused the turn does not own the agent. */
  readonly owner: boolean
  /** What the turn is kept to, besides that policy. */
  readonly bounds: Bounds
  readonly signal: AbortSignal
  /** Names the run of the turn, where whoever begins it wants to know it again. */
  readonly runId?: string
}

/** What came of a turn. */
export interface TurnEnd {
  /** The last message of the model. */
  readonly text: string
  /** Why it ended; `stop` where the model had said all. */
  readonly ended: string
  readonly usage: { readonly input: number; readonly output: number; readonly totalTokens: number }
}

/** Runs a turn in this program, after those of the same session that came before. Throws why it failed, and the signal's reason. */
export type RunTurn = (turn: Turn) => Promise<TurnEnd>
