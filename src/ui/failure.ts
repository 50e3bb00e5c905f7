import { OpenClawError, toEnvelope } from '../kernel/errors.ts'
import { systemFailure } from '../kernel/system-error.ts'
import { thrownText } from '../kernel/thrown.ts'
import { showText } from '../kernel/untrusted-text.ts'
import { writeJson, writeText } from './output.ts'
import { describeOutput } from './terminal.ts'
import { loadTheme } from './theme.ts'

/** Makes anything thrown an OpenClawError; what nobody foresaw becomes INTERNAL. */
export function toOpenClawError(thrown: unknown): OpenClawError {
  if (thrown instanceof OpenClawError) return thrown
  const ofSystem = systemFailure(thrown, 'INTERNAL')
  if (ofSystem !== null) return ofSystem
  return new OpenClawError('INTERNAL', `unexpected: ${thrownText(thrown)}`, {
    hints: ['rerun with --debug to see where it happened'],
    cause: thrown,
  })
}

/** Scripts get a suggestion as the question it is; behind `try:` only its answer makes sense. */
function hintLine(hint: string): string {
  const plain = hint.replace(/^did you mean (.*)\?$/s, '$1')
  return /^(?:fix|try): /.test(plain) ? plain : `try: ${plain}`
}

function stackOf(error: OpenClawError): string {
  const { cause } = error
  return (cause instanceof Error ? cause.stack : error.stack) ?? error.message
}

/** Tells the user about a failure, as JSON on stdout or as text on stderr (contract §1). */
export async function reportFailure(
  error: OpenClawError,
  options: { json: boolean; debug: boolean; noColor: boolean },
): Promise<void> {
  if (options.json) await writeJson(toEnvelope(error))
  else {
    const { color } = describeOutput('stderr', options.noColor)
    const theme = await loadTheme(color)
    const lines = [`${theme.bad('error:')} ${error.message}`]
    for (const hint of error.hints) {
      const line = hintLine(hint)
      lines.push(`${theme.good(line.slice(0, 4))}${line.slice(4)}`)
    }
    await writeText('stderr', showText(lines.join('\n'), color))
  }
  if (options.debug) await writeText('stderr', stackOf(error))
}
