import { basename } from 'node:path'
import { carrierOf } from './carriers.ts'
import { exactly } from './arg-pattern.ts'
import {
  absentSystem,
  directoryAt,
  findExecutable,
  isSystems,
  namesOf,
  type Executable,
} from './executable.ts'
import { carriesCode, isRunner } from './inline-code.ts'
import type { Arg, Finder, LineCommand, Puzzle, Scene } from './line.ts'
import { entryFor, isMultiCall, ownPattern } from './match.ts'
import { isIdleBuiltin, isNeutralVariable, isPlainForZsh, troubleWithBuiltin } from './neutral.ts'
import { readLine } from './read-line.ts'
import type { Rules } from './rules.ts'
import { isSafe } from './safe-bins.ts'
import type { Examined, Miss, NewEntry } from './found.ts'
import type { AllowlistEntry, CommandQuestion } from './types.ts'

const deepest = 8
const mostCommands = 200

/** Compares every command that a line would run with the rules. */
export function examine({ command, workdir, path, env = {} }: CommandQuestion, rules: Rules): Examined {
  const examiner = new Examiner(rules)
  for (const [name, value] of Object.entries(env)) examiner.variable(name, value)
  // A shell that is started in a directory knows only where it really is.
  examiner.line(command, {
    cwd: directoryAt(null, workdir),
    path,
    positional: null,
    depth: 0,
    readsFile: false,
  })
  return examiner.result()
}

class Examiner implements Finder {
  readonly #rules: Rules
  readonly #puzzles: Puzzle[] = []
  readonly #misses: Miss[] = []
  readonly #used: { entry: AllowlistEntry; path: string }[] = []
  #count = 0

  constructor(rules: Rules) {
    this.#rules = rules
  }

  result(): Examined {
    const satisfied = this.#puzzles.length === 0 && this.#misses.length === 0
    return { satisfied, puzzles: this.#puzzles, misses: this.#misses, used: this.#used }
  }

  variable(name: string, value: string): void {
    if (!isNeutralVariable(name, value))
      this.puzzle({ text: name, why: 'the call sets a variable that programs may read' })
  }

  line(text: string, scene: Scene): void {
    if (scene.depth > deepest) return this.puzzle({ text, why: 'too many shells inside each other' })
    readLine(text, scene, this.#rules, this)
  }

  puzzle(puzzle: Puzzle): void {
    this.#puzzles.push(puzzle)
  }

  command(command: LineCommand): void {
    if (++this.#count > mostCommands) {
      if (this.#count === mostCommands + 1)
        this.puzzle({ text: '', why: `it has more than ${mostCommands} commands` })
      return
    }
    const { argv, scene, from } = command
    const [name, ...args] = argv
    if (name === undefined) return
    const text = argv.map((arg) => arg ?? '…').join(' ')
    if (name === null || name === '') return this.puzzle({ text, why: 'its name is only known when it runs' })
    if (from === 'shell' && this.#builtin(name, args, command, text)) return
    const executable = findExecutable(name, scene) ?? absentCarrier(name)
    if (executable === null) {
      const isRelative = scene.cwd === null && name.includes('/')
      const why = isRelative ? 'nobody knows in which directory it is run' : 'no such program was found'
      this.#misses.push({ name, path: null, why, entry: null })
      return
    }
    this.#program(executable, args, command, text)
  }

  /** Judges builtins of the shell; false where the name is that of a program. */
  #builtin(name: string, args: readonly Arg[], command: LineCommand, text: string): boolean {
    if (isIdleBuiltin(name, args)) return true
    if (name === 'command' || name === 'exec') {
      const [first] = args
      if (name === 'command' && (first === '-v' || first === '-V')) return true
      const argv = first === '--' ? args.slice(1) : args
      if (typeof argv[0] === 'string' && argv[0].startsWith('-'))
        this.puzzle({ text, why: `${name} with options is not read` })
      else if (argv.length > 0)
        this.command({ ...command, argv, from: name === 'exec' ? 'program' : 'shell' })
      return true
    }
    const trouble = name === 'builtin' ? 'builtin is not read' : troubleWithBuiltin(name, args)
    if (trouble !== null) this.puzzle({ text, why: trouble })
    return trouble !== null
  }

  #program(executable: Executable, args: readonly Arg[], command: LineCommand, text: string): void {
    const names = namesOf(executable)
    const carrier = carrierOf(isMultiCall(executable) && executable.isBare ? names.slice(0, 1) : names)
    if (carrier === null) return this.#judge(executable, args, command, null)
    if ('unread' in carrier)
      return this.#judge(executable, args, command, `${carrier.unread} runs other programs`)
    // A program that only has the name of a carrier may do anything.
    if (!isSystems(executable, this.#rules.safeBins.trustedDirs))
      return this.puzzle({ text, why: `${executable.real} is not in a directory of the system` })
    const carried = carrier.read(args, command)
    if (carried === 'nothing') return this.#judge(executable, args, command, 'it runs other programs')
    if ('puzzle' in carried) return this.#judge(executable, args, command, carried.puzzle)
    if ('script' in carried) {
      const { script, scene, isZsh } = carried
      if (isZsh && !isPlainForZsh(script))
        return this.puzzle({ text, why: 'zsh may read more into it than other shells' })
      return this.line(script, scene)
    }
    for (const each of carried.commands) this.command(each)
    if (carried.self === true) this.#judge(executable, args, command, null)
  }

  /** Compares a program with the rules; `carries` says why it is never kept by a lasting yes, and needs an entry that names its arguments. */
  #judge(executable: Executable, args: readonly Arg[], { scene }: LineCommand, carries: string | null): void {
    const { allowlist, safeBins, skills, strictInlineEval, home } = this.#rules
    const names = namesOf(executable)
    const name = basename(executable.found)
    const code = strictInlineEval && carriesCode(names, args)
    const entry = code ? null : entryFor({ executable, args }, allowlist, home, carries !== null)
    if (entry !== null) {
      this.#used.push({ entry, path: executable.real })
      return
    }
    if (code) {
      this.#misses.push({
        name,
        path: executable.real,
        why: 'it carries code (tools.exec.strictInlineEval)',
        entry: null,
      })
      return
    }
    if (carries !== null) {
      this.#misses.push({ name, path: executable.real, why: carries, entry: null })
      return
    }
    if (isSafe(executable, args, scene.readsFile, safeBins)) return
    if (executable.isBare && skills.has(name) && !isRunner(names)) return
    this.#misses.push({
      name,
      path: executable.real,
      why: 'it is not on the allowlist',
      entry: newEntry(executable, args),
    })
  }
}

/** A shell or the like that belongs to the system and is not installed: what it would run is judged all the same. */
function absentCarrier(name: string): Executable | null {
  const absent = absentSystem(name)
  return absent !== null && carrierOf(namesOf(absent)) !== null ? absent : null
}

/** What a lasting yes adds for a program: its real path; for one that runs code, with exactly these arguments. */
function newEntry(executable: Executable, args: readonly Arg[]): NewEntry | null {
  const pattern = ownPattern(executable)
  if (pattern === null) return null
  if (!isRunner(namesOf(executable))) return { pattern }
  const known = args.filter((arg) => arg !== null)
  const argPattern = known.length === args.length ? exactly(known) : null
  return argPattern === null ? null : { pattern, argPattern }
}
