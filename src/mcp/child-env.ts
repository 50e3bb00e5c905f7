import type { Env } from '../config/env.ts'

/** What a server may know of the machine without being told: where programs and the home directory are, who is logged in. */
const inherited =
  process.platform === 'win32'
    ? [
        'APPDATA',
        'COMSPEC',
        'HOMEDRIVE',
        'HOMEPATH',
        'LOCALAPPDATA',
        'PATH',
        'PATHEXT',
        'PROCESSOR_ARCHITECTURE',
        'PROGRAMDATA',
        'PROGRAMFILES',
        'SYSTEMDRIVE',
        'SYSTEMROOT',
        'TEMP',
        'USERNAME',
        'USERPROFILE',
        'WINDIR',
      ]
    : ['HOME', 'LOGNAME', 'PATH', 'SHELL', 'TERM', 'USER']

/** Variables that make an interpreter or the loader run other code than the command names. */
const steering =
  /^(?:NODE_OPTIONS|NODE_PATH|NODE_REPL_EXTERNAL_MODULE|LD_.*|DYLD_.*|BASH_ENV|ENV|PROMPT_COMMAND|PYTHONSTARTUP|PYTHONHOME|PERL5LIB|PERL5OPT|RUBYOPT|RUBYLIB|JAVA_TOOL_OPTIONS|_JAVA_OPTIONS|GCONV_PATH)$/i

/** The environment of a server process, and which names of the config were refused because they steer an interpreter (tool search facts §5.4). */
export function childEnv(
  env: Env,
  configured: Readonly<Record<string, string>>,
): { readonly env: Readonly<Record<string, string>>; readonly refused: readonly string[] } {
  const result: Record<string, string> = {}
  for (const name of inherited) {
    const value = env[name]
    // A value of this form is an exported shell function.
    if (value !== undefined && !value.startsWith('()')) result[name] = value
  }
  const refused: string[] = []
  for (const [name, value] of Object.entries(configured)) {
    if (steering.test(name)) refused.push(name)
    else result[name] = value
  }
  return { env: result, refused }
}
