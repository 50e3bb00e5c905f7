import { abbreviations } from './lexicon/abbreviations.ts'
import { nounGroups } from './lexicon/nouns.ts'
import { topics } from './lexicon/topics.ts'
import { verbGroups } from './lexicon/verbs.ts'
import { words } from './tokenize.ts'

export type Relation = 'verb' | 'noun' | 'topic' | 'abbreviation'

export interface Related {
  readonly term: string
  readonly relation: Relation
}

/** One line of a lexicon: words on the left lead to words on the right (in a group every word is on both sides). */
interface Line {
  readonly relation: Relation
  readonly from: string
  readonly to: string
}

const beginning = 3
const rememberAtMost = 20_000
const remembered = new Map<string, readonly Related[]>()
let byBeginning: Map<string, Line[]> | undefined

/**
 * Terms that stand weakly for `term` (both as stems), each with its strongest relation, which comes first. A stem begins like its words, so
 * only the few lines with such a word are read: a command that asks one query does not pay for the whole lexicon.
 */
export function relatedTerms(term: string): readonly Related[] {
  const known = remembered.get(term)
  if (known !== undefined) return known
  const found = new Map<string, Related>()
  byBeginning ??= readLines()
  for (const line of byBeginning.get(term.slice(0, beginning)) ?? []) {
    if (!stems(line.from).includes(term)) continue
    for (const to of stems(line.to))
      if (to !== term && !found.has(to)) found.set(to, { term: to, relation: line.relation })
  }
  if (remembered.size >= rememberAtMost) remembered.clear()
  const related = [...found.values()]
  remembered.set(term, related)
  return related
}

function readLines(): Map<string, Line[]> {
  const made = new Map<string, Line[]>()
  const add = (line: Line): void => {
    for (const start of new Set(line.from.split(' ').map((word) => word.slice(0, beginning)))) {
      const lines = made.get(start)
      if (lines === undefined) made.set(start, [line])
      else lines.push(line)
    }
  }
  for (const [short, long] of sides(abbreviations)) add({ relation: 'abbreviation', from: short, to: long })
  for (const group of nounGroups.trim().split('\n')) add({ relation: 'noun', from: group, to: group })
  for (const group of verbGroups.trim().split('\n')) add({ relation: 'verb', from: group, to: group })
  for (const [field, pointers] of sides(topics)) add({ relation: 'topic', from: pointers, to: field })
  return made
}

function sides(text: string): [string, string][] {
  return text
    .trim()
    .split('\n')
    .map((line) => {
      const [left = '', right = ''] = line.split(': ')
      return [left, right]
    })
}

function stems(text: string): string[] {
  return [...new Set(words(text).map((word) => word.whole))]
}
