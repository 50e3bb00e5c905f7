import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'

/** How to start this very program: the Node that runs it, and its file. */
export interface Program {
  readonly node: string
  readonly script: string
}

/** How a process ended; `code` is null if a signal ended it. */
export interface ProcessEnd {
  readonly code: number | null
  readonly signal: string | null
  readonly stdout: string
  readonly stderr: string
}

export interface ProcessPlace {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly cwd: string
}

/** A process of this program that runs. */
export interface RunningProcess {
  readonly pid: number
  /** What it wrote so far. */
  readonly output: { readonly stdout: string; readonly stderr: string }
  readonly ended: Promise<ProcessEnd>
  /** The first match in what it writes, or null where it ends without one. */
  find(pattern: RegExp): Promise<RegExpExecArray | null>
  /** Asks it to end, and kills it where it has not within some milliseconds. */
  end(patienceMs?: number): Promise<ProcessEnd>
}

/** What a process has used of the machine: milliseconds of CPU, and the most bytes of memory it had; null where nothing says it. */
export interface ProcessUse {
  readonly cpuMs: number | null
  readonly peakBytes: number | null
}

const longestOutput = 4 * 1024 * 1024
const usualPatienceMs = 5_000
/** Milliseconds that killed processes have to be gone; one that waits for its init to notice is not waited for. */
const groupPatienceMs = 1_000

/*
 * Ends a process whose starter is gone, however that ended: the channel between the two breaks then. The channel itself keeps no process alive.
 */
const orphanGuard =
  "data:text/javascript,process.once('disconnect',()=>process.kill(process.pid,'SIGKILL')).channel?.unref()"

/** Starts processes and sees to it that none of them outlives their owner. */
export class Processes {
  readonly #running = new Map<ChildProcess, number>()

  /** Starts `openclaw …` with nothing on its standard input. */
  startProgram({ node, script }: Program, args: readonly string[], place: ProcessPlace): RunningProcess {
    return this.#start(node, ['--import', orphanGuard, script, ...args], place, ['ipc'])
  }

  /** Starts any program that ends by itself. */
  start(file: string, args: readonly string[], place: ProcessPlace): RunningProcess {
    return this.#start(file, args, place, [])
  }

  #start(
    file: string,
    args: readonly string[],
    { env, cwd }: ProcessPlace,
    channel: readonly 'ipc'[],
  ): RunningProcess {
    const child = spawn(file, args, {
      cwd,
      env: { ...env },
      stdio: ['ignore', 'pipe', 'pipe', ...channel],
      // A group of its own, so that it can be killed with everything it has started.
      detached: true,
      windowsHide: true,
    })
    const { pid } = child
    if (pid !== undefined) this.#running.set(child, pid)
    const output = new Output(child)
    const ended = this.#wait(child, output)
    // Whoever waits for it sees the failure to start; nobody has to.
    ended.catch(() => {})
    return {
      pid: pid ?? -1,
      output: output.texts,
      ended,
      find: (pattern) => output.find(pattern, ended),
      end: async (patienceMs = usualPatienceMs) => {
        child.kill('SIGTERM')
        const timer = setTimeout(() => kill(child), patienceMs)
        try {
          return await ended
        } finally {
          clearTimeout(timer)
        }
      },
    }
  }

  /** Kills what still runs, with everything it has started; returns at once, so that a dying process can call it. */
  killAll(): void {
    for (const child of this.#running.keys()) kill(child)
  }

  /** Kills what still runs and waits until it is gone, with what it has started. */
  async endAll(): Promise<void> {
    const children = [...this.#running.keys()]
    this.killAll()
    await Promise.all(children.map((child) => (isOver(child) ? null : once(child, 'exit'))))
    await Promise.all(children.map(groupGone))
  }

  async #wait(child: ChildProcess, output: Output): Promise<ProcessEnd> {
    try {
      await once(child, 'close')
    } finally {
      this.#running.delete(child)
    }
    return { code: child.exitCode, signal: child.signalCode, ...output.texts }
  }
}

function isOver({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null
}

function kill(child: ChildProcess): void {
  if (child.pid === undefined) return
  try {
    process.kill(-child.pid, 'SIGKILL')
  } catch {
    child.kill('SIGKILL')
  }
}

/** A killed process may take some milliseconds to go, and nobody is told of those that a child has started. */
async function groupGone({ pid }: ChildProcess): Promise<void> {
  if (pid === undefined) return
  const deadline = performance.now() + groupPatienceMs
  while (hasGroup(pid) && performance.now() < deadline) await wait(5)
}

function hasGroup(pid: number): boolean {
  try {
    process.kill(-pid, 0)
    return true
  } catch {
    return false
  }
}

class Output {
  readonly texts = { stdout: '', stderr: '' }
  readonly #waiting = new Set<() => void>()

  constructor({ stdout, stderr }: ChildProcess) {
    const take = (name: 'stdout' | 'stderr', text: string): void => {
      this.texts[name] = (this.texts[name] + text).slice(-longestOutput)
      for (const look of this.#waiting) look()
    }
    stdout?.setEncoding('utf8').on('data', (text: string) => take('stdout', text))
    stderr?.setEncoding('utf8').on('data', (text: string) => take('stderr', text))
  }

  async find(pattern: RegExp, ended: Promise<unknown>): Promise<RegExpExecArray | null> {
    const { promise, resolve } = Promise.withResolvers<RegExpExecArray | null>()
    const look = (): void => {
      const found = pattern.exec(this.texts.stdout) ?? pattern.exec(this.texts.stderr)
      if (found !== null) resolve(found)
    }
    this.#waiting.add(look)
    look()
    ended.then(
      () => resolve(null),
      () => resolve(null),
    )
    try {
      return await promise
    } finally {
      this.#waiting.delete(look)
    }
  }
}

/** What a running process has used so far, as Linux tells it. */
export function useOf(pid: number): ProcessUse {
  try {
    const peak = /^VmHWM:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    // Ticks of a hundredth of a second, in user mode and in the kernel.
    const ticks = Number(fields[11]) + Number(fields[12])
    return {
      cpuMs: Number.isFinite(ticks) ? ticks * 10 : null,
      peakBytes: peak === undefined ? null : Number(peak) * 1024,
    }
  } catch {
    return { cpuMs: null, peakBytes: null }
  }
}
