import { execa } from 'execa'
import type { PlannedCommand } from '../place.ts'

/** How a process ended. */
export interface Exit {
  readonly code: number | null
  readonly signal: string | null
}

/** A process that was started, in a session and group of its own. */
export interface Child {
  readonly pid: number
  readonly exited: Promise<Exit>
  /** Done when nobody can write to its output any more. */
  readonly drained: Promise<void>
  /** Writes to its input; false where that is closed. */
  write(data: string): boolean
  /** Closes its input. */
  endInput(): void
  /** Stops reading and keeps this program from ending no longer. */
  release(): void
}

/** One pipe for both, so that what it writes stays in the order in which it was written. */
const joined = ['-c', 'exec "$@" 2>&1', 'sh']

/** Starts a command without a terminal; `interactive` leaves its input open. Throws what the system says where it cannot be started. */
export async function startPiped(
  { file, args, cwd, env }: PlannedCommand,
  interactive: boolean,
  onOutput: (chunk: Buffer) => void,
): Promise<Child> {
  const shell = execa('/bin/sh', [...joined, file, ...args], {
    cwd,
    env: { ...env },
    extendEnv: false,
    detached: true,
    cleanup: false,
    reject: false,
    buffer: false,
    encoding: 'buffer',
    stdin: interactive ? 'pipe' : 'ignore',
    stdout: 'pipe',
    stderr: 'ignore',
  })
  const { pid, stdin, stdout } = shell
  if (pid === undefined) {
    const { cause } = await shell
    throw cause instanceof Error ? cause : new Error('it could not be started')
  }
  const exited = new Promise<Exit>((done) => {
    shell.nodeChildProcess.once('exit', (code: number | null, signal: string | null) =>
      done({ code, signal }),
    )
  })
  const drained = new Promise<void>((done) => void stdout.once('close', () => done()))
  stdout.on('data', onOutput)
  for (const stream of [stdin, stdout]) stream?.on('error', () => {})
  return {
    pid,
    exited,
    drained,
    write: (data) => stdin !== null && stdin.writable && (stdin.write(data), true),
    endInput: () => void stdin?.end(),
    release: () => {
      stdin?.destroy()
      stdout.destroy()
      shell.nodeChildProcess.unref()
    },
  }
}
