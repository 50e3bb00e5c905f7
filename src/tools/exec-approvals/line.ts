/** An argument of a command; null for one, or any number, that only the running shell will know. */
export type Arg = string | null

/** Where a command of a line is run. */
export interface Scene {
  /** Absolute directory; null where it depends on what happens before. */
  readonly cwd: string | null
  /** PATH with which names are looked up. */
  readonly path: string
  /** Arguments of the script, `$0` first; null where nobody knows them. */
  readonly positional: readonly Arg[] | null
  /** Shells that were opened around it. */
  readonly depth: number
  /** Whether the input is a file that the line names. */
  readonly readsFile: boolean
}

/** One command that a line would run. */
export interface LineCommand {
  /** Its name and arguments. */
  readonly argv: readonly Arg[]
  readonly scene: Scene
  /** Whether a shell runs it, which has builtins, or another program does. */
  readonly from: 'shell' | 'program'
}

/** Something in a line that is not understood well enough to be allowed. */
export interface Puzzle {
  /** The piece of the line. */
  readonly text: string
  readonly why: string
}

/** Takes what is found while a line is read. */
export interface Finder {
  command(command: LineCommand): void
  puzzle(puzzle: Puzzle): void
}
