import type { PlannedCommand, Root } from '../place.ts'
import { findProgram } from '../programs.ts'
import { bubblewrapped, type BubblewrapFeatures, type BubblewrapPlan } from './bubblewrap.ts'
import { openCgroups, type Cgroup } from './cgroup.ts'
import { clientEnvironment, dockerized } from './docker.ts'
import { sandboxFiles } from './files.ts'
import { attempt, bubblewrapFeatures, namespaceHints } from './probe.ts'
import type { Protected } from './protect.ts'
import { scopeName } from './scope.ts'
import type { SandboxSettings } from './settings.ts'
import { systemParts } from './system.ts'

type Variables = Readonly<Record<string, string | undefined>>

/** This machine, as far as sandboxes are made on it. */
export interface SandboxHost extends Protected {
  readonly env: Variables
  readonly uid: number
  readonly gid: number
  readonly platform: string
}

/** A sandbox to be made: whose it is, and what of the host's files is in it. */
export interface Wanted {
  readonly key: string
  readonly roots: readonly Root[]
  readonly settings: SandboxSettings
}

/** What keeps a sandbox within its limits: `group` counts all its processes together, `process` each one, null nothing. */
export interface LimitedBy {
  readonly processes: 'group' | 'process' | null
  readonly memory: 'group' | 'process' | null
}

/** A backend that has been tried and works here. */
export interface SandboxBackend {
  readonly name: 'bubblewrap' | 'docker'
  readonly limitedBy: LimitedBy
  readonly wrap: (wanted: Wanted, command: PlannedCommand) => PlannedCommand
}

/** Why there is no sandbox on this machine. */
export interface NoBackend {
  readonly name: null
  readonly reason: string
  readonly hints: readonly string[]
}

export const bubblewrapHint = 'install bubblewrap: apt-get install bubblewrap, dnf install bubblewrap'
const dockerHint = 'or use containers: openclaw config set agents.defaults.sandbox.backend docker'

/** The backend for these settings: the one that is named, and for `auto` bubblewrap, else docker where an image is named. Never the host. */
export async function chooseBackend(
  settings: SandboxSettings,
  host: SandboxHost,
): Promise<SandboxBackend | NoBackend> {
  const { backend, docker } = settings
  if (backend === 'docker') return openDocker(settings, host)
  const first = await openBubblewrap(host)
  if (first.name !== null || backend === 'bubblewrap' || docker.image === undefined) return first
  const second = await openDocker(settings, host)
  if (second.name !== null) return second
  return {
    name: null,
    reason: `${first.reason}; ${second.reason}`,
    hints: [...new Set([...first.hints, ...second.hints])],
  }
}

const tried = new Map<string, Promise<SandboxBackend | NoBackend>>()

/** Starts it once in a run of the program: whether a kernel lets namespaces be made cannot be read off anything. */
function openBubblewrap(host: SandboxHost): Promise<SandboxBackend | NoBackend> {
  const id = JSON.stringify([host.platform, host.env['PATH'], host.stateDir, host.uid])
  const known = tried.get(id) ?? tryBubblewrap(host)
  tried.set(id, known)
  return known
}

async function tryBubblewrap(host: SandboxHost): Promise<SandboxBackend | NoBackend> {
  const { platform, env } = host
  if (platform !== 'linux') {
    return {
      name: null,
      reason: `bubblewrap works on Linux only, and this is ${platform}`,
      hints: [dockerHint],
    }
  }
  const program = findProgram('bwrap', env['PATH'])
  if (program === null)
    return {
      name: null,
      reason: 'bubblewrap is not installed (no bwrap on the PATH)',
      hints: [bubblewrapHint, dockerHint],
    }
  const features = await bubblewrapFeatures(program)
  const trial = { file: '/bin/sh', args: ['-c', ':'], cwd: '/', env: {} }
  let problem = ''
  for (const withGroup of [true, false]) {
    const backend = bubblewrapBackend(program, features, withGroup, host)
    if (withGroup && backend.limitedBy.processes !== 'group') continue
    const wanted = { key: 'trial', roots: [], settings: trialSettings }
    const { ok, problem: said } = await attempt(backend.wrap(wanted, trial))
    if (ok) return backend
    problem = said
  }
  const hints = [...namespaceHints(), 'try it by hand: bwrap --unshare-all --ro-bind / / true', dockerHint]
  return { name: null, reason: `bubblewrap cannot start here: ${problem}`, hints }
}

const trialSettings: SandboxSettings = {
  mode: 'all',
  scope: 'shared',
  backend: 'bubblewrap',
  workspaceAccess: 'none',
  network: false,
  paths: [],
  limits: { processes: 64, memoryMb: 256, tmpMb: 16, fileMb: 16 },
  docker: {},
}

function bubblewrapBackend(
  program: string,
  features: BubblewrapFeatures,
  withGroup: boolean,
  host: SandboxHost,
): SandboxBackend {
  const { uid, gid, stateDir, env } = host
  const groupsOf = ({ key, settings }: Pick<Wanted, 'key' | 'settings'>): readonly Cgroup[] =>
    withGroup ? openCgroups(scopeName(key), settings.limits) : []
  const limits = groupsOf({ key: 'trial', settings: trialSettings }).flatMap((group) => group.limits)
  // A limit of processes for each user does not hold for root.
  const alone = uid === 0 ? null : 'process'
  return {
    name: 'bubblewrap',
    limitedBy: {
      processes: limits.includes('processes') ? 'group' : alone,
      memory: limits.includes('memory') ? 'group' : 'process',
    },
    wrap: (wanted, command) => {
      const { roots, settings } = wanted
      const plan: BubblewrapPlan = {
        program,
        features,
        uid,
        gid,
        roots,
        network: settings.network,
        readable: settings.paths,
        system: systemParts(settings.network),
        files: sandboxFiles(stateDir, uid, gid),
        limits: settings.limits,
        cgroups: groupsOf(wanted).map(({ file }) => file),
      }
      return bubblewrapped(plan, command, env)
    },
  }
}

async function openDocker(settings: SandboxSettings, host: SandboxHost): Promise<SandboxBackend | NoBackend> {
  const { env, uid, gid } = host
  const { image } = settings.docker
  const none = (reason: string, ...hints: readonly string[]): NoBackend => ({ name: null, reason, hints })
  if (image === undefined)
    return none(
      'no image is named for docker',
      'openclaw config set agents.defaults.sandbox.docker.image debian:stable-slim',
    )
  const program = findProgram('docker', env['PATH'])
  if (program === null) return none('docker is not installed', bubblewrapHint)
  const ask = (...args: readonly string[]) =>
    attempt({ file: program, args, cwd: '/', env: clientEnvironment(env) })
  const engine = await ask('version', '--format', '{{.Server.Version}}')
  if (!engine.ok)
    return none(
      `the docker engine does not answer: ${engine.problem}`,
      'start it, or say where it is by DOCKER_HOST',
    )
  const found = await ask('image', 'inspect', '--format', '{{.Id}}', image)
  if (!found.ok) return none(`docker has no image ${image}: ${found.problem}`, `docker pull ${image}`)
  return {
    name: 'docker',
    limitedBy: { processes: 'group', memory: 'group' },
    wrap: ({ key, roots, settings: wanted }, command) =>
      dockerized(
        { program, image, name: scopeName(key), uid, gid, roots, settings: wanted, guarded: host },
        command,
        env,
      ),
  }
}
