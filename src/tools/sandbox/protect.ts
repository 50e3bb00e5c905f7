import { realpathSync } from 'node:fs'
import { homedir } from 'node:os'
import { join, relative, isAbsolute, sep } from 'node:path'
import { OpenClawError } from '../../kernel/errors.ts'
import { makeWorkspace } from '../workspace.ts'

/** What no sandbox may reach: this program's own state and config, and the homes of people. */
export interface Protected {
  readonly stateDir: string
  readonly homeDir: string
  /** Files of the config; whoever can write them can end the sandbox. */
  readonly configFiles: readonly string[]
}

/** Parts of the system that are never handed in as a directory to work in. */
const system = [
  '/bin',
  '/boot',
  '/dev',
  '/etc',
  '/lib',
  '/proc',
  '/root',
  '/run',
  '/sbin',
  '/sys',
  '/usr',
  '/var/run',
]
/** Where people keep keys, below their home. */
const secrets = ['.ssh', '.gnupg', '.aws', '.azure', '.kube', '.docker', '.config/gcloud', '.password-store']

/** The real path of a directory, which is made if it is not there. Error: TOOL_FAILED where that cannot be. */
export function ensureDirectory(dir: string): string {
  const problem = makeWorkspace(dir)
  if (problem !== null) throw problem
  return realpathSync(dir)
}

/** Whether a path is a directory or in it. */
export function isWithin(path: string, dir: string): boolean {
  const way = relative(dir, path)
  return way === '' || (way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way))
}

/** Why a directory (a real path) cannot be handed into a sandbox; null where it can. */
export function whyNotShared(dir: string, { stateDir, homeDir, configFiles }: Protected): string | null {
  const state = real(stateDir)
  const homes = [...new Set([real(homeDir), real(homedir())])]
  if (homes.some((home) => isWithin(home, dir))) return `${dir} contains the home directory`
  if (isWithin(state, dir)) return `${dir} contains the state directory ${state}`
  const config = configFiles.map(real).find((file) => isWithin(file, dir))
  if (config !== undefined) return `${dir} contains the config ${config}`
  const [inState = ''] = isWithin(dir, state) ? relative(state, dir).split(sep) : ['workspace']
  if (!inState.startsWith('workspace')) return `${dir} is a part of the state directory`
  const keys = homes.flatMap((home) => secrets.map((name) => join(home, name)))
  const key = keys.find((each) => isWithin(dir, each))
  if (key !== undefined) return `${dir} holds keys`
  // A home of its own may lie there, as that of root does.
  const part = system.find(
    (each) => isWithin(dir, each) && !homes.some((home) => isWithin(dir, home) && isWithin(home, each)),
  )
  return part === undefined ? null : `${dir} is a part of the system`
}

/** TOOL_UNAVAILABLE for a workspace that cannot be handed into a sandbox. */
export function requireShareable(dir: string, guarded: Protected): void {
  const reason = whyNotShared(dir, guarded)
  if (reason === null) return
  throw new OpenClawError('TOOL_UNAVAILABLE', `the workspace cannot be in the sandbox: ${reason}`, {
    hints: [
      'give the agent a workspace of its own: openclaw config set agents.defaults.workspace DIR',
      'or keep it out of the sandbox: openclaw config set agents.defaults.sandbox.workspaceAccess none',
    ],
    data: { workspace: dir },
  })
}

function real(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    return path
  }
}
