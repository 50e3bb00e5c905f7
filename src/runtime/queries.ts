import { resolve } from 'node:path'
import { stdinFile } from '../config/find.ts'
import { decode, readText } from '../config/read.ts'
import { OpenClawError } from '../kernel/errors.ts'
import type { CaseQuery } from './case.ts'

/** Largest batch of queries in bytes. */
const maxBytes = 64 * 1024 * 1024

/** Reads a batch, one query a line, `-` being standard input; a blank line is an empty query, the end of the last line none. Errors: INPUT_INVALID, USAGE when stdin has another use. */
export async function readQueries(
  file: string,
  cwd: string,
  { contextFile, inventoryFile, replayFile }: CaseQuery,
  stdin: () => AsyncIterable<Uint8Array | string> = () => process.stdin,
): Promise<string[]> {
  const name = file === '-' ? stdinFile : resolve(cwd, file)
  const fail = (problem: string, hint: string): OpenClawError =>
    new OpenClawError('INPUT_INVALID', `the batch ${name} ${problem}`, {
      hints: [hint],
      data: { file: name },
    })
  if (file !== '-') return linesOf(readText(name, maxBytes, fail))
  if ([contextFile, inventoryFile, replayFile].includes('-')) {
    throw new OpenClawError('USAGE', 'stdin (-) can be read once', { hints: ['give the batch as a file'] })
  }
  const chunks: Buffer[] = []
  for await (const chunk of stdin()) chunks.push(Buffer.from(chunk))
  return linesOf(decode(Buffer.concat(chunks), fail))
}

function linesOf(text: string): string[] {
  const lines = text.replace(/^\uFEFF/, '').split(/\r?\n/)
  return lines.at(-1) === '' ? lines.slice(0, -1) : lines
}
