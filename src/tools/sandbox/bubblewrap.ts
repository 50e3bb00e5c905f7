import { existsSync } from 'node:fs'
import { execPath } from 'node:process'
import type { PlannedCommand, Root } from '../place.ts'
import { sandboxEnvironment, usualPath } from './environment.ts'
import type { SandboxLimits } from './settings.ts'
import type { SystemPart } from './system.ts'

/** What the bubblewrap of this machine can do beyond what all of them can. */
export interface BubblewrapFeatures {
  /** `--disable-userns` (0.8). */
  readonly disableUserns: boolean
  /** `--size` (0.7). */
  readonly size: boolean
}

/** Everything that a sandbox is made from. */
export interface BubblewrapPlan {
  /** Absolute path of the program. */
  readonly program: string
  readonly features: BubblewrapFeatures
  /** User and group outside; root is nobody special inside. */
  readonly uid: number
  readonly gid: number
  readonly roots: readonly Root[]
  readonly network: boolean
  /** Directories and files that can be read, besides the system. */
  readonly readable: readonly string[]
  readonly system: readonly SystemPart[]
  readonly files: SandboxFiles
  readonly limits: SandboxLimits
  /** Files through which a process enters its group. */
  readonly cgroups: readonly string[]
}

/** Files made for sandboxes, by absolute path. */
export interface SandboxFiles {
  readonly passwd: string
  readonly group: string
  /** Null on a machine whose system calls are not known here. */
  readonly seccomp: string | null
}

const insideUid = 1000
const nodeInside = '/opt/openclaw/bin/node'
const home = '/tmp/home'

// Descriptors and groups are what only a process itself can open and enter; then it becomes the sandbox, so that killing it kills everything.
const enter = [
  // What this program was started with may be open in it, too; a directory would be a way out. Plain shells cannot name descriptors above 9.
  'if [ -n "$BASH_VERSION" ]; then for fd in /proc/$$/fd/*; do case "${fd##*/}" in 0|1|2) ;; *) eval "exec ${fd##*/}>&-" ;; esac; done; fi',
  'if [ -n "$1" ]; then exec 9<"$1" || exit 125; fi; shift',
  'while [ "$1" != -- ]; do echo 0 >"$1" || exit 125; shift; done; shift',
  'exec "$@"',
].join('\n')

/** Limits that count inside the sandbox only, because the user may have other programs; shells disagree on the letter for processes. */
function limited({ processes, memoryMb, fileMb }: SandboxLimits): string {
  return [
    'ulimit -c 0',
    `{ ulimit -p ${processes} || ulimit -u ${processes}; } 2>/dev/null`,
    `ulimit -d ${memoryMb * 1024}`,
    `ulimit -f ${fileMb * 2048}`,
    'exec "$@"',
  ].join('; ')
}

/** The command that makes a sandbox and runs a command in it. The environment goes in by arguments: what is given for the command must not act on what makes the sandbox. Looks only at which shell and which node there are. */
export function bubblewrapped(
  plan: BubblewrapPlan,
  command: PlannedCommand,
  host: Readonly<Record<string, string | undefined>>,
): PlannedCommand {
  const { program, files, cgroups, limits } = plan
  // With a socket for its stdin, bash takes itself for a remote login and reads the files of the user.
  const [shell, ...shellOptions] = existsSync('/bin/bash')
    ? (['/bin/bash', '--norc', '--noprofile'] as const)
    : (['/bin/sh'] as const)
  const env = sandboxEnvironment(command.env, host, {
    HOME: home,
    USER: 'sandbox',
    LOGNAME: 'sandbox',
    SHELL: '/bin/sh',
    TMPDIR: '/tmp',
    PATH: isSystemNode() ? usualPath : `${usualPath}:${nodeInside.slice(0, -'/node'.length)}`,
  })
  const variables = Object.entries(env).flatMap(([name, value]) => ['--setenv', name, value])
  const options = [...bubblewrapOptions(plan), ...variables, '--chdir', command.cwd]
  const inner = ['/bin/sh', '-c', limited(limits), 'sh', command.file, ...command.args]
  return {
    file: shell,
    args: [
      ...shellOptions,
      '-c',
      enter,
      'sandbox',
      files.seccomp ?? '',
      ...cgroups,
      '--',
      program,
      ...options,
      '--',
      ...inner,
    ],
    cwd: '/',
    env: { PATH: usualPath },
  }
}

/** The options of `bwrap`, in the order in which it obeys them. Pure but for the path of the node that runs this. */
export function bubblewrapOptions(plan: BubblewrapPlan): readonly string[] {
  const { features, uid, gid, roots, network, readable, system, files, limits } = plan
  const tmpfs = (megabytes: number, dir: string): string[] => [
    ...(features.size ? ['--size', String(megabytes * 1024 * 1024)] : []),
    '--perms',
    '1777',
    '--tmpfs',
    dir,
  ]
  const rows: readonly (readonly string[])[] = [
    ['--unshare-user', '--unshare-ipc', '--unshare-pid', '--unshare-uts', '--unshare-cgroup-try'],
    network ? [] : ['--unshare-net'],
    features.disableUserns ? ['--disable-userns'] : [],
    ['--uid', String(uid === 0 ? insideUid : uid), '--gid', String(gid === 0 ? insideUid : gid)],
    ['--hostname', 'sandbox', '--cap-drop', 'ALL', '--new-session', '--die-with-parent'],
    files.seccomp === null ? [] : ['--seccomp', '9'],
    ...system.map((part) =>
      part.type === 'link' ? ['--symlink', part.target, part.path] : ['--ro-bind', part.path, part.path],
    ),
    ['--ro-bind', files.passwd, '/etc/passwd', '--ro-bind', files.group, '/etc/group'],
    ['--dev', '/dev', ...tmpfs(limits.tmpMb, '/dev/shm'), '--remount-ro', '/dev'],
    // Root outside may write there whatever it is inside: one line into core_pattern would run a program on the host.
    ['--proc', '/proc', '--remount-ro', '/proc'],
    [...tmpfs(limits.tmpMb, '/tmp'), '--dir', home, '--perms', '0755', '--dir', '/opt/openclaw/bin'],
    isSystemNode() ? [] : ['--ro-bind', execPath, nodeInside],
    ...readable.map((path) => ['--ro-bind', path, path]),
    ...roots.map(({ dir, writable }) => [writable ? '--bind' : '--ro-bind', dir, dir]),
    ['--remount-ro', '/'],
  ]
  return rows.flat()
}

function isSystemNode(): boolean {
  return execPath.startsWith('/usr/')
}
