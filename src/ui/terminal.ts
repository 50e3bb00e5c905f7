import { terminalOf, type OutputName } from './streams.ts'

/** What the process environment says about the person or program that reads the output. */
export interface Terminal {
  readonly color: boolean
  /** Columns that text may use. */
  readonly width: number
  readonly interactive: boolean
}

/**
 * Describes one output stream. `--no-color` wins, then `FORCE_COLOR` (`0` and `false` mean off), then `NO_COLOR`, as Node
 * itself ranks them; without any of these colour needs a terminal.
 */
export function describeStream(
  stream: Pick<NodeJS.WriteStream, 'isTTY' | 'columns'>,
  noColor: boolean,
): Terminal {
  const { env } = process
  const interactive = stream.isTTY === true
  let color = interactive && env.TERM !== 'dumb'
  if (env.NO_COLOR) color = false
  if (env.FORCE_COLOR !== undefined) color = env.FORCE_COLOR !== '0' && env.FORCE_COLOR !== 'false'
  if (noColor) color = false
  const columns = interactive ? stream.columns : Number(env.COLUMNS)
  return { color, width: columns >= 40 ? columns : interactive ? 80 : 120, interactive }
}

/** Describes stdout or stderr, without opening a stream for an output that is no terminal. */
export function describeOutput(name: OutputName, noColor: boolean): Terminal {
  return describeStream(terminalOf(name), noColor)
}

function isOn(value: string | undefined): boolean {
  return value !== undefined && /^(?:true|1|yes|y)$/i.test(value)
}

/** Whether a boolean flag stands on the command line before `--`, or in its environment variable. */
export function isAsked(argv: readonly string[], flag: 'json' | 'debug' | 'no-color'): boolean {
  const end = argv.indexOf('--')
  const own = end < 0 ? argv : argv.slice(0, end)
  return own.includes(`--${flag}`) || isOn(process.env[`OPENCLAW_${flag.replace('-', '_').toUpperCase()}`])
}
