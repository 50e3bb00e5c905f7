import { basename } from 'node:path'
import type { Config } from '../../config/types.ts'
import { carrierOf } from './carriers.ts'
import { isSystems, namesOf, type Executable } from './executable.ts'
import { isRunner } from './inline-code.ts'
import type { Arg } from './line.ts'

/** What a program may be given that only works on its input. */
interface Profile {
  readonly positionals: { readonly min: number; readonly max: number }
  /** Flags with a value, with dashes. */
  readonly valued: readonly string[]
  readonly denied: readonly string[]
  /** Whether operands are text, and may look like paths. */
  readonly isText?: boolean
  /** Whether flags stand alone, since what follows a letter may be its value. */
  readonly isUnknown?: boolean
}

/** Programs that may run without an entry, with what they may be given (policy facts §8). */
export interface SafeBins {
  readonly profiles: Readonly<Record<string, Profile>>
  readonly trustedDirs: readonly string[]
}

const none = { min: 0, max: 0 }

/** Those of every machine; none of them can name a file here. */
const usual: Readonly<Record<string, Profile>> = {
  cut: {
    positionals: none,
    valued: [
      '-b',
      '-c',
      '-d',
      '-f',
      '--bytes',
      '--characters',
      '--delimiter',
      '--fields',
      '--output-delimiter',
    ],
    denied: [],
  },
  uniq: {
    positionals: none,
    valued: ['-f', '-s', '-w', '--skip-fields', '--skip-chars', '--check-chars', '--group'],
    denied: [],
  },
  head: { positionals: none, valued: ['-n', '-c', '--lines', '--bytes'], denied: [] },
  tail: {
    positionals: none,
    valued: ['-n', '-c', '-s', '--lines', '--bytes', '--sleep-interval'],
    denied: ['-f', '-F', '--follow', '--retry', '--pid'],
  },
  tr: { positionals: { min: 1, max: 2 }, valued: [], denied: [], isText: true },
  wc: { positionals: none, valued: ['--total'], denied: ['--files0-from'] },
}

/** The default for a program that the config names without a profile: flags alone. */
const flagsOnly: Profile = { positionals: none, valued: [], denied: [], isUnknown: true }

const texts = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.filter((each) => typeof each === 'string') : []
const amount = (value: unknown, other: number): number =>
  typeof value === 'number' && value >= 0 ? value : other

type ExecSection = NonNullable<NonNullable<Config['tools']>['exec']>
type Section = Partial<Pick<ExecSection, 'safeBins' | 'safeBinProfiles' | 'safeBinTrustedDirs'>> | undefined

/** The safe programs that a config declares: those of every machine, and its own with their profiles; the agent's come after the global ones. */
export function safeBinsOf(sections: readonly Section[]): SafeBins {
  const profiles: Record<string, Profile> = { ...usual }
  for (const section of sections) {
    for (const name of section?.safeBins ?? []) profiles[name.trim()] ??= flagsOnly
    for (const [name, value] of Object.entries(section?.safeBinProfiles ?? {})) {
      const given: Readonly<Record<string, unknown>> = { ...value }
      profiles[name] = {
        positionals: { min: amount(given['minPositional'], 0), max: amount(given['maxPositional'], 0) },
        valued: texts(given['allowedValueFlags']),
        denied: texts(given['deniedFlags']),
      }
    }
  }
  return { profiles, trustedDirs: sections.flatMap((section) => section?.safeBinTrustedDirs ?? []) }
}

/** Whether a program may run because it can only work on its input; never on Windows, and never one that runs others. */
export function isSafe(
  executable: Executable,
  args: readonly Arg[],
  readsFile: boolean,
  { profiles, trustedDirs }: SafeBins,
): boolean {
  const names = namesOf(executable)
  const name = basename(executable.found)
  if (process.platform === 'win32' || readsFile || !executable.isBare || !Object.hasOwn(profiles, name))
    return false
  if (!isSystems(executable, trustedDirs) || carrierOf(names) !== null || isRunner(names)) return false
  const profile = profiles[name]
  return profile !== undefined && fits(args, profile)
}

const looksLikePath = (text: string): boolean =>
  text.includes('/') || text.startsWith('~') || text.startsWith('.')

function fits(
  args: readonly Arg[],
  { positionals, valued, denied, isText = false, isUnknown = false }: Profile,
): boolean {
  let operands = 0
  let isOver = false
  for (let at = 0; at < args.length; at++) {
    const arg = args[at] ?? null
    if (arg === null) return false
    if (arg === '--' && !isOver) isOver = true
    else if (isOver || !arg.startsWith('-') || arg === '-') {
      operands++
      if (!isText && (looksLikePath(arg) || arg === '-')) return false
    } else if (isUnknown && !/^-(?:\w|-[\w-]+)$/.test(arg)) return false
    else {
      const flag = readFlag(arg, valued, denied)
      if (flag === null) return false
      const value = flag.wantsNext ? args[++at] : flag.value
      if (flag.wantsNext && typeof value !== 'string') return false
      if (typeof value === 'string' && looksLikePath(value) && value.length > 1) return false
    }
  }
  return operands >= positionals.min && operands <= positionals.max
}

/** A flag with its value; null for one that may not be given. */
function readFlag(
  arg: string,
  valued: readonly string[],
  denied: readonly string[],
): { readonly value: string | null; readonly wantsNext: boolean } | null {
  if (arg.startsWith('--')) {
    const [name = '', ...values] = arg.split('=')
    // Programs take any beginning of a long option for it.
    if (denied.some((each) => each.startsWith(name))) return null
    if (values.length > 0) return valued.includes(name) ? { value: values.join('='), wantsNext: false } : null
    return { value: null, wantsNext: valued.includes(name) }
  }
  if (/^-\d+$/.test(arg)) return { value: null, wantsNext: false }
  for (let at = 1; at < arg.length; at++) {
    const letter = `-${arg.charAt(at)}`
    if (denied.includes(letter)) return null
    if (!valued.includes(letter)) continue
    const value = arg.slice(at + 1)
    return value === '' ? { value: null, wantsNext: true } : { value, wantsNext: false }
  }
  return { value: null, wantsNext: false }
}
