/** A change of the config that a session asks for. */
export interface ConfigPatch {
  /** Merged into the config (RFC 7396); entries of lists by their id. */
  readonly patch: Readonly<Record<string, unknown>>
  /** What `config` said the config was. */
  readonly baseHash: string
  readonly dryRun: boolean
  readonly signal: AbortSignal
}

/** What sessions may see and change of the program that runs them. */
export interface ProgramControl {
  /** Whether it is a Gateway, and how that is. */
  status(): object
  /** The config, or a part of it, without secrets; the hash is that of the whole. Errors: PATH_UNSET, PATH_UNKNOWN, PATH_INVALID. */
  config(path: string | null): Promise<{ readonly value: unknown; readonly hash: string }>
  /** What the schema says at a path. Errors: PATH_UNKNOWN, PATH_INVALID. */
  schema(path: string | null): Promise<object>
  /** Changes the config. Errors: CONFIG_CONFLICT for another hash, TOOL_DENIED for a path that is not for sessions, and those of writing. */
  patch(change: ConfigPatch): Promise<object>
  plugins(): Promise<object>
  /** Error: PLUGIN_INVALID for an id that nobody knows. */
  plugin(id: string, signal: AbortSignal): Promise<object>
  /** What works on this machine and what does not. */
  check(): Promise<object>
}
