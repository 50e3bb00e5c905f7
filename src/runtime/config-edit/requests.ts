import { parseSteps } from '../../config/path-syntax.ts'
import { isRecord } from '../../config/path-value.ts'
import { OpenClawError } from '../../kernel/errors.ts'
import type { Inputs } from '../inputs.ts'
import type { Expectation, Given, Operation } from './operation.ts'

/** The words of `config set`, as the command line gives them. */
export interface SetWords {
  readonly path: string
  readonly value?: string | undefined
  readonly append?: readonly string[] | undefined
  readonly remove?: readonly string[] | undefined
  readonly strict: boolean
  readonly expectCurrent?: string | undefined
  readonly expectAbsent: boolean
}

function usage(message: string, ...hints: string[]): OpenClawError {
  return new OpenClawError('USAGE', message, { hints })
}

async function parseJson(text: string, what: string): Promise<unknown> {
  try {
    return JSON.parse(text)
  } catch {
    const { parseJson5 } = await import('../../config/json5.ts')
    try {
      return parseJson5(text)
    } catch {
      // The text may be a secret, so it is not repeated.
      throw usage(`${what} takes JSON5, and the value given is none`, `put strings in quotes: '"text"'`)
    }
  }
}

async function expectation({ expectCurrent, expectAbsent }: SetWords): Promise<Expectation | undefined> {
  if (expectCurrent !== undefined && expectAbsent)
    throw usage('--expect-current and --expect-absent exclude each other')
  if (expectAbsent) return { absent: true }
  if (expectCurrent === undefined) return undefined
  return { absent: false, value: await parseJson(expectCurrent, '--expect-current') }
}

/** Reads the words of `config set` as operations; `-` as the value is standard input. Errors: USAGE, PATH_INVALID. */
export async function setOperations(words: SetWords, inputs: Inputs): Promise<Operation[]> {
  const { path, value, append = [], remove = [], strict } = words
  const steps = parseSteps(path)
  const lists = append.length + remove.length
  if ((value === undefined) === (lists === 0)) {
    throw usage(
      value === undefined ? `no value for ${path}` : 'a value and --append or --remove exclude each other',
      `openclaw config set ${path} VALUE`,
      `openclaw config set ${path} --append VALUE`,
    )
  }
  const expect = await expectation(words)
  if (value === undefined) {
    if (expect !== undefined)
      throw usage('--expect-current and --expect-absent go with a value, not with list edits')
    const edits = (op: 'append' | 'remove', texts: readonly string[]): Operation[] =>
      texts.map((text) => ({ op, steps, given: { text, strict } }))
    return [...edits('remove', remove), ...edits('append', append)]
  }
  const text = value === '-' ? (await inputs.readText('-', 'value')).replace(/\r?\n$/, '') : value
  return [{ op: 'set', steps, given: { text, strict }, expect }]
}

/** The words of `config set` for the audit, without the values: what they did stands among the changes. */
export function auditWords(words: SetWords): string[] {
  const hidden = (flag: string, texts: readonly string[] = []): string[] => texts.flatMap(() => [flag, '…'])
  return [
    words.path,
    ...(words.value === undefined || words.value === '-' ? [] : ['…']),
    ...hidden('--append', words.append),
    ...hidden('--remove', words.remove),
    ...(words.expectCurrent === undefined ? [] : ['--expect-current', '…']),
    ...(words.expectAbsent ? ['--expect-absent'] : []),
  ]
}

function lineError(line: number, problem: string): OpenClawError {
  return new OpenClawError('INPUT_INVALID', `line ${line}: ${problem}; nothing was written`, {
    hints: [
      'one operation a line: {"op":"set","path":"tools.profile","value":"coding"}',
      'op is set, unset, append or remove',
    ],
    data: { line },
  })
}

function readOperation(text: string, line: number): Operation {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw lineError(line, 'this is no JSON')
  }
  if (!isRecord(value)) throw lineError(line, 'an operation must be an object')
  const { op, path } = value
  if (op !== 'set' && op !== 'unset' && op !== 'append' && op !== 'remove') {
    throw lineError(line, `op must be set, unset, append or remove`)
  }
  if (typeof path !== 'string') throw lineError(line, 'path must be a string')
  const steps = parseSteps(path)
  if (op === 'unset') return { op, steps }
  if (!Object.hasOwn(value, 'value')) throw lineError(line, `${op} needs a value`)
  const given: Given = { value: value.value }
  return { op, steps, given }
}

/** Reads operations from NDJSON, as `tools explain --json` prints the edits of its fixes; blank lines do not count. Errors: INPUT_INVALID with the line, PATH_INVALID. */
export function readOperations(text: string): Operation[] {
  // Some shells put a byte order mark in front of what they pipe.
  const operations = text
    .replace(/^\uFEFF/, '')
    .split('\n')
    .map((line, at) => (line.trim() === '' ? null : readOperation(line, at + 1)))
    .filter((operation) => operation !== null)
  if (operations.length === 0) throw lineError(1, 'there is no operation')
  return operations
}

/** Reads a patch from the command line or a file; `-` is standard input. Errors: USAGE, INPUT_INVALID. */
export async function readPatch(
  given: string | undefined,
  file: string | undefined,
  inputs: Inputs,
): Promise<unknown> {
  if (given !== undefined && file !== undefined) throw usage('a patch and --file exclude each other')
  const source = file ?? (given === '-' ? '-' : undefined)
  if (source !== undefined) return (await inputs.read(source, 'patch')).value
  if (given === undefined) {
    throw usage(
      'no patch',
      `openclaw config patch '{ tools: { profile: "coding" } }'`,
      'openclaw config patch --file FILE',
    )
  }
  return parseJson(given, 'config patch')
}
