import { OpenClawError } from '../../kernel/errors.ts'
import type { PlannedCommand, Root } from '../place.ts'
import { sandboxEnvironment } from './environment.ts'
import { whyNotShared, type Protected } from './protect.ts'
import type { SandboxSettings } from './settings.ts'

type Variables = Readonly<Record<string, string | undefined>>

/** Everything that a container is made from. */
export interface DockerPlan {
  /** Absolute path of the client. */
  readonly program: string
  readonly image: string
  readonly name: string
  readonly uid: number
  readonly gid: number
  readonly roots: readonly Root[]
  readonly settings: Pick<SandboxSettings, 'docker' | 'limits'>
  readonly guarded: Protected
}

/** What the client itself may know of the environment: where its engine is. */
const forClient = /^(?:PATH|HOME|XDG_RUNTIME_DIR|DOCKER_(?:HOST|CONTEXT|CONFIG|CERT_PATH|TLS|TLS_VERIFY))$/

/** The environment of the docker client. Pure. */
export function clientEnvironment(host: Variables): Record<string, string> {
  return Object.fromEntries(
    Object.entries(host).flatMap(([name, value]) =>
      value !== undefined && forClient.test(name) ? [[name, value]] : [],
    ),
  )
}

/** The command that runs a command in a container of its own, which is gone when it ends. TOOL_UNAVAILABLE for a network or a directory that would open the sandbox. */
export function dockerized(plan: DockerPlan, command: PlannedCommand, host: Variables): PlannedCommand {
  const { program, image, name, roots, settings, guarded } = plan
  const { docker, limits } = settings
  const configured = Object.entries(docker.env ?? {}).flatMap(([key, value]) =>
    typeof value === 'string' || typeof value === 'number' ? [[key, String(value)] as const] : [],
  )
  const env = sandboxEnvironment(command.env, host, { HOME: '/tmp', ...Object.fromEntries(configured) })
  // Every user of this machine can read arguments; what the config gives is handed over by the environment of the client.
  const unseen = Object.fromEntries(
    configured.filter(([key, value]) => env[key] === value && !forClient.test(key) && !key.startsWith('LD_')),
  )
  const mounts = [...roots, ...(docker.binds ?? []).map((text) => readBind(text, guarded))]
  const rows: readonly (readonly string[])[] = [
    ['run', '--rm', '--init', '--interactive', '--pull', 'never', '--label', `openclaw.sandbox=${name}`],
    ['--hostname', 'sandbox', '--network', networkOf(docker.network), '--ipc', 'private'],
    ['--cap-drop', 'ALL', '--security-opt', 'no-new-privileges', '--read-only'],
    ['--tmpfs', `/tmp:rw,nosuid,nodev,mode=1777,size=${limits.tmpMb}m`],
    ['--pids-limit', String(limits.processes), '--ulimit', 'core=0'],
    ['--ulimit', `fsize=${limits.fileMb * 1024 * 1024}`],
    ['--memory', `${limits.memoryMb}m`, '--memory-swap', `${limits.memoryMb}m`],
    ['--user', docker.user ?? `${plan.uid}:${plan.gid}`],
    ...mounts.map((mount) => ['--mount', mountText(mount)]),
    ...Object.entries(env).map(([key, value]) => [
      '--env',
      Object.hasOwn(unseen, key) ? key : `${key}=${value}`,
    ]),
    ['--workdir', command.cwd, '--entrypoint', command.file, image],
    command.args,
  ]
  return { file: program, args: rows.flat(), cwd: '/', env: { ...clientEnvironment(host), ...unseen } }
}

interface Mount {
  readonly dir: string
  readonly target?: string
  readonly writable: boolean
}

function mountText({ dir, target = dir, writable }: Mount): string {
  const fields = ['type=bind', `source=${dir}`, `target=${target}`, ...(writable ? [] : ['readonly'])]
  return fields.map((field) => (/[",]/.test(field) ? `"${field.replaceAll('"', '""')}"` : field)).join(',')
}

function networkOf(network: string | undefined): string {
  const name = network?.trim() || 'none'
  if (name !== 'host' && !name.startsWith('container:')) return name
  throw new OpenClawError(
    'TOOL_UNAVAILABLE',
    `a sandbox cannot be in the network "${name}", which is not its own`,
    {
      hints: ['openclaw config set agents.defaults.sandbox.docker.network none'],
      data: { network: name },
    },
  )
}

function readBind(text: string, guarded: Protected): Mount {
  const [dir = '', target = '', mode = ''] = text.split(':')
  const isWhole = dir.startsWith('/') && target.startsWith('/') && ['', 'ro', 'rw'].includes(mode)
  const reason = isWhole ? whyNotShared(dir, guarded) : 'write it as /host:/container, or /host:/container:ro'
  if (reason === null && !dir.endsWith('.sock')) return { dir, target, writable: mode !== 'ro' }
  throw new OpenClawError(
    'TOOL_UNAVAILABLE',
    `the bind "${text}" cannot be in the sandbox: ${reason ?? 'it is a socket'}`,
    {
      hints: ['openclaw config get agents.defaults.sandbox.docker.binds'],
      data: { bind: text },
    },
  )
}
