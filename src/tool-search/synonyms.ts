import { abbreviations } from './lexicon/abbreviations.ts'
import { wordForms } from './lexicon/forms.ts'
import { nounGroups } from './lexicon/nouns.ts'
import { topics } from './lexicon/topics.ts'
import { verbGroups } from './lexicon/verbs.ts'
import { words } from './tokenize.ts'

export type Relation = 'form' | 'verb' | 'noun' | 'topic' | 'abbreviation'

export interface Related {
  readonly term: string
  readonly relation: Relation
}

const beginning = 3
const rememberAtMost = 20_000
const remembered = new Map<string, readonly Related[]>()

/** The lexicons, strongest relation first. In a group every word is on both sides; a line `words: words` leads one way only. */
const lexicons: readonly {
  readonly relation: Relation
  readonly text: string
  readonly sides: (line: string) => readonly [from: string, to: string]
}[] = [
  { relation: 'abbreviation', text: abbreviations, sides: (line) => halves(line) },
  { relation: 'form', text: wordForms, sides: (line) => [line, line] },
  { relation: 'noun', text: nounGroups, sides: (line) => [line, line] },
  { relation: 'verb', text: verbGroups, sides: (line) => [line, line] },
  { relation: 'topic', text: topics, sides: (line) => swapped(halves(line)) },
]

/**
 * Terms that stand weakly for `term` (both as stems), each with its strongest relation, which comes first. A stem begins like its words, so
 * only the few lines with such a word are read: a command that asks one query does not pay for the whole lexicon.
 */
export function relatedTerms(term: string): readonly Related[] {
  const known = remembered.get(term)
  if (known !== undefined) return known
  const found = new Map<string, Related>()
  for (const { relation, text, sides } of lexicons) {
    for (const line of linesWith(text, term.slice(0, beginning))) {
      const [from, to] = sides(line)
      if (!stems(from).includes(term)) continue
      for (const other of stems(to))
        if (other !== term && !found.has(other)) found.set(other, { term: other, relation })
    }
  }
  if (remembered.size >= rememberAtMost) remembered.clear()
  const related = [...found.values()]
  remembered.set(term, related)
  return related
}

/** The lines of a text that have a word with this beginning, in order. */
function linesWith(text: string, start: string): string[] {
  const found: string[] = []
  let at = text.indexOf(start)
  while (at >= 0) {
    const end = text.indexOf('\n', at)
    const next = end < 0 ? text.length : end
    if (at === 0 || text[at - 1] === ' ' || text[at - 1] === '\n') {
      found.push(text.slice(text.lastIndexOf('\n', at) + 1, next))
      at = text.indexOf(start, next)
    } else at = text.indexOf(start, at + 1)
  }
  return found
}

function halves(line: string): readonly [string, string] {
  const [left = '', right = ''] = line.split(': ')
  return [left, right]
}

function swapped([left, right]: readonly [string, string]): readonly [string, string] {
  return [right, left]
}

function stems(text: string): string[] {
  return [...new Set(words(text).map((word) => word.whole))]
}
