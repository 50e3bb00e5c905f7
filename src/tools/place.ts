/** A directory that tools may look into. */
export interface Root {
  /** Absolute, and the same inside a sandbox. */
  readonly dir: string
  readonly writable: boolean
}

/** A command that is ready to be started. */
export interface PlannedCommand {
  readonly file: string
  readonly args: readonly string[]
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
}

/** Where file tools or a command of a session work (policy facts §8: sandbox says where, policy whether). */
export interface Place {
  readonly kind: 'host' | 'sandbox'
  /** `host`, `bubblewrap` or `docker`. */
  readonly backend: string
  /** Absolute directory that relative paths start from. */
  readonly cwd: string
  /** The only directories in reach of file tools; null for the whole machine. */
  readonly roots: readonly Root[] | null
  /** Puts the sandbox around a command; on the host it stays as it is. */
  readonly wrap: (command: PlannedCommand) => PlannedCommand
}

/** What a call of exec asks for. */
export interface CommandWish {
  readonly host?: 'auto' | 'sandbox' | 'gateway' | 'node'
  readonly elevated?: boolean
}

/** Where a command runs, and how it came there. */
export interface CommandPlace extends Place {
  /** Level with which it was lifted out of the sandbox; `full` skips approvals where both policies are full and off. */
  readonly elevated: 'off' | 'ask' | 'full'
}

/** The places of a session, as they are now. */
export interface Places {
  /** Where file tools work. Error: TOOL_UNAVAILABLE where a sandbox was asked for and cannot be had. */
  files(): Promise<Place>
  /** Where a command runs. Errors: TOOL_UNAVAILABLE as above or for a node, TOOL_DENIED for a host or elevation that the session may not have. */
  commands(wish: CommandWish): Promise<CommandPlace>
}
