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
}

/** Makes a reader of input files; errors are INPUT_INVALID with the file, and line and column for bad syntax, USAGE when stdin is asked for twice. */
export function createInputs(cwd: string, openStdin: () => AsyncIterable<Uint8Array | string>): Inputs {
  let taken: string | null = null
  const readStdin = async (what: string): Promise<string> => {
    if (taken !== null) {
      throw new OpenClawError('USAGE', `stdin (-) is already read as the ${taken}`, {
        hints: [`give the ${what} as a file`],
      })
    }
    taken = what
    const chunks: Buffer[] = []
    for await (const chunk of openStdin())
      chunks.push(typeof chunk === 'string' ? Buffer.from(chunk) : Buffer.from(chunk))
    return decode(Buffer.concat(chunks), failAt(stdinFile, what))
  }
  return {
    read: async (file, what) => {
      const name = file === '-' ? stdinFile : resolve(cwd, file)
      const text = file === '-' ? await readStdin(what) : readText(name, maxInputBytes, failAt(name, what))
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
