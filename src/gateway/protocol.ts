import { isRecord } from '../catalog/source.ts'

/** Version of the protocol that is spoken; version 3 is only answered to probes (gateway facts §1.1). */
export const protocolVersion = 4
export const probeProtocol = 3

/** Sizes in bytes and times in milliseconds that both sides know (gateway facts §1.1). */
export const limits = {
  /** Everything a client sends before it is connected. */
  preAuthBytes: 65_536,
  payloadBytes: 26_214_400,
  bufferedBytes: 52_428_800,
  tickMs: 30_000,
  pongMs: 25_000,
  handshakeMs: 15_000,
} as const

/** Reasons for closing a connection, as WebSocket close codes. */
export const closeCodes = {
  goingAway: 1001,
  protocol: 1002,
  unsupported: 1003,
  policy: 1008,
  tooBig: 1009,
  internal: 1011,
} as const

/** Events that a connection can get. */
export const eventNames = [
  'connect.challenge',
  'tick',
  'shutdown',
  'agent',
  'config.changed',
  'tools.changed',
  'approvals.requested',
  'approvals.resolved',
] as const

export type EventName = (typeof eventNames)[number]

/** Codes of errors as the protocol has them (gateway facts §1.3). */
export type RpcErrorCode =
  | 'INVALID_REQUEST'
  | 'FORBIDDEN'
  | 'NOT_PAIRED'
  | 'APPROVAL_NOT_FOUND'
  | 'UNAVAILABLE'

/** The error of a response. */
export interface RpcError {
  readonly code: RpcErrorCode
  readonly message: string
  readonly details?: Readonly<Record<string, unknown>>
  readonly retryable?: boolean
  readonly retryAfterMs?: number
}

/** A request as it came in. */
export interface RequestFrame {
  readonly id: string
  readonly method: string
  readonly params: unknown
}

/** A frame that is no request, with the id of the request it was meant to be where that can be read. */
export interface BadFrame {
  readonly id: string | null
  readonly problem: string
}

const requestKeys: ReadonlySet<string> = new Set([
  'type',
  'id',
  'method',
  'params',
  'traceparent',
  'expectedProfileId',
])
const longestId = 256

/** Reads a text frame. Frames are closed objects: a key that nobody knows is a mistake. */
export function readFrame(text: string): RequestFrame | BadFrame {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return { id: null, problem: 'it is not JSON' }
  }
  if (!isRecord(value)) return { id: null, problem: 'it is not an object' }
  const { type, id: given, method, params, traceparent } = value
  const id = typeof given === 'string' && given !== '' && given.length <= longestId ? given : null
  if (type !== 'req') return { id, problem: 'its type is not "req"' }
  if (id === null) return { id, problem: `its id is not a text of 1 to ${longestId} characters` }
  if (typeof method !== 'string' || method === '') return { id, problem: 'it has no method' }
  if (traceparent !== undefined && (typeof traceparent !== 'string' || traceparent.length > 128))
    return { id, problem: 'its traceparent is not a text of at most 128 characters' }
  const extra = Object.keys(value).find((key) => !requestKeys.has(key))
  if (extra !== undefined) return { id, problem: `unexpected property '${extra.slice(0, 80)}'` }
  return { id, method, params }
}

/** A payload that is text already, because many responses have it. */
export class JsonText {
  readonly text: string

  constructor(value: unknown) {
    this.text = JSON.stringify(value)
  }
}

/** Text of a response that says yes. */
export function okFrame(id: string, payload: unknown): string {
  if (payload instanceof JsonText) {
    return `{"type":"res","id":${JSON.stringify(id)},"ok":true,"payload":${payload.text}}`
  }
  return JSON.stringify({ type: 'res', id, ok: true, payload })
}

/** Text of a response that says no. */
export function errorFrame(id: string, error: RpcError): string {
  return JSON.stringify({ type: 'res', id, ok: false, error })
}

/** Text of an event; `seq` counts those of the connection. */
export function eventFrame(event: EventName, payload: unknown, seq?: number): string {
  return JSON.stringify({ type: 'event', event, payload, ...(seq !== undefined && { seq }) })
}
