import { isSensitiveKey, isSensitiveVariable } from '../config/sensitive.ts'
import type { McpServerConfig } from '../config/types.ts'

/** The fields that decide which server answers; filters and time limits do not change what it lists. */
const deciding = [
  'command',
  'args',
  'env',
  'cwd',
  'workingDirectory',
  'url',
  'transport',
  'type',
  'headers',
] as const

/**
 * A short text that changes when another server would answer under this config. Secrets go in by name only: a list stays good
 * when a token is renewed, and nothing about the token can be learned from a file that holds the fingerprint.
 */
export function configFingerprint(config: McpServerConfig): string {
  const { env = {}, headers = {} } = config
  const parts = {
    ...Object.fromEntries(deciding.map((key) => [key, config[key]])),
    env: withoutSecrets(env, isSensitiveVariable),
    headers: withoutSecrets(headers, (name) => isSensitiveKey(name) || /auth|key|token/i.test(name)),
  }
  return hashText(JSON.stringify(parts))
}

function withoutSecrets(
  values: Readonly<Record<string, unknown>>,
  isSecret: (name: string) => boolean,
): readonly (readonly [string, unknown])[] {
  return Object.entries(values)
    .toSorted(([left], [right]) => (left < right ? -1 : 1))
    .map(([name, value]) => [name, isSecret(name) ? null : value])
}

/** 64 bits of FNV-1a over the UTF-16 units, as 16 hex digits; loading a cryptographic hash would cost more than reading the file it names. */
export function hashText(text: string): string {
  let high = 0x811c9dc5
  let low = 0x050c5d1f
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at)
    high = Math.imul(high ^ unit, 0x01000193)
    low = Math.imul(low ^ unit ^ (high >>> 13), 0x01000193)
  }
  return [high, low].map((half) => (half >>> 0).toString(16).padStart(8, '0')).join('')
}
