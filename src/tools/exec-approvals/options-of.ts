import type { Arg } from './line.ts'

/** Options that a carrier takes before the command that it carries. */
export interface OptionSpec {
  /** Letters of flags. */
  readonly flags?: string
  /** Letters of options with a value, in the same argument or in the next. */
  readonly valued?: string
  /** Long flags, without dashes. */
  readonly long?: readonly string[]
  /** Long options with a value, after `=` or in the next argument. */
  readonly longValued?: readonly string[]
}

/** Options as they were given, and what follows them. */
export interface ParsedOptions {
  readonly options: readonly { readonly name: string; readonly value: string | null }[]
  readonly rest: readonly Arg[]
}

/** Reads the options at the beginning; null for one that is not in the spec, or not known before it runs. */
export function parseOptions(args: readonly Arg[], spec: OptionSpec): ParsedOptions | null {
  const options: { name: string; value: string | null }[] = []
  const { flags = '', valued = '', long = [], longValued = [] } = spec
  for (let at = 0; at < args.length; at++) {
    const arg = args[at] ?? null
    if (arg === null) return null
    if (arg === '--') return { options, rest: args.slice(at + 1) }
    if (!arg.startsWith('-') || arg === '-') return { options, rest: args.slice(at) }
    if (arg.startsWith('--')) {
      const [name = '', ...values] = arg.slice(2).split('=')
      if (longValued.includes(name)) {
        const value = values.length > 0 ? values.join('=') : (args[++at] ?? null)
        if (value === null) return null
        options.push({ name, value })
      } else if (long.includes(name) && values.length === 0) options.push({ name, value: null })
      else return null
      continue
    }
    for (let letter = 1; letter < arg.length; letter++) {
      const name = arg.charAt(letter)
      if (flags.includes(name)) options.push({ name, value: null })
      else if (valued.includes(name)) {
        const attached = arg.slice(letter + 1)
        const value = attached === '' ? (args[++at] ?? null) : attached
        if (value === null) return null
        options.push({ name, value })
        break
      } else return null
    }
  }
  return { options, rest: [] }
}
