/*
 * Names and descriptions of plugins, MCP servers and clients reach terminals, logs and prompts. A terminal obeys escape
 * sequences, a bidi override reverses what a reader sees, and invisible characters carry instructions only a model reads.
 */

const escapeSequence =
  // oxlint-disable-next-line no-control-regex
  /[\u001B\u009B](?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001B\u009C]*(?:\u0007|\u001B\\|\u009C)?|[PX^_][^\u001B\u009C]*(?:\u001B\\|\u009C)?|[0-?]*[ -/]*[@-~])?/gu

// Everything that moves the cursor, turns the reading direction or is not seen; ZWJ and ZWNJ stay, scripts and emoji need them.
const hidden =
  // oxlint-disable-next-line no-control-regex
  /[\0-\u0008\u000B\u000C\u000E-\u001F\u007F-\u009F\u00AD\u061C\u180E\u200B\u200E\u200F\u202A-\u202E\u2060-\u2064\u2066-\u206F\uFEFF\uFFF9-\uFFFB\u{E0000}-\u{E007F}]/gu

const lineBreak = /\r\n?|[\u0085\u2028\u2029]/g

// One cheap test keeps ordinary text (nearly all of it) free of the three replacements.
const suspicious =
  // oxlint-disable-next-line no-control-regex
  /[\0-\u0008\u000B-\u001F\u007F-\u009F\u00AD\u061C\u180E\u200B\u200E\u200F\u2028-\u202E\u2060-\u206F\uD800-\uDFFF\uFEFF\uFFF9-\uFFFB]/

/** Text without escape sequences, control, bidi and invisible characters, cut to `limit` UTF-16 units with an ellipsis; line breaks become `\n`. */
export function cleanText(text: string, limit: number): string {
  // Cut first with room to spare: cleaning a megabyte to keep a line would be work a stranger orders.
  const bounded = text.length > limit * 4 ? text.slice(0, limit * 4) : text
  if (!suspicious.test(bounded)) return cut(bounded, limit)
  const clean = bounded
    .replace(lineBreak, '\n')
    .replace(escapeSequence, '')
    .replace(hidden, '')
    .toWellFormed()
  return cut(clean, limit)
}

/** Like `cleanText`, on one line: every run of blanks and line breaks is one space. */
export function cleanLine(text: string, limit: number): string {
  return cleanText(
    cleanText(text, limit * 4)
      .replace(/\s+/g, ' ')
      .trim(),
    limit,
  )
}

/** A name as a person must see it: each character that would not show is written as `\u{…}`; at most `limit` UTF-16 units. */
export function showName(text: string, limit = 80): string {
  const bounded = text.length > limit * 4 ? text.slice(0, limit * 4) : text
  if (!/[^ -~]/.test(bounded)) return cut(bounded, limit)
  const shown = bounded
    .replace(/[\t\n\r\u2028\u2029]/g, escape)
    .replace(hidden, escape)
    .replace(/\p{Surrogate}/gu, escape)
  return cut(shown, limit)
}

// The colours that our own themes use are escape sequences, too.
const colorOrHidden =
  // oxlint-disable-next-line no-control-regex
  /\u001B\[[\d;]*m|[\0-\u0008\u000B-\u001F\u007F-\u009F\u00AD\u061C\u180E\u200B\u200E\u200F\u2028-\u202E\u2060-\u2064\u2066-\u206F\uFEFF\uFFF9-\uFFFB\u{E0000}-\u{E007F}]/gu

/** Whole output as a terminal may get it: each character that would not show or that it would obey is written as `\u{…}`; line breaks, tabs and, with `color`, colours stay. */
export function showText(text: string, color: boolean): string {
  if (!suspicious.test(text)) return text
  return text.replace(colorOrHidden, (found) => {
    if (found.length === 1 || found.codePointAt(0)! > 0xffff) return escape(found)
    return color ? found : escape('\u001B') + found.slice(1)
  })
}

/** Whether a name holds characters that a reader would not see or a terminal would obey. */
export function hasHiddenCharacters(text: string): boolean {
  return showName(text, text.length * 12) !== text
}

function escape(character: string): string {
  return `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`
}

function cut(text: string, limit: number): string {
  if (text.length <= limit) return text
  return `${text.slice(0, limit - 1).replace(/[\uD800-\uDBFF]$/, '')}…`
}
