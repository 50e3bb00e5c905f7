import type { SystemWall } from './launcher.ts'
import { dataSize, defaultLimits, heapSize, sizeInWords } from './limits.ts'
import { CodePool, type PoolOptions } from './pool.ts'
import { isolationSupport } from './support.ts'

/** One independent reason why a snippet cannot get out. */
export interface Wall {
  readonly id: 'permission' | 'realm' | 'environment' | 'memory-watch' | SystemWall
  readonly holds: boolean
  readonly what: string
}

/** Whether code mode works here, and behind how many walls. */
export type Isolation =
  | { readonly supported: true; readonly walls: readonly Wall[] }
  | { readonly supported: false; readonly because: string }

const always: readonly Omit<Wall, 'holds'>[] = [
  {
    id: 'permission',
    what: 'Node denies the process files, network, child processes, threads, addons and debuggers',
  },
  {
    id: 'realm',
    what: 'snippets run in a realm of their own; no object of the host enters it, and no code is made from strings',
  },
  { id: 'environment', what: 'the process has no environment variables, three pipes and an empty directory' },
]

const bySystem: Readonly<Record<SystemWall, string>> = {
  'no-files': 'the system lets the process write to no file and leave no core dump',
  'data-limit': `the system gives the process at most ${sizeInWords(dataSize)} of memory, buffers included`,
  'no-privileges': 'the process cannot gain privileges',
  'parent-death': 'the system kills the process when this program dies',
  'new-user': 'the process belongs to a user who owns nothing',
  'no-network': 'the process is in namespaces without a network and without capabilities',
}

function isSystemWall(id: string): id is SystemWall {
  return Object.hasOwn(bySystem, id)
}

/** Starts one child and says which walls stand around it; code mode works without those of the system, too. */
export async function inspectIsolation(options: Omit<PoolOptions, 'size'> = {}): Promise<Isolation> {
  const support = isolationSupport()
  if (!support.supported) return support
  await using pool = new CodePool({ ...options, size: 0 })
  try {
    const child = await pool.acquire()
    const systemWalls = Object.keys(bySystem).filter((id) => isSystemWall(id))
    return {
      supported: true,
      walls: [
        ...always.map((wall) => ({ ...wall, holds: true })),
        {
          id: 'memory-watch',
          holds: process.platform !== 'win32',
          what: `this program kills it above ${sizeInWords(defaultLimits.memory)} of memory; its heap ends at ${heapSize.oldSpace} MiB`,
        },
        ...systemWalls.map((id) => ({ id, holds: child.walls.includes(id), what: bySystem[id] })),
      ],
    }
  } catch (error) {
    const cause = error instanceof Error ? error.message : String(error)
    return { supported: false, because: `the code child cannot be started: ${cause}` }
  }
}
