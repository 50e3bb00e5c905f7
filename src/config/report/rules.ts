import type { Path } from '../../kernel/path.ts'
import type { Findings } from './findings.ts'

type Fields = Readonly<Record<string, unknown>>

/** A check across the keys of one object; only run when the object itself is right. */
export type Rule = (value: Fields, path: Path, findings: Findings) => void

function filled(value: unknown): value is readonly unknown[] {
  return Array.isArray(value) && value.length > 0
}

const oneAllowList: Rule = ({ allow, alsoAllow, profile }, path, findings) => {
  if (!filled(allow) || !filled(alsoAllow)) return
  const merged = [...new Set([...allow, ...alsoAllow])]
  const short = merged.length <= 8 && profile === undefined
  findings.error(path, {
    message:
      'allow and alsoAllow cannot both have entries in one scope: move the entries of alsoAllow into allow, or keep alsoAllow alone to widen a profile',
    expected: 'allow or alsoAllow, not both',
    got: `allow with ${allow.length}, alsoAllow with ${alsoAllow.length}`,
    suggestion: short ? `allow: ${JSON.stringify(merged)}` : undefined,
  })
}

/** The mode that means the same as a pair of security and ask. */
function modeFor(security: unknown = 'full', ask: unknown = 'off'): string {
  if (security === 'deny') return 'deny'
  if (security === 'allowlist' && ask === 'off') return 'allowlist'
  return security === 'full' && ask !== 'always' ? 'full' : 'ask'
}

const execModeAlone: Rule = ({ mode, security, ask }, path, findings) => {
  if (mode === undefined || (security === undefined && ask === undefined)) return
  const others = [security !== undefined && 'security', ask !== undefined && 'ask']
    .filter(Boolean)
    .join(' and ')
  const same = modeFor(security, ask)
  findings.error([...path, 'mode'], {
    message: `mode already sets security and ask: remove ${others}, or remove mode; without mode they mean "${same}"`,
    expected: `mode, or security and ask`,
    got: `mode with ${others}`,
    suggestion: `mode: "${same}"`,
  })
}

const loopOrder = [
  ['warningThreshold', 'criticalThreshold'],
  ['criticalThreshold', 'globalCircuitBreakerThreshold'],
] as const

const loopThresholds: Rule = (value, path, findings) => {
  for (const [lower, higher] of loopOrder) {
    const low = value[lower]
    const high = value[higher]
    if (typeof low !== 'number' || typeof high !== 'number' || low < high) continue
    findings.error([...path, lower], {
      message: `${lower} must be less than ${higher}, got ${low} and ${high}`,
      expected: `a number less than ${high}`,
      got: `the number ${low}`,
    })
  }
}

/** The rules by the name under which the schema asks for them. */
export const rules: Readonly<Record<string, Rule>> = {
  'one-allow-list': oneAllowList,
  'exec-mode-alone': execModeAlone,
  'loop-thresholds': loopThresholds,
}
