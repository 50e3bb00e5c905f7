import { createHash, timingSafeEqual } from 'node:crypto'

/** How clients prove who they are. */
export type AuthMode = 'token' | 'password' | 'none'

/** The secret that clients must know; none only on loopback. */
export type AuthSecret =
  | { readonly mode: 'none' }
  | { readonly mode: 'token' | 'password'; readonly secret: string }

/** Whether two texts are equal, in a time that says nothing about where they differ. */
export function sameSecret(given: string, expected: string): boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(given), digest(expected))
}

/** What came of looking at the credentials of a client. */
export type AuthVerdict = 'ok' | 'missing' | 'mismatch'

/** Judges credentials; either field of a client may carry the configured secret (gateway facts §1.2). */
export function judgeSecret(auth: AuthSecret, given: readonly (string | undefined)[]): AuthVerdict {
  if (auth.mode === 'none') return 'ok'
  const offered = given.filter((text) => text !== undefined && text !== '')
  if (offered.length === 0) return 'missing'
  return offered.some((text) => text !== undefined && sameSecret(text, auth.secret)) ? 'ok' : 'mismatch'
}

/** The secret of an Authorization header: what follows `Bearer`, which may be several words; headers come as one byte a character. */
export function bearer(header: string | undefined): string | undefined {
  const scheme = /^Bearer[ \t]+/i.exec(header ?? '')?.[0]
  if (header === undefined || scheme === undefined) return undefined
  // Blanks are told once they are characters: a single byte of a letter may look like one. An expression for both sides would
  // try every pair of them, and strangers can send thousands.
  const text = Buffer.from(header.slice(scheme.length), 'latin1').toString('utf8').trim()
  return text === '' ? undefined : text
}
