import type { Command } from '@oclif/core/command'
import type { Config } from '@oclif/core/config'
import type { OutputName } from './streams.ts'

export type CommandClass = { id: string } & (new (argv: string[], config: Config) => Command)

/** The program around the commands; the built and the development entry differ only in this. */
export interface Program {
  readonly name: string
  readonly version: string
  /** Directory that oclif reads its package.json and manifest from; only help needs it. */
  readonly root: string
  /** oclif's package.json where there is none at `root`. */
  readonly pjson?: Config['pjson']
  /** Told of output that could not be written; may end the process. */
  readonly onLostOutput?: (name: OutputName, error: NodeJS.ErrnoException) => void
  /** Called before the code of a command is imported, with its words. */
  readonly beforeImport?: (command: string) => void
  /** Command by its words, as typed: `tools effective`. */
  readonly commands: Readonly<Record<string, () => Promise<{ default: CommandClass }>>>
}

/** The name that users type. */
export const bin = 'openclaw'

function variable(name: string): string {
  return `OPENCLAW_${name}`
}

/** The part of oclif's Config that a command reads; loading the real one costs more than most commands do. */
export function configOf(program: Program): Config {
  const config = {
    bin,
    name: program.name,
    version: program.version,
    userAgent: `${bin}/${program.version}`,
    pjson: { name: program.name, version: program.version, oclif: { bin } },
    topicSeparator: ' ',
    commandIDs: [],
    commands: [],
    plugins: new Map(),
    runHook: async () => ({ successes: [], failures: [] }),
    scopedEnvVar: () => undefined,
    scopedEnvVarKey: variable,
    scopedEnvVarKeys: (name: string) => [variable(name)],
  }
  // Loading, plugins and updates are what the rest of that interface is about.
  return config as unknown as Config
}
