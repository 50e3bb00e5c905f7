import { createHash } from 'node:crypto'
import { stableJson } from '../kernel/stable-json.ts'

/** SHA-256 of a text as 64 hex digits. */
export function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

/** SHA-256 of a JSON value; the order of keys does not matter. */
export function hashValue(value: unknown): string {
  return sha256(stableJson(value))
}
