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

let table: Map<string, Related[]> | undefined

/** Terms that stand weakly for `term` (both as stems), strongest relation first. */
export function relatedTerms(term: string): readonly Related[] {
  table ??= build()
  return table.get(term) ?? []
}

function build(): Map<string, Related[]> {
  const made = new Map<string, Related[]>()
  const add = (from: string, to: string, relation: Relation): void => {
    if (from === to) return
    const list = made.get(from)
    if (list === undefined) made.set(from, [{ term: to, relation }])
    else if (!list.some((known) => known.term === to)) list.push({ term: to, relation })
  }
  const directed = (text: string, relation: Relation, keyFirst: boolean): void => {
    for (const line of lines(text)) {
      const [left = '', right = ''] = line.split(':')
      const [from, to] = keyFirst ? [left, right] : [right, left]
      const targets = stems(to)
      for (const key of stems(from)) for (const target of targets) add(key, target, relation)
    }
  }
  const mutual = (text: string, relation: Relation): void => {
    for (const line of lines(text)) {
      const group = stems(line)
      for (const from of group) for (const to of group) add(from, to, relation)
    }
  }
  directed(abbreviations, 'abbreviation', true)
  mutual(nounGroups, 'noun')
  mutual(verbGroups, 'verb')
  directed(topics, 'topic', false)
  return made
}

function lines(text: string): string[] {
  return text.trim().split('\n')
}

function stems(text: string): string[] {
  return [...new Set(words(text).map((word) => word.whole))]
}
