import type { Path, Segment } from '../kernel/path.ts'
import { getIn, isRecord } from './path-value.ts'
import { isReference, redactArgs, redactedSentinel, redactText } from './redact-text.ts'
import { isSensitiveKey, isSensitiveVariable } from './sensitive.ts'

/** Keys whose members are named by the user: an agent called "secretary" or a server called "token-counter" is no secret. */
const nameSpaces =
  /^(?:entries|servers|mcpServers|providers|profiles|byProvider|toolsBySender|channels|groups|accounts|guilds|models|agents)$/

/** Whether strings under `key` of the object at `path` are secret by their place; environment and header values are, whatever their names. */
function makesSecret(path: Path, key: string, holdsObject: boolean): boolean {
  if (holdsObject) {
    // Top-level `secrets` describes providers (paths, commands, names of variables); it holds no secret.
    if (path.length === 0 && key === 'secrets') return false
    if (nameSpaces.test(String(path.at(-1) ?? ''))) return false
  }
  return isSensitiveKey(key) || /^(?:env|vars|headers)$/i.test(key) || isLogin(path, key, holdsObject)
}

/** What logs in under an everyday name: a secret in place of the section that holds it, and what a stored login consists of. */
function isLogin(path: Path, key: string, holdsObject: boolean): boolean {
  if (path.length === 1 && path[0] === 'gateway') return key === 'auth' && !holdsObject
  return path[0] === 'auth' && path[1] === 'profiles' && /^(?:key|access|refresh)$/.test(key)
}

/** Whether a string at a path of a config is secret by its place. */
export function isSecretPath(path: Path, holdsObject = false): boolean {
  return path.some((segment, at) => {
    const inner = at === path.length - 1 ? holdsObject : typeof path[at + 1] === 'string'
    return typeof segment === 'string' && makesSecret(path.slice(0, at), segment, inner)
  })
}

const refSources: ReadonlySet<unknown> = new Set(['env', 'file', 'exec', 'store'])
const refKeys: ReadonlySet<string> = new Set(['source', 'provider', 'id', 'var'])

/** A reference to a secret kept elsewhere shows where it is kept; it holds no secret. */
function isSecretRef(value: Readonly<Record<string, unknown>>): boolean {
  return refSources.has(value['source']) && Object.keys(value).every((key) => refKeys.has(key))
}

export { isRedacted, redactArgs, redactedSentinel, redactText } from './redact-text.ts'

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

  const redactString = (text: string, secret: boolean, path: Path): string => {
    if (text === '' || isReference(text)) return text
    if (secret) return redactedSentinel
    const authored = options.authored === undefined ? text : getIn(options.authored, path)
    return authored !== text && namesSecretVariable(authored) ? redactedSentinel : redactText(text)
  }

  const walk = (item: unknown, secret: boolean, path: readonly Segment[]): unknown => {
    if (typeof item === 'string') return redactString(item, secret, path)
    if (Array.isArray(item)) {
      const texts = secret ? item : redactArgs(item)
      return texts.map((entry, at) => walk(entry, secret, [...path, at]))
    }
    if (!isRecord(item) || isSecretRef(item)) return item
    return Object.fromEntries(
      Object.entries(item).map(([key, entry]) => [
        key,
        walk(entry, secret || makesSecret(path, key, isRecord(entry)), [...path, key]),
      ]),
    )
  }
  return walk(value, isSecretPath(base, isRecord(value)), base)
}

/** The value at a path of a config, redacted by all that surrounds it: in a list of arguments the one in front says whether the next is secret. */
export function redactAt(config: unknown, path: Path, authored?: unknown): unknown {
  const options = authored === undefined ? {} : { authored }
  const parent = path.slice(0, -1)
  const list = getIn(config, parent)
  if (path.length > 0 && Array.isArray(list)) {
    return getIn(redact(list, { ...options, base: parent }), path.slice(-1))
  }
  return redact(getIn(config, path), { ...options, base: path })
}
