import { stopWords, weakWords } from './lexicon/stop-words.ts'
import { words, type Word } from './tokenize.ts'

const border =
  /[.?!;:\n。？！；]+(?=\s|$|[^\p{ASCII}])|,\s+|[，、]|\b(?:and|then|also|additionally|finally|furthermore|moreover)\b/iu
/** A clause with fewer telling words belongs to the one before it. */
const tellingWords = 2
const clausesAtMost = 12

/**
 * Words of a query by clause. A request for several things ("book a flight and then find a museum") is answered clause by clause, so
 * that its longest part does not decide alone.
 */
export function clauses(query: string): Word[][] {
  const found: Word[][] = []
  for (const piece of query.split(border)) {
    const read = words(piece)
    const telling = read.filter((word) => !stopWords.has(word.text) && !weakWords.has(word.text)).length
    const last = found.at(-1)
    if (last !== undefined && (telling < tellingWords || found.length === clausesAtMost)) last.push(...read)
    else found.push(read)
  }
  return found
}
