import type { DoubleQuotedChild, ParsedScript, ParameterExpansionPart, Word, WordPart } from 'unbash'
import type { Arg, Scene } from './line.ts'

/** What a word is read with. */
export interface WordReader {
  readonly scene: Pick<Scene, 'positional'>
  /** Home directory that `~` stands for. */
  readonly home: string
  /** Takes a script that is run to make the word. */
  script(script: ParsedScript): void
  /** Takes what cannot be judged. */
  puzzle(text: string, why: string): void
}

/** Characters that mean nothing to a shell, so that an unquoted value stays one word. */
const inert = /^[\w./:@%+,=-]+$/

/** The arguments that a word becomes, as far as its text says; scripts in it are handed over. */
export function readWord(word: Word, reader: WordReader): readonly Arg[] {
  const all = onlyArguments(word, reader)
  if (all !== null) return all
  const { parts } = word
  const value = parts === undefined ? word.value : joined(parts.map((part) => readPart(part, reader)))
  if (value === null) return [null]
  // Only an unquoted tilde is the home directory, and only the plain one is known.
  if (!word.text.startsWith('~')) return [value]
  if (value === '~' || value.startsWith('~/')) return [reader.home + value.slice(1)]
  return [null]
}

function joined(values: readonly Arg[]): Arg {
  return values.every((value) => value !== null) ? values.join('') : null
}

/** What `"$@"` stands for; null for any other word. */
function onlyArguments({ parts }: Word, { scene }: WordReader): readonly Arg[] | null {
  const [quoted] = parts ?? []
  if (parts?.length !== 1 || quoted?.type !== 'DoubleQuoted' || quoted.parts.length !== 1) return null
  const [part] = quoted.parts
  const isAll = part !== undefined && nameIn(part) === '@'
  return isAll && scene.positional !== null ? scene.positional.slice(1) : null
}

function readPart(part: WordPart, reader: WordReader): Arg {
  switch (part.type) {
    case 'Literal':
    case 'SingleQuoted':
      return part.value
    case 'DoubleQuoted':
      return joined(part.parts.map((each) => readQuoted(each, reader)))
    case 'Glob':
      if (part.kind === 'bracket') for (const each of part.parts) readPart(each, reader)
      return null
    case 'BraceExpansion':
      for (const each of part.parts ?? []) readPart(each, reader)
      // Not every version of the parser tells what is inside.
      if (/[$`]/.test(part.text)) reader.puzzle(part.text, 'braces around an expansion are not read')
      return null
    case 'ProcessSubstitution':
      return readScript(part.script, part.text, reader)
    // Shells disagree about where these end, and with that about what is a command.
    case 'AnsiCQuoted':
    case 'LocaleString':
      reader.puzzle(part.text, 'not every shell knows this way of quoting')
      return null
    case 'ExtendedGlob':
      reader.puzzle(part.text, 'not every shell knows this pattern')
      return null
    default: {
      const value = readQuoted(part, reader)
      // Outside quotes it is split and matched against file names.
      return value !== null && inert.test(value) ? value : null
    }
  }
}

function readQuoted(part: DoubleQuotedChild, reader: WordReader): Arg {
  switch (part.type) {
    case 'Literal':
      return part.value
    case 'SimpleExpansion':
    case 'ParameterExpansion':
      return readVariable(part, reader)
    case 'CommandExpansion':
      return readScript(part.script, part.text, reader)
    case 'ArithmeticExpansion':
      // Names in it are evaluated in their turn, down to commands in subscripts.
      if (!/^\$\(\([\d\s+*/%()-]*\)\)$/.test(part.text))
        reader.puzzle(part.text, 'arithmetic may run what stands in a variable')
      return null
  }
}

function readScript(script: ParsedScript | undefined, text: string, reader: WordReader): null {
  if (script === undefined) reader.puzzle(text, 'it cannot be read')
  else reader.script(script)
  return null
}

/** The variable that an expansion names, with nothing done to its value; null for anything more. */
function nameIn(part: DoubleQuotedChild): string | null {
  if (part.type === 'SimpleExpansion') return part.text.slice(1)
  if (part.type !== 'ParameterExpansion') return null
  const { parameter, prefix, index, operation } = part
  return prefix === undefined && index === undefined && operation === undefined ? parameter : null
}

function readVariable(
  part: Extract<DoubleQuotedChild, { type: 'SimpleExpansion' | 'ParameterExpansion' }>,
  reader: WordReader,
): Arg {
  const name = nameIn(part)
  if (name !== null) {
    const { positional } = reader.scene
    return /^\d$/.test(name) && positional !== null ? (positional[Number(name)] ?? null) : null
  }
  if (part.type === 'ParameterExpansion') readOperation(part, reader)
  return null
}

/** What is done to the value of a variable; the harmless kinds only. */
function readOperation({ text, prefix, index, operation }: ParameterExpansionPart, reader: WordReader): void {
  const isPlain = index === undefined && (prefix === undefined || (prefix === '#' && operation === undefined))
  const isSetting = operation?.type === 'Default' && operation.operator.endsWith('=')
  if (!isPlain || isSetting) return reader.puzzle(text, 'this expansion does more than to read a variable')
  if (operation === undefined) return
  if (operation.type !== 'Default' && operation.type !== 'Remove')
    return reader.puzzle(text, 'this expansion may run what stands in a variable')
  readWord(operation.operand, reader)
}

/** Whether a word names an argument of the script. */
export function usesArguments(word: Word): boolean {
  const isArgument = (part: WordPart | DoubleQuotedChild): boolean => {
    if (part.type === 'DoubleQuoted') return part.parts.some(isArgument)
    if (part.type !== 'SimpleExpansion' && part.type !== 'ParameterExpansion') return false
    return /^\$\{?[\d@*]/.test(part.text)
  }
  return word.parts?.some(isArgument) ?? false
}
