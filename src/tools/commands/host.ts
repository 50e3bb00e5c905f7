import type { CommandRegistry } from './registry.ts'

/** What the program around runs offers to exec and process. */
export interface CommandHost {
  /** `call`: the program ends after one call. `run`: it ends with the run. `program`: background commands outlive runs. */
  readonly lasts: 'call' | 'run' | 'program'
  /** The commands of the program; made when the first is started. */
  registry(): Promise<CommandRegistry>
  /** Ends what a run has started and not handed to the background. */
  endRun(owner: object): Promise<void>
  /** Ends all commands. */
  close(): Promise<void>
}

/** Makes what a program offers; nothing is loaded before it is used. */
export function commandHost(lasts: CommandHost['lasts']): CommandHost {
  let made: Promise<CommandRegistry> | null = null
  return {
    lasts,
    registry: () => {
      made ??= import('./registry.ts').then(({ CommandRegistry }) => new CommandRegistry())
      return made
    },
    endRun: async (owner) => {
      await (await made)?.endRun(owner)
    },
    close: async () => {
      await (await made)?.close()
    },
  }
}
