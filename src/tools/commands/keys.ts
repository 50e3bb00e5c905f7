import { OpenClawError } from '../../kernel/errors.ts'
import { showName } from '../../kernel/untrusted-text.ts'

const named: Readonly<Record<string, string>> = {
  enter: '\r',
  return: '\r',
  tab: '\t',
  'shift-tab': '\u001B[Z',
  escape: '\u001B',
  esc: '\u001B',
  space: ' ',
  backspace: '\u007F',
  bspace: '\u007F',
  delete: '\u001B[3~',
  insert: '\u001B[2~',
  up: '\u001B[A',
  down: '\u001B[B',
  right: '\u001B[C',
  left: '\u001B[D',
  home: '\u001B[H',
  end: '\u001B[F',
  pageup: '\u001B[5~',
  pagedown: '\u001B[6~',
  f1: '\u001BOP',
  f2: '\u001BOQ',
  f3: '\u001BOR',
  f4: '\u001BOS',
  f5: '\u001B[15~',
  f6: '\u001B[17~',
  f7: '\u001B[18~',
  f8: '\u001B[19~',
  f9: '\u001B[20~',
  f10: '\u001B[21~',
  f11: '\u001B[23~',
  f12: '\u001B[24~',
}

/** What a terminal sends for keys: names (`Enter`, `Up`, `F5`), `C-c` and `^C` for control, `M-x` for meta, or single characters. Error: INPUT_INVALID for a name that is none. */
export function keyBytes(keys: readonly string[]): string {
  return keys.map(keyOf).join('')
}

function keyOf(key: string): string {
  const known = Object.hasOwn(named, key.toLowerCase()) ? named[key.toLowerCase()] : undefined
  if (known !== undefined) return known
  const control = /^(?:C-|\^)([a-z@[\\\]^_?])$/i.exec(key)?.[1]
  if (control !== undefined) {
    return control === '?' ? '\u007F' : String.fromCharCode(control.toUpperCase().charCodeAt(0) & 0x1f)
  }
  const meta = /^M-(.+)$/s.exec(key)?.[1]
  if (meta !== undefined) return `\u001B${keyOf(meta)}`
  if ([...key].length === 1) return key
  throw new OpenClawError('INPUT_INVALID', `there is no key ${showName(key)}`, {
    hints: ['keys are Enter, Tab, Escape, Up, F1 …, C-c, M-x, or single characters; write sends text'],
    data: { key: key.slice(0, 100) },
  })
}
