import { fstatSync, statSync, writeSync } from 'node:fs'
import { devNull } from 'node:os'

/** Where a program of the command line can write. */
export type OutputName = 'stdout' | 'stderr'

const descriptors = { stdout: 1, stderr: 2 } as const

/** Bytes that every empty pipe of Linux has room for: writing them does not wait for who reads. */
const pipeRoom = 65_536

/**
 * Bytes that may still be written without a stream of Node, whose code costs a fifth of an empty start. None where the stream is
 * there already: it may hold text that has to come first.
 */
const atOnce: Record<OutputName, number> = { stdout: 0, stderr: 0 }

/** Bytes that can be written to a descriptor without waiting; a terminal and whatever else is rare are left to Node. */
function roomOf(descriptor: number): number {
  if (process.platform === 'win32') return 0
  try {
    const stats = fstatSync(descriptor)
    if (stats.isFIFO() || stats.isSocket()) return pipeRoom
    const isEndless = stats.isFile() || (stats.isCharacterDevice() && stats.rdev === statSync(devNull).rdev)
    return isEndless ? Infinity : 0
  } catch {
    return 0
  }
}

let lost: (name: OutputName, error: NodeJS.ErrnoException) => void = () => {}

/** Prepares stdout and stderr. `onLost` is told of text that could not be written, by whoever wrote it, and may end the process. */
export function watchOutputs(onLost: (name: OutputName, error: NodeJS.ErrnoException) => void): void {
  lost = onLost
  for (const name of ['stdout', 'stderr'] as const) {
    const open = Object.getOwnPropertyDescriptor(process, name)?.get
    atOnce[name] = open ? roomOf(descriptors[name]) : 0
    if (!open || atOnce[name] === 0) {
      process[name].on('error', (error) => onLost(name, error))
      continue
    }
    let stream: NodeJS.WriteStream | undefined
    Object.defineProperty(process, name, {
      configurable: true,
      enumerable: true,
      get(): NodeJS.WriteStream {
        atOnce[name] = 0
        const opened: NodeJS.WriteStream =
          stream ?? open.call(process).on('error', (error: Error) => onLost(name, error))
        stream = opened
        return opened
      },
    })
  }
}

/** Writes text or its beginning without a stream, and returns what is left of it. */
function writeAtOnce(name: OutputName, text: string): Buffer {
  let rest = Buffer.from(text)
  if (rest.length > atOnce[name]) return rest
  atOnce[name] -= rest.length
  try {
    while (rest.length > 0) rest = rest.subarray(writeSync(descriptors[name], rest))
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    // Somebody has made the pipe one that does not wait, and it is full.
    if (code === 'EAGAIN') return rest
    lost(name, error as NodeJS.ErrnoException)
    return Buffer.alloc(0)
  }
  return rest
}

/** Texts that a stream has taken and the reader has not. */
const waiting = new Set<Promise<void>>()

/** Writes text and waits until it is read where the reader is slow, so that a long stream never piles up in memory; what nobody can read on stderr is dropped. */
export async function write(name: OutputName, text: string): Promise<void> {
  const rest = writeAtOnce(name, text)
  const stream = rest.length === 0 ? null : process[name]
  if (!stream || stream.errored) return
  const taken = new Promise<void>((resolve, reject) => {
    stream.write(rest, (error) => (error && name === 'stdout' ? reject(error) : resolve()))
  })
  waiting.add(taken)
  try {
    await taken
  } finally {
    waiting.delete(taken)
  }
}

/** Waits until all that was written is read, as a program has to that is about to end. */
export async function outputsTaken(): Promise<void> {
  await Promise.allSettled(waiting)
}

/** What an output that is no terminal tells about itself; asked for here because asking Node opens its stream. */
export function terminalOf(name: OutputName): Pick<NodeJS.WriteStream, 'isTTY' | 'columns'> {
  return atOnce[name] > 0 ? { isTTY: false, columns: 0 } : process[name]
}
