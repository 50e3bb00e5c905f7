import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process'
import { mkdtempSync, rmdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, parse } from 'node:path'
import type { ChildFile } from './child-file.ts'
import { nodeFlags, type Launcher, type SystemWall } from './launcher.ts'
import { startMs } from './limits.ts'
import { readLine, type ParentMessage } from './protocol.ts'

/** How the process of a child ended, with what it wrote to stderr last. */
export interface ChildEnd {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  readonly stderr: string
  /** Whether this program has killed it. */
  readonly isKilled: boolean
}

/** Why a child did not start; `isRefused` if its process ended by itself, as when the system refuses one of the walls. */
export interface StartFailure {
  readonly because: string
  readonly isRefused: boolean
}

const stderrKept = 4096
const newline = 0x0a

const live = new Set<ChildProcessWithoutNullStreams>()

function killAll(): void {
  for (const child of live) child.kill('SIGKILL')
}

/** A new empty directory, or null where none can be made. */
function emptyDirectory(): string | null {
  try {
    return mkdtempSync(join(tmpdir(), 'openclaw-code-'))
  } catch {
    return null
  }
}

function remove(directory: string): void {
  try {
    rmdirSync(directory)
  } catch {
    // Gone already, or on a system that keeps a directory while a process stands in it.
  }
}

/** One process of the code child: no environment, three pipes, an empty directory, and every wall of its launcher. Used once. */
export class LockedChild {
  readonly walls: readonly SystemWall[]
  /** Settles when the process has ended, and never rejects. */
  readonly ended: Promise<ChildEnd>
  readonly #process: ChildProcessWithoutNullStreams
  readonly #directory = emptyDirectory()
  #stderr = ''
  #rest: Buffer[] = []
  #isKilled = false
  #onLine: (line: string) => void = () => {}
  #onChunk: (size: number) => void = () => {}

  /** Starts the process; that it could not be started is an end like any other. It never keeps this program alive. */
  constructor(child: ChildFile, launcher: Launcher) {
    this.walls = launcher.walls
    const flags = child.reads === null ? nodeFlags() : sourceFlags(child.reads)
    const [program = '', ...args] = [...launcher.prefix, process.execPath, ...flags, child.file]
    try {
      this.#process = spawn(program, args, {
        cwd: this.#directory ?? parse(process.execPath).root,
        env: {},
        stdio: ['pipe', 'pipe', 'pipe'],
        windowsHide: true,
      })
    } finally {
      // The process stands in it by now, and so it stays empty for good.
      if (this.#directory !== null) remove(this.#directory)
    }
    if (live.size === 0) process.on('exit', killAll)
    live.add(this.#process)
    this.ended = new Promise((resolve) => {
      const end = (code: number | null, signal: NodeJS.Signals | null): void => {
        this.#forget()
        resolve({ code, signal, stderr: this.#stderr, isKilled: this.#isKilled })
      }
      this.#process.once('close', end)
      this.#process.once('error', (error) => {
        this.#stderr += error.message
        if (this.#process.pid === undefined) end(null, null)
      })
    })
    this.#listen()
  }

  /** Its process id; 0 if there is no process. */
  get pid(): number {
    return this.#process.pid ?? 0
  }

  /** Bytes that wait to be taken by the child. */
  get unsent(): number {
    return this.#process.stdin.writableLength
  }

  /** Waits until the child has said that it is locked; null, or why it did not come to that (it is killed then). */
  async start(): Promise<StartFailure | null> {
    const { promise, resolve } = Promise.withResolvers<StartFailure | null>()
    const fail = (because: string): void => resolve({ because, isRefused: false })
    this.#onLine = (line) => {
      const message = readLine(line)
      const granted = message?.t === 'ready' ? message.granted : ['an unknown greeting']
      if (granted.length === 0) resolve(null)
      else fail(`it started with permissions it must not have: ${granted.join(', ')}`)
    }
    const timer = setTimeout(() => fail(`it was not ready after ${startMs} ms`), startMs).unref()
    const failure = await Promise.race([promise, this.#earlyEnd()])
    clearTimeout(timer)
    this.#onLine = () => {}
    if (failure) this.kill()
    return failure
  }

  async #earlyEnd(): Promise<StartFailure> {
    const { code, signal, stderr } = await this.ended
    const lines = stderr.split('\n').filter((line) => line.trim() !== '')
    const cause = lines.find((line) => /error|fatal|failed/i.test(line)) ?? lines[0]
    const how = signal ?? `exit code ${code}`
    return {
      because: `it ended with ${how}${cause === undefined ? '' : `: ${cause.trim()}`}`,
      isRefused: signal !== 'SIGKILL',
    }
  }

  /** Hands over lines and the sizes of all chunks from now on. */
  listen(onLine: (line: string) => void, onChunk: (size: number) => void): void {
    this.#onLine = onLine
    this.#onChunk = onChunk
  }

  send(message: ParentMessage): void {
    this.#process.stdin.write(`${JSON.stringify(message)}\n`)
  }

  /** Calls back once when the child has taken all that was sent. */
  onTaken(callback: () => void): void {
    this.#process.stdin.once('drain', callback)
  }

  /** Ends the process without asking it; nothing of its output is heard any more. */
  kill(): void {
    this.#isKilled = true
    this.#process.kill('SIGKILL')
  }

  /** Keeps this program alive until the process has ended. */
  async buried(): Promise<void> {
    if (live.has(this.#process)) this.#process.ref()
    await this.ended
  }

  #listen(): void {
    const { stdin, stdout, stderr } = this.#process
    // A child that is gone closes its pipes; that it is gone is known from its end.
    for (const stream of [stdin, stdout, stderr]) stream.on('error', () => {})
    stdout.on('data', (chunk: Buffer) => this.#take(chunk))
    stderr.on('data', (chunk: Buffer) => {
      this.#onChunk(chunk.length)
      this.#stderr = (this.#stderr + chunk.toString()).slice(-stderrKept)
    })
    this.#process.unref()
    for (const stream of [stdin, stdout, stderr]) {
      if ('unref' in stream && typeof stream.unref === 'function') stream.unref()
    }
  }

  #take(chunk: Buffer): void {
    this.#onChunk(chunk.length)
    let start = 0
    for (let end = chunk.indexOf(newline); end >= 0 && !this.#isKilled; end = chunk.indexOf(newline, start)) {
      const line = Buffer.concat([...this.#rest, chunk.subarray(start, end)]).toString()
      this.#rest = []
      start = end + 1
      this.#onLine(line)
    }
    if (this.#isKilled) this.#rest = []
    else if (start < chunk.length) this.#rest.push(chunk.subarray(start))
  }

  #forget(): void {
    this.#rest = []
    if (this.#directory !== null) remove(this.#directory)
    if (live.delete(this.#process) && live.size === 0) process.removeListener('exit', killAll)
  }
}

/** Sources need their siblings, and the compiler that strips types; the permission to read ends when the child is locked. */
function sourceFlags(directory: string): string[] {
  const flags = nodeFlags().filter((flag) => flag !== '--jitless')
  return [...flags, `--allow-fs-read=${directory}/`]
}
