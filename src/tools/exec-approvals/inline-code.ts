import type { Arg } from './line.ts'
import { withoutVersion } from './carriers.ts'

/*
 * Programs which an allowlist entry lets run, and which then run whatever their arguments say. `strictInlineEval` has such calls asked for
 * each time; a lasting yes for them is bound to exactly their arguments.
 */

const python = { letters: 'c', long: [] }
const perl = { letters: 'eE', long: [] }

/** Options that carry code, by program: letters that may stand in a cluster, and long ones. */
const evalOptions: Readonly<Record<string, { readonly letters: string; readonly long: readonly string[] }>> =
  {
    python,
    pypy: python,
    node: { letters: 'ep', long: ['eval', 'print', 'import', 'require'] },
    nodejs: { letters: 'ep', long: ['eval', 'print', 'import', 'require'] },
    bun: { letters: 'ep', long: ['eval', 'print'] },
    tsx: { letters: 'ep', long: ['eval', 'print'] },
    ruby: { letters: 'e', long: [] },
    perl,
    php: { letters: 'rRBE', long: ['run'] },
    lua: { letters: 'el', long: [] },
    luajit: { letters: 'el', long: [] },
    R: { letters: 'e', long: [] },
    Rscript: { letters: 'e', long: [] },
    julia: { letters: 'eE', long: ['eval', 'print'] },
    osascript: { letters: 'e', long: [] },
    groovy: { letters: 'e', long: [] },
    git: { letters: 'c', long: ['config-env', 'exec-path', 'upload-pack', 'receive-pack', 'exec'] },
    ssh: { letters: 'oF', long: [] },
    scp: { letters: 'oSF', long: [] },
    sftp: { letters: 'oSF', long: [] },
    rsync: { letters: 'e', long: ['rsh', 'rsync-path'] },
    tar: {
      letters: 'IF',
      long: [
        'to-command',
        'checkpoint-action',
        'use-compress-program',
        'rsh-command',
        'info-script',
        'new-volume-script',
      ],
    },
    vim: { letters: 'cSs', long: ['cmd'] },
    vi: { letters: 'cSs', long: ['cmd'] },
    nvim: { letters: 'cSs', long: ['cmd'] },
    emacs: { letters: '', long: ['eval', 'execute', 'load', 'batch'] },
    make: { letters: 'f', long: ['eval', 'file'] },
    gmake: { letters: 'f', long: ['eval', 'file'] },
    sort: { letters: '', long: ['compress-program'] },
    man: { letters: 'PH', long: ['pager', 'html'] },
    zip: { letters: 'T', long: ['unzip-command'] },
    npm: { letters: '', long: ['script-shell', 'call'] },
    npx: { letters: 'c', long: ['call'] },
  }

/** Programs whose operand is a script in a language that can run commands. */
const scripted = /^(?:awk|gawk|mawk|nawk|sed|gsed)$/

/** Programs that run code or other programs as their work. */
const runners =
  /^(?:python|pypy|ipython|node|nodejs|deno|bun|tsx|ts-node|ruby|irb|perl|php|lua|luajit|tclsh|wish|R|Rscript|julia|osascript|groovy|scala|java|jshell|ghci|runghc|swift|awk|gawk|mawk|nawk|npx|bunx|pnpx|uvx|pipx|npm|pnpm|yarn|uv|poetry|make|gmake|cmake|ninja|just|rake|cargo|go|dotnet|gradle|mvn|ssh|docker|podman|kubectl|nerdctl|ansible|vim|vi|nvim|emacs|ed|ex)$/

/** Whether a program takes code from its arguments or from files that they name. */
export function isRunner(names: readonly string[]): boolean {
  return names.some((name) => runners.test(name) || runners.test(withoutVersion(name)))
}

/** Whether a call carries code in its arguments; one whose arguments are not known may. */
export function carriesCode(names: readonly string[], args: readonly Arg[]): boolean {
  return names.some((name) => {
    const plain = withoutVersion(name)
    if (plain === 'deno') return args.some((arg) => arg === null || arg === 'eval' || arg === 'repl')
    if (scripted.test(plain)) return !args.every((arg) => arg === '--version' || arg === '--help')
    const spec = Object.hasOwn(evalOptions, plain) ? evalOptions[plain] : undefined
    if (spec === undefined) return false
    return args.some((arg) => {
      if (arg === null) return true
      if (arg.startsWith('--')) return spec.long.includes(arg.slice(2).split('=', 1)[0] ?? '')
      return /^-[A-Za-z]/.test(arg) && [...spec.letters].some((letter) => arg.includes(letter))
    })
  })
}
