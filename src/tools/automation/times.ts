const unitMs: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
}

/** Milliseconds of a text such as `90s`, `20m`, `2h30m` or `1d`; a bare number is minutes. Null for what is none. Pure. */
export function durationMs(text: string): number | null {
  const trimmed = text.trim().toLowerCase()
  if (/^\d+$/.test(trimmed)) return Number(trimmed) * 60_000
  if (!/^(?:\d+(?:\.\d+)?(?:ms|[smhdw])\s*)+$/.test(trimmed)) return null
  let sum = 0
  for (const [, number = '', unit = ''] of trimmed.matchAll(/(\d+(?:\.\d+)?)(ms|[smhdw])/g)) {
    sum += Number(number) * (unitMs[unit] ?? 0)
  }
  return Math.round(sum)
}

/** Milliseconds since 1970 of a time with a zone, or of a duration from `nowMs` on; null for what is neither, or has no zone. Pure. */
export function timeMs(text: string, nowMs: number): number | null {
  const trimmed = text.trim()
  const fromNow = /^\d+$/.test(trimmed) ? null : durationMs(trimmed.replace(/^(?:in\s+|\+)/i, ''))
  if (fromNow !== null) return nowMs + fromNow
  if (!/^\d{4}-\d\d-\d\d[T ]\d\d:\d\d.*(?:Z|[+-]\d\d:?\d\d)$/i.test(trimmed)) return null
  const at = Date.parse(trimmed)
  return Number.isNaN(at) ? null : at
}
