import { boolean, custom, option } from '@oclif/core/flags'
import type { FlagInput } from '@oclif/core/interfaces'
import { editionIds } from '../kernel/edition-id.ts'
import { OpenClawError } from '../kernel/errors.ts'

/** Names that users and other programs already know under another variable. */
const knownVariables: Readonly<Record<string, string>> = {
  config: 'OPENCLAW_CONFIG_PATH',
}

/**
 * Finishes a command's flags: each gets its environment name (`--tools-allow` → `OPENCLAW_TOOLS_ALLOW`) unless it has one,
 * and a repeatable flag takes one value per mention, so that it never swallows the argument behind it.
 */
export function defineFlags<Flags extends FlagInput>(flags: Flags): Flags {
  for (const [name, flag] of Object.entries(flags)) {
    flag.env ??= knownVariables[name] ?? `OPENCLAW_${name.replaceAll('-', '_').toUpperCase()}`
    if (flag.type === 'option' && flag.multiple) flag.multipleNonGreedy = true
  }
  return flags
}

/** A flag for text; blank text is a USAGE error, because it is nearly always a variable that a script forgot to set. */
export const word = custom<string>({
  async parse(input) {
    if (input.trim() !== '') return input
    throw new OpenClawError('USAGE', `expected a value, got "${input}"`)
  },
})

/** A flag for a number of seconds above zero, fractions allowed. */
export const seconds = custom<number>({
  helpValue: 'S',
  async parse(input) {
    const value = Number(input)
    if (input.trim() !== '' && Number.isFinite(value) && value > 0) return value
    throw new OpenClawError('USAGE', `expected a number of seconds above 0, got "${input}"`)
  },
})

/** A flag for a whole number from 1. */
export const count = custom<number>({
  helpValue: 'N',
  async parse(input) {
    const value = Number(input)
    if (/^\d+$/.test(input.trim()) && value >= 1 && Number.isSafeInteger(value)) return value
    throw new OpenClawError('USAGE', `expected a whole number from 1, got "${input}"`)
  },
})

/** Flags of every command (contract §1). */
export const commonFlags = defineFlags({
  config: word({ helpValue: 'FILE', summary: 'Config file to read.', helpGroup: 'COMMON' }),
  'state-dir': word({ helpValue: 'DIR', summary: 'Directory of config and state.', helpGroup: 'COMMON' }),
  profile: word({ helpValue: 'NAME', summary: 'Use the state in ~/.openclaw-NAME.', helpGroup: 'COMMON' }),
  edition: option({ options: editionIds })({
    summary: 'Behave as this edition.',
    helpGroup: 'COMMON',
  }),
  json: boolean({ summary: 'Print exactly one JSON value.', helpGroup: 'COMMON' }),
  'no-color': boolean({ summary: 'Print plain text.', helpGroup: 'COMMON' }),
  timeout: seconds({ summary: 'Give up after S seconds.', helpGroup: 'COMMON' }),
  debug: boolean({ summary: 'Show stack traces and timings on stderr.', helpGroup: 'COMMON' }),
})

/** Extra flag of commands that print a list: `--output names` prints one name a line. */
export const listFlags = defineFlags({
  output: option({ options: ['names'] as const })({ summary: 'Print only names, one a line.' }),
})
