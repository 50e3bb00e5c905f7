import { resolve } from 'node:path'
import type { Document } from '../config/document.ts'
import { stdinFile } from '../config/find.ts'
import { decode, parseDocument, readText } from '../config/read.ts'
import { OpenClawError } from '../kernel/errors.ts'

/** Largest JSON5 input file (context, inventory, snapshot, policy tests) in bytes. */
const maxInputBytes = 64 * 1024 * 1024

/** Reads JSON5 files that a user names, `-` being standard input, which can be read once. */
export interface Inputs {
  read(file: string, what: string): Promise<Document>
  readText(file: string, what: string): Promise<string>
}

type Bytes = AsyncIterable<Uint8Array | string>

/** Standard input that can be read again, for a comparison whose two sides come from the same text; it is opened when it is first read. */
export function repeatable(open: () => Bytes): Bytes {
  let whole: Promise<Buffer> | null = null
  return {
    async *[Symbol.asyncIterator]() {
      whole ??= readUpTo(open(), maxInputBytes)
      yield await whole
    },
  }
}

/** Reads to the end, or until more than `limit` bytes are there: an endless stream has to be refused while it still fits. */
async function readUpTo(stream: Bytes, limit: number): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of stream) {
    const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : chunk
    chunks.push(bytes)
    size += bytes.length
    if (size > limit) break
  }
  return Buffer.concat(chunks)
}

/** Makes a reader of input files; `taken` says what stdin was already read as. Errors are INPUT_INVALID with the file, and line and column for bad syntax, USAGE when stdin is asked for twice. */
export function createInputs(cwd: string, openStdin: () => Bytes, taken: string | null = null): Inputs {
  const readStdin = async (what: string): Promise<string> => {
    if (taken !== null) {
      throw new OpenClawError('USAGE', `stdin (-) is already read as the ${taken}`, {
        hints: [`give the ${what} as a file`],
      })
    }
    taken = what
    const bytes = await readUpTo(openStdin(), maxInputBytes)
    const fail = failAt(stdinFile, what)
    if (bytes.length > maxInputBytes)
      throw fail(`is too large: the limit is ${maxInputBytes} bytes`, 'split or shrink it')
    return decode(bytes, fail)
  }
  const nameOf = (file: string): string => (file === '-' ? stdinFile : resolve(cwd, file))
  const textOf = async (file: string, what: string): Promise<string> =>
    file === '-' ? readStdin(what) : readText(nameOf(file), maxInputBytes, failAt(nameOf(file), what))
  return {
    readText: textOf,
    read: async (file, what) => {
      const name = nameOf(file)
      const text = await textOf(file, what)
      try {
        return (await parseDocument(name, text)).document
      } catch (error) {
        // The parser speaks for configs; the same mistake in another file is an input error.
        if (!(error instanceof OpenClawError)) throw error
        throw new OpenClawError('INPUT_INVALID', error.message, {
          hints: error.hints,
          data: error.data,
          cause: error,
        })
      }
    },
  }
}

function failAt(file: string, what: string) {
  return (problem: string, hint: string): OpenClawError =>
    new OpenClawError('INPUT_INVALID', `the ${what} ${file} ${problem}`, { hints: [hint], data: { file } })
}
