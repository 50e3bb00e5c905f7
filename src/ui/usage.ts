import { OpenClawError } from '../kernel/errors.ts'
import { suggest } from '../kernel/suggest.ts'

interface CommandShape {
  /** `openclaw tools explain` */
  readonly command: string
  readonly flags: Readonly<Record<string, { readonly type: string; readonly allowNo?: boolean }>>
  readonly argv: readonly string[]
}

function flagNames(flags: CommandShape['flags']): string[] {
  return Object.entries(flags).flatMap(([name, flag]) =>
    flag.type === 'boolean' && flag.allowNo ? [`--${name}`, `--no-${name}`] : [`--${name}`],
  )
}

function plural(word: string, count: number): string {
  return count === 1 ? word : `${word}s`
}

/** The flags that the parser did not know; it takes names that every object inherits, like `--constructor`, for its own. */
function unknownFlags(thrown: Error, shape: CommandShape): string[] | undefined {
  const strangers = thrown.message.startsWith('Unexpected flag ')
    ? shape.argv.filter((word) => word.startsWith('--') && word.slice(2).replace(/=.*$/s, '') in {})
    : 'flags' in thrown && Array.isArray(thrown.flags)
      ? thrown.flags.map(String)
      : undefined
  return strangers?.map((flag) => flag.replace(/=.*$/s, ''))
}

/** Turns whatever the argument parser threw into a USAGE error that names the flag or argument and the nearest right one. */
export function toUsageError(thrown: unknown, shape: CommandShape): OpenClawError {
  const help = `${shape.command} --help`
  if (!(thrown instanceof Error)) return new OpenClawError('USAGE', String(thrown), { hints: [help] })

  const unknown = unknownFlags(thrown, shape)
  if (unknown) {
    const known = flagNames(shape.flags)
    const suggestions = [...new Set(unknown.flatMap((flag) => suggest(flag, known)))].slice(0, 3)
    return new OpenClawError('USAGE', `unknown ${plural('flag', unknown.length)} ${unknown.join(', ')}`, {
      hints: [...suggestions, help],
      data: { flags: unknown, suggestions },
    })
  }

  if ('args' in thrown && Array.isArray(thrown.args)) {
    const words = thrown.args.map((arg: unknown) =>
      typeof arg === 'object' && arg !== null && 'name' in arg ? String(arg.name).toUpperCase() : arg,
    )
    const missing = typeof thrown.args[0] === 'object'
    const what = missing ? 'missing' : 'unexpected'
    return new OpenClawError('USAGE', `${what} ${plural('argument', words.length)} ${words.join(' ')}`, {
      hints: [help],
      data: { arguments: words },
    })
  }

  const wanted = [...thrown.message.matchAll(/^ {2}Missing required flag (\S+)$/gm)].map(
    ([, name]) => `--${name}`,
  )
  if (wanted.length > 0) {
    return new OpenClawError('USAGE', `missing ${plural('flag', wanted.length)} ${wanted.join(', ')}`, {
      hints: [help],
      data: { flags: wanted },
    })
  }

  const parsing = /^Parsing --(\S+) \n\t([\s\S]*)\nSee more help with --help$/.exec(thrown.message)
  const choice = /^Expected (--\S+?)=([\s\S]*) to be one of: (.*)\n/.exec(thrown.message)
  const clash = /\n {2}(--[\w-]+)\S* cannot also be provided when using (--[\w-]+)/.exec(thrown.message)
  const message = parsing
    ? `--${parsing[1]}: ${parsing[2]}`
    : clash
      ? `${clash[1]} and ${clash[2]} contradict each other`
      : choice
        ? `${choice[1]}: expected one of ${choice[3]}, got "${choice[2]}"`
        : thrown.message.replace(/\nSee more help with --help$/, '').replace(/^Flag (--\S+)/, '$1')
  const hints = thrown instanceof OpenClawError ? thrown.hints : []
  return new OpenClawError('USAGE', message, { hints: [...hints, help] })
}
