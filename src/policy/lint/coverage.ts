import { toolKey } from '../../catalog/names.ts'
import { compileGlob } from '../../kernel/glob.ts'
import { type ListKind } from '../matcher.ts'
import type { Scan } from './finding.ts'

/** Patterns beyond these are not compared with each other: a list of thousands must not cost its square. */
const mostPatterns = 50

/** What an entry stands for: exact names, or one pattern. */
export interface Atoms {
  readonly names: readonly string[]
  readonly glob: string | null
}

function groupMembers(scan: Scan, name: string): readonly string[] {
  const { groups, policyRenames } = scan.view.edition
  if (Object.hasOwn(groups, name)) return groups[name]!
  return Object.hasOwn(policyRenames, name) ? policyRenames[name]! : [name]
}

/** Expands an entry as the matcher does: plugin ids before groups (ruling 9), then names; anything else with a star is a pattern. */
export function atomsOf(scan: Scan, entry: string, kind: ListKind): Atoms {
  const name = toolKey(entry, scan.view.edition)
  if (name === '') return { names: [], glob: null }
  const owned = scan.pluginTools.get(name)
  if (owned) return { names: kind === 'deny' ? [...owned, ...groupMembers(scan, name)] : owned, glob: null }
  const members = groupMembers(scan, name)
  const isPattern = members.length === 1 && members[0] === name && name.includes('*')
  return isPattern ? { names: [], glob: name } : { names: members, glob: null }
}

/** Answers which entries of some lists select everything that another entry selects. */
export interface Coverage {
  /** Index of the first entry that covers all of it, or -1; `except` leaves one entry out of the comparison. */
  whole(entry: string, except?: number): number
  /** Whether every part of the entry is covered, by whatever entries. */
  all(entry: string): boolean
}

interface Pattern {
  readonly index: number
  readonly glob: string
  readonly matches: (name: string) => boolean
}

/** Builds the coverage of entries; sound for patterns, since one that matches another's text matches all that the other does. */
export function coverageOf(scan: Scan, entries: readonly string[], kind: ListKind): Coverage {
  const exact = new Map<string, number[]>()
  const patterns: Pattern[] = []
  entries.forEach((entry, index) => {
    const { names, glob } = atomsOf(scan, entry, kind)
    if (glob !== null && patterns.length < mostPatterns) {
      patterns.push({ index, glob, matches: compileGlob(glob) })
    }
    for (const name of names) {
      const indexes = exact.get(name)
      if (indexes) indexes.push(index)
      else exact.set(name, [index])
    }
  })

  /** Indexes of the entries that cover one name or pattern. */
  const coverers = (text: string, isGlob: boolean): number[] => [
    ...(isGlob ? [] : (exact.get(text) ?? [])),
    ...patterns.filter(({ matches }) => matches(text)).map(({ index }) => index),
  ]

  const parts = (entry: string): number[][] => {
    const { names, glob } = atomsOf(scan, entry, kind)
    return glob !== null ? [coverers(glob, true)] : names.map((name) => coverers(name, false))
  }

  return {
    whole: (entry, except) => {
      const [first, ...rest] = parts(entry)
      return first?.find((each) => each !== except && rest.every((part) => part.includes(each))) ?? -1
    },
    all: (entry) => {
      const each = parts(entry)
      return each.length > 0 && each.every((part) => part.length > 0)
    },
  }
}
