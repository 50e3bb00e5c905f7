import type { Env } from '../config/env.ts'
import { envValue } from '../config/find.ts'
import type { Config } from '../config/types.ts'
import { OpenClawError } from '../kernel/errors.ts'
import { suggest } from '../kernel/suggest.ts'
import type { AuthMode } from './auth.ts'
import { isLoopback, usualAuthLimit, type AuthLimitSettings } from './auth-limit.ts'

/** Port where nothing else is said (gateway facts §1.1). */
export const defaultPort = 18_789

/** What was said on the command line. */
export interface SettingsFlags {
  readonly port?: number | undefined
  readonly bind?: string | undefined
  readonly auth?: AuthMode | undefined
  readonly profile?: string | undefined
}

/** Settings that hold from the start of the server to its end. */
export interface ListenSettings {
  readonly port: number
  readonly host: string
  readonly authMode: AuthMode | null
}

/** Settings that a reload changes at once. */
export interface LiveSettings {
  readonly allowedOrigins: readonly string[]
  readonly endpoints: { readonly chatCompletions: boolean; readonly responses: boolean }
  readonly authLimit: AuthLimitSettings
}

function wrong(what: string, hints: readonly string[]): OpenClawError {
  return new OpenClawError('CONFIG_INVALID', what, { hints })
}

/** The port of a profile that has none of its own: 20000 + FNV-1a of its name modulo 40000 (gateway facts §3.1). */
export function profilePort(profile: string): number {
  let hash = 0x811c9dc5
  for (const byte of Buffer.from(profile)) hash = Math.imul(hash ^ byte, 0x01000193) >>> 0
  return 20_000 + (hash % 40_000)
}

/** The port in a text as `OPENCLAW_GATEWAY_PORT` has it: plain, or behind a host. */
function portIn(text: string): number {
  const port = Number(/^(?:.*:)?(\d{1,5})$/.exec(text)?.[1] ?? Number.NaN)
  if (port <= 65_535) return port
  throw new OpenClawError('USAGE', `OPENCLAW_GATEWAY_PORT: ${JSON.stringify(text)} is no port`)
}

/** The port: the flag, `OPENCLAW_GATEWAY_PORT`, `gateway.port`, that of a named profile, 18789. */
export function gatewayPort(config: Config, env: Env, flags: SettingsFlags): number {
  if (flags.port !== undefined) return flags.port
  const variable = envValue(env, 'OPENCLAW_GATEWAY_PORT')
  if (variable !== null) return portIn(variable)
  const profile = flags.profile ?? envValue(env, 'OPENCLAW_PROFILE')
  return config.gateway?.port ?? (profile === null ? defaultPort : profilePort(profile))
}

const loopbackNames: ReadonlySet<string> = new Set(['loopback', 'localhost', '127.0.0.1', ''])

/** The address to listen on: `loopback` (the default), `lan`, or an IP address. */
export function gatewayHost(config: Config, flags: SettingsFlags): string {
  const bind = (flags.bind ?? config.gateway?.bind ?? 'loopback').trim().toLowerCase()
  if (loopbackNames.has(bind)) return '127.0.0.1'
  if (bind === 'lan') return '0.0.0.0'
  if (/^\d+\.\d+\.\d+\.\d+$|^[0-9a-f]*:[0-9a-f:]+$/.test(bind)) return bind
  throw wrong(`gateway.bind: ${JSON.stringify(bind)} is no address that can be listened on`, [
    ...suggest(bind, ['loopback', 'lan']),
    'use "loopback", "lan" or an IP address',
  ])
}

const authModes: readonly AuthMode[] = ['token', 'password', 'none']

/** What the server listens on and how clients prove who they are; null where nothing says so. CONFIG_INVALID for what this server cannot do. */
export function listenSettings(config: Config, env: Env, flags: SettingsFlags): ListenSettings {
  const host = gatewayHost(config, flags)
  const said = flags.auth ?? config.gateway?.auth?.mode
  const authMode = said === undefined ? null : authModes.find((mode) => mode === said)
  if (authMode === undefined) {
    throw wrong(`gateway.auth.mode: this server does not know "${said}"`, [
      'openclaw config set gateway.auth.mode token',
    ])
  }
  if (authMode === 'none' && !isLoopback(host)) {
    throw wrong(`gateway.auth.mode "none" is for loopback only, and the server would listen on ${host}`, [
      'openclaw config set gateway.auth.mode token',
      'openclaw config set gateway.bind loopback',
    ])
  }
  return { port: gatewayPort(config, env, flags), host, authMode }
}

/** What of the config concerns the server while it runs. */
export function liveSettings({ gateway }: Config): LiveSettings {
  const endpoints = gateway?.http?.endpoints
  return {
    allowedOrigins: gateway?.controlUi?.allowedOrigins ?? [],
    endpoints: {
      chatCompletions: endpoints?.chatCompletions?.enabled === true,
      responses: endpoints?.responses?.enabled === true,
    },
    authLimit: { ...usualAuthLimit, ...gateway?.auth?.rateLimit },
  }
}
