import { foreignActions } from './lexicon/foreign-actions.ts'
import { foreignComputing } from './lexicon/foreign-computing.ts'
import { foreignEveryday } from './lexicon/foreign-everyday.ts'
import { foreignStopWords, type InflectedLanguage } from './lexicon/foreign-stop-words.ts'
import { fold } from './tokenize.ts'

/** English readings of a foreign word; each reading is one or more words. */
export type Readings = readonly (readonly string[])[]

export interface ForeignWord {
  readonly from: number
  /** Count of query words (or characters of a run) the entry covers. */
  readonly length: number
  readonly readings: Readings
}

const unspacedColumns = [1, 2, 3]
const inflectedColumns: readonly (readonly [number, InflectedLanguage])[] = [
  [4, 'de'],
  [5, 'es'],
  [6, 'fr'],
  [7, 'pt'],
  [8, 'ru'],
]

/** Endings taken off before two forms of a word are compared; longest first. */
const endings: Record<InflectedLanguage, readonly string[]> = {
  de: list('ungen ung ten tet est em en er es te et e n s t'),
  es: list(
    'iendo ando arlos arlas arlo arla aron ieron amos emos imos ados adas idos idas ado ada ido ida ar er ir an en os as es a e o s',
  ),
  fr: list('ements ement issons issez aient ions eront ons ez ent ees es er ir ee e s'),
  pt: list(
    'ando endo indo aram eram amos emos ados adas idos idas ado ada ido ida ar er ir am em os as es a e o s',
  ),
  ru: list(
    'иями ями ами ого его ому ему ыми ими ешь ите ете ать ять ить еть уть ала али ила или ах ях ам ям ов ев ей ой ый ий ая яя ое ее ые ие ую юю ть ти ит ет ют ят ал ил а я о е у ю ы и ь й',
  ),
}
/** Ukrainian and Belarusian are not read as Russian: their words only look alike. */
const lettersNotRussian = /[іїєґў]/
/** What one word that only the other language knows counts; words that English may have, too (`die roll`), count less and need company. */
const leastLead = 1.5
const shortestStem = 4
const longestEntry = 10

interface Lexicon {
  readonly unspaced: ReadonlyMap<string, Readings>
  readonly inflected: Record<InflectedLanguage, ReadonlyMap<string, Readings>>
  readonly stops: Record<InflectedLanguage, ReadonlySet<string>>
  /** First words of the entries of several words, of all languages. */
  readonly phraseStarts: ReadonlySet<string>
}
let loaded: Lexicon | undefined

/** Entries of the Chinese, Japanese and Korean lexicon in a run of unspaced text, longest match first. */
export function readRun(run: string): ForeignWord[] {
  const { unspaced } = lexicon()
  const found: ForeignWord[] = []
  let at = 0
  while (at < run.length) {
    let length = Math.min(longestEntry, run.length - at)
    while (length > 0 && !unspaced.has(run.slice(at, at + length))) length -= 1
    const readings = length === 0 ? undefined : unspaced.get(run.slice(at, at + length))
    if (readings !== undefined) found.push({ from: at, length, readings })
    at += Math.max(1, length)
  }
  return found
}

export interface ForeignQuery {
  readonly language: InflectedLanguage
  /** Per word: `stop`, its readings, or nothing known. A reading of several words covers the first of them, the rest are `stop`. */
  readonly words: readonly ('stop' | Readings | undefined)[]
}

/**
 * Reads folded, lower-case words as German, Spanish, French, Portuguese or Russian, whichever knows most of them;
 * undefined when English explains the words at least as well. `isKnown` tells whether the catalogue has a word.
 */
export function readWords(
  query: readonly string[],
  isKnown: (word: string) => boolean,
  isEnglish: (word: string) => boolean,
): ForeignQuery | undefined {
  // A word that neither English nor the catalogue knows has to be there; without one the lexicon need not even be loaded.
  const english = query.filter(isEnglish).length
  if (english * 2 > query.length || query.every((word) => isEnglish(word) || isKnown(word))) return undefined
  let best: ForeignQuery | undefined
  let bestLead = 0
  const notRussian = query.some((word) => lettersNotRussian.test(word))
  for (const [, language] of inflectedColumns) {
    if (language === 'ru' && notRussian) continue
    const read = readAs(query, language)
    let lead = 0
    for (const [at, word] of query.entries()) {
      const reading = read[at]
      if (isEnglish(word)) lead -= reading === undefined ? 1 : 0
      else if (reading === undefined) lead -= isKnown(word) ? 0.5 : 0
      else lead += reading === 'stop' || isKnown(word) ? 0.5 : leastLead
    }
    if (lead >= leastLead && lead > bestLead) {
      bestLead = lead
      best = { language, words: read }
    }
  }
  return best
}

function readAs(query: readonly string[], language: InflectedLanguage): ('stop' | Readings | undefined)[] {
  const { inflected, stops, phraseStarts } = lexicon()
  const entries = inflected[language]
  const out: ('stop' | Readings | undefined)[] = []
  for (let at = 0; at < query.length; at += 1) {
    const word = query[at] ?? ''
    const phrase = phraseStarts.has(word) ? phraseLength(query, at, entries) : undefined
    if (phrase !== undefined) {
      out.push(entries.get(query.slice(at, at + phrase).join(' ')))
      for (let rest = 1; rest < phrase; rest += 1) out.push('stop')
      at += phrase - 1
      continue
    }
    if (stops[language].has(word)) out.push('stop')
    else out.push(lookUp(word, language) ?? (language === 'de' ? compound(word) : undefined))
  }
  return out
}

function phraseLength(
  query: readonly string[],
  at: number,
  entries: ReadonlyMap<string, Readings>,
): number | undefined {
  return [4, 3, 2].find(
    (count) => at + count <= query.length && entries.has(query.slice(at, at + count).join(' ')),
  )
}

function lookUp(word: string, language: InflectedLanguage): Readings | undefined {
  const entries = lexicon().inflected[language]
  return entries.get(word) ?? entries.get(`~${bare(word, language)}`)
}

/** German compounds: `kreis` + `diagramm`, with a linking s, n, en or es between. */
function compound(word: string): Readings | undefined {
  for (let at = 4; at + 4 <= word.length; at += 1) {
    const tail = lookUp(word.slice(at), 'de')
    if (tail === undefined) continue
    const head = word.slice(0, at)
    const found = lookUp(head, 'de') ?? lookUp(head.replace(/(?:es|en|s|n)$/, ''), 'de')
    if (found !== undefined) {
      const first = found[0] ?? []
      return tail.map((reading) => [...first, ...reading])
    }
  }
  return undefined
}

function bare(word: string, language: InflectedLanguage): string {
  const ending = endings[language].find(
    (candidate) => word.endsWith(candidate) && word.length - candidate.length >= shortestStem,
  )
  return ending === undefined ? word : word.slice(0, -ending.length)
}

function lexicon(): Lexicon {
  loaded ??= build()
  return loaded
}

function build(): Lexicon {
  const unspaced = new Map<string, Readings>()
  const inflected = {
    de: new Map(),
    es: new Map(),
    fr: new Map(),
    pt: new Map(),
    ru: new Map(),
  } satisfies Record<InflectedLanguage, Map<string, Readings>>
  const put = (map: Map<string, Readings>, key: string, readings: Readings): void => {
    const known = map.get(key)
    map.set(key, known === undefined ? readings : [...known, ...readings])
  }
  for (const row of [foreignActions, foreignComputing, foreignEveryday].join('\n').split('\n')) {
    const cells = row.split('|')
    const readings = (cells[0] ?? '').split('/').map((reading) => reading.split(' '))
    for (const column of unspacedColumns) {
      for (const form of forms(cells[column])) put(unspaced, form, readings)
    }
    for (const [column, language] of inflectedColumns) {
      const stems = new Set<string>()
      for (const form of forms(cells[column])) {
        put(inflected[language], form, readings)
        const short = `~${bare(form, language)}`
        if (!form.includes(' ') && !stems.has(short)) put(inflected[language], short, readings)
        stems.add(short)
      }
    }
  }
  const phrases = Object.values(inflected).flatMap((entries) =>
    [...entries.keys()].filter((form) => form.includes(' ')),
  )
  const { de, es, fr, pt, ru } = foreignStopWords
  return {
    unspaced,
    inflected,
    phraseStarts: new Set(phrases.map((form) => form.slice(0, form.indexOf(' ')))),
    stops: { de: wordSet(de), es: wordSet(es), fr: wordSet(fr), pt: wordSet(pt), ru: wordSet(ru) },
  }
}

function wordSet(text: string): ReadonlySet<string> {
  return new Set(list(fold(text)))
}

function forms(cell: string | undefined): string[] {
  return fold(cell ?? '')
    .toLowerCase()
    .split(' ')
    .filter((form) => form !== '')
    .map((form) => form.replace(/[_'-]/g, ' '))
}

function list(text: string): string[] {
  return text.trim().split(/\s+/)
}
