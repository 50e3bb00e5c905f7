/** An order about elevated in a message: `/elevated full`. */
export interface ElevatedDirective {
  /** The word behind it as it was written, lower-cased; null asks how things stand. */
  readonly word: string | null
  /** Nothing else was said, so that no model has to be asked. */
  readonly alone: boolean
}

/** A message, and the order that was in it. */
export interface DirectedText {
  readonly text: string
  readonly directive: ElevatedDirective | null
}

const levels = 'off|on|ask|full'
const alone = /^\s*\/elev(?:ated)?(?:\s*:\s*|\s+|\s*$)(\S*)\s*$/i
const inline = new RegExp(`(?<=^|\\s)/elev(?:ated)?(?:\\s*:\\s*|\\s+)(${levels})(?=\\s|$)`, 'gi')

/**
 * Takes orders about elevated out of what a person says, so that no model sees them: alone (`/elevated`, `/elevated full`), or with a level
 * anywhere in the first line. Only there: what is pasted below is text about something, and nobody's order. The last of several counts. Pure.
 */
export function takeDirective(message: string): DirectedText {
  const whole = alone.exec(message)
  if (whole !== null) {
    const word = whole[1]?.toLowerCase() ?? ''
    return { text: '', directive: { word: word === '' ? null : word, alone: true } }
  }
  const start = message.search(/\S/)
  const end = message.indexOf('\n', Math.max(start, 0))
  const line = end < 0 ? message : message.slice(0, end)
  const word = [...line.matchAll(inline)].at(-1)?.[1]?.toLowerCase()
  if (word === undefined) return { text: message, directive: null }
  const rest = line.replaceAll(inline, ' ').replaceAll(/ {2,}/g, ' ').trim()
  const text = `${rest}${end < 0 ? '' : message.slice(end)}`.trim()
  return { text, directive: { word, alone: text === '' } }
}
