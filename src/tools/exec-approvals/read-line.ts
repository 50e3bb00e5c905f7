import { resolve } from 'node:path'
import type {
  AndOr,
  Assignment,
  Command,
  CompoundList,
  ParsedScript,
  Pipeline,
  Redirected,
  Redirection,
  Statement,
  SyntaxNode,
  Word,
} from 'unbash'
import { parse } from 'unbash'
import { directoryAt } from './executable.ts'
import type { Arg, Finder, Scene } from './line.ts'
import { isLoopVariable, isNeutralVariable, troubleWithText } from './neutral.ts'
import { readWord, usesArguments, type WordReader } from './words.ts'

/** What a line is read with. */
export interface LineSetting {
  /** Home directory that `~` stands for. */
  readonly home: string
  /** Whether `cd` may go to another place than its argument says, by CDPATH. */
  readonly hasCdPath: boolean
}

/** A scene while commands of it are read; `cd` moves it, and `exec` without a command changes its input. */
interface Moving extends Scene {
  cwd: string | null
  readsFile: boolean
}

/**
 * Finds every command that a text would run in a POSIX shell: of pipelines, chains, groups, conditions, loops and substitutions. What it
 * does not positively understand, or what shells understand differently, is a puzzle; nothing is ever guessed.
 */
export function readLine(text: string, scene: Scene, setting: LineSetting, finder: Finder): void {
  const trouble = troubleWithText(text)
  if (trouble !== null) return finder.puzzle({ text, why: trouble })
  new LineReader(text, setting, finder).script(parse(text), { ...scene })
}

class LineReader {
  readonly #text: string
  readonly #setting: LineSetting
  readonly #finder: Finder
  /** A single command and nothing else, so that it may be named by an argument of the script. */
  #alone = false

  constructor(text: string, setting: LineSetting, finder: Finder) {
    this.#text = text
    this.#setting = setting
    this.#finder = finder
  }

  script(script: ParsedScript, scene: Moving): void {
    const [error] = script.errors ?? []
    if (error !== undefined) return this.#puzzle(script, `it cannot be read: ${error.message}`)
    const [first] = script.commands
    this.#alone =
      script.commands.length === 1 && first?.command.type === 'Command' && first.background !== true
    this.#statements(script.commands, scene)
  }

  #statements(statements: readonly Statement[], scene: Moving): void {
    for (const { command, background } of statements) {
      // What goes on beside runs in a shell of its own.
      if (background === true) this.#node(command, { ...scene })
      else this.#chain(command, scene)
    }
  }

  /** A whole statement; afterwards nobody knows whether a `cd` in it went well. */
  #chain(node: Statement['command'], scene: Moving): void {
    const before = scene.cwd
    this.#node(node, scene)
    if (scene.cwd !== before) scene.cwd = null
  }

  #node(node: SyntaxNode, scene: Moving): void {
    switch (node.type) {
      case 'Command':
        return this.#command(node, scene)
      case 'Pipeline':
        return this.#pipeline(node, scene)
      case 'AndOr':
        return this.#andOr(node, scene)
      case 'Subshell':
        return this.#list(node.body, { ...scene })
      case 'BraceGroup':
        return this.#list(node.body, scene)
      case 'Redirected':
        return this.#redirected(node, scene)
      case 'If':
        return this.#branches(
          [
            node.clause,
            node.then,
            ...node.elif.flatMap((each) => [each.clause, each.then]),
            ...(node.else ? [node.else] : []),
          ],
          scene,
        )
      case 'While':
        return this.#loop([node.clause, node.body], scene)
      case 'For':
        if (!isLoopVariable(node.name.value)) this.#puzzle(node.name, 'programs may read this variable')
        for (const word of node.wordlist ?? []) this.#word(word, scene)
        return this.#loop([node.body], scene)
      case 'Case':
        this.#word(node.word, scene)
        for (const { pattern } of node.items) for (const word of pattern) this.#word(word, scene)
        return this.#branches(
          node.items.map(({ body }) => body),
          scene,
        )
      default:
        return this.#puzzle(node, `${node.type} is not read`)
    }
  }

  /** A group whose commands share an input. */
  #redirected({ command, redirects }: Redirected, scene: Moving): void {
    const before = scene.readsFile
    scene.readsFile = this.#redirections(redirects, scene) || before
    this.#node(command, scene)
    scene.readsFile = before
  }

  #list({ commands }: CompoundList, scene: Moving): void {
    this.#statements(commands, scene)
  }

  #branches(lists: readonly CompoundList[], scene: Moving): void {
    for (const list of lists) this.#list(list, scene)
  }

  #loop(lists: readonly CompoundList[], scene: Moving): void {
    const before = scene.cwd
    this.#branches(lists, scene)
    // The second round starts where the first one ended.
    if (scene.cwd !== before && lists[0]) this.#puzzle(lists[0], 'a loop changes its directory')
  }

  #pipeline(node: Pipeline, scene: Moving): void {
    const [only, ...more] = node.commands
    if (node.operators.includes('|&')) this.#puzzle(node, '|& is not known to every shell')
    if (only !== undefined && more.length === 0) return this.#chain(only, scene)
    for (const command of node.commands) {
      const own = { ...scene }
      this.#node(command, own)
      // Some shells run the last one themselves.
      if (own.cwd !== scene.cwd && command === node.commands.at(-1)) scene.cwd = null
    }
  }

  #andOr({ commands, operators }: AndOr, scene: Moving): void {
    for (const [index, command] of commands.entries()) {
      const before = scene.cwd
      this.#node(command, scene)
      const certain = !operators.slice(0, index + 1).includes('||')
      if (scene.cwd !== before && !certain) scene.cwd = null
      // Whoever comes here may come without the steps before.
      if (operators[index] === '||' && index > 0) scene.cwd = null
    }
  }

  #command(node: Command, scene: Moving): void {
    for (const each of node.prefix) if (each.type === 'Assignment') this.#assignment(each, scene)
    const readsFile = this.#redirections(node.redirects, scene) || scene.readsFile
    if (node.name === undefined) return
    if (usesArguments(node.name) && !(this.#alone && node.redirects.length === 0 && node.prefix.length === 0))
      this.#puzzle(node.name, 'an argument names the command, and it is not alone')
    const argv = [node.name, ...node.args].flatMap((each) => {
      if (each.type === 'Word') return this.#word(each, scene)
      this.#puzzle(each, 'it sets a variable')
      return [null]
    })
    if (argv[0] === 'exec' && argv.length === 1) scene.readsFile = readsFile
    if (argv[0] === 'cd') return this.#cd(node, argv.slice(1), scene)
    this.#finder.command({ argv, scene: { ...scene, readsFile }, from: 'shell' })
  }

  /** Moves the scene; what comes after a `cd` to nobody knows where has no directory. */
  #cd(node: Command, args: readonly Arg[], scene: Moving): void {
    const [first, ...more] = args[0] === '--' ? args.slice(1) : args
    if (more.length > 0 || (typeof first === 'string' && first.startsWith('-') && first !== '-'))
      return this.#puzzle(node, 'cd with options is not read')
    const isKnown =
      typeof first === 'string' &&
      first !== '' &&
      first !== '-' &&
      (/^\.{0,2}(?:\/|$)/.test(first) || !this.#setting.hasCdPath)
    // Shells remember the way by its names, the system by where it leads; only where both are the same is the next `..` known.
    const path =
      isKnown && (first.startsWith('/') || scene.cwd !== null) ? resolve(scene.cwd ?? '/', first) : null
    scene.cwd = path !== null && (directoryAt(null, path) ?? path) === path ? path : null
  }

  #assignment(node: Assignment, scene: Moving): void {
    const { name, value, append, index } = node
    const [text, ...more] = value.type === 'Word' ? this.#word(value, scene) : [null]
    const isPlain = append !== true && index === undefined && typeof text === 'string' && more.length === 0
    if (!isPlain || !isNeutralVariable(name, text))
      this.#puzzle(node, 'programs or the shell may read this variable')
  }

  /** Judges redirections; true where a file becomes the input. */
  #redirections(all: readonly Redirection[], scene: Moving): boolean {
    let readsFile = false
    for (const each of all) {
      if (each.descriptor?.type === 'FileDescriptorVariable') this.#puzzle(each, 'it sets a variable')
      if (each.type === 'HereDoc') {
        if (each.closing === undefined || each.delimiter === undefined)
          this.#puzzle(each, 'the text has no end')
        const { body } = each
        const word: Word = {
          type: 'Word',
          text: 'x',
          value: '',
          pos: body.pos,
          end: body.end,
          parts: body.parts,
        }
        if (body.parts !== undefined) this.#word(word, scene)
        continue
      }
      const { operator, target } = each
      const [to, ...more] = target === undefined ? [null] : this.#word(target, scene)
      if (operator === '<<<') continue
      const isNetwork = typeof to === 'string' && /^\/dev\/(?:tcp|udp)(?:\/|$)/.test(to)
      if (typeof to !== 'string' || more.length > 0 || isNetwork)
        this.#puzzle(each, 'its target is not a known file')
      else if (operator === '<') readsFile = true
      else if (operator === '>&' || operator === '<&') {
        if (!/^(?:\d|-)$/.test(to)) this.#puzzle(each, 'it writes a file')
      } else if (!((operator === '>' || operator === '>>') && to === '/dev/null'))
        this.#puzzle(each, 'it writes a file')
    }
    return readsFile
  }

  #word(word: Word, scene: Moving): readonly Arg[] {
    const reader: WordReader = {
      scene,
      home: this.#setting.home,
      script: (script) => {
        const { source = this.#text } = script
        new LineReader(source, this.#setting, this.#finder).script(script, { ...scene })
      },
      puzzle: (text, why) => this.#finder.puzzle({ text, why }),
    }
    return readWord(word, reader)
  }

  #puzzle(node: SyntaxNode, why: string): void {
    this.#finder.puzzle({ text: this.#text.slice(node.pos, node.end), why })
  }
}
