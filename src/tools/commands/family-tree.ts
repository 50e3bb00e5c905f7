import { readdirSync, readFileSync, readlinkSync } from 'node:fs'

/** The variable by which everything that a command has started is known. */
export const markVariable = 'OPENCLAW_EXEC'

/** How what belongs to a command is recognised. */
export interface Lineage {
  /** Whether a mark that was found is one of its own. */
  readonly owns: (mark: string) => boolean
  /** Process ids of leaders whose group and session it is; none where those could be somebody else's by now. */
  readonly leaders: ReadonlySet<number>
  /** What its output is at its own end, as `outputOf` says, while somebody still holds that. */
  readonly output: string | null
}

/** A process as Linux tells of it. */
interface Process {
  readonly pid: number
  readonly parent: number
  readonly group: number
  readonly session: number
}

/**
 * Ids of living processes that belong to a command: those in its group or session, those that carry its mark in their environment, however
 * often they forked and whatever session they opened, those that hold its output, and the children of all of them. Empty where the system has no /proc.
 */
export function relatives({ owns, leaders, output }: Lineage): readonly number[] {
  const all = processes()
  const found = new Set<number>()
  for (const { pid, group, session } of all) {
    if (leaders.has(group) || leaders.has(session)) found.add(pid)
    else {
      const mark = markOf(pid)
      if ((mark !== null && owns(mark)) || (output !== null && holds(pid, output))) found.add(pid)
    }
  }
  for (let before = -1; before !== found.size;) {
    before = found.size
    for (const { pid, parent } of all) if (found.has(parent)) found.add(pid)
  }
  found.delete(process.pid)
  return [...found]
}

/** Every living process; one that only waits to be reaped is not living. */
function processes(): readonly Process[] {
  if (process.platform !== 'linux') return []
  return names().flatMap((name) => {
    const pid = Number(name)
    const stat = Number.isInteger(pid) ? read(`/proc/${pid}/stat`) : null
    if (stat === null) return []
    // The program's name stands in brackets and may hold anything.
    const fields = stat
      .subarray(stat.lastIndexOf(')') + 2)
      .toString('latin1')
      .split(' ')
    const [state, parent, group, session] = fields
    if (state === 'Z' || state === 'X') return []
    return [{ pid, parent: Number(parent), group: Number(group), session: Number(session) }]
  })
}

function names(): readonly string[] {
  try {
    return readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  } catch {
    return []
  }
}

const needle = Buffer.from(`${markVariable}=`)

/** The mark in the environment that a process was started with. */
function markOf(pid: number): string | null {
  const environment = read(`/proc/${pid}/environ`)
  if (environment === null) return null
  for (let at = environment.indexOf(needle); at >= 0; at = environment.indexOf(needle, at + 1)) {
    if (at > 0 && environment[at - 1] !== 0) continue
    const end = environment.indexOf(0, at)
    return environment.toString('latin1', at + needle.length, end < 0 ? undefined : end)
  }
  return null
}

/** What the standard output of a process is: a socket or a pipe that is nobody else's; null where that cannot be told. */
export function outputOf(pid: number): string | null {
  const target = linkOf(`/proc/${pid}/fd/1`)
  return target !== null && /^(?:socket|pipe):/.test(target) ? target : null
}

function holds(pid: number, output: string): boolean {
  let open: readonly string[]
  try {
    open = readdirSync(`/proc/${pid}/fd`)
  } catch {
    return false
  }
  return open.some((name) => linkOf(`/proc/${pid}/fd/${name}`) === output)
}

function linkOf(path: string): string | null {
  try {
    return readlinkSync(path)
  } catch {
    return null
  }
}

function read(file: string): Buffer | null {
  try {
    return readFileSync(file)
  } catch {
    return null
  }
}

/** Sends a signal to a process, or with a negative id to a group; whether there was one. */
export function send(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, signal)
  } catch {
    return false
  }
}
