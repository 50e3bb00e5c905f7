import { isAbsolute, join } from 'node:path'
import type { Env } from '../config/env.ts'
import { expandHome } from '../config/find.ts'
import { redactArgs, redactText } from '../config/redact.ts'
import type { McpServerConfig } from '../config/types.ts'
import { showName } from '../kernel/untrusted-text.ts'
import { childEnv } from './child-env.ts'

export type RemoteTransport = 'streamable-http' | 'sse'

interface CommonSettings {
  readonly name: string
  /** Milliseconds from the start to the end of the handshake. */
  readonly connectMs: number
  /** Milliseconds one request may take. */
  readonly requestMs: number
  /** Values of `env` and `headers`; a server that repeats one of them must not get it printed. */
  readonly secrets: readonly string[]
  /** Entries of the config that are not used, with their keys below the server. */
  readonly ignored: readonly { readonly key: readonly string[]; readonly message: string }[]
  /** How the server is reached, for people: command line or address, without secrets. */
  readonly endpoint: string
}

/** A server started as a child process. */
export interface StdioSettings extends CommonSettings {
  readonly kind: 'stdio'
  readonly command: string
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string>>
  readonly cwd: string
}

/** A server reached by its address. */
export interface RemoteSettings extends CommonSettings {
  readonly kind: 'remote'
  readonly url: URL
  /** To be tried in this order. */
  readonly transports: readonly RemoteTransport[]
  readonly headers: Readonly<Record<string, string>>
  readonly oauth: boolean
  readonly tls: TlsSettings | null
}

export interface TlsSettings {
  readonly verify: boolean
  /** Absolute paths of PEM files. */
  readonly certFile: string | null
  readonly keyFile: string | null
}

/** A server that cannot be dialled as it is configured. */
export interface UnusableSettings extends CommonSettings {
  readonly kind: 'unusable'
  readonly problem: string
}

export type ServerSettings = StdioSettings | RemoteSettings | UnusableSettings

/** Where a server is started: what relative paths, `~` and secret references mean. */
export interface Surroundings {
  readonly env: Env
  readonly cwd: string
  readonly home: string
}

const defaultConnectMs = 30_000
const defaultRequestMs = 60_000

/** Reads one entry of `mcp.servers` (tool search facts §5.4): a command wins over a url, seconds over milliseconds, `cwd` over `workingDirectory`. */
export function readSettings(name: string, config: McpServerConfig, around: Surroundings): ServerSettings {
  const values = readValues(config, around.env)
  const common = {
    name,
    connectMs: milliseconds(config.connectTimeout, config.connectionTimeoutMs) ?? defaultConnectMs,
    requestMs: milliseconds(config.timeout, config.requestTimeoutMs) ?? defaultRequestMs,
    secrets: values.secrets,
    ignored: [],
    endpoint: endpointOf(config),
  }
  const unusable = (problem: string): UnusableSettings => ({ ...common, kind: 'unusable', problem })
  if (values.missing !== null) return unusable(values.missing)
  const { command, url } = config
  if (command !== undefined && command.trim() !== '') {
    const { env, refused } = childEnv(around.env, values.env)
    const cwd = expandHome(config.cwd ?? config.workingDirectory ?? around.cwd, around.home)
    return {
      ...common,
      kind: 'stdio',
      command: expandHome(command.trim(), around.home),
      args: config.args ?? [],
      env,
      cwd: isAbsolute(cwd) ? cwd : join(around.cwd, cwd),
      ignored: refused.map((key) => ({
        key: ['env', key],
        message: `${showName(key)} is not passed on: it would make an interpreter run other code than the command`,
      })),
    }
  }
  if (url === undefined) return unusable('it has neither command nor url')
  if (config.transport === 'stdio' || config.type === 'stdio') {
    return unusable('its transport is stdio, but it has no command')
  }
  const address = URL.parse(url.trim())
  if (address === null || !/^https?:$/.test(address.protocol)) {
    return unusable(`its url is no http or https address: ${redactText(showName(url, 120))}`)
  }
  const { username, password } = address
  // A request with a login in its address is refused by fetch; as a header it means the same.
  address.username = ''
  address.password = ''
  const login = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`
  const authorization = { authorization: `Basic ${Buffer.from(login).toString('base64')}` }
  const hasLogin = username !== '' || password !== ''
  return {
    ...common,
    kind: 'remote',
    url: address,
    transports: transportsOf(config),
    headers: { ...(hasLogin && authorization), ...values.headers },
    secrets: hasLogin && password.length >= shortestSecret ? [...values.secrets, password] : values.secrets,
    oauth: config.auth !== undefined,
    tls: tlsOf(config, around),
  }
}

function milliseconds(seconds: number | undefined, exact: number | undefined): number | undefined {
  // Node's timers end at once beyond 2^31 - 1.
  return seconds === undefined ? exact : Math.min(seconds * 1000, 2 ** 31 - 1)
}

/** Without a name for it, the present transport and then its predecessor are tried, as the SDK recommends. */
function transportsOf({ transport, type }: McpServerConfig): readonly RemoteTransport[] {
  const named = transport ?? type
  if (named === 'sse') return ['sse']
  return named === undefined ? ['streamable-http', 'sse'] : ['streamable-http']
}

function tlsOf(config: McpServerConfig, { cwd, home }: Surroundings): TlsSettings | null {
  const { sslVerify = true, clientCert, clientKey } = config
  if (sslVerify && clientCert === undefined && clientKey === undefined) return null
  const absolute = (file: string | undefined): string | null => {
    if (file === undefined) return null
    const path = expandHome(file, home)
    return isAbsolute(path) ? path : join(cwd, path)
  }
  return { verify: sslVerify, certFile: absolute(clientCert), keyFile: absolute(clientKey) }
}

function endpointOf({ command, args = [], url }: McpServerConfig): string {
  if (command !== undefined) return showName([command, ...redactArgs(args)].join(' '), 200)
  return url === undefined ? '' : showName(redactText(url), 200)
}

interface Values {
  readonly env: Readonly<Record<string, string>>
  readonly headers: Readonly<Record<string, string>>
  readonly secrets: readonly string[]
  /** The first secret that is kept where nothing here can read it. */
  readonly missing: string | null
}

function readValues({ env = {}, headers = {} }: McpServerConfig, around: Env): Values {
  let missing: string | null = null
  const secrets: string[] = []
  const read = (values: Readonly<Record<string, unknown>>, key: string) =>
    Object.fromEntries(
      Object.entries(values).flatMap(([name, value]) => {
        const text =
          typeof value === 'object' && value !== null ? readReference(value, around) : String(value)
        if (text === null) missing ??= `the secret that ${key}.${showName(name)} refers to is not at hand`
        else secrets.push(...secretParts(text))
        return text === null ? [] : [[name, text]]
      }),
    )
  return { env: read(env, 'env'), headers: read(headers, 'headers'), secrets, missing }
}

/** A value and its words: of `Bearer abc…` a server may repeat the second alone. */
function secretParts(text: string): readonly string[] {
  return [...new Set([text, ...text.split(/\s+/)])].filter((part) => part.length >= shortestSecret)
}

/** Shorter values are words such as `true` or `info`; hiding them would only make messages unreadable. */
const shortestSecret = 8

/** The value of `{ source: "env", id }`; other sources need a secret store. */
function readReference(reference: object, env: Env): string | null {
  const { source, id } = reference as { readonly source?: unknown; readonly id?: unknown }
  return source === 'env' && typeof id === 'string' ? (env[id] ?? null) : null
}
