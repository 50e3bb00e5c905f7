import { chmodSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { exactly, fitsArguments } from '../../../../src/tools/exec-approvals/arg-pattern.ts'
import { fitsGlob } from '../../../../src/tools/exec-approvals/path-glob.ts'
import { readRemembered } from '../../../../src/tools/exec-approvals/remembered.ts'
import { gateHome, putProgram, type GateHome } from '../../../helpers/command-gate.ts'

const limited = (allowlist: readonly (object | string)[], config: object = {}) => ({
  session: { config: { tools: { exec: config } } },
  approvals: { defaults: { security: 'allowlist', ask: 'on-miss' }, agents: { main: { allowlist } } },
})

const verdictOf = async (home: GateHome, command: string) => (await home.judge(command)).verdict

/** What a lasting yes to a command would add. */
async function added(home: GateHome, command: string) {
  const verdict = await home.judge(command)
  if (verdict.verdict !== 'ask') throw new Error(`${command} is ${verdict.verdict}`)
  return readRemembered(verdict.wanted.remember)?.entries ?? null
}

describe('a pattern', () => {
  test.each([
    ['/a/*', '/a/b', true],
    ['/a/*', '/a/b/c', false],
    ['/a/**', '/a/b/c', true],
    ['/a/**/c', '/a/b/c', true],
    ['/a/?', '/a/b', true],
    ['/a/?', '/a//', false],
    ['/a/b', '/a/bc', false],
    ['/a/[b]', '/a/b', false],
    ['*', '', true],
    ['g*t', 'git', true],
    ['g*t', 'gittt', true],
    ['g*t', 'gi', false],
    ['', '', true],
    ['**', 'a/b', true],
  ])('%s against %s', (pattern, path, fits) => {
    expect(fitsGlob(pattern, path)).toBe(fits)
  })

  test('made to be slow is not', () => {
    const began = performance.now()
    expect(fitsGlob(`${'*a'.repeat(400)}b`, 'a'.repeat(4_000))).toBe(false)
    expect(performance.now() - began).toBeLessThan(2_000)
  })

  test('that is a name fits programs called by their name alone', async () => {
    const home = await gateHome(limited(['mytool']))
    expect(await verdictOf(home, 'mytool')).toBe('run')
    expect(await verdictOf(home, '{bin}/mytool')).toBe('ask')
  })

  test('with wildcards fits names', async () => {
    const home = await gateHome(limited(['my*']))
    expect(await verdictOf(home, 'mytool')).toBe('run')
    expect(await verdictOf(home, 'git')).toBe('ask')
  })

  test('of the home directory', async () => {
    const home = await gateHome(limited(['~/bin/*']))
    expect(await verdictOf(home, 'mytool')).toBe('run')
    expect(await verdictOf(home, '~/bin/mytool x')).toBe('run')
    expect(await verdictOf(home, '"~/bin/mytool"')).toBe('ask')
  })

  test('of a path is for the file behind links', async () => {
    const home = await gateHome(limited(['{bin}/linked', '{bin}/real/*']))
    putProgram(join(home.bin, 'real'), 'tool')
    symlinkSync('real/tool', join(home.bin, 'other'))
    symlinkSync('mytool', join(home.bin, 'linked'))
    expect(await verdictOf(home, 'other')).toBe('run')
    expect(await verdictOf(home, 'linked')).toBe('ask')
  })

  test('of a file that is many programs is for none of them; their names are', async () => {
    const home = await gateHome(limited(['{bin}/*', 'other']))
    putProgram(home.bin, 'busybox')
    for (const name of ['applet', 'other']) symlinkSync('busybox', join(home.bin, name))
    expect(await verdictOf(home, 'mytool')).toBe('run')
    expect(await verdictOf(home, 'other')).toBe('run')
    expect(await added(home, 'applet x')).toEqual([{ pattern: 'applet' }])
    expect(await added(home, '{bin}/applet x')).toBeNull()
  })

  test('* is for every program, and not for what cannot be read', async () => {
    const home = await gateHome(limited(['*']))
    for (const command of ['git', 'id && whoami', 'bash ./scripts/x.sh', 'env id'])
      expect(await verdictOf(home, command)).toBe('run')
    for (const command of ['eval id', 'id > x', 'no-such-program', '$x'])
      expect(await verdictOf(home, command)).toBe('ask')
  })

  test('of a shell is for no script, unless it names the arguments', async () => {
    const plain = await gateHome(limited(['bash', '/usr/bin/bash']))
    expect(await verdictOf(plain, 'bash ./scripts/x.sh')).toBe('ask')
    expect(await verdictOf(plain, 'bash -c id')).toBe('ask')
    const exact = await gateHome(limited([{ pattern: 'bash', argPattern: '^\\./scripts/x\\.sh$' }]))
    expect(await verdictOf(exact, 'bash ./scripts/x.sh')).toBe('run')
    expect(await verdictOf(exact, 'bash ./scripts/y.sh')).toBe('ask')
  })
})

describe('arguments', () => {
  test.each([
    ['^status$', ['status'], true],
    ['^status$', ['status', 'x'], false],
    ['^a b$', ['a', 'b'], true],
    ['^a\\x00b$', ['a', 'b'], true],
    ['^a\\x00b$', ['a b'], false],
    ['', [], true],
    ['(', ['('], false],
    ['x', ['x', null], false],
    ['x'.repeat(1_001), ['x'], false],
    ['x', ['x'.repeat(20_000)], false],
  ])('%s against %j', (pattern, args, fits) => {
    expect(fitsArguments(pattern, args)).toBe(fits)
  })

  test('against an expression that would take for ever', () => {
    const began = performance.now()
    expect(fitsArguments('^(a+)+$', [`${'a'.repeat(40)}!`])).toBe(false)
    expect(performance.now() - began).toBeLessThan(3_000)
  })

  test.each([[[]], [['a b']], [['a', 'b']], [['$x', '.*', '\n', '"', "\\'"]], [['-x', '--y=/z']]])(
    'exactly %j',
    (args) => {
      const pattern = exactly(args)
      if (pattern === null) throw new Error('no pattern')
      expect(fitsArguments(pattern, args)).toBe(true)
      for (const other of [
        [...args, 'x'],
        ['x', ...args],
        [args.join(' '), ''],
        args.map((arg) => `${arg}x`),
      ].filter((each) => each.join('\0') !== args.join('\0')))
        expect(fitsArguments(pattern, other)).toBe(false)
    },
  )

  test('that are named let the program run with these alone', async () => {
    const home = await gateHome(limited([{ pattern: 'git', argPattern: '^(status|log)\\b' }]))
    expect(await verdictOf(home, 'git log -1')).toBe('run')
    expect(await verdictOf(home, 'git push')).toBe('ask')
    expect(await verdictOf(home, 'git log $x')).toBe('ask')
  })
})

describe('a lasting yes', () => {
  test('is for the programs inside, by their real paths', async () => {
    const home = await gateHome(limited(['git']))
    expect(await added(home, 'git log | whoami && env nice id')).toEqual([
      { pattern: '/usr/bin/whoami' },
      { pattern: '/usr/bin/id' },
    ])
    expect(await added(home, 'whoami; whoami')).toEqual([{ pattern: '/usr/bin/whoami' }])
  })

  test('is for nothing that runs others', async () => {
    const home = await gateHome(limited([]))
    for (const command of [
      'bash',
      'bash ./scripts/x.sh',
      'env',
      'flock x id',
      'xargs env',
      'whoami | sh',
      'id > x',
      'nosuch',
    ])
      expect({ command, entries: await added(home, command) }).toEqual({ command, entries: null })
  })

  test('is bound to the arguments of what runs code', async () => {
    const home = await gateHome(limited([]))
    putProgram(home.bin, 'python3')
    const pattern = join(home.bin, 'python3')
    const [entry] = (await added(home, "python3 -c 'print(1)'")) ?? []
    expect(entry).toMatchObject({ pattern, argPattern: expect.stringContaining('print') as string })
    const kept = await gateHome(limited([{ ...entry, pattern: 'python3' }]))
    putProgram(kept.bin, 'python3')
    expect(await verdictOf(kept, "python3 -c 'print(1)'")).toBe('run')
    expect(await verdictOf(kept, "python3 -c 'print(2)'")).toBe('ask')
    expect(await added(home, 'python3 $x')).toBeNull()
  })

  test('is not to be had for a path that would be a pattern', async () => {
    const home = await gateHome(limited([]))
    putProgram(join(home.workdir, 'a*b'), 'tool')
    expect(await added(home, "./'a*b'/tool")).toBeNull()
  })

  test('ends after the days that the config gives it; entries of a person stay', async () => {
    const entries = [
      { pattern: 'git', source: 'allow-always', addedAt: Date.now() - 3 * 86_400_000 },
      { pattern: 'mytool', addedAt: 1 },
    ]
    const config = { grantExpiryDays: 2 }
    const home = await gateHome({ ...limited(entries, config) })
    expect(await verdictOf(home, 'git')).toBe('ask')
    expect(await verdictOf(home, 'mytool')).toBe('run')
    expect(await verdictOf(await gateHome(limited(entries, { grantExpiryDays: 4 })), 'git')).toBe('run')
  })
})

describe('the use of an entry', () => {
  test('is noted in the file, which keeps what it does not know', async () => {
    const home = await gateHome(limited([{ pattern: 'git', note: 'mine' }]))
    await home.judge('git status')
    const file = join(home.stateDir, 'exec-approvals.json')
    const read = (): unknown => JSON.parse(readFileSync(file, 'utf8'))
    expect(read()).toMatchObject({
      agents: {
        main: {
          allowlist: [
            {
              pattern: 'git',
              note: 'mine',
              lastUsedCommand: 'git status',
              lastResolvedPath: join(home.bin, 'git'),
            },
          ],
        },
      },
    })
    const before = readFileSync(file, 'utf8')
    await home.judge('git log')
    expect(readFileSync(file, 'utf8')).toBe(before)
  })

  test('that cannot be noted changes nothing', async () => {
    const home = await gateHome(limited(['git']))
    chmodSync(join(home.stateDir, 'exec-approvals.json'), 0o444)
    expect(await verdictOf(home, 'git')).toBe('run')
  })
})

describe('safe programs', () => {
  const home = (config: object = {}) => gateHome(limited(['git'], config))

  test.each([
    'git log | head',
    'git log | head -5',
    'git log | head -n 5',
    'git log | head --lines=5',
    'git log | tail -c 100',
    'git log | cut -d / -f 1',
    'git log | cut -d: -f2-',
    'git log | tr -d "\\n"',
    'git log | tr a/b c',
    'git log | uniq -c',
    'git log | wc -l',
  ])('work on their input: %s', async (command) => {
    expect(await verdictOf(await home(), command)).toBe('run')
  })

  test.each([
    'head file',
    'head -n 5 file',
    'head -- file',
    'head -',
    'head -n5 ../x',
    'head --lin 5',
    'uniq - out',
    'cut -f1 x',
    'tail -f',
    'tail -F x',
    'tail --fol',
    'wc --files0-from=-',
    'wc --files0=-',
    'tr a b c',
    'tr',
    'head $x',
    'head < x',
    '{ head; } < x',
    '(git log; head) < x',
    'exec < x; head',
    'exec < x\nsh -c head',
    'env head < x',
    'sh -c head < x',
    'while git log; do head; done < x',
    '/usr/bin/head -5',
    'sort',
    'grep x',
  ])('and on nothing else: %s', async (command) => {
    expect(await verdictOf(await home(), command)).toBe('ask')
  })

  test('can be added, with flags alone or a profile', async () => {
    const plain = await home({ safeBins: ['sort'] })
    expect(await verdictOf(plain, 'sort -r')).toBe('run')
    for (const command of ['sort -ofile', 'sort x', 'sort --output=x', 'sort -k 2'])
      expect({ command, verdict: await verdictOf(plain, command) }).toEqual({ command, verdict: 'ask' })
    const profile = { maxPositional: 1, allowedValueFlags: ['-k'], deniedFlags: ['-o', '--output'] }
    const own = await home({ safeBins: ['sort'], safeBinProfiles: { sort: profile } })
    expect(await verdictOf(own, 'sort -rk 2 x')).toBe('run')
    for (const command of ['sort -o x', 'sort -ro x', 'sort --outp=x', 'sort a b', 'sort /etc/passwd'])
      expect({ command, verdict: await verdictOf(own, command) }).toEqual({ command, verdict: 'ask' })
  })

  test('come from directories of the system, or from those that are trusted', async () => {
    const made = await home()
    putProgram(made.bin, 'head')
    expect(await verdictOf(made, 'head -5')).toBe('ask')
    const trusting = await gateHome(limited([], { safeBinTrustedDirs: [made.bin] }))
    expect((await trusting.judge('head -5', { path: made.path })).verdict).toBe('run')
  })

  test('are never shells or interpreters, whatever the config says', async () => {
    const asked = await home({ safeBins: ['sh', 'bash', 'env', 'awk', 'python3', 'xargs'] })
    for (const command of ['sh', 'bash -s', 'env', 'awk x', 'xargs'])
      expect(await verdictOf(asked, command)).toBe('ask')
  })
})

describe('programs of skills', () => {
  const approvals = { defaults: { security: 'allowlist', ask: 'on-miss', autoAllowSkills: true } }
  const skill = (head: string) => `---\nname: x\n${head}\n---\nrm is a word here\nbins: [id]\n`

  test.each([
    ['a list in JSON', 'metadata: {"openclaw":{"requires":{"bins":["mytool","git"]}}}'],
    ['a list in YAML', 'requires:\n  bins:\n    - git\n    - mytool'],
    ['any of some', 'metadata: {"requires":{"anyBins":["mytool"]}}'],
  ])('may run: %s', async (_what, head) => {
    const home = await gateHome({ approvals })
    for (const root of [home.stateDir, home.workdir]) mkdirSync(join(root, 'skills/x'), { recursive: true })
    writeFileSync(join(home.stateDir, 'skills/x/SKILL.md'), skill(head))
    expect(await verdictOf(home, 'mytool x')).toBe('run')
    expect(await verdictOf(home, '{bin}/mytool x')).toBe('ask')
    expect(await verdictOf(home, 'id')).toBe('ask')
  })

  test('may not, where an agent wrote the skill, or nobody said so', async () => {
    const head = 'metadata: {"requires":{"bins":["mytool"]}}'
    const home = await gateHome({ approvals })
    mkdirSync(join(home.workdir, 'skills/x'), { recursive: true })
    writeFileSync(join(home.workdir, 'skills/x/SKILL.md'), skill(head))
    expect(await verdictOf(home, 'mytool')).toBe('ask')
    const quiet = await gateHome({ approvals: { defaults: { security: 'allowlist', ask: 'on-miss' } } })
    mkdirSync(join(quiet.stateDir, 'skills/x'), { recursive: true })
    writeFileSync(join(quiet.stateDir, 'skills/x/SKILL.md'), skill(head))
    expect(await verdictOf(quiet, 'mytool')).toBe('ask')
  })
})
