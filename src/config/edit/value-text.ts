import type { EditionId } from '../../kernel/edition-id.ts'
import { OpenClawError } from '../../kernel/errors.ts'
import { formatPath, type Path } from '../../kernel/path.ts'
import { accepts } from '../schema-walk.ts'

/** A value as typed; `problem` says why a text that looks like JSON5 was taken as plain text. */
export interface TypedValue {
  readonly value: unknown
  readonly problem: string | null
}

/** No JSON5 starts like this, so that plain words need no parser. */
const word = /^\s*(?!(?:true|false|null|Infinity|NaN)\b)[A-Za-z_$@*~]/

async function parse(text: string): Promise<{ value: unknown } | { problem: string }> {
  if (word.test(text)) return { problem: 'not JSON5' }
  try {
    return { value: JSON.parse(text) }
  } catch {
    const { parseJson5 } = await import('../json5.ts')
    try {
      return { value: parseJson5(text) }
    } catch (error) {
      return { problem: error instanceof Error ? error.message : String(error) }
    }
  }
}

/** Phone numbers and long ids are digits to a parser, and no longer what was typed once they are numbers. */
function losesDigits(text: string, value: unknown): boolean {
  const digits = /^\s*([+-]?)\d+\s*$/.exec(text)
  return typeof value === 'number' && digits !== null && (digits[1] === '+' || !Number.isSafeInteger(value))
}

/** Reads strict JSON; USAGE without repeating the text, which may be a secret. */
function parseStrict(text: string, path: Path): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new OpenClawError(
      'USAGE',
      `the value for ${formatPath(path)} is no JSON, which --strict-json asks for`,
      {
        hints: [`put strings in double quotes, inside single quotes for the shell: '"text"'`],
      },
    )
  }
}

/**
 * The value that a text on the command line means at a path: JSON5, else the text itself. Where the schema refuses what the
 * JSON5 says but takes a string, the text is a string: `12345` for a token, `true` for a name.
 */
export async function readValue(
  text: string,
  path: Path,
  options: { readonly edition: EditionId; readonly strict: boolean },
): Promise<TypedValue> {
  if (options.strict) return { value: parseStrict(text, path), problem: null }
  const parsed = await parse(text)
  if ('problem' in parsed) return { value: text, problem: /^\s*[[{"']/.test(text) ? parsed.problem : null }
  const { value } = parsed
  if (typeof value === 'string') return { value, problem: null }
  const takesText = accepts(path, text, options.edition) === true
  const takesValue = accepts(path, value, options.edition) !== false
  const isText = takesText && (!takesValue || losesDigits(text, value))
  const isWord = typeof value === 'number' && !Number.isFinite(value)
  return { value: isText || isWord ? text : value, problem: null }
}
