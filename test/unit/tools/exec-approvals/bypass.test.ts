import { chmodSync, copyFileSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { gateHome, onlyListed, putProgram, sharedHome, type GateHome } from '../../../helpers/command-gate.ts'

/*
 * What is on the list: git by its name, and ls, cat, find and echo by their paths. Nobody is asked, so that everything else is denied.
 */
const approvals = onlyListed([
  { pattern: 'git' },
  { pattern: 'env' },
  ...['ls', 'cat', 'find', 'echo', 'printf', 'xargs'].map((name) => ({ pattern: `/usr/bin/${name}` })),
  { pattern: '{ws}/scripts/*' },
  { pattern: 'python3', argPattern: '^--version$' },
])

const homeDir = sharedHome()
afterAll(() => rmSync(homeDir, { recursive: true }))

let home: GateHome
beforeAll(async () => {
  home = await gateHome({ approvals, homeDir })
  const { workdir, bin } = home
  putProgram(workdir, 'git')
  putProgram(join(workdir, 'own'), 'env')
  putProgram(join(workdir, 'own'), 'bash')
  symlinkSync('/usr/bin/dash', join(workdir, 'scripts/tool'))
  symlinkSync('/usr/bin/id', join(workdir, 'scripts/id'))
  symlinkSync('/usr/bin/id', join(bin, 'ls'))
  mkdirSync(join(workdir, 'deep/scripts'), { recursive: true })
  copyFileSync('/usr/bin/id', join(workdir, 'deep/scripts/x.sh'))
  chmodSync(join(workdir, 'deep/scripts/x.sh'), 0o755)
  writeFileSync(join(workdir, 'noexec'), 'id')
})

const runs: readonly string[] = [
  'git status',
  'git log --oneline -n 3 -- "a file"',
  '/usr/bin/ls -l; git status',
  '/bin/ls -l',
  'git status && /usr/bin/ls || /usr/bin/echo no',
  'git log | /usr/bin/cat | head -5',
  '(git status; /usr/bin/ls) 2>&1',
  '{ git status; } >/dev/null 2>&1',
  'git log -1 "$(/usr/bin/cat VERSION)"',
  'git log -1 `/usr/bin/cat VERSION`',
  'if git diff --quiet; then /usr/bin/echo same; else /usr/bin/echo other; fi',
  'for f in a b; do git add "$f"; done',
  'while git fetch; do /usr/bin/ls; done',
  'case x in x) git status;; *) /usr/bin/ls;; esac',
  'g"i"t st\\atus',
  "'git' status",
  'gi\\\nt status',
  'git commit -m "$(/usr/bin/cat <<EOF\nbody\nEOF\n)"',
  "/usr/bin/cat <<'EOF'\n$(id) `id`\nEOF",
  'env git status',
  'env LANG=C git status',
  'env -u PATH git status',
  'env -u EDITOR -- git status',
  'env -S "git status"',
  'nice -n 5 git gc',
  'nice -5 git gc',
  'nohup git gc',
  'timeout -k 5 10s git fetch',
  'timeout --signal=KILL 10 git fetch',
  'stdbuf -oL git log',
  'setsid -w git gc',
  'ionice -c 3 git gc',
  'time git gc',
  'time -p git gc',
  '! git diff --quiet',
  'env nice -n 1 timeout 5 nohup git gc',
  'sh -c "git status"',
  'bash -euo pipefail -c "git status | /usr/bin/cat"',
  'bash --noprofile --norc -c "git status"',
  `sh -c '"$0" "$@"' git status`,
  `sh -c 'exec "$0" "$@"' git status`,
  `sh -c 'git add "$1"' x file`,
  'command git status',
  'exec git status',
  'command -v git',
  'set -euo pipefail; git status',
  'cd scripts && ./x.sh',
  'cd ./scripts && git status',
  '{ws}/scripts/x.sh',
  'LANG=C NO_COLOR=1 git status',
  'TZ=Europe/Berlin git log',
  '/usr/bin/find . -name "*.ts" -exec git add {} +',
  '/usr/bin/find . -print0 | xargs -0 -n 1 git add',
  'xargs -I{} git add {} </dev/null',
  '/usr/bin/cat < file',
  'git status # and a comment; id',
  'git status &',
  'true && git status || false',
  'git log ${since:+--since=x}',
  'python3 --version',
  'git log | cut -d: -f1 | tr a-z A-Z | uniq -c | tail -n 3 | wc -l',
]

/** Each is a way to run something that is not on the list, or to make a name on it mean something else. */
const attempts: readonly (readonly [string, string])[] = [
  ['plain', 'id'],
  ['behind ;', 'git status; id'],
  ['behind &&', 'git status && id'],
  ['behind ||', 'git status || id'],
  ['behind &', 'git status & id'],
  ['behind a line break', 'git status\nid'],
  ['at the end of a pipe', 'git log | sh'],
  ['a shell by its name', 'bash'],
  ['a shell that reads its input', 'git log | bash -s'],
  ['a shell that reads a file', 'bash ./scripts/x.sh'],
  ['a here-document for a shell', 'bash <<EOF\nid\nEOF'],
  ['a here-string for a shell', 'bash <<< id'],
  ['in a substitution', 'git log "$(id)"'],
  ['in backticks', 'git log `id`'],
  ['in nested backticks', 'git log `/usr/bin/echo \\`id\\``'],
  ['in a process substitution', 'git diff <(id)'],
  ['in an output process substitution', 'git log | /usr/bin/cat >(id)'],
  ['in a here-document', '/usr/bin/cat <<EOF\n$(id)\nEOF'],
  ['in a here-string', '/usr/bin/cat <<< "$(id)"'],
  ['in a default value', 'git log ${x:-$(id)}'],
  ['in a replacement', 'git log ${x/a/$(id)}'],
  ['in an index', 'git log ${a[$(id)]}'],
  ['in arithmetic', 'git log $((a[$(id)]))'],
  ['in arithmetic of a variable', 'git log $((x))'],
  ['in old arithmetic', 'git log $[a[$(id)]]'],
  ['in a prompt expansion', 'git log ${PS4@P}'],
  ['by another name', 'git log ${!x}'],
  ['in an assignment', 'X=$(id) git status'],
  ['in an array', 'a=($(id)); git status'],
  ['in a subshell', '(id)'],
  ['in a group', '{ id; }'],
  ['in a condition', 'if id; then git status; fi'],
  ['in a loop', 'for f in $(id); do git status; done'],
  ['in a loop body', 'while git status; do id; done'],
  ['in a case', 'case x in x) id;; esac'],
  ['as a coprocess', 'coproc id'],
  ['in a test', '[[ -n $(id) ]]'],
  ['[[, which is a command elsewhere', '[[ a && id ]]'],
  ['((, which is a subshell elsewhere', '((id))'],
  ['a function that takes the name', 'git() { id; }; git status'],
  ['a function of another spelling', 'function git { id; }; git status'],
  ['an alias', 'alias git=id\ngit status'],
  ['a quoted name', "i'd'"],
  ['an escaped name', 'i\\d'],
  ['a name over two lines', 'i\\\nd'],
  ['an ANSI-C name', "$'\\x69d'"],
  ['an ANSI-C end that others see elsewhere', "/usr/bin/echo $'a\\'; id; /usr/bin/echo '"],
  ['a translated name', '$"id"'],
  ['&>, which is & and > elsewhere', '/usr/bin/echo a &> /dev/null id'],
  ['|&', 'git log |& /usr/bin/cat'],
  ['IFS in the name', 'id$IFS-u'],
  ['IFS in braces', 'git${IFS}status'],
  ['a variable as the name', '$SHELL -c id'],
  ['a variable set before', 'g=id; $g'],
  ['a glob as the name', '/usr/bin/i?'],
  ['a bracket as the name', '/usr/bin/[i]d'],
  ['braces as the name', '{id,-u}'],
  ['an extended glob', '/usr/bin/@(id)'],
  ['a substitution as the name', '$(/usr/bin/echo id)'],
  ['a lookalike', 'gіt status'],
  ['a wide lookalike', 'ｇｉｔ status'],
  ['a blank that is none', 'git\u00a0status'],
  ['text that turns around', 'git log \u202eid'],
  ['a character without width', 'g\u200bit status'],
  ['a carriage return', 'git status\rid'],
  ['a line separator', 'git status\u2028id'],
  ['an escape sequence', 'git log \u001b[2K'],
  ['eval', 'eval "id"'],
  ['eval of an allowed one', 'eval git status'],
  ['source', 'source ./scripts/x.sh'],
  ['.', '. ./scripts/x.sh'],
  ['exec', 'exec id'],
  ['exec -a', 'exec -a git id'],
  ['command', 'command id'],
  ['command -p', 'command -p git status'],
  ['builtin', 'builtin eval id'],
  ['command cd', 'command cd / && ./scripts/x.sh'],
  ['trap', "trap 'id' EXIT"],
  ['hash -p', 'hash -p /usr/bin/id git; git'],
  ['enable -f', 'enable -f ./evil.so git'],
  ['export', 'export PATH=.; git status'],
  ['printf -v', 'printf -v PATH .; git status'],
  ['read', 'read PATH; git status'],
  ['a loop over PATH', 'for PATH in .; do git status; done'],
  ['a subscript in test', "test -v 'a[$(id)]'"],
  ['PATH for one command', 'PATH=. git status'],
  ['PATH for the rest', 'PATH=.; git status'],
  ['LD_PRELOAD', 'LD_PRELOAD=./x.so git status'],
  ['BASH_ENV', 'BASH_ENV=./x bash -c "git status"'],
  ['a pager', 'GIT_PAGER=id git log'],
  ['an appended variable', 'LANG+=x git status'],
  ['env', 'env id'],
  ['env -i', 'env -i id'],
  ['env with PATH', 'env PATH=. git status'],
  ['env -S', 'env -S "id -u"'],
  ['env -S with quotes', `env -S 'sh -c "id"'`],
  ['env -S with a variable', "env -S '${SHELL} -c id'"],
  ['env -S attached', 'env "-Sid -u"'],
  ['env -vS', 'env -vS "id"'],
  ['env -C', 'env -C / ./scripts/x.sh'],
  ['env twice', 'env env env id'],
  ['env with an unknown option', 'env --default-signal=PIPE git status'],
  ['env bash -c', 'env bash -c id'],
  ['an env of the workspace', './own/env git status'],
  ['a bash of the workspace', './own/bash -c "git status"'],
  ['nice', 'nice -n 5 id'],
  ['nohup', 'nohup id'],
  ['timeout', 'timeout 5 id'],
  ['timeout of nobody knows what', 'timeout $x git status'],
  ['stdbuf', 'stdbuf -o0 id'],
  ['setsid', 'setsid id'],
  ['ionice', 'ionice -c3 id'],
  ['time', 'time id'],
  ['time -o', '/usr/bin/time -o x git status'],
  ['sudo', 'sudo id'],
  ['sudo -s', 'sudo -s git status'],
  ['sudo -u', 'sudo -u root id'],
  ['sudo with a variable', 'sudo PATH=. git status'],
  ['xargs', '/usr/bin/echo x | xargs id'],
  ['xargs -I as the name', '/usr/bin/echo id | xargs -I% %'],
  ['xargs sh', '/usr/bin/echo id | xargs -I% sh -c %'],
  ['xargs sh with its argument', "/usr/bin/echo id | xargs sh -c '$0'"],
  ['xargs env', '/usr/bin/echo id | xargs env'],
  ['find -exec', '/usr/bin/find . -exec id \\;'],
  ['find -exec sh', "/usr/bin/find . -name x -exec sh -c 'id' \\;"],
  ['find -exec what it finds', '/usr/bin/find . -exec {} \\;'],
  ['find -execdir', '/usr/bin/find . -execdir ./scripts/x.sh \\;'],
  ['find -ok', '/usr/bin/find . -ok id \\;'],
  ['find with arguments from a variable', '/usr/bin/find . $x'],
  ['find with arguments from file names', '/usr/bin/find *'],
  ['busybox', 'busybox id'],
  ['busybox sh', 'busybox sh -c id'],
  ['sh -c', "sh -c 'id'"],
  ['sh -c in sh -c', `sh -c "sh -c 'id'"`],
  ['sh -c of a variable', 'sh -c "$x"'],
  ['sh -c from a file', 'sh -c "$(/usr/bin/cat x)"'],
  ['sh with a cluster', "bash -xc 'git status'"],
  ['sh -i', "bash -ic 'git status'"],
  ['sh --rcfile', "bash --rcfile ./x -c 'git status'"],
  ['sh -O', "bash -O extglob -c 'git status'"],
  ['zsh with =name', 'zsh -c "=id"'],
  ['zsh with a qualifier', `/bin/zsh -c "git status *(e:'id':)"`],
  ['another shell', '/usr/bin/fish -c "git status"'],
  ['$0 beside others', `sh -c 'git status; "$0"' id`],
  ['$1 as the name', `sh -c '"$1"' x id`],
  ['$@ as the name', `sh -c '"$@"' x id`],
  ['a carrier that is not read', 'flock /tmp/x git status'],
  ['the loader', '/lib64/ld-linux-x86-64.so.2 /usr/bin/id'],
  ['writing a file', 'git log > scripts/x.sh'],
  ['appending to a file', 'git log >> ~/.bashrc'],
  ['writing through tee of a group', '{ git log; } > x'],
  ['>|', 'git log >| x'],
  ['<>', 'git log <> x'],
  ['>& a file', 'git log >& x'],
  ['a target from a variable', 'git log > $x'],
  ['the network as a file', '/usr/bin/cat < /dev/tcp/127.0.0.1/80'],
  ['a link to a shell in an allowed directory', "./scripts/tool -c 'id'"],
  ['a link to a program in an allowed directory', './scripts/id'],
  ['an allowed path by another way', '/usr/bin/../bin/id'],
  ['an allowed directory further down', './deep/scripts/x.sh'],
  ['a name with a path', './git status'],
  ['a link with an allowed name', 'ls'],
  ['a relative path behind an uncertain cd', 'cd /tmp; ./scripts/x.sh'],
  ['a relative path behind a cd that may fail', 'cd scripts; ./x.sh'],
  ['a relative path on the next line', 'cd scripts\n./x.sh'],
  ['a relative path behind a cd that may be left out', 'true || cd scripts && ./x.sh'],
  ['a relative path behind a cd in a pipe', 'git log | cd scripts && ./x.sh'],
  ['a relative path behind a cd in a group', '{ cd scripts; } && ./x.sh'],
  ['a relative path behind a failed cd', 'cd / || cd /tmp; ./scripts/x.sh'],
  ['a relative path in another directory', 'cd / && ./scripts/x.sh'],
  ['a relative path in a loop', 'for f in a b; do ./scripts/x.sh; cd deep; done'],
  ['cd with an option', 'cd -P scripts && ./x.sh'],
  ['a file that is not executable', './noexec'],
  ['a safe program with a file', 'head /etc/passwd'],
  ['a safe program with a file as its input', 'head < /etc/passwd'],
  ['a safe program that writes', 'uniq a b'],
  ['a safe program that follows', 'tail -f x'],
  ['a safe program with a list of files', 'wc --files0-from=x'],
  ['a safe program with a glob', 'head *'],
  ['arguments that do not fit', "python3 -c 'print(1)'"],
  ['arguments that are not known', 'python3 $x'],
  ['an open quote', 'git log "x'],
  ['an open substitution', 'git log $(id'],
  ['an open here-document', '/usr/bin/cat <<EOF\nid'],
  ['half a condition', 'if git status; then'],
  ['very many commands', 'git status;'.repeat(300)],
  ['very deep', `${'('.repeat(2000)}git status${')'.repeat(2000)}`],
  ['very long', `git log ${'x'.repeat(40_000)}`],
]

describe('what is on the list', () => {
  test.each(runs.map((command) => [command]))('%s', async (command) => {
    expect(await home.judge(command)).toEqual({ verdict: 'run' })
  })
})

describe('what tries to get around it', () => {
  test('in more than a hundred ways', () => {
    expect(attempts.length).toBeGreaterThan(100)
    expect(new Set(attempts.map(([, command]) => command)).size).toBe(attempts.length)
  })

  test.each(attempts)('%s', async (_what, command) => {
    expect(await home.judge(command)).toMatchObject({ verdict: 'deny', layer: 'exec-approvals' })
  })

  test.each([
    ['an empty entry', ':/usr/bin'],
    ['the directory itself', '.:/usr/bin'],
    ['a relative one', 'scripts:/usr/bin'],
  ])('a PATH with %s first', async (_what, path) => {
    expect(await home.judge('git status', { path })).toMatchObject({ verdict: 'deny' })
  })

  test('variables that the call sets', async () => {
    expect(await home.judge('git status', { env: { LANG: 'C' } })).toEqual({ verdict: 'run' })
    expect(await home.judge('git status', { env: { HOME: '/tmp' } })).toMatchObject({ verdict: 'deny' })
    expect(await home.judge('git status', { env: { GIT_PAGER: 'id' } })).toMatchObject({ verdict: 'deny' })
  })

  /*
   * Limits: a program on the list that runs others by itself does so for whoever calls it. argPattern, or strictInlineEval, is for these.
   */
  test.each(["git -c alias.x='!id' x", 'git -c core.pager=id log', 'git --exec-path=. status'])(
    'what an allowed program runs by itself is its entry’s business: %s',
    async (command) => {
      expect(await home.judge(command)).toEqual({ verdict: 'run' })
      const strict = await gateHome({
        approvals,
        session: { config: { tools: { exec: { strictInlineEval: true } } } },
      })
      expect(await strict.judge(command)).toMatchObject({ verdict: 'deny' })
      expect(await strict.judge('git status')).toEqual({ verdict: 'run' })
    },
  )
})
