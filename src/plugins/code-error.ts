import { readFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Location } from '../kernel/path.ts'
import { thrownStack, thrownText } from '../kernel/thrown.ts'
import { cleanLine } from '../kernel/untrusted-text.ts'
import { TimeLimitError } from './limit.ts'
import { isBelow } from './plugin-files.ts'

/** What a thrown value says, on one line. */
export function causeOf(thrown: unknown): string {
  if (thrown instanceof TimeLimitError) return thrown.message
  try {
    if (thrown instanceof Error) {
      const code = 'code' in thrown && typeof thrown.code === 'string' ? ` (${thrown.code})` : ''
      return cleanLine(`${thrown.name}: ${thrown.message}${code}`, 500)
    }
  } catch {
    // It throws when it is asked.
  }
  return cleanLine(`threw ${thrownText(thrown) || 'what has no words'}`, 300)
}

/** Where in the code of a plugin something was thrown: the innermost stack frame inside its folder, or the line a parser points at. */
export function placeOf(thrown: unknown, folder: string): Location | null {
  const lines = thrownStack(thrown).split('\n')
  const heading = /^(file:\/\/\/?.+|\/.+):(\d+)$/.exec(lines[0] ?? '')
  if (heading) {
    const [, file = '', line = '1'] = heading
    const marks = lines.slice(1, 8).find((text) => /^ *\^+$/.test(text)) ?? '^'
    return locationIn(folder, file, Number(line), marks.indexOf('^') + 1)
  }
  for (const text of lines) {
    const [, file = '', line = '', column = ''] =
      /^\s+at .*?\(?((?:file:\/\/\/?|\/)[^()]+):(\d+):(\d+)\)?$/.exec(text) ?? []
    const place = file === '' ? null : locationIn(folder, file, Number(line), Number(column))
    if (place !== null) return place
  }
  return null
}

function locationIn(folder: string, name: string, line: number, column: number): Location | null {
  const file = name.startsWith('file:') ? fileURLToPath(name.replace(/[?#].*$/, '')) : name
  return isBelow(folder, file) ? { file, path: '', line, column } : null
}

/** Where the syntax of a file breaks, for the engine names no line of JavaScript modules; null where another parser sees nothing wrong with it. */
export function placeOfSyntaxError({
  message,
  file,
}: {
  readonly message: string
  readonly file: string
}): Location | null {
  if (!message.includes('SyntaxError')) return null
  try {
    stripTypeScriptTypes(readFileSync(file, 'utf8'), { sourceUrl: file })
    return null
  } catch (error) {
    return placeOf(error, dirname(file))
  }
}
