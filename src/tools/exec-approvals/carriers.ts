import { directoryAt } from './executable.ts'
import type { Arg, LineCommand, Scene } from './line.ts'
import { isNeutralVariable } from './neutral.ts'
import { parseOptions, type OptionSpec } from './options-of.ts'

/** What a program that runs others was found to run. */
export type Carried =
  /** Commands, judged in its place; `self` where it does something of its own beside. */
  | { readonly commands: readonly LineCommand[]; readonly self?: boolean }
  /** A script for a shell. */
  | { readonly script: string; readonly scene: Scene; readonly isZsh: boolean }
  /** It runs nothing else this time. */
  | 'nothing'
  | { readonly puzzle: string }

type Carrier = (args: readonly Arg[], from: LineCommand) => Carried

/** PATH where a program has none: that of glibc. */
const pathOfNone = '/bin:/usr/bin'
const pathOfRoot = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'

const puzzle = (why: string): Carried => ({ puzzle: why })

function carry(argv: readonly Arg[], { scene }: LineCommand, change: Partial<Scene> = {}): Carried {
  if (argv[0] === undefined) return 'nothing'
  if (argv[0] === null) return puzzle('the command that it runs is not known')
  return { commands: [{ argv, scene: { ...scene, ...change }, from: 'program' }] }
}

/** A carrier whose command follows its options and so many operands. */
const plain =
  (spec: OptionSpec, operands = 0): Carrier =>
  (args, from) => {
    const parsed = parseOptions(args, spec)
    if (parsed === null) return puzzle('its options are not understood')
    const skipped = parsed.rest.slice(0, operands)
    if (skipped.includes(null)) return puzzle('its arguments are not known')
    return carry(parsed.rest.slice(operands), from)
  }

/** Variables that stand before a command; null where one of them matters. */
function withoutVariables(args: readonly Arg[]): readonly Arg[] | null {
  let at = 0
  for (; at < args.length; at++) {
    const arg = args[at]
    const [, name, value] = /^([^=]+)=([\s\S]*)$/.exec(arg ?? '') ?? []
    if (name === undefined) break
    if (!isNeutralVariable(name, value ?? '')) return null
  }
  return args.slice(at)
}

const env: Carrier = (args, from) => {
  const split = splitPlace(args)
  if (split >= 0) return splitEnv(args, split, from)
  const parsed = parseOptions(args[0] === '-' ? ['-i', ...args.slice(1)] : args, {
    flags: 'iv0',
    valued: 'uC',
    long: ['ignore-environment', 'debug', 'null'],
    longValued: ['unset', 'chdir'],
  })
  if (parsed === null) return puzzle('its options are not understood')
  let { cwd, path } = from.scene
  for (const { name, value } of parsed.options) {
    if (
      name === 'i' ||
      name === 'ignore-environment' ||
      ((name === 'u' || name === 'unset') && value === 'PATH')
    )
      path = pathOfNone
    if ((name === 'C' || name === 'chdir') && value !== null) cwd = directoryAt(cwd, value)
  }
  const rest = withoutVariables(parsed.rest)
  return rest === null
    ? puzzle('it sets a variable that programs may read')
    : carry(rest, from, { cwd, path })
}

/** Where `env` finds `-S`: among its options, and not as the value of one of them; -1 for nowhere. */
function splitPlace(args: readonly Arg[]): number {
  for (let at = 0; at < args.length; at++) {
    const arg = args[at] ?? null
    if (arg === null || arg === '--' || !arg.startsWith('-') || arg === '-') return -1
    if (/^(?:-[iv0]*S|--split-string(?:=|$))/.test(arg)) return at
    if (/^(?:-[iv0]*[uC]|--unset|--chdir)$/.test(arg)) at++
  }
  return -1
}

/** `env -S`: a text that is split into arguments; only one of plain words is. */
function splitEnv(args: readonly Arg[], at: number, from: LineCommand): Carried {
  const [, letters = '', attached] = /^(?:-([iv0]*)S|--split-string=?)([\s\S]*)$/.exec(args[at] ?? '') ?? []
  const text = attached === '' || attached === undefined ? args[at + 1] : attached
  if (typeof text !== 'string' || !/^[\w./:@%+,= -]*$/.test(text))
    return puzzle('the text that it splits is not plain')
  const rest = args.slice(attached === '' || attached === undefined ? at + 2 : at + 1)
  const words = text.split(' ').filter((word) => word !== '')
  if (words.some((word) => /^(?:-\w*S|--split)/.test(word))) return puzzle('it splits twice')
  return env([...args.slice(0, at), ...(letters === '' ? [] : [`-${letters}`]), ...words, ...rest], from)
}

const nice: Carrier = (args, from) => {
  const [first] = args
  const given = typeof first === 'string' && /^-{1,2}\d+$/.test(first) ? args.slice(1) : args
  return plain({ valued: 'n', longValued: ['adjustment'] })(given, from)
}

/** Runs as somebody else, mostly root, who has a PATH of his own; both must mean the same program. */
const asAnother =
  (spec: OptionSpec): Carrier =>
  (args, from) => {
    const parsed = parseOptions(args, spec)
    const rest = parsed === null ? null : withoutVariables(parsed.rest)
    if (rest === null) return puzzle('its options are not understood')
    const carried = carry(rest, from)
    if (typeof carried !== 'object' || !('commands' in carried)) return carried
    return {
      commands: [
        ...carried.commands,
        ...carried.commands.map((each) => ({ ...each, scene: { ...each.scene, path: pathOfRoot } })),
      ],
    }
  }

const xargs: Carrier = (args, from) => {
  const parsed = parseOptions(args, {
    flags: '0rtx',
    valued: 'nPLsdEIa',
    long: ['null', 'no-run-if-empty', 'verbose', 'exit'],
    longValued: ['max-args', 'max-procs', 'max-chars', 'delimiter', 'arg-file'],
  })
  if (parsed === null) return puzzle('its options are not understood')
  const { options, rest } = parsed
  if (rest.length === 0) return carry(['echo', null], from)
  const mark = options.findLast(({ name }) => name === 'I')?.value
  // The last one of these counts, but not everywhere.
  const appends = options.some(({ name }) => /^(?:n|L|max-args)$/.test(name))
  const filled =
    typeof mark === 'string' && !appends
      ? rest.map((arg) => (arg?.includes(mark) === true ? null : arg))
      : [...rest, null]
  return carry(filled, from)
}

const runningActions = new Set(['-exec', '-execdir', '-ok', '-okdir'])

/** `find` is judged itself, and so is what it runs for what it finds. */
const find: Carrier = (args, from) => {
  if (args.includes(null)) return puzzle('its arguments are not known, and some of them run commands')
  const commands: LineCommand[] = []
  for (let at = 0; at < args.length; at++) {
    const action = args[at] ?? ''
    if (!runningActions.has(action)) continue
    const end = args.findIndex(
      (arg, index) => index > at && (arg === ';' || (arg === '+' && args[index - 1] === '{}')),
    )
    if (end < 0) return puzzle('the command that it runs has no end')
    const own = args.slice(at + 1, end)
    // A value may look like an action, and then another command begins in what seems to be the arguments of this one.
    if (own.some((arg) => arg !== null && runningActions.has(arg)))
      return puzzle('an action stands among the arguments of another')
    const argv = own.map((arg) => (arg?.includes('{}') === true ? null : arg))
    const cwd = action.endsWith('dir') ? null : from.scene.cwd
    const carried = carry(argv, from, { cwd })
    if (typeof carried !== 'object' || !('commands' in carried))
      return puzzle('the command that it runs is not known')
    commands.push(...carried.commands)
    at = end
  }
  return { commands, self: true }
}

/** A shell: its script is read where it stands in its arguments. */
const shell =
  (isZsh: boolean): Carrier =>
  (args, { scene }) => {
    let hasScript = false
    let at = 0
    for (; at < args.length; at++) {
      const arg = args[at] ?? null
      if (arg === null) return puzzle('its arguments are not known')
      if (arg === '--login' || arg === '--noprofile' || arg === '--norc') continue
      if (arg === '--' || arg === '-') {
        at++
        break
      }
      if (!/^[-+]/.test(arg)) break
      // Only what makes a script fail earlier, and a login shell, which reads what its owner wrote.
      if (!/^-[lceu]*o?$/.test(arg)) return puzzle(`the option ${arg} of a shell is not read`)
      if (arg.endsWith('o') && !/^(?:pipefail|errexit|nounset)$/.test(args[++at] ?? ''))
        return puzzle('its options are not understood')
      if (arg.includes('c')) hasScript = true
    }
    if (!hasScript)
      return puzzle('a shell that reads its script from a file or its input runs whatever is in there')
    const script = args[at] ?? null
    if (script === null) return puzzle('the script is not known')
    const given = args.slice(at + 1)
    // Without arguments $0 is the shell.
    const positional = given.length === 0 ? [null] : given
    return { script, scene: { ...scene, positional, depth: scene.depth + 1 }, isZsh }
  }

/** One program with many names: the first argument says which. */
const multiCall: Carrier = (args, from) => {
  const [name, ...rest] = args
  const inner = typeof name === 'string' && Object.hasOwn(carriers, name) ? carriers[name] : undefined
  return inner === undefined || inner === multiCall
    ? puzzle('what stands in it under a name is not known')
    : inner(rest, from)
}

/** Programs that run what their arguments say, by name. */
export const carriers: Readonly<Record<string, Carrier>> = {
  env,
  nice,
  nohup: plain({}),
  timeout: plain(
    {
      flags: 'v',
      valued: 'ks',
      long: ['preserve-status', 'foreground', 'verbose'],
      longValued: ['kill-after', 'signal'],
    },
    1,
  ),
  stdbuf: plain({ valued: 'ioe', longValued: ['input', 'output', 'error'] }),
  setsid: plain({ flags: 'cfw', long: ['ctty', 'fork', 'wait'] }),
  ionice: plain({ flags: 't', valued: 'cn', long: ['ignore'], longValued: ['class', 'classdata'] }),
  time: plain({
    flags: 'pvq',
    valued: 'f',
    long: ['portability', 'verbose', 'quiet'],
    longValued: ['format'],
  }),
  sudo: asAnother({
    flags: 'nEHkS',
    valued: 'ugp',
    long: ['non-interactive', 'set-home'],
    longValued: ['user', 'group'],
  }),
  doas: asAnother({ flags: 'n', valued: 'u' }),
  xargs,
  find,
  sh: shell(false),
  bash: shell(false),
  dash: shell(false),
  ash: shell(false),
  zsh: shell(true),
  busybox: multiCall,
  toybox: multiCall,
}

/** Shells that are not read. */
const otherShells =
  /^(?:rbash|ksh|ksh93|mksh|lksh|yash|fish|csh|tcsh|rc|es|xonsh|nu|elvish|pwsh|powershell|cmd|posh)(?:\.exe)?$/

/** Programs that run others in ways that are not read. */
const opaque =
  /^(?:chroot|unshare|nsenter|setpriv|capsh|su|runuser|pkexec|sg|newgrp|systemd-run|machinectl|script|scriptlive|watch|flock|strace|ltrace|gdb|gdbserver|lldb|perf|valgrind|rr|taskset|chrt|numactl|prlimit|setarch|linux32|linux64|i386|x86_64|parallel|sem|expect|unbuffer|tmux|screen|dtach|at|batch|crontab|dbus-run-session|xvfb-run|faketime|fakeroot|fakechroot|proot|firejail|bwrap|entr|inotifywait|run-parts|start-stop-daemon|daemonize|softlimit|chpst|runsv|cpulimit|torsocks|torify|proxychains4?|ssh-agent|coproc|ld\.so|ld-linux[\w.-]*|ld-musl[\w.-]*)$/

/** Versions in names: bash5, python3.11. */
export const withoutVersion = (name: string): string => name.replace(/[-.]?\d[\d.]*$/, '')

/** What reads the commands in the arguments of a program, by the names it goes by. */
export function carrierOf(
  names: readonly string[],
): { readonly read: Carrier } | { readonly unread: string } | null {
  for (const name of names) {
    const known = [name, withoutVersion(name)].find((each) => Object.hasOwn(carriers, each))
    const read = known === undefined ? undefined : carriers[known]
    if (read !== undefined) return { read }
  }
  const unread = names.find((name) => otherShells.test(name) || opaque.test(name))
  return unread === undefined ? null : { unread }
}
