import { isRecord } from '../catalog/source.ts'
import type { AuthSecret, AuthVerdict } from './auth.ts'
import { judgeSecret } from './auth.ts'
import { closeCodes, probeProtocol, protocolVersion, type RequestFrame, type RpcError } from './protocol.ts'
import { knownScopes, roles, sharedSecretScopes, type Scope } from './scopes.ts'

/** A client that is let in. */
export interface Admitted {
  readonly protocol: number
  readonly clientId: string
  readonly clientMode: string
  readonly caps: readonly string[]
  readonly role: 'operator'
  readonly scopes: readonly Scope[]
}

/** A client that is not, and how its connection is closed. */
export interface Refused {
  readonly error: RpcError
  readonly close: number
  /** Whether it counts as a failed login. */
  readonly counts: boolean
}

const clientIds: ReadonlySet<string> = new Set([
  'webchat-ui',
  'openclaw-control-ui',
  'openclaw-browser-copilot',
  'openclaw-tui',
  'webchat',
  'cli',
  'gateway-client',
  'openclaw-macos',
  'openclaw-linux',
  'openclaw-ios',
  'openclaw-watchos',
  'openclaw-android',
  'node-host',
  'openclaw-worker',
  'test',
  'fingerprint',
  'openclaw-probe',
])

const clientModes: ReadonlySet<string> = new Set([
  'webchat',
  'cli',
  'ui',
  'backend',
  'node',
  'worker',
  'probe',
  'test',
])

const connectKeys: ReadonlySet<string> = new Set([
  'minProtocol',
  'maxProtocol',
  'client',
  'caps',
  'commands',
  'permissions',
  'role',
  'scopes',
  'device',
  'auth',
  'locale',
  'userAgent',
  'pathEnv',
  'modelCatalog',
  'computerUse',
  'workerRuns',
])

const clientKeys: ReadonlySet<string> = new Set([
  'id',
  'version',
  'platform',
  'mode',
  'displayName',
  'buildId',
  'deviceFamily',
  'modelIdentifier',
  'timeZone',
  'instanceId',
])

const authKeys: ReadonlySet<string> = new Set([
  'token',
  'bootstrapToken',
  'deviceToken',
  'password',
  'approvalRuntimeToken',
  'agentRuntimeIdentityToken',
])

/** Characters that fields of a client have at most. */
const longest: Readonly<Record<string, number>> = { buildId: 96, timeZone: 64 }

type Fields = Readonly<Record<string, unknown>>

/** Judges the first frame of a connection (gateway facts §1.2). The shared secret alone decides; what a client says of its device is not needed. */
export function judgeConnect(frame: RequestFrame, auth: AuthSecret): Admitted | Refused {
  if (frame.method !== 'connect') return invalid('the first request must be connect')
  const params = frame.params
  const problem = connectProblem(params)
  if (problem !== null || !isRecord(params))
    return invalid(`invalid connect params: ${problem ?? 'must be object'}`)
  const client = fieldsOf(params['client'])
  const mode = String(client['mode'])
  const protocol = agreeOn(Number(params['minProtocol']), Number(params['maxProtocol']), mode)
  if (typeof protocol !== 'number') return protocol
  const role = params['role'] ?? 'operator'
  if (!roles.some((each) => each === role)) return invalid('invalid role')
  const { token, password, deviceToken } = fieldsOf(params['auth'])
  const verdict = judgeSecret(auth, [token, password, deviceToken].map(textOrNothing))
  if (verdict !== 'ok') return unauthorized(verdict, auth)
  if (role !== 'operator') {
    return {
      error: { code: 'NOT_PAIRED', message: `this gateway pairs no ${String(role)}s` },
      close: closeCodes.policy,
      counts: false,
    }
  }
  const asked = params['scopes']
  return {
    protocol,
    clientId: String(client['id']),
    clientMode: mode,
    caps: textsOf(params['caps']),
    role: 'operator',
    scopes: asked === undefined ? sharedSecretScopes : knownScopes(textsOf(asked)),
  }
}

function invalid(message: string): Refused {
  return { error: { code: 'INVALID_REQUEST', message }, close: closeCodes.policy, counts: false }
}

function connectProblem(params: unknown): string | null {
  if (!isRecord(params)) return 'must be object'
  for (const name of ['minProtocol', 'maxProtocol', 'client']) {
    if (params[name] === undefined) return `must have required property '${name}'`
  }
  const extra = unexpected(params, connectKeys)
  if (extra !== null) return extra
  for (const name of ['minProtocol', 'maxProtocol']) {
    const value = params[name]
    if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < 1) {
      return `at /${name}: must be integer`
    }
  }
  const { client, auth, scopes, caps, role } = params
  if (!isRecord(client)) return 'at /client: must be object'
  const inClient = clientProblem(client)
  if (inClient !== null) return `at /client: ${inClient}`
  if (auth !== undefined && !isRecord(auth)) return 'at /auth: must be object'
  const inAuth = isRecord(auth) ? (unexpected(auth, authKeys) ?? notTexts(auth)) : null
  if (inAuth !== null) return `at /auth: ${inAuth}`
  for (const [name, list] of Object.entries({ scopes, caps })) {
    if (list !== undefined && !(Array.isArray(list) && list.every((each) => typeof each === 'string'))) {
      return `at /${name}: must be array of strings`
    }
  }
  return role === undefined || typeof role === 'string' ? null : 'at /role: must be string'
}

function clientProblem(client: Fields): string | null {
  for (const name of ['id', 'version', 'platform', 'mode']) {
    if (client[name] === undefined) return `must have required property '${name}'`
  }
  const extra = unexpected(client, clientKeys) ?? notTexts(client)
  if (extra !== null) return extra
  const long = Object.entries(longest).find(([name, most]) => String(client[name] ?? '').length > most)
  if (long !== undefined) return `/${long[0]} must NOT have more than ${long[1]} characters`
  if (!clientIds.has(String(client['id']))) return `id ${quoted(client['id'])} is not known`
  return clientModes.has(String(client['mode'])) ? null : `mode ${quoted(client['mode'])} is not known`
}

function quoted(value: unknown): string {
  return JSON.stringify(String(value).slice(0, 80))
}

function unexpected(fields: Fields, known: ReadonlySet<string>): string | null {
  const extra = Object.keys(fields).find((key) => !known.has(key))
  return extra === undefined ? null : `unexpected property '${extra.slice(0, 80)}'`
}

function notTexts(fields: Fields): string | null {
  const wrong = Object.entries(fields).find(([, value]) => typeof value !== 'string')
  return wrong === undefined ? null : `/${wrong[0].slice(0, 80)} must be string`
}

function agreeOn(least: number, most: number, mode: string): number | Refused {
  if (least <= protocolVersion && most >= protocolVersion) return protocolVersion
  if (mode === 'probe' && least <= probeProtocol && most >= probeProtocol) return probeProtocol
  return {
    error: {
      code: 'INVALID_REQUEST',
      message: `protocol mismatch: this gateway speaks ${protocolVersion}`,
      details: {
        code: 'PROTOCOL_MISMATCH',
        clientMinProtocol: least,
        clientMaxProtocol: most,
        expectedProtocol: protocolVersion,
        minimumProbeProtocol: probeProtocol,
      },
    },
    close: closeCodes.protocol,
    counts: false,
  }
}

function unauthorized(verdict: Exclude<AuthVerdict, 'ok'>, auth: AuthSecret): Refused {
  const kind = auth.mode === 'password' ? 'PASSWORD' : 'TOKEN'
  const code = `AUTH_${kind}_${verdict === 'missing' ? 'MISSING' : 'MISMATCH'}`
  const word = kind.toLowerCase()
  return {
    error: {
      code: 'INVALID_REQUEST',
      message: `unauthorized: gateway ${word} ${verdict === 'missing' ? 'missing' : 'mismatch'}`,
      details: {
        code,
        authReason: `${word}_${verdict}`,
        canRetryWithDeviceToken: false,
        recommendedNextStep: 'update_auth_configuration',
      },
    },
    close: closeCodes.policy,
    counts: verdict === 'mismatch',
  }
}

function fieldsOf(value: unknown): Fields {
  return isRecord(value) ? value : {}
}

function textOrNothing(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}

function textsOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((each) => typeof each === 'string') : []
}
