const units = [
  { name: 'd', ms: 86_400_000 },
  { name: 'h', ms: 3_600_000 },
  { name: 'min', ms: 60_000 },
] as const

/** How long ago a time was, in its largest unit: `2 h ago`, `just now` for less than a minute and for a clock that ran backwards. */
export function ago(then: number, now: number): string {
  const unit = units.find(({ ms }) => now - then >= ms)
  return unit === undefined ? 'just now' : `${Math.floor((now - then) / unit.ms)} ${unit.name} ago`
}
