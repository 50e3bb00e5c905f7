import { OpenClawError } from '../kernel/errors.ts'
import { suggest } from '../kernel/suggest.ts'
import { commonFlags } from './flags.ts'
import { bin } from './program.ts'

/** What a command line asks for: a command with its own arguments, or the help of the root, a topic or a command. */
export type Intent =
  | { readonly kind: 'run'; readonly id: string; readonly argv: string[] }
  | { readonly kind: 'help'; readonly subject: readonly string[] }

/** Pages of the `help` command. */
export const helpPages = ['notices', 'files', 'exit-codes', 'environment'] as const

function commonFlag(name: string): { readonly type: string } | undefined {
  return Object.entries(commonFlags).find(([known]) => known === name)?.[1]
}

function wordCount(argv: readonly string[]): number {
  const end = argv.findIndex((word) => word.startsWith('-'))
  return end < 0 ? argv.length : end
}

/** Moves `--help` and common flags that stand before the command behind its words, so that `openclaw --json tools effective` works. */
function commandFirst(argv: readonly string[]): string[] {
  let count = 0
  while (count < argv.length) {
    const word = argv[count] ?? ''
    const [, name = '', hasValue] = /^--([a-z-]+)(=)?/.exec(word) ?? []
    const flag = commonFlag(name)
    if (!flag && word !== '--help' && word !== '-h') break
    count += flag?.type === 'option' && !hasValue ? 2 : 1
  }
  const rest = argv.slice(count)
  const words = wordCount(rest)
  return [...rest.slice(0, words), ...argv.slice(0, count), ...rest.slice(words)]
}

function asksForHelp(argv: readonly string[]): boolean {
  const end = argv.indexOf('--')
  return (end < 0 ? argv : argv.slice(0, end)).some((word) => word === '--help' || word === '-h')
}

function isTopic(word: string, ids: readonly string[]): boolean {
  return ids.some((id) => id.startsWith(`${word} `))
}

/** The longest beginning of the words that is a topic; none is no topic. */
function topicOf(words: readonly string[], ids: readonly string[]): readonly string[] {
  const last = words.findLastIndex((_, at) => isTopic(words.slice(0, at + 1).join(' '), ids))
  return words.slice(0, last + 1)
}

function unknownCommand(words: readonly string[], ids: readonly string[]): OpenClawError {
  const [first = ''] = words
  const path = topicOf(words, ids)
  const topic = path.join(' ')
  const verb = words[path.length] ?? ''
  const typed = topic === '' ? words.slice(0, 2).join(' ') : `${topic} ${verb}`
  const topics = ids.flatMap((id) => (id.includes(' ') ? [id.replace(/ .*/, '')] : []))
  const verbs =
    topic === '' ? [] : ids.filter((id) => id.startsWith(`${topic} `)).map((id) => id.slice(topic.length + 1))
  const near = [
    ...suggest(verb, verbs).map((each) => `${topic} ${each}`),
    ...ids.filter((id) => id.endsWith(` ${first}`)),
    ...suggest(typed, ids),
    ...(topic === '' ? suggest(first, [...topics, ...ids]) : []),
  ]
  const suggestions = [...new Set(near)].slice(0, 3).map((id) => `${bin} ${id}`)
  const help = topic === '' ? `${bin} --help` : `${bin} ${topic} --help`
  return new OpenClawError('COMMAND_UNKNOWN', `unknown command "${typed}"`, {
    hints: [...suggestions, help],
    data: { command: typed, suggestions },
  })
}

/** Ends `openclaw --oops` and `openclaw tools --oops` as usage errors instead of showing help for something else. */
function rejectUnknownFlags(argv: readonly string[]): void {
  const known = [...Object.keys(commonFlags), 'help', 'version'].map((name) => `--${name}`)
  const flags = argv.filter((word) => word.startsWith('-')).map((word) => word.replace(/=.*$/s, ''))
  const flag = flags.find((word) => word !== '-h' && !known.includes(word))
  if (flag === undefined) return
  const suggestions = suggest(flag, known)
  throw new OpenClawError('USAGE', `unknown flag ${flag}`, {
    hints: [...suggestions, `${bin} --help`],
    data: { flags: [flag], suggestions },
  })
}

/**
 * Reads a whole command line against the known command ids (`tools effective`). A topic without a verb asks for its help.
 * Throws COMMAND_UNKNOWN or USAGE, both with suggestions.
 */
export function readCommandLine(given: readonly string[], ids: readonly string[]): Intent {
  const argv = commandFirst(given)
  const words = argv.slice(0, wordCount(argv))
  const help = asksForHelp(argv)
  // `help` alone, and with anything but one of its own pages, asks for the help of what follows.
  const [verb, page] = words
  const subject =
    verb === 'help' && !help && !helpPages.some((name) => name === page) ? words.slice(1) : words
  const id = [3, 2, 1].map((count) => subject.slice(0, count).join(' ')).find((name) => ids.includes(name))

  if (id !== undefined && !help && subject === words) {
    return { kind: 'run', id, argv: argv.slice(id.split(' ').length) }
  }
  if (id !== undefined) return { kind: 'help', subject: id.split(' ') }
  if (topicOf(subject, ids).length < subject.length) throw unknownCommand(subject, ids)
  rejectUnknownFlags(argv)
  return { kind: 'help', subject }
}
