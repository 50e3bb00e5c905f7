/*
 * What a command line may hold beside commands without becoming more than these. All of it is a list of what is understood; whatever is
 * not on it makes the line one that has to be asked for.
 */

/** A value that is no path and no code for any program. */
const plainValue = /^[\w.:@%+,-]*$/
const timeZone = /^[A-Za-z0-9_+-]+(?:\/[A-Za-z0-9_+-]+)*$/

/** Whether a variable changes how programs speak, and not what they run or load. */
export function isNeutralVariable(name: string, value: string): boolean {
  if (name === 'TZ') return timeZone.test(value)
  if (name === 'LANG' || name === 'LANGUAGE' || /^LC_[A-Z]+$/.test(name)) return plainValue.test(value)
  return (
    /^(?:NO_COLOR|FORCE_COLOR|CLICOLOR|CLICOLOR_FORCE|CI|COLUMNS|LINES|NODE_ENV)$/.test(name) &&
    plainValue.test(value)
  )
}

/** Whether a loop may have a variable of this name: one that nothing reads from the environment. */
export function isLoopVariable(name: string): boolean {
  return /^(?:[a-z]|file|dir|name|item|line|entry|host|user|num|idx|word)$/.test(name)
}

/** Builtins that do nothing to the world and nothing to the commands after them. */
const idle = /^(?::|true|false|exit|break|continue)$/

/** `set -e`, `set -euo pipefail`: ends a script earlier, never later. */
const stricterSet = /^-(?:[eu]+|[eu]*o)$/

/** Whether a builtin of the shell, with its arguments, may stand in any line. Arguments that are not known are null. */
export function isIdleBuiltin(name: string, args: readonly (string | null)[]): boolean {
  if (idle.test(name)) return true
  // `wait -p` sets a variable.
  if (name === 'wait') return args.every((arg) => arg !== null && !arg.startsWith('-'))
  if (name !== 'set' || args.length === 0) return false
  return args.every((arg, index) => {
    if (arg === null) return false
    if (arg === 'pipefail') return args[index - 1]?.endsWith('o') === true
    return stricterSet.test(arg) && (!arg.endsWith('o') || args[index + 1] === 'pipefail')
  })
}

/** Builtins which change what names mean, run text, or set variables; nothing after them can be judged. */
const changing = new Set(
  (
    'cd . source eval alias unalias hash enable export declare typeset local readonly unset set shift read mapfile readarray let trap bind ' +
    'complete compgen compopt getopts pushd popd dirs fc history fg bg jobs disown suspend ulimit umask shopt setopt unsetopt emulate autoload ' +
    'zmodload functions noglob nocorrect sched vared zcompile return caller logout times newgrp repeat - coproc select function'
  ).split(' '),
)

/** `%n` stores how much was printed in the variable that an argument names. */
const setsByFormat = /%[^A-Za-z%]*[hjlLqtzZ]*n/

/** Why a builtin of the shell cannot be judged; null for what is none, or none that matters. */
export function troubleWithBuiltin(name: string, args: readonly (string | null)[]): string | null {
  if (changing.has(name)) return `${name} changes what the shell does next`
  if (name === 'wait') return 'wait with options may set a variable'
  if (name === 'printf' && args.some((arg) => arg === null || arg.startsWith('-v') || setsByFormat.test(arg)))
    return 'printf may set a variable'
  // Arithmetic and -v look into variables, whose subscripts are commands.
  if ((name === 'test' || name === '[') && args.some((arg) => arg === null || /[$`]/.test(arg)))
    return `${name} may run what stands in a subscript`
  if (name === 'kill' && args.some((arg) => arg === null)) return 'kill gets targets that are not known'
  return null
}

/** Why a text cannot be judged before it is even read; null for none. */
export function troubleWithText(text: string): string | null {
  if (text.length > 32_768) return 'it is longer than 32 KiB'
  // oxlint-disable-next-line no-control-regex -- these are the characters that are looked for.
  if (/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/.test(text)) return 'it holds control characters'
  if (/[\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cn}\p{Cs}]/u.test(text) || /(?! )\p{Zs}/u.test(text))
    return 'it holds characters that cannot be seen'
  return null
}

/*
 * zsh reads more into a line than other shells: =name, glob qualifiers that run code, global aliases. Only lines of words that mean the same
 * everywhere are read for it.
 */

/** Whether zsh understands a text as other shells do. */
export function isPlainForZsh(text: string): boolean {
  return /^[\w./:@%+,\- '"|&;=\n]*$/.test(text) && !/(?:^|[\s;&|'"])=/.test(text)
}
