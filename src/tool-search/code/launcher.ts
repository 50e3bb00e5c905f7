import { existsSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import type { ChildFile } from './child-file.ts'
import { cpuSeconds, dataSize, heapSize } from './limits.ts'

/** Walls that the operating system puts around a child, on top of Node's own. */
export type SystemWall =
  | 'data-limit'
  | 'no-files'
  | 'new-user'
  | 'parent-death'
  | 'no-privileges'
  | 'no-network'

/** A way to start a program behind some walls: the words in front of its own command line. */
export interface Launcher {
  readonly walls: readonly SystemWall[]
  readonly prefix: readonly string[]
}

/** What every child is started with; unknown flags would end it at once, so newer ones depend on the Node. */
export function nodeFlags(): readonly string[] {
  const known = process.allowedNodeEnvironmentFlags
  return [
    '--permission',
    '--disallow-code-generation-from-strings',
    // Its files are outside of the permission model.
    '--no-experimental-sqlite',
    ...(known.has('--experimental-ffi') ? ['--no-experimental-ffi'] : []),
    '--no-addons',
    '--disable-proto=delete',
    '--disable-sigusr1',
    // A stray rejection must not end a child that has a result to hand over.
    '--unhandled-rejections=none',
    `--max-old-space-size=${heapSize.oldSpace}`,
    `--max-semi-space-size=${heapSize.semiSpace}`,
    // Compilers are where V8's own walls break, and their reservation would make a limit on memory meaningless.
    '--jitless',
  ]
}

const directories = ['/usr/bin', '/bin', '/usr/sbin', '/sbin', '/usr/local/bin', '/run/current-system/sw/bin']

function find(program: string): string | undefined {
  return directories.map((directory) => `${directory}/${program}`).find((file) => existsSync(file))
}

/** Whether any user may read a file, as far as modes tell. */
function isPublic(file: string): boolean {
  const mayPass = (directory: string): boolean =>
    (statSync(directory).mode & 0o1) !== 0 &&
    (dirname(directory) === directory || mayPass(dirname(directory)))
  return (statSync(file).mode & 0o4) !== 0 && mayPass(dirname(file))
}

/** The user and group that own nothing. */
const nobody = 65_534

/** The walls each program of util-linux can put up here. */
function wallBuilders({ file, reads }: ChildFile): Launcher[] {
  const found: Launcher[] = []
  const prlimit = find('prlimit')
  if (prlimit !== undefined) {
    // Sources run with compilers, whose reservation alone is larger than the limit.
    const data = reads === null ? [`--data=${dataSize}`] : []
    found.push({
      walls: ['no-files', ...(data.length > 0 ? (['data-limit'] as const) : [])],
      prefix: [prlimit, '--core=0', '--fsize=0', `--cpu=${cpuSeconds}:${cpuSeconds + 1}`, ...data],
    })
  }
  const setpriv = find('setpriv')
  if (setpriv !== undefined) {
    const isRoot = process.getuid?.() === 0
    const changesUser = isRoot && [process.execPath, file].every((each) => isPublic(each))
    const user = [`--reuid=${nobody}`, `--regid=${nobody}`, '--clear-groups']
    found.push({
      walls: ['no-privileges', 'parent-death', ...(changesUser ? (['new-user'] as const) : [])],
      prefix: [setpriv, '--no-new-privs', '--pdeathsig=KILL', ...(changesUser ? user : [])],
    })
  }
  const unshare = find('unshare')
  if (unshare !== undefined) {
    found.push({ walls: ['no-network'], prefix: [unshare, '--user', '--net', '--ipc'] })
  }
  return found
}

/** Ways to start a child, the best guarded first and the bare one last; which of them work only a try can tell. */
export function launchers(child: ChildFile): readonly Launcher[] {
  const builders = process.platform === 'linux' ? wallBuilders(child) : []
  return builders
    .map((_, index) => builders.slice(0, builders.length - index))
    .concat([[]])
    .map((chosen) => ({
      walls: chosen.flatMap(({ walls }) => walls),
      prefix: chosen.flatMap(({ prefix }) => prefix),
    }))
}
