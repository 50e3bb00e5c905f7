import { isRecord } from '../catalog/source.ts'
import { redactText } from '../config/redact.ts'
import { OpenClawError } from '../kernel/errors.ts'
import { cleanLine } from '../kernel/untrusted-text.ts'

const faultKinds = [
  // The config entry cannot be dialled.
  'config',
  // The program is not there or cannot be run.
  'spawn',
  // The process ended.
  'exited',
  'timeout',
  // Nothing answers at the address.
  'network',
  // It answers and refuses, with a status of HTTP.
  'http',
  // It does not speak MCP, or not correctly.
  'protocol',
  // It refuses with an error of its own.
  'refused',
  // It sends more than anybody can use.
  'flood',
  // It failed repeatedly and is left alone for a while.
  'cooldown',
] as const

/** What went wrong with a server, in a word that scripts may compare. */
export type FaultKind = (typeof faultKinds)[number]

/** Why a server cannot be used; costs that server only. The message is one line, safe to print, and a clause about "it". */
export interface Fault {
  readonly kind: FaultKind
  readonly message: string
}

/** A fault as the error to throw inside this room; who asked for the server gets it with the server's name. */
export function faultError(kind: FaultKind, message: string): OpenClawError {
  return new OpenClawError('MCP_UNREACHABLE', message, { data: { fault: kind } })
}

/** The fault that an error of `faultError` carries, or null for any other error. */
export function faultOf(error: unknown): Fault | null {
  if (!(error instanceof OpenClawError) || error.code !== 'MCP_UNREACHABLE') return null
  return readFault({ kind: error.data['fault'], message: error.message })
}

/** A fault that was written to a file, or null for anything else. */
export function readFault(value: unknown): Fault | null {
  if (!isRecord(value)) return null
  const { kind, message } = value
  const known = faultKinds.find((each) => each === kind)
  return known === undefined || typeof message !== 'string' ? null : { kind: known, message }
}

const longestQuote = 160

/** Text of a stranger in quotes, on one line, without control characters and without the secrets it was given. */
export function quote(text: string, secrets: readonly string[], limit = longestQuote): string {
  return `"${cleanLine(withoutSecrets(text, secrets), limit)}"`
}

/** Takes the given secrets, and what looks like one, out of a text. */
export function withoutSecrets(text: string, secrets: readonly string[]): string {
  let result = text
  for (const secret of secrets) result = result.replaceAll(secret, '***')
  return redactText(result, () => '***')
}
