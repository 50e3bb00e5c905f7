import type { Position } from '../protocol.ts'
import { furnishGuest, type Guest } from './guest.ts'
import { languageGlobals } from './language.ts'

const { Script, createContext, constants } = process.getBuiltinModule('node:vm')

/** The guest's realm, and the only ways the host reaches into it. */
export interface Realm {
  readonly guest: Guest
  /** Runs microtasks of the guest until none is left. */
  readonly pump: () => void
  /** Makes an async function of a snippet; it has not run yet. */
  readonly compile: (code: string) => Compiled
}

export type Compiled =
  | { readonly main: () => PromiseLike<unknown> }
  | { readonly problem: string; readonly position: Position | null }

const fileName = 'snippet.js'

/** A realm without code generation, whose microtasks run when they are told to, and not between the host's own. */
export function createRealm(): Realm {
  const context = createContext(constants.DONT_CONTEXTIFY, {
    codeGeneration: { strings: false, wasm: false },
    microtaskMode: 'afterEvaluate',
  })
  const program = `'use strict';(${furnishGuest.toString()})(${JSON.stringify(languageGlobals)})`
  const furnish = new Script(program, { filename: 'openclaw' })
  const guest: Guest = furnish.runInContext(context)
  const nothing = new Script('0', { filename: 'openclaw' })
  return {
    guest,
    pump: () => void nothing.runInContext(context),
    compile(code) {
      try {
        const script = new Script(`(async () => {\n${code}\n})`, { filename: fileName, lineOffset: -1 })
        // Text that closes one wrapper and opens another does not fit into two different ones.
        void new Script(`({ async snippet() {\n${code}\n} })`, { filename: fileName, lineOffset: -1 })
        return { main: script.runInContext(context) }
      } catch (error) {
        return explain(error, code)
      }
    },
  }
}

/** The message and place of a syntax error, in terms of the snippet without its wrapper. */
function explain(error: unknown, code: string): Compiled {
  if (!(error instanceof SyntaxError)) return { problem: 'the snippet cannot be compiled', position: null }
  const place = /^snippet\.js:(\d+)\n.*\n( *)\^/.exec(error.stack ?? '')
  const line = Number(place?.[1])
  if (!place || line > code.split('\n').length)
    return { problem: 'unexpected end of the snippet', position: null }
  return { problem: error.message, position: { line, column: (place[2] ?? '').length + 1 } }
}
