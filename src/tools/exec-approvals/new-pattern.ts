import { isAbsolute, resolve } from 'node:path'
import { OpenClawError } from '../../kernel/errors.ts'
import { showName } from '../../kernel/untrusted-text.ts'
import { carrierOf } from './carriers.ts'
import { findExecutable, namesOf, type Executable } from './executable.ts'
import type { NewEntry } from './found.ts'
import { isRunner } from './inline-code.ts'
import { ownPattern } from './match.ts'

/** What a person wants to allow, and where they stand. */
export interface WantedPattern {
  readonly text: string
  readonly argPattern: string | undefined
  /** Keep the text as it is, instead of the program that it names. */
  readonly asWritten: boolean
  readonly cwd: string
  readonly path: string
  readonly home: string
}

/** An entry that can be added, with what its author should know. */
export interface CheckedPattern {
  readonly entry: NewEntry
  readonly notes: readonly string[]
}

const longest = 1_000

function refuse(message: string, ...hints: readonly string[]): OpenClawError {
  return new OpenClawError('INPUT_INVALID', message, { hints })
}

/**
 * The entry for what somebody wants to allow: of a program that is there its real path, so that the entry means that program and no other;
 * patterns with wildcards stay, from the working directory on where they are relative. INPUT_INVALID for what could never fit anything.
 */
export function newEntry(wanted: WantedPattern): CheckedPattern {
  const text = wanted.text.trim()
  if (text === '') throw refuse('the pattern is empty')
  if (text.length > longest) throw refuse(`the pattern is longer than ${longest} characters`)
  if (/\p{Cc}/u.test(text)) throw refuse('the pattern has control characters in it')
  const { argPattern } = wanted
  const notes = argPattern === undefined ? [] : notesOnArguments(argPattern)
  const made = wanted.asWritten ? { pattern: text, program: null } : resolved(text, wanted)
  const entry = argPattern === undefined ? { pattern: made.pattern } : { pattern: made.pattern, argPattern }
  return { entry, notes: [...notesOnProgram(made, argPattern), ...notes] }
}

interface Resolved {
  readonly pattern: string
  readonly program: Executable | null
}

function resolved(text: string, { cwd, path, home }: WantedPattern): Resolved {
  const isPath = /[\\/~]/.test(text)
  if (/^~[^/]/.test(text)) throw refuse(`${showName(text)}: only ~/ stands for a home directory`)
  const hasWildcard = /[*?]/.test(text)
  if (hasWildcard && (!isPath || text.startsWith('~') || isAbsolute(text)))
    return { pattern: text, program: null }
  if (hasWildcard) return { pattern: resolve(cwd, text), program: null }
  const place = text === '~' || text.startsWith('~/') ? home + text.slice(1) : text
  const program = findExecutable(place, { cwd, path })
  if (program === null) {
    throw refuse(
      isPath ? `there is no program at ${showName(text)}` : `no program "${showName(text)}" is on the PATH`,
      '--as-written keeps the pattern for a program that is not here yet',
    )
  }
  const pattern = ownPattern(program)
  if (pattern !== null) return { pattern, program }
  throw refuse(
    `${showName(program.real)} is many programs in one file, or has wildcards in its name: its path allows nothing`,
    '--as-written with the name of one program allows that one',
  )
}

function notesOnArguments(argPattern: string): readonly string[] {
  if (argPattern.length > longest)
    throw refuse(`the expression for arguments is longer than ${longest} characters`)
  try {
    new RegExp(argPattern).test('')
  } catch (error) {
    throw refuse(`--arg-pattern: ${error instanceof Error ? error.message : String(error)}`)
  }
  const isWhole = argPattern.startsWith('^') && argPattern.endsWith('$')
  return isWhole ? [] : ['the expression may fit anywhere in the arguments; ^ and $ make it fit all of them']
}

function notesOnProgram({ pattern, program }: Resolved, argPattern: string | undefined): readonly string[] {
  if (argPattern !== undefined) return []
  if (pattern === '*') return ['it allows every program']
  if (program === null) return []
  const names = namesOf(program)
  if (carrierOf(names) !== null)
    return [
      `${names[0]} runs other programs, which are judged themselves: without --arg-pattern the entry allows none`,
    ]
  return isRunner(names) ? [`${names[0]} runs whatever code it is given; --arg-pattern narrows it`] : []
}
