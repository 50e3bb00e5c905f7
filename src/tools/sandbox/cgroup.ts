import {
  accessSync,
  constants,
  mkdirSync,
  readFileSync,
  readdirSync,
  rmdirSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import type { SandboxLimits } from './settings.ts'

const mount = '/sys/fs/cgroup'
const prefix = 'openclaw-'
/** Milliseconds after which an empty group of nobody is cleared away. */
const forgottenMs = 600_000

type Limit = 'processes' | 'memory'

interface Parent {
  readonly dir: string
  readonly limits: readonly Limit[]
  readonly files: (limits: SandboxLimits) => Readonly<Record<string, string>>
}

const bytes = (megabytes: number): string => String(megabytes * 1024 * 1024)

/** Directories below which groups can be made here, one for each hierarchy; empty where none may be. */
function cgroupParents(): readonly Parent[] {
  if (isFile(join(mount, 'cgroup.controllers'))) return unified()
  const versionOne: Parent[] = [
    {
      dir: join(mount, 'pids'),
      limits: ['processes'],
      files: ({ processes }) => ({ 'pids.max': String(processes) }),
    },
    {
      dir: join(mount, 'memory'),
      limits: ['memory'],
      files: ({ memoryMb }) => ({ 'memory.limit_in_bytes': bytes(memoryMb) }),
    },
  ]
  return versionOne.filter(({ dir }) => isFile(join(dir, 'cgroup.procs')) && isWritable(dir))
}

/** In the one hierarchy of version 2 a group can be made beside the own one, or at the top, where its controllers are handed down. */
function unified(): readonly Parent[] {
  const own = /^0::(\/.*)$/m.exec(read('/proc/self/cgroup'))?.[1] ?? '/'
  for (const dir of [join(mount, dirname(own)), mount]) {
    const handedDown = read(join(dir, 'cgroup.subtree_control')).trim().split(/\s+/)
    if (!isWritable(dir) || !handedDown.includes('pids')) continue
    const hasMemory = handedDown.includes('memory')
    const files = ({ processes, memoryMb }: SandboxLimits) => ({
      'pids.max': String(processes),
      ...(hasMemory && { 'memory.max': bytes(memoryMb), 'memory.swap.max': '0' }),
    })
    return [{ dir, limits: hasMemory ? ['processes', 'memory'] : ['processes'], files }]
  }
  return []
}

/** A group that a process enters by writing into a file, and what is limited in it. */
export interface Cgroup {
  readonly file: string
  readonly limits: readonly Limit[]
}

/** Makes the group of a sandbox with its limits, one in each hierarchy; empty where there can be none. */
export function openCgroups(name: string, limits: SandboxLimits): readonly Cgroup[] {
  return cgroupParents().flatMap(({ dir, limits: kinds, files }) => {
    const group = join(dir, `${prefix}${name}`)
    try {
      sweepOnce(dir)
      mkdirSync(group, { recursive: true })
      for (const [file, value] of Object.entries(files(limits))) {
        // Some kernels have no limit of swap.
        if (isFile(join(group, file))) writeFileSync(join(group, file), value)
      }
      const now = new Date()
      utimesSync(group, now, now)
      return [{ file: join(group, 'cgroup.procs'), limits: kinds }]
    } catch {
      return []
    }
  })
}

const swept = new Set<string>()

/** Clears away groups that nobody has used for long; one with processes cannot be removed. */
function sweepOnce(dir: string): void {
  if (swept.has(dir)) return
  swept.add(dir)
  for (const name of readdirSync(dir)) {
    if (!name.startsWith(prefix)) continue
    try {
      const group = join(dir, name)
      if (Date.now() - statSync(group).mtimeMs > forgottenMs) rmdirSync(group)
    } catch {
      // In use, or gone.
    }
  }
}

function isWritable(dir: string): boolean {
  try {
    accessSync(dir, constants.W_OK)
    return true
  } catch {
    return false
  }
}

function isFile(file: string): boolean {
  return statSync(file, { throwIfNoEntry: false })?.isFile() ?? false
}

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}
