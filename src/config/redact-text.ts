import { isSensitiveKey, isSensitiveVariable } from './sensitive.ts'

/** What stands for a secret in every output; written back unchanged it means "keep the stored value". */
export const redactedSentinel = '__OPENCLAW_REDACTED__'

/** Whether a text came out of redaction. */
export function isRedacted(text: string): boolean {
  return text.includes(redactedSentinel)
}

const urlLogin = /(?<![a-z0-9+.-])([a-z][a-z0-9+.-]*:\/\/)([^\s/?#@'"]+)@/gi
const query = /([?&])([\w.-]+)=([^&\s#"']+)/g
const assignment = /(?<![\w.-])(?:--?)?([A-Za-z_][\w.-]*)["']?\s*[=:]\s*/g
const flagged =
  /(?<![\w-])(--?[A-Za-z][\w-]*)(["']\s{0,8},\s{0,8}["']|\s{1,8}["']?)((?!-)(?:\$\{[^}]*\}|[^\s"',;)\]}])+)/g
const assigned = /"[^"]*"|'[^']*'|(?:\$\{[^}]*\}|[^\s&"',;#})\]])+/y
const scheme = /\b(Bearer|Basic)(\s+)([A-Za-z0-9+/_.=~-]{8,})/gi
const privateKey = /(-----BEGIN [A-Z ]*PRIVATE KEY-----)([^-]*)(-----END [A-Z ]*PRIVATE KEY-----|$)/g
/** Shapes that well-known services give their keys, so that they are found under any name. */
const knownShapes =
  /(?<![\w-])(?:sk-[A-Za-z0-9_-]{16,}|gh[pousr]_[A-Za-z0-9]{20,}|github_pat_[A-Za-z0-9_]{20,}|glpat-[\w-]{16,}|xox[abeprs]-[A-Za-z0-9-]{10,}|xapp-[A-Za-z0-9-]{10,}|AKIA[A-Z0-9]{16}|AIza[\w-]{30,}|npm_[A-Za-z0-9]{30,}|hf_[A-Za-z0-9]{20,}|\d{8,10}:[A-Za-z0-9_-]{35}|eyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]{8,})(?![\w-])/g

const references = /\$?\$\{[^{}]*\}/g
const shellForm = /^\$\{([A-Za-z_]\w*):?[-=?+]/

/** Whether nothing but references to variables and the words around them is left of a text, so that it holds no secret itself. */
export function isReference(text: string): boolean {
  const found = text.match(references)
  if (found === null) return /^\s*\$[A-Z_][A-Z0-9_]*\s*$/.test(text)
  if (found.some((item) => isSensitiveVariable(shellForm.exec(item)?.[1] ?? ''))) return false
  return /^\s*(?:Bearer|Basic|Token|Bot)?\s*$/i.test(text.replaceAll(references, ''))
}

const queryNames =
  /^(?:key|sig|signature|auth|code|pwd|pass|access_?key(?:_?id)?|x-amz-(?:signature|credential))$/i

function isSecretName(name: string): boolean {
  return isSensitiveKey(name) || (/^[A-Z0-9_]+$/.test(name) && isSensitiveVariable(name))
}

/** Words that stand behind `token:` in ordinary messages, and what other patterns have dealt with already. */
const noSecret = /^(?:true|false|null|undefined|\d{1,6}|Bearer|Basic)$/i

/** What is written in place of a secret. */
type StandIn = (secret: string) => string

function redactAssignments(text: string, standIn: StandIn): string {
  let result = ''
  let done = 0
  for (const match of text.matchAll(assignment)) {
    const start = match.index + match[0].length
    if (match.index < done || !isSecretName(match[1]?.split('.').at(-1) ?? '')) continue
    assigned.lastIndex = start
    const value = assigned.exec(text)?.[0] ?? ''
    const quote = /^["']/.exec(value)?.[0] ?? ''
    const inner = quote === '' ? value : value.slice(1, -1)
    if (inner === '' || noSecret.test(inner) || isReference(inner) || isRedacted(inner)) continue
    result += `${text.slice(done, start)}${quote}${standIn(inner)}${quote}`
    done = start + value.length
  }
  return result + text.slice(done)
}

/** Redacts what looks like a secret in running text: logins in URLs, `name=value` and `name: value` under sensitive names, authorization schemes, arguments of sensitive flags, private keys, key shapes of well-known services. */
export function redactText(text: string, standIn: StandIn = () => redactedSentinel): string {
  const shaped = text
    .replace(
      privateKey,
      (_all: string, open: string, key: string, close: string) => open + standIn(key) + close,
    )
    .replace(urlLogin, (all: string, start: string, login: string) =>
      isReference(login.replace(/^[^:]*:/, '')) ? all : `${start}${standIn(login)}@`,
    )
    .replace(scheme, (_all: string, name: string, gap: string, key: string) => name + gap + standIn(key))
    .replace(knownShapes, standIn)
    .replace(query, (all: string, mark: string, name: string, value: string) => {
      const secret = (queryNames.test(name) || isSecretName(name)) && !isReference(value)
      return secret ? `${mark}${name}=${standIn(value)}` : all
    })
    .replace(flagged, (all: string, flag: string, gap: string, value: string) => {
      const isWord = /^\s/.test(gap) && /^(?:[a-z]+|[A-Z]+)$/.test(value)
      const isSecret = isSecretFlag(flag) && !isWord && !isRedacted(value) && !isReference(value)
      return isSecret ? `${flag}${gap}${standIn(value)}` : all
    })
  return redactAssignments(shaped, standIn)
}

/** Whether a list entry is a flag, such as `--token`, that makes the entry behind it secret. */
export function isSecretFlag(entry: unknown): boolean {
  const flag = typeof entry === 'string' ? /^--?([\w-]+)$/.exec(entry)?.[1] : undefined
  return flag !== undefined && isSensitiveKey(flag)
}

/** Redacts the strings of a list of command-line arguments: like `redactText`, and the argument behind a sensitive flag. */
export function redactArgs(args: readonly unknown[]): unknown[] {
  return args.map((arg, at) => {
    if (typeof arg !== 'string') return arg
    const follows = isSecretFlag(args[at - 1]) && !arg.startsWith('-') && !isReference(arg)
    return follows ? redactedSentinel : redactText(arg)
  })
}
