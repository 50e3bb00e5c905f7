import { sizeInWords, type RunLimits } from './limits.ts'
import { codeError, type CodeError } from './result.ts'

/** Why a snippet is not worth a child, as far as its text alone tells: no text, too much of it, or a shell command; else null. */
export function refuse(code: unknown, { codeSize }: Pick<RunLimits, 'codeSize'>): CodeError | null {
  if (typeof code !== 'string' || code.trim() === '') {
    return codeError('invalid_input', 'code must be a non-empty string')
  }
  if (code.length > codeSize) {
    const most = `at most ${sizeInWords(codeSize)} are run`
    return codeError('invalid_input', `the snippet has ${sizeInWords(code.length)}; ${most}`)
  }
  const command = findShellCommand(code)
  if (command === null) return null
  const advice = 'write JavaScript, for example: return await openclaw.tools.call(id, args)'
  return codeError(
    'invalid_input',
    `this looks like a shell command (${command}), not like JavaScript; ${advice}`,
  )
}

const commands: ReadonlySet<string> = new Set(
  `
  apt apt-get awk bash brew bun cargo cat cd chmod chown clear cmake cp curl cut date df diff dig dir dirname docker du echo
  env export fd file find git go grep head hostname htop id ifconfig ip java jq kill kubectl less ln ls lsof make man md5sum
  mkdir mktemp mv nano netstat nl node npm npx nslookup openssl perl ping pip pip3 pnpm ps pwd python python3 readlink
  realpath rg rm rmdir rsync ruby scp sed sh sha256sum sleep sort source ssh stat sudo systemctl tail tar tee test time
  touch top tr tree uname uniq unzip uptime vi vim watch wc wget which whoami xargs yarn zip zsh
  cls copy del erase findstr ipconfig md move powershell pwsh rd ren robocopy set tasklist taskkill type ver where xcopy
`
    .trim()
    .split(/\s+/),
)

const cmdlet =
  /^(?:Add|Clear|Copy|Get|Invoke|Move|New|Out|Remove|Rename|Select|Set|Start|Stop|Test|Write)(?=-[A-Z]\w)/

/** What follows the name of a value in JavaScript, and the name of a command hardly ever. */
const usesValue = /^\s*(?:[.([=;,?:`]|[-+*/%&|^]=|\+\+|--(?!\w)|=>|(?:in|instanceof|of)\b)/

/**
 * The first line of text that is a shell script, or null. JavaScript is never taken for one: a script begins with a word that
 * the text declares nowhere, so that as JavaScript it could only fail.
 */
function findShellCommand(code: string): string | null {
  const lines = code.split('\n').map((line) => line.trim())
  const line = lines.find((each) => !/^(?:#(?!!).*|\/\/.*)?$/.test(each)) ?? ''
  const shown = line.length > 60 ? `${line.slice(0, 60)}…` : line
  if (/^#!.*\b(?:ba|z|da|k)?sh\b/.test(line)) return shown
  const word = cmdlet.exec(line)?.[0] ?? /^[a-z][\w-]*/.exec(line)?.[0] ?? ''
  if (!cmdlet.test(line) && (!commands.has(word) || usesValue.test(line.slice(word.length)))) return null
  return declares(code, word) ? null : shown
}

/** Whether a text may declare or set a name. Statement by statement, so that it takes no longer than reading the text. */
function declares(code: string, word: string): boolean {
  const isSet = new RegExp(`\\b${word}\\s*=(?!=)`)
  const isNamed = new RegExp(`\\b${word}\\b`)
  return code.split(/[;\n]/).some((statement) => {
    const from = statement.search(/\b(?:var|let|const|class|function)\b/)
    return isSet.test(statement) || (from >= 0 && isNamed.test(statement.slice(from)))
  })
}
