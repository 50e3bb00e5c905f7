/** Milliseconds that a clock may go back before plans are made anew: small steps are corrections, and would only do something twice. */
export const correctionMs = 60_000

const unitMs: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
}

/** A hundred years; what is longer is a slip, and dates end somewhere. */
export const longestMs = 100 * 365.25 * 86_400_000

/** Milliseconds of a text such as `90s`, `20m`, `2h30m` or `1d`; a bare number is minutes. Null for what is none, or longer than a hundred years. Pure. */
export function durationMs(text: string): number | null {
  const trimmed = text.trim().toLowerCase()
  if (/^\d+$/.test(trimmed)) return bounded(Number(trimmed) * 60_000)
  if (!/^(?:\d+(?:\.\d+)?(?:ms|[smhdw])\s*)+$/.test(trimmed)) return null
  let sum = 0
  for (const [, number = '', unit = ''] of trimmed.matchAll(/(\d+(?:\.\d+)?)(ms|[smhdw])/g)) {
    sum += Number(number) * (unitMs[unit] ?? 0)
  }
  return bounded(Math.round(sum))
}

function bounded(ms: number): number | null {
  return ms <= longestMs ? ms : null
}

/** Milliseconds since 1970 of a time with a zone, or of a duration from `nowMs` on; null for what is neither, or has no zone. Pure. */
export function timeMs(text: string, nowMs: number): number | null {
  const trimmed = text.trim()
  const fromNow = /^\d+$/.test(trimmed) ? null : durationMs(trimmed.replace(/^(?:in\s+|\+)/i, ''))
  if (fromNow !== null) return nowMs + fromNow
  const [, year, month, day] =
    /^(\d{4})-(\d\d)-(\d\d)[T ]\d\d:\d\d.*(?:Z|[+-]\d\d:?\d\d)$/i.exec(trimmed) ?? []
  const at = Date.parse(trimmed)
  if (year === undefined || Number.isNaN(at)) return null
  // Dates take the 30th of February for the 2nd of March.
  return new Date(Date.UTC(Number(year), Number(month) - 1, Number(day))).getUTCDate() === Number(day)
    ? at
    : null
}
