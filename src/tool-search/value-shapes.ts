import { queryWeights } from './weights.ts'

/** A word that the shape of a value stands for, with its weight. */
export interface ShapeHint {
  readonly word: string
  readonly weight: number
}

const url = /\bhttps?:\/\/\S+|\bwww\.\S+/g
const path =
  /(?<![\w/.])(?:~|\.{1,2}|[A-Za-z]:)?[\\/][\w.~-]+(?:[\\/][\w.~-]+)*[\\/]?|(?<![\w/.@-])[\w-]+\.(?:txt|md|pdf|docx?|xlsx?|csv|pptx?|png|jpe?g|gif|svg|mp[34]|wav|py|js|ts|html?|json|ya?ml|xml|zip|log)\b/g
/** An object of a data format, and a place left open in a query that somebody wrote for reuse. */
const object = /\{[^{}]*\}/g
const openPlace = /<\w(?:[\w -]{0,62}\w)?>/g
const month =
  '(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)'
const day = '\\d{1,2}(?:st|nd|rd|th)?\\b(?!:)'
const date = new RegExp(
  `\\b\\d{4}-\\d\\d?-\\d\\d?\\b|\\b\\d{1,2}/\\d{1,2}/\\d{2,4}\\b|\\b\\d{1,2}\\.\\d{1,2}\\.\\d{4}\\b|\\b${month}\\.? ${day}|\\b${day} (?:of )?${month}\\b|\\d月`,
  'i',
)
const extension = /\.([a-z0-9]{1,5})$/i
const writing = /\b(?:sav(?:e|ed|ing)|writ(?:e|ten|ing)|stor(?:e|ed)|put|output|export(?:ed)?)\b/i

/**
 * Takes URLs, file paths, objects (`{"audit": "log"}`) and open places (`<file_name>`) out of a query: their words are values, not wishes.
 * What remains of URLs and paths are hints that a file, a directory or a web page is meant, and that a file is to be written when the query
 * says so. A date stays in the text and hints at tools that take one.
 */
export function readValueShapes(query: string): { text: string; hints: readonly ShapeHint[] } {
  const hints = new Map<string, number>()
  const hint = (word: string, weight: number): void => {
    hints.set(word, Math.max(weight, hints.get(word) ?? 0))
  }
  const withoutUrls = query.replace(url, () => {
    hint('url', queryWeights.valueShape)
    hint('web', queryWeights.valueShape)
    return ' '
  })
  const prose = withoutUrls
    .replace(object, (value) => (/[:"']/.test(value) ? ' ' : value))
    .replace(openPlace, ' ')
  const text = prose.replace(path, (value) => {
    hint('file', queryWeights.valueShape)
    hint(extension.exec(value)?.[1]?.toLowerCase() ?? 'directory', queryWeights.valueShape)
    return ' '
  })
  if (hints.has('file') && writing.test(text)) hint('write', queryWeights.writeToPath)
  if (date.test(text)) hint('date', queryWeights.valueShape)
  return { text, hints: [...hints].map(([word, weight]) => ({ word, weight })) }
}
