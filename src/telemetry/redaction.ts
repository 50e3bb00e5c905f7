import { redact, redactedSentinel, redactText } from '../config/redact.ts'

/** Takes secrets out of what is written to logs. */
export interface Redactor {
  text(text: string): string
  /** A copy of a JSON value; secret by their place in it or by how they look. */
  value(value: unknown): unknown
}

const shortestSecret = 8

/** Whether a configured value is recognisable enough to be looked for in any text; a mode or a path is not. */
function isDistinct(value: string): boolean {
  if (value.length < shortestSecret || /\s/.test(value)) return false
  return /\d/.test(value) && /[A-Za-z]/.test(value) && !/^[~.]?[/\\]|^\w+:\/\//.test(value)
}

/** Values of a config that redaction would hide, as they are after `${VAR}` was replaced. */
function secretsOf(config: unknown, authored: unknown): string[] {
  const found = new Set<string>()
  const walk = (raw: unknown, safe: unknown): void => {
    if (typeof raw === 'string') {
      if (safe === redactedSentinel && isDistinct(raw)) found.add(raw)
      return
    }
    if (typeof raw !== 'object' || raw === null || typeof safe !== 'object' || safe === null) return
    for (const [key, member] of Object.entries(raw)) walk(member, Reflect.get(safe, key))
  }
  walk(config, redact(config, { authored }))
  // The longest first, or a secret that holds another one would be left in part.
  return [...found].toSorted((a, b) => b.length - a.length)
}

/** A redactor that also knows the secrets of a config; `authored` is the config before `${VAR}` was replaced. */
export function createRedactor(config: unknown, authored?: unknown): Redactor {
  const secrets = secretsOf(config, authored)
  const text = (given: string): string => {
    let result = given
    for (const secret of secrets) {
      if (result.includes(secret)) result = result.replaceAll(secret, redactedSentinel)
    }
    return redactText(result)
  }
  const walk = (value: unknown): unknown => {
    if (typeof value === 'string') return text(value)
    if (Array.isArray(value)) return value.map(walk)
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, walk(member)]))
  }
  return { text, value: (value) => walk(redact(value)) }
}
