import type { ToolPolicy } from '../../config/types.ts'
import type { Path } from '../../kernel/path.ts'
import type { Entry, Layer, StepId } from '../types.ts'

/** Entries of a list in the config, each with its place. */
export function entriesAt(list: readonly string[] | undefined, path: Path): Entry[] {
  return (list ?? []).map((text, index) => ({ text, path: [...path, index] }))
}

/** Entries that no config holds: built-in lists and per-run lists. */
export function builtInEntries(list: readonly string[] | undefined): Entry[] {
  return (list ?? []).map((text) => ({ text, path: null }))
}

/** False when nothing is left of a list once its blank entries are dropped (policy facts §2). */
export function isFilled(entries: readonly Entry[]): boolean {
  return entries.some(({ text }) => text.trim() !== '')
}

export function isNonEmpty(list: readonly unknown[] | undefined): boolean {
  return list !== undefined && list.length > 0
}

const star: Entry = { text: '*', path: null }

/** Merges one scope's allow, alsoAllow and deny into a layer; null when the scope restricts nothing (policy facts §2: alsoAllow alone never restricts). */
export function scopeLayer(step: StepId, policy: ToolPolicy | undefined | null, path: Path): Layer | null {
  if (!policy) return null
  const allowEntries = entriesAt(policy.allow, [...path, 'allow'])
  const alsoEntries = entriesAt(policy.alsoAllow, [...path, 'alsoAllow'])
  const deny = entriesAt(policy.deny, [...path, 'deny'])
  const implicitAllowAll = !isFilled(allowEntries) && isFilled(alsoEntries)
  const allow = implicitAllowAll
    ? [star, ...alsoEntries]
    : allowEntries.length > 0
      ? [...allowEntries, ...alsoEntries]
      : null
  if (!allow && deny.length === 0) return null
  return {
    step,
    path,
    allow,
    allowPath: implicitAllowAll ? [...path, 'alsoAllow'] : [...path, 'allow'],
    implicitAllowAll,
    deny,
  }
}
