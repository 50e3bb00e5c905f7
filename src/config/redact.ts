import type { Path, Segment } from '../kernel/path.ts'
import { getIn, isRecord } from './path-value.ts'
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
const assigned = /"[^"]*"|'[^']*'|(?:\$\{[^}]*\}|[^\s&"',;#})\]])+/y
const scheme = /\b(Bearer|Basic)(\s+)([A-Za-z0-9+/_.=~-]{8,})/gi
const privateKey = /(-----BEGIN [A-Z ]*PRIVATE KEY-----)[^-]*(-----END [A-Z ]*PRIVATE KEY-----|$)/g
/** Shapes that well-known services give their keys, so that they are found under any name. */
const knownShapes =
  /(?<![\w-])(?:sk-[A-Za-z0-9_-]{16,}|gh[pousr]_[A-Za-z0-9]{20,}|github_pat_[A-Za-z0-9_]{20,}|glpat-[\w-]{16,}|xox[abeprs]-[A-Za-z0-9-]{10,}|xapp-[A-Za-z0-9-]{10,}|AKIA[A-Z0-9]{16}|AIza[\w-]{30,}|npm_[A-Za-z0-9]{30,}|hf_[A-Za-z0-9]{20,}|\d{8,10}:[A-Za-z0-9_-]{35}|eyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]{8,})(?![\w-])/g

const references = /\$?\$\{[^{}]*\}/g
const shellForm = /^\$\{([A-Za-z_]\w*):?[-=?+]/

/** Whether nothing but references to variables and the words around them is left of a text, so that it holds no secret itself. */
function isReference(text: string): boolean {
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

function redactQuery(all: string, mark: string, name: string, value: string): string {
  const secret = queryNames.test(name) || isSecretName(name)
  return secret && !isReference(value) ? `${mark}${name}=${redactedSentinel}` : all
}

/** Words that stand behind `token:` in ordinary messages, and what other patterns have dealt with already. */
const noSecret = /^(?:true|false|null|undefined|\d{1,6}|Bearer|Basic)$/i

function redactAssignments(text: string): string {
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
    result += `${text.slice(done, start)}${quote}${redactedSentinel}${quote}`
    done = start + value.length
  }
  return result + text.slice(done)
}

/** Redacts what looks like a secret in running text: logins in URLs, `name=value` and `name: value` under sensitive names, authorization schemes, private keys, key shapes of well-known services. */
export function redactText(text: string): string {
  const shaped = text
    .replace(privateKey, `$1${redactedSentinel}$2`)
    .replace(urlLogin, (all: string, start: string, login: string) =>
      isReference(login.replace(/^[^:]*:/, '')) ? all : `${start}${redactedSentinel}@`,
    )
    .replace(scheme, `$1$2${redactedSentinel}`)
    .replace(knownShapes, redactedSentinel)
    .replace(query, redactQuery)
  return redactAssignments(shaped)
}

/** Redacts command-line arguments: like `redactText`, and the argument behind a sensitive flag. */
export function redactArgs(args: readonly string[]): string[] {
  return args.map((arg, at) => {
    const flag = /^--?([\w-]+)$/.exec(args[at - 1] ?? '')?.[1]
    const follows = flag !== undefined && isSensitiveKey(flag) && !arg.startsWith('-') && !isReference(arg)
    return follows ? redactedSentinel : redactText(arg)
  })
}

type Mode = 'text' | 'secret'

/** Keys whose members are named by the user: an agent called "secretary" or a server called "token-counter" is no secret. */
const nameSpaces =
  /^(?:entries|servers|mcpServers|providers|profiles|byProvider|toolsBySender|channels|groups|accounts|guilds|models|agents)$/

/** What a key makes of the strings below it; environment and header values are secret whatever their names. */
function modeBelow(mode: Mode, path: Path, key: string, value: unknown): Mode {
  if (mode === 'secret') return 'secret'
  if (isRecord(value)) {
    // Top-level `secrets` describes providers (paths, commands, names of variables); it holds no secret.
    if (path.length === 0 && key === 'secrets') return 'text'
    if (nameSpaces.test(String(path.at(-1) ?? ''))) return 'text'
  }
  return isSensitiveKey(key) || /^(?:env|vars|headers)$/i.test(key) ? 'secret' : 'text'
}

const refSources: ReadonlySet<unknown> = new Set(['env', 'file', 'exec', 'store'])
const refKeys: ReadonlySet<string> = new Set(['source', 'provider', 'id', 'var'])

/** A reference to a secret kept elsewhere shows where it is kept; it holds no secret. */
function isSecretRef(value: Readonly<Record<string, unknown>>): boolean {
  return refSources.has(value['source']) && Object.keys(value).every((key) => refKeys.has(key))
}

export interface RedactOptions {
  /** Path of `value` in the config, when it is a part of one. */
  readonly base?: Path
  /** The whole config before `${VAR}` was replaced: values that came out of secret variables are then found under any key. */
  readonly authored?: unknown
}

function namesSecretVariable(authored: unknown): boolean {
  if (typeof authored !== 'string') return false
  return [...authored.matchAll(/(?<!\$)\$\{([A-Z_][A-Z0-9_]*)\}/g)].some(([, name = '']) =>
    isSensitiveVariable(name),
  )
}

/** A copy of a config value that is safe to print (§3.9 of the config facts): secret strings become the sentinel; booleans, numbers, unresolved `${VAR}` and secret references stay. */
export function redact(value: unknown, options: RedactOptions = {}): unknown {
  const base = options.base ?? []
  let start: Mode = 'text'
  for (const [at, segment] of base.entries()) {
    const inner = at === base.length - 1 ? value : {}
    if (typeof segment === 'string') start = modeBelow(start, base.slice(0, at), segment, inner)
  }

  const redactString = (text: string, mode: Mode, path: Path): string => {
    if (text === '' || isReference(text)) return text
    if (mode === 'secret') return redactedSentinel
    const authored = options.authored === undefined ? text : getIn(options.authored, path)
    return authored !== text && namesSecretVariable(authored) ? redactedSentinel : redactText(text)
  }

  const walk = (item: unknown, mode: Mode, path: readonly Segment[]): unknown => {
    if (typeof item === 'string') return redactString(item, mode, path)
    if (Array.isArray(item)) {
      const texts =
        mode === 'text' && item.every((entry) => typeof entry === 'string') ? redactArgs(item) : item
      return texts.map((entry, at) => walk(entry, mode, [...path, at]))
    }
    if (!isRecord(item) || isSecretRef(item)) return item
    return Object.fromEntries(
      Object.entries(item).map(([key, entry]) => [
        key,
        walk(entry, modeBelow(mode, path, key, entry), [...path, key]),
      ]),
    )
  }
  return walk(value, start, base)
}
