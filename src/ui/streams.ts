import { constants, fstatSync, openSync, statSync, writeSync } from 'node:fs'
import { devNull } from 'node:os'

/** Where a program of the command line can write. */
export type OutputName = 'stdout' | 'stderr'

const descriptors = { stdout: 1, stderr: 2 } as const

/** Bytes that every empty socket of Linux has room for: writing them does not wait for who reads. */
const socketRoom = 65_536

/** What takes text without a stream of Node, whose code costs a fifth of an empty start: a descriptor, and the bytes it may be given. */
interface Direct {
  readonly descriptor: number
  room: number
}

/** The outputs that are written to directly; one whose stream is there is not, as it may hold text that has to come first. */
const direct: Record<OutputName, Direct | null> = { stdout: null, stderr: null }

/**
 * The way to a descriptor by which no write waits, as one that does keeps Ctrl-C and time limits from being seen; null for a terminal, and
 * whatever else is rare.
 */
function directTo(descriptor: number): Direct | null {
  if (process.platform !== 'linux') return null
  try {
    const stats = fstatSync(descriptor)
    if (stats.isSocket()) return { descriptor, room: socketRoom }
    if (stats.isFIFO()) {
      // Opened anew: programs that share the pipe would not expect theirs to stop waiting.
      const own = openSync(`/proc/self/fd/${descriptor}`, constants.O_WRONLY | constants.O_NONBLOCK)
      return { descriptor: own, room: Infinity }
    }
    const isEndless = stats.isFile() || (stats.isCharacterDevice() && stats.rdev === statSync(devNull).rdev)
    return isEndless ? { descriptor, room: Infinity } : null
  } catch {
    return null
  }
}

/** The streams that are there, which others write to as well. */
const opened = new Map<OutputName, NodeJS.WriteStream>()

let lost: (name: OutputName, error: NodeJS.ErrnoException) => void = () => {}

/** Prepares stdout and stderr. `onLost` is told of text that could not be written, by whoever wrote it, and may end the process. */
export function watchOutputs(onLost: (name: OutputName, error: NodeJS.ErrnoException) => void): void {
  lost = onLost
  for (const name of ['stdout', 'stderr'] as const) {
    const open = Object.getOwnPropertyDescriptor(process, name)?.get
    direct[name] = open ? directTo(descriptors[name]) : null
    if (!open || direct[name] === null) {
      opened.set(
        name,
        process[name].on('error', (error) => onLost(name, error)),
      )
      continue
    }
    Object.defineProperty(process, name, {
      configurable: true,
      enumerable: true,
      get(): NodeJS.WriteStream {
        direct[name] = null
        const stream: NodeJS.WriteStream =
          opened.get(name) ?? open.call(process).on('error', (error: Error) => onLost(name, error))
        opened.set(name, stream)
        return stream
      },
    })
  }
}

/** Writes text or its beginning without a stream, and returns what is left of it. */
function writeDirectly(name: OutputName, text: string): Buffer {
  let rest = Buffer.from(text)
  const output = direct[name]
  if (output === null || rest.length > output.room) return rest
  output.room -= rest.length
  try {
    while (rest.length > 0) rest = rest.subarray(writeSync(output.descriptor, rest))
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EAGAIN') return rest
    lost(name, error as NodeJS.ErrnoException)
    return Buffer.alloc(0)
  }
  return rest
}

/** Texts that a stream has taken and the reader has not. */
const waiting = new Set<PromiseWithResolvers<void>>()

/** How long a program that was told to end waits for its readers. */
const lastWordsMs = 500
let isHurried = false

/** Has the program wait for its readers for half a second more and no longer, as it was told to end. */
export function hurryOutputs(): void {
  const hurry = (): void => {
    isHurried = true
    for (const taken of waiting) taken.resolve()
  }
  setTimeout(hurry, lastWordsMs).unref()
}

/** Writes text and waits until it is read where the reader is slow, so that a long stream never piles up in memory; what nobody can read on stderr is dropped. */
export async function write(name: OutputName, text: string): Promise<void> {
  const rest = writeDirectly(name, text)
  if (rest.length > 0) await pass(name, process[name], rest)
}

/** Passes text to a stream and waits until that and all before it is read. */
async function pass(name: OutputName, stream: NodeJS.WriteStream, text: Buffer): Promise<void> {
  if (stream.errored) return
  const taken = Promise.withResolvers<void>()
  stream.write(text, (error) => (error && name === 'stdout' ? taken.reject(error) : taken.resolve()))
  if (isHurried) taken.resolve()
  waiting.add(taken)
  try {
    await taken.promise
  } finally {
    waiting.delete(taken)
  }
}

/** Waits until all that was written is taken, by whomever, as a program has to that is about to end. */
export async function outputsTaken(): Promise<void> {
  const rest = [...opened].flatMap(([name, stream]) =>
    stream.writableLength > 0 ? [pass(name, stream, Buffer.alloc(0))] : [],
  )
  await Promise.allSettled([...rest, ...[...waiting].map(({ promise }) => promise)])
}

/** What an output that is no terminal tells about itself; asked for here because asking Node opens its stream. */
export function terminalOf(name: OutputName): Pick<NodeJS.WriteStream, 'isTTY' | 'columns'> {
  return direct[name] !== null ? { isTTY: false, columns: 0 } : process[name]
}
