import type { Config } from '../../config/types.ts'
import { isRecord } from '../../config/path-value.ts'
import type { GuardRules } from './guard.ts'

/** How pages are fetched, with what `tools.web.fetch` leaves open. */
export interface FetchSettings {
  /** Characters handed to the model where a call names no number. */
  readonly maxChars: number
  readonly maxCharsCap: number
  readonly maxResponseBytes: number
  readonly timeoutMs: number
  readonly cacheTtlMs: number
  readonly maxRedirects: number
  readonly userAgent: string
  readonly headers: Readonly<Record<string, string>>
  readonly readability: boolean
  readonly useTrustedEnvProxy: boolean
  readonly rules: GuardRules
}

const mostRedirects = 20
const mostBytes = 32 * 1024 * 1024
const mostSeconds = 300
const mostMinutes = 24 * 60

/** Reads `tools.web.fetch`. Headers that name the connection or the host are not taken. */
export function fetchSettings({ tools }: Config): FetchSettings {
  const given = tools?.web?.fetch ?? {}
  const maxCharsCap = given.maxCharsCap ?? Math.max(50_000, given.maxChars ?? 0)
  return {
    maxChars: Math.min(given.maxChars ?? 50_000, maxCharsCap),
    maxCharsCap,
    maxResponseBytes: Math.min(given.maxResponseBytes ?? 2_000_000, mostBytes),
    timeoutMs: Math.min(given.timeoutSeconds ?? 30, mostSeconds) * 1000,
    cacheTtlMs: Math.min(given.cacheTtlMinutes ?? 15, mostMinutes) * 60_000,
    maxRedirects: Math.min(given.maxRedirects ?? 5, mostRedirects),
    userAgent: headerText(given.userAgent) ?? 'Mozilla/5.0 (compatible; openclaw)',
    headers: headersOf(given.headers),
    readability: given.readability ?? true,
    useTrustedEnvProxy: given.useTrustedEnvProxy === true,
    rules: guardRules(given.ssrfPolicy, 'tools.web.fetch.ssrfPolicy.allowedHostnames'),
  }
}

/** Reads what a section with `allowedHostnames` and `dangerouslyAllowPrivateNetwork` opens. */
export function guardRules(policy: unknown, hostsPath: string): GuardRules {
  const own = isRecord(policy) ? policy : {}
  const listed = Array.isArray(own['allowedHostnames']) ? own['allowedHostnames'] : []
  return {
    hosts: listed.flatMap((entry) => (typeof entry === 'string' ? hostEntry(entry) : [])),
    allowPrivate: own['dangerouslyAllowPrivateNetwork'] === true,
    hostsPath,
  }
}

/** An entry as `URL` writes hosts: lower case, no brackets, numbers as dotted addresses. */
function hostEntry(entry: string): string[] {
  const text = entry.trim()
  const bare = /^[^[]*:.*:/.test(text) ? `[${text}]` : text
  if (bare === '' || !URL.canParse(`http://${bare}`)) return []
  const { hostname } = new URL(`http://${bare}`)
  const host = hostname.replace(/^\[|\]$/g, '').replace(/\.+$/, '')
  const port = /:(\d{1,5})$/.exec(bare)?.[1]
  return [port === undefined ? host : `${host}:${Number(port)}`]
}

const ownHeaders =
  /^(?:host|connection|content-length|transfer-encoding|upgrade|te|trailer|accept-encoding|expect)$|^proxy-/i

function headersOf(given: unknown): Readonly<Record<string, string>> {
  const headers: [string, string][] = []
  for (const [name, value] of Object.entries(isRecord(given) ? given : {})) {
    const text = typeof value === 'string' ? headerText(value) : null
    if (text !== null && /^[\w!#$%&'*+.^`|~-]+$/.test(name) && !ownHeaders.test(name))
      headers.push([name.toLowerCase(), text])
  }
  return Object.fromEntries(headers)
}

/** A value that may stand in a header; null for one that would start another header. */
function headerText(value: string | undefined): string | null {
  const text = value?.trim() ?? ''
  return /^[\t -~\u0080-\u00FF]+$/.test(text) ? text : null
}
