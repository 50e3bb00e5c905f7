import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import type { Path, Segment } from '../kernel/path.ts'
import { getIn, isRecord } from './path-value.ts'
import { isSensitiveKey, isSensitiveVariable } from './sensitive.ts'

/** Environment variables as the process hands them over. */
export type Env = Readonly<Record<string, string | undefined>>

/** A `${…}` that stays as text, where it stands and why. */
export interface Unresolved {
  readonly path: Path
  readonly message: string
}

export interface Substitution {
  readonly value: unknown
  readonly unresolved: readonly Unresolved[]
}

const name = '[A-Z_][A-Z0-9_]*'
const reference = new RegExp(`(\\$?)\\$\\{(${name})\\}`, 'g')
/** Forms of other tools that users expect to work: shell defaults and `${env:NAME}`. */
const foreign = new RegExp(`\\$\\{(?:(${name})(:?[-=?+])[^}]*|env:([A-Za-z_][A-Za-z0-9_]*))\\}`, 'g')
/** What shells, templates and other programs take for a variable or a command, alone or behind the scheme of a header. */
const lookalike =
  /^\s*(?:(?:Bearer|Basic|Token)\s+)?(?:\$[A-Za-z_]\w*|\$\{[^{}]*\}|\$?\{\{[\s\w.-]*\}\}|\$\([^()]*\)|\{?\$?env:[A-Za-z_]\w*\}?|%[A-Za-z_]\w*%)\s*$/i
const command = /\$\([^()]*\)/
/** How a value without `$` begins that `lookalike` may know. */
const otherStarts = ['{', '%', 'env:', 'Bearer ', 'Basic ', 'Token ']

/** Whether a text may refer to a variable, in this program's way or in another's; cheap, and true for some that do not. */
export function mayRefer(text: string): boolean {
  return text.includes('$') || otherStarts.some((start) => text.startsWith(start))
}

function readDotenv(directory: string): Env {
  try {
    return parseEnv(readFileSync(join(directory, '.env'), 'utf8'))
  } catch {
    return {}
  }
}

/** The working directory may be a stranger's checkout: it must not choose credentials or steer this program. */
function blocked(variable: string): boolean {
  return variable.startsWith('OPENCLAW_') || isSensitiveVariable(variable)
}

/** A variable's value from the first source that has it; empty counts as missing. */
export interface Lookup {
  find(variable: string): string | null
  /** Why a variable that is written down somewhere is not used, or null. */
  refused(variable: string): string | null
}

/** Variables from the process, then `.env` in `cwd`, then `.env` in `stateDir`, then `env.vars` of the config; files are read only when a name is missing. */
export function createLookup(env: Env, cwd: string, stateDir: string, config: unknown): Lookup {
  let files: { work: Env; state: Env } | null = null
  const dotenv = (): { work: Env; state: Env } =>
    (files ??= { work: readDotenv(cwd), state: readDotenv(stateDir) })
  const external = (variable: string): string => {
    const direct = env[variable]
    if (direct !== undefined && direct !== '') return direct
    const { work, state } = dotenv()
    return (blocked(variable) ? '' : (work[variable] ?? '')) || (state[variable] ?? '')
  }
  const fromConfig = (variable: string): string => {
    const value = getIn(config, ['env', 'vars', variable])
    if (typeof value !== 'string') return ''
    const text = value.replace(reference, (all: string, escape: string, inner: string) =>
      escape === '' ? external(inner) || all : all.slice(1),
    )
    return text.search(reference) >= 0 && text === value ? '' : text
  }
  return {
    find: (variable) => external(variable) || fromConfig(variable) || null,
    refused: (variable) =>
      blocked(variable) && (dotenv().work[variable] ?? '') !== ''
        ? `${join(cwd, '.env')} sets it, but credentials and OPENCLAW_ names are not taken from a working directory; put it in ${join(stateDir, '.env')}`
        : null,
  }
}

function describeForeign(text: string): string[] {
  // Only the name is repeated: what follows it may be a password somebody chose as default.
  return [...text.matchAll(foreign)].map(([, variable, operator, prefixed]) =>
    prefixed === undefined
      ? `$\{${variable}${operator}…} stays as text: shell-style defaults are not supported; write $\{${variable}} and set ${variable}`
      : `$\{env:${prefixed}} stays as text: variables are written without env:, as in $\{NAME}`,
  )
}

/** Replaces `${NAME}` in every string value (keys stay as they are); a missing or empty variable leaves the text and is reported. */
export function substitute(config: unknown, lookup: Lookup): Substitution {
  const unresolved: Unresolved[] = []

  const replace = (text: string, path: Path): string => {
    if (!mayRefer(text)) return text
    const missing = new Set<string>()
    const result = text.replace(reference, (all: string, escape: string, variable: string) => {
      if (escape !== '') return all.slice(1)
      const value = lookup.find(variable)
      if (value === null) missing.add(variable)
      return value ?? all
    })
    for (const variable of missing) {
      const reason = lookup.refused(variable) ?? 'it is not set, or empty'
      unresolved.push({ path, message: `$\{${variable}} stays as text: ${reason}` })
    }
    const others = describeForeign(text)
    for (const message of others) unresolved.push({ path, message })
    const key = path.findLast((segment) => typeof segment === 'string')
    if (
      missing.size === 0 &&
      others.length === 0 &&
      result === text &&
      lookalike.test(text) &&
      isSensitiveKey(String(key))
    ) {
      // A command may have a password among its arguments.
      const shown = text.trim().replace(command, '$(…)')
      unresolved.push({
        path,
        message: `${shown} stays as text: variables are written $\{NAME} with capital letters, digits and _`,
      })
    }
    return result
  }

  const walk = (value: unknown, path: readonly Segment[]): unknown => {
    if (typeof value === 'string') return replace(value, path)
    if (Array.isArray(value)) return value.map((item, at) => walk(item, [...path, at]))
    if (!isRecord(value)) return value
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, walk(item, [...path, key])]))
  }

  return { value: walk(config, []), unresolved }
}
