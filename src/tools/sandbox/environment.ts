type Variables = Readonly<Record<string, string | undefined>>

/** What may go from the environment of this program into a sandbox: language and terminal, nothing that could be a secret. */
const harmless = /^(?:LANG|LANGUAGE|LC_[A-Z]+|TZ|TERM|COLORTERM|NO_COLOR|FORCE_COLOR|COLUMNS|LINES)$/

export const usualPath = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'

/**
 * The variables of a command in a sandbox. What it has as this program has it was only handed down and stays outside; what differs was given for
 * this command and goes in. Pure.
 */
export function sandboxEnvironment(
  command: Readonly<Record<string, string>>,
  host: Variables,
  own: Readonly<Record<string, string>>,
): Record<string, string> {
  const given = Object.entries(command).filter(
    ([name, value]) => harmless.test(name) || (host[name] !== value && name !== 'PATH'),
  )
  return { ...own, ...Object.fromEntries(given), PATH: pathOf(command['PATH'], host['PATH'], own['PATH']) }
}

/** The path of the sandbox, with what was put in front of the one of this program in front of it. */
function pathOf(command: string | undefined, host: string | undefined, own = usualPath): string {
  if (command === undefined || command === host) return own
  const isPrepended = host !== undefined && host !== '' && command.endsWith(`:${host}`)
  return isPrepended ? `${command.slice(0, -host.length)}${own}` : command
}
