import { isRecord } from '../catalog/source.ts'
import { quote } from './fault.ts'

export type MessageId = string | number

/** What a line of a server is. */
export type Reading =
  | {
      readonly kind: 'message'
      readonly value: Readonly<Record<string, unknown>>
      readonly answers: MessageId | null
    }
  /** No JSON: a banner, a log line, half a line. */
  | { readonly kind: 'noise' }
  /** JSON that is no JSON-RPC 2.0; `answers` is the request it was meant for, `open` whichever is open. */
  | { readonly kind: 'malformed'; readonly problem: string; readonly answers: MessageId | 'open' | null }

/** Reads one line, or the batch of messages that servers of the revision 2025-03-26 may send in one. */
export function readLine(line: string): readonly Reading[] {
  const text = line.trim()
  if (text === '') return []
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return [{ kind: 'noise' }]
  }
  // A number or a word in quotes is what a program prints, not what a protocol sends.
  if (typeof value !== 'object' || value === null) return [{ kind: 'noise' }]
  return Array.isArray(value) ? value.map(readMessage) : [readMessage(value)]
}

function readMessage(value: unknown): Reading {
  if (!isRecord(value)) return { kind: 'malformed', problem: 'a message that is no object', answers: null }
  const { jsonrpc, id, method, params, result, error } = value
  const answers = method === undefined && isId(id) ? id : null
  const malformed = (problem: string, meant: MessageId | 'open' | null = answers): Reading => ({
    kind: 'malformed',
    problem,
    answers: meant,
  })
  if (jsonrpc !== '2.0') return malformed('a message without jsonrpc: "2.0"')
  if (method !== undefined) {
    if (typeof method !== 'string') return malformed('a method that is no string')
    if (params !== undefined && !isRecord(params)) return malformed('parameters that are no object')
    return { kind: 'message', value, answers: null }
  }
  if (error !== undefined) {
    if (!isRecord(error)) return malformed('an error that is no object')
    const { code, message } = error
    if (!Number.isSafeInteger(code) || typeof message !== 'string')
      return malformed('an error without code and message')
    // Without an id it means a request which the server could not even read.
    if (isId(id)) return { kind: 'message', value, answers }
    return malformed(`the error ${quote(message, [])} for no request`, 'open')
  }
  if (result === undefined) return malformed('an answer without result and error')
  if (!isRecord(result)) return malformed('a result that is no object')
  return isId(id) ? { kind: 'message', value, answers } : malformed('a result for no request')
}

function isId(value: unknown): value is MessageId {
  return typeof value === 'string' || Number.isSafeInteger(value)
}
