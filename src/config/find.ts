import { lstatSync, statSync } from 'node:fs'
import { homedir, userInfo } from 'node:os'
import { dirname, isAbsolute, join, resolve } from 'node:path'
import { OpenClawError } from '../kernel/errors.ts'
import type { Env } from './env.ts'

/** File name of a config, and the one it had under the project's earlier name. */
export const configNames = ['openclaw.json', 'clawdbot.json'] as const

export const stdinFile = '<stdin>'

export interface FindOptions {
  /** `--config`; `-` is standard input. */
  readonly file?: string | undefined
  /** `--state-dir` */
  readonly stateDir?: string | undefined
  /** `--profile` */
  readonly profile?: string | undefined
  readonly env: Env
  readonly cwd: string
  /** Home directory to use whatever the environment says. */
  readonly home?: string | undefined
}

export interface ConfigPlace {
  /** Absolute path, or `<stdin>`. */
  readonly file: string
  readonly exists: boolean
  readonly stateDir: string
  readonly home: string
}

/** A variable's value; blank, `undefined` and `null` count as unset, as wrappers write them when they have nothing. */
export function envValue(env: Env, name: string): string | null {
  const value = env[name]?.trim() ?? ''
  return value === '' || value === 'undefined' || value === 'null' ? null : value
}

/** Replaces a leading `~` by the home directory. */
export function expandHome(path: string, home: string): string {
  return /^~(?=$|[/\\])/.test(path) ? join(home, path.slice(1)) : path
}

/** The home directory: `OPENCLAW_HOME`, `HOME`, `USERPROFILE`, else the system's; never the current directory, where anybody may have left a config. */
export function findHome(env: Env, cwd: string): string {
  const system = envValue(env, 'HOME') ?? envValue(env, 'USERPROFILE') ?? systemHome()
  const own = envValue(env, 'OPENCLAW_HOME')
  return resolve(cwd, own === null ? system : expandHome(own, system))
}

/** A blank HOME is no home to the system's answer either, which repeats it; the account's own is. */
function systemHome(): string {
  const said = homedir()
  if (isAbsolute(said)) return said
  try {
    return userInfo().homedir
  } catch {
    return '/'
  }
}

/** The state directory: `--state-dir`, `OPENCLAW_STATE_DIR`, `~/.openclaw-<profile>`, `~/.openclaw`. Throws `USAGE` for a profile name that is no plain word. */
export function findStateDir(options: FindOptions, home: string): string {
  const { env, cwd } = options
  const given = options.stateDir ?? envValue(env, 'OPENCLAW_STATE_DIR')
  if (given !== null) return resolve(cwd, expandHome(given, home))
  const profile = options.profile ?? envValue(env, 'OPENCLAW_PROFILE')
  if (profile === null) return join(home, '.openclaw')
  if (!/^[\w-]+$/.test(profile)) {
    throw new OpenClawError('USAGE', `${JSON.stringify(profile)} is no profile name`, {
      hints: ['use letters, digits, _ and -'],
    })
  }
  return join(home, `.openclaw-${profile}`)
}

function entryExists(path: string): boolean {
  try {
    lstatSync(path)
    return true
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : null
    if (code === 'ENOENT' || code === 'ENOTDIR') return false
    // What cannot be looked at may be a config; treating it as missing would silently run on defaults.
    return true
  }
}

function isDirectory(path: string): boolean {
  try {
    return statSync(path).isDirectory()
  } catch {
    return false
  }
}

function missing(file: string): OpenClawError {
  const inside = configNames.map((name) => join(dirname(file), name)).filter((path) => entryExists(path))
  return new OpenClawError('CONFIG_NOT_FOUND', `config file ${file} does not exist`, {
    hints:
      inside.length > 0 ? [`there is ${inside.join(' and ')}`] : ['check --config and OPENCLAW_CONFIG_PATH'],
    data: { file },
  })
}

/** Where the config is (§3.1 of the config facts): `--config`, `OPENCLAW_CONFIG_PATH`, else the state directory, where a file under the earlier name counts too. `CONFIG_NOT_FOUND` for an explicit file that is not there. */
export async function findConfig(options: FindOptions): Promise<ConfigPlace> {
  const { env, cwd } = options
  const home = resolve(cwd, options.home ?? findHome(env, cwd))
  const stateDir = findStateDir(options, home)
  const given = options.file ?? envValue(env, 'OPENCLAW_CONFIG_PATH')
  if (given === '-') return { file: stdinFile, exists: true, stateDir, home }
  if (given !== null) {
    const file = resolve(cwd, expandHome(given, home))
    if (!entryExists(file)) throw missing(file)
    return { file, exists: true, stateDir, home }
  }
  const [name] = configNames
  const file = join(stateDir, name)
  if (entryExists(file)) return { file, exists: true, stateDir, home }
  if (!isDirectory(stateDir)) return { file, exists: false, stateDir, home }
  // The search library costs as much as the rest of a start, so the common cases above do without it.
  const { searchDirectory } = await import('./search-directory.ts')
  const found = searchDirectory(stateDir, configNames)
  return { file: found ?? file, exists: found !== null, stateDir, home }
}
