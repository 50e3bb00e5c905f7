import type { Message } from './messages.ts'
import type { TurnPayload } from './events.ts'
import type { TurnTools } from './run.ts'
import type { ModelRef } from './providers/settings.ts'

/**
 * Where a run writes down what happens, as it happens. Every call returns when it is written: a program that is killed the moment
 * after has a valid transcript all the same.
 */
export interface Journal {
  message(message: Message): void
  /** The session goes on with this model. */
  model(ref: ModelRef): void
  /** A request with its message and all results is over. */
  turn(payload: TurnPayload, tools: TurnTools): void
}
