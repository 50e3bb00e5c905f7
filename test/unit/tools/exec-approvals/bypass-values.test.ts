import { mkdirSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { gateHome, onlyListed, putProgram, sharedHome, type GateHome } from '../../../helpers/command-gate.ts'

/*
 * Ways around the list that do not hide a command, but make one part of a line pass for another: values that look like options, options that look
 * like values, paths that lead elsewhere than their text says, variables that are set without an assignment, and places where a shell
 * sees an end that is none. `id` is never on the list.
 */
const approvals = onlyListed([
  { pattern: 'git' },
  ...['ls', 'cat', 'find', 'echo', 'printf', 'xargs', 'sort'].map((name) => ({
    pattern: `/usr/bin/${name}`,
  })),
  { pattern: '{ws}/tools/*' },
  { pattern: 'python3', argPattern: '^--version$' },
  { pattern: 'mytool', argPattern: '^run \\S+$' },
])

const homeDir = sharedHome()
afterAll(() => rmSync(homeDir, { recursive: true }))

let home: GateHome
beforeAll(async () => {
  home = await gateHome({ approvals, homeDir })
  const { workdir } = home
  putProgram(join(workdir, 'tools'), 'x.sh')
  // A link to a place from which the same way up leads to other tools: `./link/../tools/x.sh` is not `./tools/x.sh`.
  mkdirSync(join(workdir, 'repo/sub'), { recursive: true })
  putProgram(join(workdir, 'repo/tools'), 'x.sh')
  putProgram(join(workdir, 'repo'), 'env')
  symlinkSync(join(workdir, 'repo/sub'), join(workdir, 'link'))
  symlinkSync('repo/tools/x.sh', join(workdir, 'alias.sh'))
  mkdirSync(join(workdir, '3'))
  putProgram(join(workdir, '3'), 'git')
})

const runs: readonly string[] = [
  './tools/x.sh',
  './repo/../tools/x.sh',
  'cd repo && ../tools/x.sh',
  'cd repo/sub && cd ../.. && ./tools/x.sh',
  'cd link/.. && ./tools/x.sh',
  'env -C repo ../tools/x.sh',
  'env -u EDITOR -iv git status',
  'env -u -x git status',
  "printf '%s\\n' done",
  "printf '100%%'",
  'git fetch & wait; git status',
  'xargs -I% git add % </dev/null || true',
  '/usr/bin/find . -name "*-exec*" -exec git add {} +',
  '/usr/bin/find . -exec git add {} ";" -exec git diff {} +',
  'mytool run fast',
]

const attempts: readonly (readonly [string, string])[] = [
  ['env -u S: a value that looks like -S', 'env -uS id git'],
  ['env -u S in a cluster', 'env -iuS id git'],
  ['env -u with -S as its value', 'env -u -S id git'],
  ['env --unset with -S as its value', 'env --unset -S id git'],
  ['env -C with -S as its value', 'env -C -S id git'],
  ['env --chdir with --split-string as its value', 'env --chdir --split-string id git'],
  ['env -CS', 'env -CS id git'],
  ['env -u with a split inside of a split', 'env -S "-uS id git"'],
  ['env: -S of the program, which is no option of env', 'env python3 -S --version'],
  ['env: a shortened option', 'env --split="id" git'],
  ['env -a, another name for the program', 'env -a git id'],
  ['env --argv0', 'env --argv0=git id'],
  ['env: an assignment that is the name', 'env "git=x" id'],
  ['env - as -i', 'env - id'],
  ['env -- before an assignment', 'env -- PATH=. git'],
  ['env -0 and a program', 'env -0 id'],
  ['find: an action as the file of -fprintf', "/usr/bin/find . -fprintf -exec git -exec id ';'"],
  [
    'find: an action as the file of -fprintf, with +',
    '/usr/bin/find . -fprintf -execdir git -execdir id {} +',
  ],
  ['find: -ok as the file of -fprintf', "/usr/bin/find . -fprintf -ok git -exec id ';'"],
  ['find: an action as a name', "/usr/bin/find . -name -exec -exec id ';'"],
  ['find: + that ends nothing', "/usr/bin/find . -exec git + ';' -exec id ';'"],
  ['find: a second command behind +', '/usr/bin/find . -exec git {} + -exec id {} +'],
  ['find: ; in quotes, then more', "/usr/bin/find . -exec git ';' , -exec id ';'"],
  ['find: no end', '/usr/bin/find . -exec git {}'],
  ['xargs: -n makes -I forgotten', '/usr/bin/echo -c id | xargs -I% -n 1 python3 --version'],
  ['xargs: -L makes -I forgotten', '/usr/bin/echo -c id | xargs -I% -L1 python3 --version'],
  ['xargs appends to arguments that fit', '/usr/bin/echo x | xargs python3 --version'],
  ['xargs: a mark that is the name', '/usr/bin/echo id | xargs -I git git'],
  ['xargs: a mark that is part of the name', '/usr/bin/echo id | xargs -I g git'],
  ['xargs -i', '/usr/bin/echo id | xargs -i git {}'],
  ['xargs --replace', '/usr/bin/echo id | xargs --replace=% %'],
  ['xargs with a variable for its slot', '/usr/bin/echo x | xargs --process-slot-var=PATH git'],
  ['xargs: timeout takes the input for the command', '/usr/bin/echo id | xargs timeout 5'],
  ['xargs: nice takes the input for the command', '/usr/bin/echo id | xargs nice -n 5'],
  ['xargs: find takes an action from the input', '/usr/bin/echo x | xargs find .'],
  ['printf %n sets a variable', "printf 'abc%n' PATH; git status"],
  ['printf %ln sets a variable', "printf 'abc%ln' PATH; git status"],
  ['printf %5n sets a variable', "printf 'abc%5n' PATH; git status"],
  ['printf %*n sets a variable', "printf 'abc%*n' 1 PATH; git status"],
  ['printf with a format nobody knows', 'printf "$f" PATH; git status'],
  ['wait -p sets a variable', 'git fetch & wait -n -p PATH; git status'],
  ['wait with options nobody knows', 'git fetch & wait $o PATH; git status'],
  ['printf %n inside of a shell', `bash -c "printf 'abc%n' PATH; git status"`],
  ['.. behind a link', './link/../tools/x.sh'],
  ['.. behind a link in a whole path', '{ws}/link/../tools/x.sh'],
  ['.. behind a link and back', './repo/../link/../tools/x.sh'],
  ['.. from a directory that is a link', 'cd link && ../tools/x.sh'],
  ['.. by two cd, of which the first is a link', 'cd link && cd ../tools && ./x.sh'],
  ['.. behind a link for env -C', 'env -C link/../tools ./x.sh'],
  ['env -C into a link, then up', "env -C link sh -c 'cd ../tools && ./x.sh'"],
  ['a shell inside of a link', "cd link && sh -c 'cd ../tools && ./x.sh'"],
  ['a carrier behind a link', '/usr/../{ws}/link/../env git status'],
  ['a link with a good look', './alias.sh'],
  ['a directory as the program', './tools'],
  ['.. as the program', './tools/..'],
  ['an argument with a line break', "mytool 'run x\nid'"],
  ['an argument that has the blank of two', "mytool 'run x' y"],
  ['a glob among fitting arguments', 'mytool run *'],
  ['braces among fitting arguments', 'mytool run {a,b}'],
  ['an empty argument before', "mytool '' run x"],
  ['a comment that ends at a line break', 'git status # \\\nid'],
  ['a comment that is none', 'git status x#;id'],
  ['a here-document that ends earlier than it looks', "/usr/bin/cat <<'E'\nx\nE\nid\nE"],
  ['a here-document with a quoted piece in its mark', '/usr/bin/cat <<E"O"F\nx\nEOF\nid'],
  ['two here-documents', '/usr/bin/cat <<A <<B\n$(id)\nA\nB'],
  ['a here-document behind tabs', '/usr/bin/cat <<-A\n\t$(id)\n\tA'],
  ['a mark that looks like a substitution', "/usr/bin/cat <<'$(x)'\n$(x)\nid"],
  ['a bracket in a pattern of a case in a substitution', 'git log "$(case x in x) id;; esac)"'],
  ['a quote in a comment in a substitution', "git log $(git status # '\nid\n# '\n)"],
  ['a brace that closes a default early', 'git log ${x:-a}$(id)}'],
  ['an escaped backtick in quotes', 'git log "`/usr/bin/echo \\"\\`id\\`\\"`"'],
  ['time before a group', 'time { id; }'],
  ['time before a subshell', 'time (id)'],
  ['time and a negation', 'time ! id'],
  ['two negations', '! ! id'],
  ['a descriptor in a variable', 'git status {PATH}>/dev/null; git status'],
  ['a path below /dev/null', 'git log > /dev/null/../../tmp/x'],
  ['standard error into a file', 'git log 2> x'],
  ['a safe program that gets a descriptor of a file', 'exec 3< /etc/passwd; head <&3'],
  ['a safe program in a group with a file', '{ head; } < /etc/passwd'],
  ['a safe program in a loop with a file', 'while head -n 1; do break; done < /etc/passwd'],
  ['a safe program with a short form of a denied flag', 'wc --files0=x'],
  ['a safe program whose count is a file', 'tail -n /etc/passwd'],
  ['a safe program under another name', 'sh -c \'"$0" -f x\' tail'],
  ['a script whose arguments hold the name', `sh -c '$0 status' id`],
  ['an argument past the ninth', `sh -c '"$10"' id a`],
  ['a shell with + options', "bash +e -c 'id'"],
  ['a shell with an option for later', "bash -c -x 'git status'"],
  ['a shell with a long option', "bash --init-file x -c 'git status'"],
]

test('there are more than sixty, and each is there once', () => {
  expect(attempts.length).toBeGreaterThan(60)
  expect(new Set(attempts.map(([, command]) => command)).size).toBe(attempts.length)
})

describe('what means what it says', () => {
  test.each(runs.map((command) => [command]))('%s', async (command) => {
    expect(await home.judge(command)).toEqual({ verdict: 'run' })
  })
})

describe('what passes for something else', () => {
  test.each(attempts)('%s', async (_what, command) => {
    const judged = await home.judge(command.replaceAll('{ws}', home.workdir))
    expect(judged).toMatchObject({ verdict: 'deny', layer: 'exec-approvals' })
  })

  test('a working directory that is a link', async () => {
    const workdir = join(home.workdir, 'link')
    for (const command of ['../tools/x.sh', 'cd ../tools && ./x.sh', 'cd .. && cd tools && ./x.sh'])
      expect(await home.judge(command, { workdir })).toMatchObject({ verdict: 'deny' })
    const up = await home.judge('../../tools/x.sh', { workdir })
    expect(up).toEqual({ verdict: 'run' })
  })
})
