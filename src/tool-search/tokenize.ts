import { stem } from './porter2.ts'

/** Scripts written without spaces between words (or with particles glued on): indexed as pairs of characters. */
const unspacedLetter =
  '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Hangul}\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}\\u30fc\\u3005'
const wordOrRun = new RegExp(`([${unspacedLetter}]+)|[[\\p{L}\\p{N}\\p{M}]--[${unspacedLetter}]]+`, 'gv')
/** Places where an identifier changes word: fooBar, XMLHttp, base64, 2fa. A plural after an acronym (PDFs) is no border. */
const innerBorder =
  /(?<=\p{Ll})(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})(?!\p{Lu}s(?!\p{Ll}))|(?<=\p{L})(?=\p{N})|(?<=\p{N})(?=\p{L})/u
const asciiWord = /[A-Za-z0-9]+/g
const acronymPlural = /^[b-df-hj-np-tv-xz]{3,}s$/
const plainLower = /^[a-z]+$/
const nonAscii = /[^\p{ASCII}]/u
const combining = /[\u0300-\u036f]/g
const letterVariants = new Map(
  Object.entries({
    ß: 'ss',
    ø: 'o',
    Ø: 'O',
    æ: 'ae',
    Æ: 'AE',
    œ: 'oe',
    Œ: 'OE',
    ł: 'l',
    Ł: 'L',
    đ: 'd',
    Đ: 'D',
    ı: 'i',
  }),
)
const letterVariant = new RegExp(`[${[...letterVariants.keys()].join('')}]`, 'g')

/** One word of a text as written, with the index terms it stands for. */
export interface Word {
  /** Folded spelling: lower case, no diacritics. */
  readonly text: string
  /** Stem of the whole word; for an unspaced run the run itself. */
  readonly whole: string
  /** Stems of the inner words of a compound identifier, or character pairs of an unspaced run; empty for a simple word. */
  readonly parts: readonly string[]
  readonly kind: 'word' | 'number' | 'unspaced'
}

/** Text with compatibility forms unified and diacritics removed; kana voicing marks and Hangul syllables stay whole. */
export function fold(text: string): string {
  if (!nonAscii.test(text)) return text
  return text
    .normalize('NFKD')
    .replace(combining, '')
    .normalize('NFC')
    .replace(letterVariant, (letter) => letterVariants.get(letter) ?? letter)
}

const remembered = new Map<string, Word>()
/** Keeps the memory bounded when a long-lived process reads hostile texts. */
const rememberAtMost = 60_000

/** Words of `text` in order. Linear in its length; control characters separate words. */
export function words(text: string): Word[] {
  const folded = fold(text)
  const found: Word[] = []
  if (!nonAscii.test(folded)) {
    for (const raw of folded.match(asciiWord) ?? []) found.push(word(raw))
    return found
  }
  for (const match of folded.matchAll(wordOrRun)) {
    found.push(match[1] === undefined ? word(match[0]) : unspaced(match[0]))
  }
  return found
}

function word(raw: string): Word {
  const known = remembered.get(raw)
  if (known !== undefined) return known
  const made = makeWord(raw)
  if (raw.length <= 64) {
    if (remembered.size >= rememberAtMost) remembered.clear()
    remembered.set(raw, made)
  }
  return made
}

function makeWord(raw: string): Word {
  const text = raw.toLowerCase()
  if (plainLower.test(raw)) return { text, whole: singular(text), parts: [], kind: 'word' }
  if (/^\p{N}+$/u.test(raw)) return { text, whole: text, parts: [], kind: 'number' }
  const pieces = raw.split(innerBorder)
  if (pieces.length < 2) return { text, whole: singular(text), parts: [], kind: 'word' }
  const parts = pieces
    .filter((piece) => piece.length > 1 && !/^\p{N}/u.test(piece))
    .map((piece) => singular(piece.toLowerCase()))
  return { text, whole: singular(text), parts, kind: 'word' }
}

/** Stem of a word; the plural of an acronym without vowels (pdfs), which the stemmer leaves alone, loses its ending first. */
function singular(text: string): string {
  return acronymPlural.test(text) ? text.slice(0, -1) : stem(text)
}

function unspaced(run: string): Word {
  const letters = [...run]
  const parts: string[] = []
  for (let at = 0; at + 1 < letters.length; at += 1) parts.push(`${letters[at]}${letters[at + 1]}`)
  return { text: run, whole: run, parts: letters.length === 1 ? [run] : parts, kind: 'unspaced' }
}
