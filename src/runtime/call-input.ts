import { resolve } from 'node:path'
import { stdinFile } from '../config/find.ts'
import { decode, readText } from '../config/read.ts'
import { OpenClawError } from '../kernel/errors.ts'
import type { CaseQuery } from './case.ts'

/** Largest arguments or snippet in bytes. */
const maxBytes = 16 * 1024 * 1024

type Stdin = () => AsyncIterable<Uint8Array | string>

/** Reads the value of `--args`, or of another flag that holds an object: JSON5, or `-` for JSON5 on stdin; absent means none. Errors: INPUT_INVALID with the place, USAGE when stdin has another use. */
export async function readCallArgs(
  text: string | undefined,
  query: Partial<CaseQuery>,
  stdin: Stdin = () => process.stdin,
  flag = '--args',
): Promise<unknown> {
  if (text === undefined) return {}
  const source = text.trim() === '-' ? await readStdin('arguments', query, stdin) : text
  try {
    return JSON.parse(source)
  } catch {
    const { parseJson5 } = await import('../config/json5.ts')
    try {
      return parseJson5(source)
    } catch (error) {
      const why = error instanceof Error ? error.message.replace(/^JSON5: /, '') : String(error)
      throw new OpenClawError('INPUT_INVALID', `${flag} is not JSON5: ${why}`, {
        hints: [`${flag} '{ name: "value" }'`],
      })
    }
  }
}

/** Reads the file of `--code`, `-` being stdin. Errors: INPUT_INVALID, USAGE when stdin has another use. */
export async function readSnippet(
  file: string,
  cwd: string,
  query: CaseQuery,
  stdin: Stdin = () => process.stdin,
): Promise<string> {
  if (file === '-') return readStdin('code', query, stdin)
  const name = resolve(cwd, file)
  return readText(name, maxBytes, failAt(name))
}

/** What is said to an agent: the message, and below it the text of a file; `-` is stdin for either. USAGE where there is nothing to say or stdin has another use. */
export async function readMessage(
  message: string | undefined,
  file: string | undefined,
  cwd: string,
  query: CaseQuery,
  stdin: Stdin = () => process.stdin,
): Promise<string> {
  if (message === '-' && file === '-') {
    throw new OpenClawError('USAGE', 'stdin (-) can be read once', { hints: ['give the message as text'] })
  }
  const first = message === '-' ? await readStdin('message', query, stdin) : message
  const second = file === undefined ? undefined : await readSnippet(file, cwd, query, stdin)
  const parts = [first, second].flatMap((part) => (part?.trim() ? [part.trimEnd()] : []))
  if (parts.length > 0) return parts.join('\n\n')
  const what =
    first === undefined && second === undefined ? 'there is nothing to say' : 'the message is empty'
  throw new OpenClawError('USAGE', what, { hints: ['openclaw agent --message TEXT'] })
}

async function readStdin(what: string, query: Partial<CaseQuery>, stdin: Stdin): Promise<string> {
  if ([query.contextFile, query.inventoryFile, query.replayFile].includes('-')) {
    throw new OpenClawError('USAGE', 'stdin (-) can be read once', {
      hints: [`give the ${what} another way`],
    })
  }
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of stdin()) {
    const bytes = Buffer.from(chunk)
    size += bytes.length
    if (size > maxBytes)
      throw new OpenClawError(
        'INPUT_INVALID',
        `the ${what} on stdin are larger than ${maxBytes / 1024 / 1024} MiB`,
      )
    chunks.push(bytes)
  }
  return decode(Buffer.concat(chunks), failAt(stdinFile))
}

function failAt(file: string) {
  return (problem: string, hint: string): OpenClawError =>
    new OpenClawError('INPUT_INVALID', `${file} ${problem}`, { hints: [hint], data: { file } })
}
