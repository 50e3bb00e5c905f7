import { delimiter, isAbsolute } from 'node:path'
import { isSensitiveVariable } from '../../config/sensitive.ts'
import { OpenClawError } from '../../kernel/errors.ts'
import { showName } from '../../kernel/untrusted-text.ts'

type Env = Readonly<Record<string, string | undefined>>

/*
 * A command gets what programs need to find each other and to speak the user's language, not what this program was started with: keys of
 * model providers are in there. What makes a loader or an interpreter run other code is kept out from every side, since it would run
 * something else than the command that was judged.
 */

const inherited =
  /^(?:PATH|HOME|USER|LOGNAME|SHELL|LANG|LANGUAGE|LC_[A-Z]+|TZ|TMPDIR|TEMP|TMP|COLORTERM|NO_COLOR|FORCE_COLOR|CI|HOSTNAME|XDG_[A-Z_]+|(?:HTTPS?|ALL|FTP|NO)_PROXY|SSL_CERT_(?:FILE|DIR)|NODE_EXTRA_CA_CERTS|JAVA_HOME|GOPATH|GOROOT|CARGO_HOME|RUSTUP_HOME|NVM_DIR|PNPM_HOME|BUN_INSTALL|PYENV_ROOT|VIRTUAL_ENV|CONDA_PREFIX|SYSTEMROOT|COMSPEC|PATHEXT|WINDIR)$/i

const loaders =
  /^(?:LD_.*|DYLD_.*|NODE_OPTIONS|NODE_PATH|NODE_REPL_EXTERNAL_MODULE|BASH_ENV|ENV|BASH_FUNC_.*|SHELLOPTS|BASHOPTS|PS4|PROMPT_COMMAND|IFS|CDPATH|ZDOTDIR|PYTHON(?:STARTUP|PATH|HOME|INSPECT|USERBASE|BREAKPOINT|WARNINGS)|PERL5?(?:LIB|OPT|DB)|RUBY(?:OPT|LIB)|JAVA_TOOL_OPTIONS|_JAVA_OPTIONS|JDK_JAVA_OPTIONS|CLASSPATH|LUA_(?:INIT|PATH|CPATH).*|GCONV_PATH|GLIBC_TUNABLES|MALLOC_.*|HOSTALIASES|RES_OPTIONS|GIT_(?!AUTHOR_|COMMITTER_|PAGER$|TERMINAL_PROMPT$|MERGE_AUTOEDIT$).*|SSH_ASKPASS|SUDO_ASKPASS|LESSOPEN|LESSCLOSE|PAGER|MANPAGER|BROWSER|EDITOR|VISUAL|RUSTC_WRAPPER|CARGO_BUILD_RUSTC.*|MAKEFLAGS|TERMINFO(?:_DIRS)?|NPM_CONFIG_.*)$/i

/** What a command's environment is made of. */
export interface EnvironmentInput {
  readonly env: Env
  /** `env.vars` of the config. */
  readonly vars: Readonly<Record<string, string | number | boolean>>
  readonly pathPrepend: readonly string[]
  readonly homeDir: string
  /** Given with the call. */
  readonly given: Readonly<Record<string, string>>
  readonly pty: boolean
}

/** The environment of a command. Error: INPUT_INVALID for a given variable that may not be set. */
export function commandEnvironment(input: EnvironmentInput): Record<string, string> {
  const { env, vars, pathPrepend, homeDir, given, pty } = input
  const made: Record<string, string> = {}
  for (const [name, value] of Object.entries(env)) {
    if (value !== undefined && inherited.test(name) && !carriesLogin(value)) made[name] = value
  }
  for (const [name, value] of Object.entries(vars)) {
    if (refusalOf(name) === null && !String(value).includes('\0')) made[name] = String(value)
  }
  made['HOME'] ??= homeDir
  made['PATH'] = pathOf(made['PATH'], pathPrepend)
  made['TERM'] = pty ? 'xterm-256color' : 'dumb'
  for (const [name, value] of Object.entries(given)) made[name] = checked(name, value)
  return made
}

const usualPath = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'

/** A relative directory on the PATH would make a command's meaning depend on where it runs. */
function pathOf(own: string | undefined, prepend: readonly string[]): string {
  const rest = own === undefined || own === '' ? usualPath : own
  return [...prepend.filter((directory) => isAbsolute(directory)), rest].join(delimiter)
}

function checked(name: string, value: string): string {
  const why = refusalOf(name)
  if (why !== null) {
    throw new OpenClawError('INPUT_INVALID', `exec may not set ${showName(name)}: ${why}`, {
      hints: ['leave it out of env'],
      data: { variable: name.slice(0, 200) },
    })
  }
  if (value.includes('\0')) {
    throw new OpenClawError('INPUT_INVALID', `the value of ${showName(name)} has a NUL character in it`)
  }
  return value
}

/** Why nobody may set a variable for a command, or null. */
function refusalOf(name: string): string | null {
  if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name)) return 'that is no name of a variable'
  if (/^PATH$/i.test(name)) return 'it decides which programs run; tools.exec.pathPrepend adds to it'
  if (/^OPENCLAW_/i.test(name)) return 'it belongs to this program'
  if (loaders.test(name)) return 'it makes programs load other code'
  if (isSensitiveVariable(name) || /_SECRET(?:_|$)|^AWS_|^GH_/i.test(name)) {
    return 'its name is one of a secret, and what a call carries is written down'
  }
  return null
}

/** A proxy's address may have a password in it. */
function carriesLogin(value: string): boolean {
  return /:\/\/[^/\s]*@/.test(value)
}
