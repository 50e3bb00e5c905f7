import {
  chmodSync,
  globSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { basename, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { configHome, type ConfigHome } from '../helpers/config-home.ts'
import { faultyServer } from '../helpers/mcp.ts'
import { projectRoot } from '../helpers/project.ts'

const only = (config: string): Promise<ConfigHome> => configHome({ 'openclaw.json': config })

/** Output with the home directory cut off and times evened out. */
function shown(home: ConfigHome, text: string): string {
  return text.replaceAll(`${home.home}/`, '')
}

const commented = `// team
{
  // who may do what
  tools: {
    profile: 'coding', // for everybody
    deny: ['exec', 'web_search'],
  },

  agents: {
    list: [
      { id: 'main' },
      { id: 'work', tools: { deny: ['web_search'] } }, // careful
    ],
  },
}
`

describe('what a write says and does', () => {
  test('a fix, what it did to tools, and what still hides one', async () => {
    const home = await only(commented)
    const { code, stdout, stderr } = await home.run(['config', 'set', 'tools.deny', '--remove', 'web_search'])
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(shown(home, stdout)).toMatchInlineSnapshot(`
      "Set tools.deny at .openclaw/openclaw.json:6:11
      + web_search visible for agent main
      ! web_search still hidden for agent work by agent.tools.deny at .openclaw/openclaw.json:12:37
      openclaw config undo takes this back
      "
    `)
    expect(home.text()).toBe(commented.replace(", 'web_search']", ']'))
  })

  test('what it did to tools of plugins and of servers that were seen, and what is wrong with names of such', async () => {
    const home = await only(`{
  mcp: { servers: { mill: { command: '${process.execPath}', args: ['${faultyServer}'] } } },
}
`)
    mkdirSync(join(home.home, '.openclaw/plugins/notes'), { recursive: true })
    writeFileSync(
      join(home.home, '.openclaw/plugins/notes/openclaw.plugin.json'),
      JSON.stringify({
        id: 'notes',
        configSchema: { type: 'object', properties: { folder: { type: 'string' } } },
        contracts: { tools: ['note_add'] },
      }),
    )
    writeFileSync(join(home.home, '.openclaw/plugins/notes/index.js'), 'export default { register() {} }')
    await home.run(['mcp', 'probe'])
    const effects = async (...args: string[]): Promise<readonly string[]> =>
      (await home.run(['config', ...args])).stdout.split('\n').filter((line) => /^[-+!] /.test(line))

    expect(await effects('set', 'tools.deny', '["note_add", "mill__echo"]')).toEqual([
      '- mill__echo, note_add hidden for agent main (tools.deny)',
    ])
    expect((await home.run(['config', 'validate'])).stderr).toBe('')
    expect(await effects('unset', 'tools.deny')).toEqual(['+ mill__echo, note_add visible for agent main'])
    expect(await effects('set', 'plugins.entries.notes.config.folder', '5', '--strict-json')).toEqual([
      '- note_add hidden for agent main (plugin)',
    ])
    expect(await effects('set', 'mcp.servers.mill.enabled', 'false')).toEqual([
      '- mill__echo, mill__fail hidden for agent main (mcp)',
    ])
  })

  test('a dry run prints the diff and changes nothing', async () => {
    const home = await only(commented)
    const { stdout } = await home.run([
      'config',
      'set',
      'agents.list[id=work].tools.deny',
      '--append',
      'exec',
      '--dry-run',
    ])
    expect(shown(home, stdout)).toMatchInlineSnapshot(`
      "--- .openclaw/openclaw.json
      +++ .openclaw/openclaw.json
      @@ -9,7 +9,7 @@
         agents: {
           list: [
             { id: 'main' },
      -      { id: 'work', tools: { deny: ['web_search'] } }, // careful
      +      { id: 'work', tools: { deny: ['web_search', 'exec'] } }, // careful
           ],
         },
       }
      "
    `)
    expect(home.text()).toBe(commented)
    expect(home.text('openclaw.json.bak')).toBeNull()
  })

  test('a dry run is coloured where colour is', async () => {
    const home = await only(commented)
    const { stdout } = await home.run(['config', 'unset', 'tools.deny', '--dry-run'], { FORCE_COLOR: '1' })
    // oxlint-disable-next-line no-control-regex
    expect(stdout).toMatch(/\u001B\[31m- {4}deny: \['exec', 'web_search'\],\u001B\[39m/)
  })

  test('JSON has the changes, the backup and what happens to tools', async () => {
    const home = await only(commented)
    const { json } = await home.json(['config', 'unset', 'tools.deny[1]'])
    expect(JSON.parse(shown(home, JSON.stringify(json)))).toEqual({
      file: '.openclaw/openclaw.json',
      changes: [{ path: 'tools.deny[1]', before: 'web_search', after: null }],
      dryRun: false,
      backup: '.openclaw/openclaw.json.bak',
      notices: [],
      files: [{ file: '.openclaw/openclaw.json', backup: '.openclaw/openclaw.json.bak' }],
      tools: {
        sessions: [
          { agentId: 'main', sessionKey: 'agent:main:main', added: ['web_search'], removed: [], moved: [] },
        ],
        stillHidden: [
          {
            agentId: 'work',
            name: 'web_search',
            was: 'tools.deny',
            step: 'agent.tools.deny',
            reason: expect.any(String),
            location: {
              file: '.openclaw/openclaw.json',
              path: 'agents.list[1].tools.deny[0]',
              line: 12,
              column: 37,
            },
          },
        ],
        unjudged: 0,
      },
    })
  })

  test('the same value again is no write', async () => {
    const home = await only(commented)
    const { code, stdout } = await home.run(['config', 'set', 'tools.profile', 'coding'])
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'No change: the config says this already.\n' })
    expect(home.text('openclaw.json.bak')).toBeNull()
  })

  test('a first write makes a private file with nothing else in it', async () => {
    const home = await configHome({})
    const { code } = await home.run(['config', 'set', 'tools.profile', 'full'])
    expect(code).toBe(0)
    expect(home.text()).toBe('{\n  "tools": {\n    "profile": "full"\n  }\n}\n')
    expect(statSync(home.path('openclaw.json')).mode & 0o777).toBe(0o600)
    expect(statSync(home.path('')).mode & 0o777).toBe(0o700)
    expect((await home.run(['config', 'undo'])).code).toBe(0)
    expect(home.text()).toBeNull()
  })
})

describe('values', () => {
  const accepted: readonly [path: string, text: string, value: unknown][] = [
    ['tools.toolSearch', 'true', true],
    ['tools.toolSearch', '{mode: "code"}', { mode: 'code' }],
    ['gateway.auth.token', '12345', '12345'],
    ['gateway.auth.token', 'true', 'true'],
    ['commands.ownerAllowFrom', '["+4912345"]', ['+4912345']],
    ['channels.discord.name', '0x10', 16],
    ['channels.discord.guild', '1234567890123456789', '1234567890123456789'],
    ['channels.discord.phone', '+4912345', '+4912345'],
    ['channels.discord.text', 'two words', 'two words'],
    ['channels.discord.text', '"quoted"', 'quoted'],
    ['channels.discord.text', 'Infinity', 'Infinity'],
    ['channels.discord.nothing', 'null', null],
  ]
  test.each(accepted)('%s %s', async (path, text, value) => {
    const home = await only('{}')
    const { code, stdout } = await home.run(['config', 'set', '--json', path, '--', text])
    const json = JSON.parse(stdout)
    expect(json).toMatchObject({ changes: [{ path }] })
    expect(code).toBe(0)
    const [section = '', ...rest] = path.split('.')
    const written = rest.reduce<unknown>(
      (inner, key) => (inner as Record<string, unknown>)[key],
      (home.value() as Record<string, unknown>)[section],
    )
    expect(written).toEqual(value)
  })

  const refused: readonly [args: string[], code: number, message: RegExp][] = [
    [
      ['tools.toolSearch', 'ture'],
      5,
      /expected true, false or an object.*\n.*\ntry: openclaw config set tools\.toolSearch true$/m,
    ],
    [['tools.toolSearch', '"true"'], 5, /expected true, false or an object, got the string "true"/],
    [['tools.profile', 'codng'], 5, /try: openclaw config set tools\.profile coding$/m],
    [['tools.deny', 'exec'], 5, /try: openclaw config set tools\.deny '\["exec"\]'$/m],
    [['gateway.http.endpoints.responses.enabled', 'ture'], 5, /expected true or false/],
    [['gateway.auth.rateLimit.maxAttempts', 'ten'], 5, /expected a whole number/],
    [['gateway.controlUi.allowedOrigins', 'https://a.test'], 5, /expected a list of strings/],
    [['logging.maxFileBytes', '10MB'], 5, /expected a whole number/],
    [['tools.dny', '[]'], 1, /did you mean tools\.deny\?|try: tools\.deny/],
    [['tool.profile', 'full'], 1, /no config has this path/],
    [['tools.deny[4]', 'x'], 2, /has 2 entries.*\n.*\[0\] to \[1\] can be changed, \[2\] added/],
    [['tools.deny[-1]', 'x'], 2, /is a list and has no key "-1"/],
    [['tools.deny.first', 'x'], 2, /is a list and has no key "first"/],
    [['agents.list[id=wrk].name', 'x'], 1, /no entry with id "wrk".*\n.*work/],
    [['__proto__.polluted', '1'], 2, /reserved/],
    [['tools.constructor', '1'], 2, /reserved/],
    [['tools..profile', 'x'], 2, /a name is missing/],
    [['tools.$include', './x.json5'], 2, /no value of the config/],
    [['tools.allow', '["read"]', '--strict-json'], 0, /^$/],
    [['tools.allow', "['read']", '--strict-json'], 2, /--strict-json/],
    [['tools.profile.x', '1'], 1, /no config has this path/],
    [['tools.profile'], 2, /no value for tools\.profile/],
    [['tools.deny', 'x', '--append', 'y'], 2, /exclude each other/],
    [['tools.profile', '--append', 'y'], 2, /is no list/],
    [['tools.deny', '--remove', 'nothing'], 1, /no such entry/],
    [['tools.profile', 'full', '--expect-current', '"minimal"'], 1, /not as --expect-current says/],
    [['tools.profile', 'full', '--expect-current', 'oops'], 2, /takes JSON5/],
    [['tools.profile', 'full', '--expect-absent'], 1, /not as --expect-absent says/],
    [['tools.profile', 'full', '--expect-current', "'coding'"], 0, /^$/],
    [['tools.alsoAllow', '["read"]', '--expect-absent'], 0, /^$/],
  ]
  test.each(refused)('%j ends with %i', async (args, code, message) => {
    const home = await only(commented)
    const result = await home.run(['config', 'set', ...args])
    expect(result.stderr).toMatch(message)
    expect(result.code).toBe(code)
    expect(home.text() === commented).toBe(code !== 0)
  })

  test('a list is not taken for one entry of a list of strings', async () => {
    const home = await only(commented)
    const deny = (text: string) => home.run(['config', 'set', 'tools.deny', '--append', text])
    const { code, stderr } = await deny('["cron", "tts"]')
    expect(code).toBe(1)
    expect(stderr).toMatchInlineSnapshot(`
      "error: an entry of tools.deny is a string, and this is a list; nothing was written
      try: repeat --append for each entry
      try: a text in brackets needs quotes: '"[text]"'
      "
    `)
    expect((await deny('"[x]"')).code).toBe(0)
    expect(home.text()).toBe(commented.replace("'web_search'],\n  }", "'web_search', '[x]'],\n  }"))
  })

  test('an entry that is there already is not appended again, but an argument is', async () => {
    const home = await only(
      "{ tools: { deny: ['exec'] }, mcp: { servers: { s: { command: 'x', args: ['-v'] } } } }",
    )
    const before = home.text()
    const { code, stdout } = await home.run(['config', 'set', 'tools.deny', '--append', 'exec'])
    expect(code).toBe(0)
    expect(stdout).toBe('No change: the config says this already.\n')
    expect(home.text()).toBe(before)
    await home.run(['config', 'set', 'mcp.servers.s.args', '--append', '"-v"'])
    expect(home.value()).toMatchObject({ mcp: { servers: { s: { args: ['-v', '-v'] } } } })
  })

  test('from stdin, without its last line end', async () => {
    const home = await only('{}')
    const { code } = await home.run(['config', 'set', 'gateway.auth.token', '-'], {}, 'multi\nline\n')
    expect(code).toBe(0)
    expect(home.value()).toEqual({ gateway: { auth: { token: 'multi\nline' } } })
  })
})

describe('secrets', () => {
  const config = `{ gateway: { auth: { token: 'tok-real-1' } }, env: { vars: { K: 'val-real-2' } }, mcp: { servers: { s: { command: 'x', args: ['--token', 'arg-real-3'] } } } } // password: com-real-4\n`
  const real = /(?:tok|val|arg|com|new)-real-\d/

  test.each([
    [['config', 'set', 'gateway.auth.token', 'new-real-5']],
    [['config', 'set', 'env.vars', '{ K: "new-real-5", L: "new-real-6" }']],
    [['config', 'set', 'mcp.servers.s.args[1]', 'new-real-5']],
    [['config', 'set', 'mcp.servers.s.args', '--append', '--password', '--append', 'new-real-5']],
    [['config', 'patch', '{ gateway: { auth: { password: "new-real-5" } } }']],
    [['config', 'unset', 'mcp.servers.s.args[1]']],
    [['config', 'unset', 'env.vars.K']],
    [['config', 'set', 'gateway.auth.token', 'new-real-5', '--expect-current', '"new-real-6"']],
    [['config', 'set', 'gateway.auth.token', '{"new-real-5"}', '--strict-json']],
  ])('%j shows none', async (args) => {
    for (const more of [['--dry-run'], ['--dry-run', '--json'], ['--json'], []]) {
      const home = await only(config)
      const { stdout, stderr } = await home.run([...args, ...more])
      expect(stdout + stderr).not.toMatch(real)
      expect(home.text('config-audit.ndjson') ?? '').not.toMatch(real)
      const diff = await home.run(['config', 'diff'])
      expect(diff.stdout + diff.stderr).not.toMatch(real)
    }
  })

  test('the placeholder means the stored value, and is refused where there is none', async () => {
    const home = await only(config)
    const current = await home.json(['config', 'get', 'gateway.auth'])
    expect(JSON.stringify(current.json)).toContain('__OPENCLAW_REDACTED__')
    const changed = JSON.stringify({ ...(current.json as object), mode: 'token' })
    expect((await home.run(['config', 'set', 'gateway.auth', changed])).code).toBe(0)
    expect(home.text()).toContain(`{ token: 'tok-real-1', mode: 'token' }`)

    const before = home.text()
    const refused = await home.run(['config', 'set', 'gateway.auth.password', '__OPENCLAW_REDACTED__'])
    expect(refused.code).toBe(1)
    expect(refused.stderr).toContain('no stored value')
    expect(home.text()).toBe(before)
  })

  test('a whole config that was printed can be written back, references and all', async () => {
    const text = `{ gateway: { auth: { token: '\${TOK}' } }, agents: { list: [ { id: 'a', workspace: '\${HOME}/a' } ] } }`
    const home = await only(text)
    const env = { TOK: 'tok-real-1' }
    const { json } = await home.json(['config', 'get'], env)
    const back = await home.run(['config', 'patch', JSON.stringify(json)], env)
    expect(back.stdout).toBe('No change: the config says this already.\n')
    expect(back.stderr).toContain('reference-kept')
    expect(home.text()).toBe(text)
  })
})

test('nothing is put below a key that nobody reads', async () => {
  const text = `{ tools: { bash: { timeoutSec: 5, more: 1 } } }`
  const home = await only(text)
  for (const words of [
    ['set', 'tools.bash.timeoutSec', '7'],
    ['patch', '{ tools: { bash: { timeoutSec: 7 } } }'],
  ]) {
    const { code, stderr } = await home.run(['config', ...words])
    expect([code, home.text()]).toEqual([5, text])
    expect(stderr).toContain('tools.bash: unknown key "bash"; it belongs in tools.exec')
  }
  expect((await home.run(['config', 'unset', 'tools.bash.more'])).code).toBe(0)
  expect((await home.run(['config', 'unset', 'tools.bash'])).code).toBe(0)
})

describe('a broken config can be repaired', () => {
  const broken = `{ tools: { profile: 'codin', denny: ['exec'] }, mcp: { nope: 1 } }`

  test('step by step', async () => {
    const home = await only(broken)
    const first = await home.run(['config', 'set', 'tools.profile', 'coding'])
    expect(first.code).toBe(0)
    expect(first.stderr).toContain('[errors-left] 2 errors were there before and are left, as ')
    const second = await home.run(['config', 'unset', 'tools.denny'])
    expect(second.code).toBe(0)
    expect(second.stderr).toContain('[errors-left] 1 error was there before and is left, as ')
    expect(second.stderr).toContain('mcp.nope: unknown key "nope"')
    expect((await home.run(['config', 'validate'])).code).toBe(5)
    expect((await home.run(['config', 'unset', 'mcp.nope'])).code).toBe(0)
    expect((await home.run(['config', 'validate'])).code).toBe(0)
    expect(home.text()).toBe(`{ tools: { profile: 'coding' }, mcp: {} }`)
  })

  test('but not by another error', async () => {
    const home = await only(broken)
    for (const args of [
      ['tools.profile', 'cdng'],
      ['tools.deny', 'exec'],
      ['session.x', '1'],
    ]) {
      expect((await home.run(['config', 'set', ...args])).code).not.toBe(0)
    }
    expect(home.text()).toBe(broken)
  })

  test('and undo brings back even a broken state', async () => {
    const home = await only(broken)
    await home.run(['config', 'set', 'tools.profile', 'coding'])
    expect((await home.run(['config', 'undo'])).code).toBe(0)
    expect(home.text()).toBe(broken)
  })
})

describe('entries of protected maps', () => {
  const config = `{ models: { providers: { a: { baseUrl: 'http://a' }, b: { baseUrl: 'http://b' } } }, agents: { list: [ { id: 'x' }, { id: 'y' } ] } }`

  test.each([
    [['config', 'set', 'models.providers', '{ a: { baseUrl: "http://a" } }'], 'b from models.providers'],
    [['config', 'set', 'models', '{}'], 'a, b from models.providers'],
    [['config', 'set', 'agents.list', '[{ id: "y" }]'], 'x from agents.list'],
    [['config', 'patch', '{ agents: { list: [{ id: "y" }] } }'], 'x from agents.list'],
  ])('%j is refused without --replace', async (args, dropped) => {
    const home = await only(config)
    const refused = await home.run(args)
    expect(refused.code).toBe(2)
    expect(refused.stderr).toContain(`this would drop ${dropped}`)
    expect(home.text()).toBe(config)
    expect((await home.run([...args, '--replace'])).code).toBe(0)
    expect(home.text()).not.toBe(config)
  })

  test('a patch of one entry is told how to keep the others', async () => {
    const { stderr } = await (
      await only(config)
    ).run(['config', 'patch', '{ agents: { list: [{ id: "y" }] } }'])
    expect(stderr).toContain('try: --merge-by-id changes list entries by their id\n')
  })

  test('what is named goes without a word', async () => {
    const home = await only(config)
    expect((await home.run(['config', 'patch', '{ models: { providers: { b: null } } }'])).code).toBe(0)
    expect((await home.run(['config', 'unset', 'agents.list[id=x]'])).code).toBe(0)
    expect(home.text()).toBe(
      `{ models: { providers: { a: { baseUrl: 'http://a' } } }, agents: { list: [ { id: 'y' } ] } }`,
    )
  })
})

describe('patches and operations', () => {
  test('merge by id keeps the others and their comments', async () => {
    const home = await only(commented)
    const patch = `{ agents: { list: [ { id: 'work', name: 'W' }, { id: 'new' } ] } }`
    expect((await home.run(['config', 'patch', '--merge-by-id', patch])).code).toBe(0)
    expect(home.text()).toContain(`      { id: 'main' },
      { id: 'work', tools: { deny: ['web_search'] }, name: 'W' }, // careful
      { id: 'new' },
`)
  })

  test('a patch from a file, from stdin, and as an argument are the same', async () => {
    const patch = `{ tools: { profile: 'full', deny: null } } // patch\n`
    const results: (string | null)[] = []
    for (const way of ['argument', 'file', 'dash', 'stdin file'] as const) {
      const home = await configHome({ 'openclaw.json': commented, 'patch.json5': patch })
      const args = {
        argument: [patch],
        file: ['--file', home.path('patch.json5')],
        dash: ['-'],
        'stdin file': ['--file', '-'],
      }[way]
      expect((await home.run(['config', 'patch', ...args], {}, patch)).code).toBe(0)
      results.push(home.text())
    }
    expect(new Set(results).size).toBe(1)
    expect(results[0]).toContain("profile: 'full', // for everybody")
    expect(results[0]).not.toContain("deny: ['exec")
  })

  test('operations are one write, and none when one fails', async () => {
    const home = await only(commented)
    const operations = [
      { op: 'set', path: 'tools.profile', value: 'full' },
      { op: 'append', path: 'tools.deny', value: 'process' },
      { op: 'remove', path: 'tools.deny', value: 'exec' },
      { op: 'unset', path: 'agents.list[id=work].tools' },
    ]
    const text = operations.map((each) => JSON.stringify(each)).join('\n\n')
    const bad = await home.run(['config', 'apply', '-'], {}, `${text}\n{"op":"unset","path":"tools.allow"}\n`)
    expect(bad.code).toBe(1)
    expect(home.text()).toBe(commented)

    const { code, json } = await home.json(['config', 'apply', '-'], {}, `${text}\n`)
    expect(code).toBe(0)
    expect(json).toMatchObject({
      changes: [
        { path: 'tools.profile' },
        { path: 'tools.deny' },
        { path: 'tools.deny' },
        { path: 'agents.list[1].tools', after: null },
      ],
    })
    expect(home.text()).toContain("deny: ['web_search', 'process'],")
    expect((await home.run(['config', 'undo'])).code).toBe(0)
    expect(home.text()).toBe(commented)
  })

  test('operations may come with a byte order mark and CRLF', async () => {
    const home = await only('{}')
    const text = '\uFEFF{"op":"set","path":"tools.profile","value":"full"}\r\n'
    expect((await home.run(['config', 'apply', '-'], {}, text)).code).toBe(0)
    expect(home.value()).toEqual({ tools: { profile: 'full' } })
  })

  test('a conflict of two keys is told without a command that cannot work', async () => {
    const home = await only("{ tools: { allow: ['a'] } }")
    const { code, stderr } = await home.run(['config', 'set', 'tools.alsoAllow', '["b"]'])
    expect(code).toBe(5)
    expect(stderr).toContain('allow: ["a","b"]')
    expect(stderr).not.toContain('config set tools ')
  })

  test('the edits of a fix can be applied as they are printed', async () => {
    const home = await only(commented)
    const { json } = await home.json(['tools', 'explain', 'web_search', '--agent', 'work'])
    const { fixes } = json as { fixes: { edits: unknown[] }[] }
    const edits = fixes[0]?.edits.map((each) => JSON.stringify(each)).join('\n')
    expect((await home.run(['config', 'apply', '-'], {}, edits)).code).toBe(0)
    const after = await home.json(['tools', 'explain', 'web_search', '--agent', 'work'])
    expect(after.json).toMatchObject({ verdict: 'visible' })
  })

  test.each([
    ['nonsense', 'line 1: this is no JSON'],
    ['\n{"op":"move","path":"a"}', 'line 2: op must be'],
    ['{"op":"set","path":"tools.profile"}', 'line 1: set needs a value'],
    ['{"op":"set","value":1}', 'line 1: path must be a string'],
    ['', 'there is no operation'],
    ['[]', 'line 1: an operation must be an object'],
  ])('%j is refused with its line', async (text, message) => {
    const home = await only(commented)
    const { code, stderr } = await home.run(['config', 'apply', '-'], {}, text)
    expect(code).toBe(1)
    expect(stderr).toContain(message)
  })
})

describe('includes', () => {
  const files = {
    'openclaw.json': `{ tools: { $include: './tools.json5', profile: 'full', deny: ['browser'] } }`,
    'tools.json5': `{ profile: 'coding', deny: ['exec'], allow: ['read'] }`,
  }

  test('every edit goes to the file that owns the value', async () => {
    const home = await configHome(files)
    const steps: readonly string[][] = [
      ['set', 'tools.profile', 'minimal'],
      ['set', 'tools.deny[0]', 'process'],
      ['set', 'tools.deny', '--append', 'cron'],
      ['set', 'tools.deny', '--remove', 'browser'],
      ['set', 'tools.allow', '--append', 'write'],
      ['unset', 'tools.allow[0]'],
      ['set', 'tools.toolSearch', 'true'],
    ]
    for (const step of steps) {
      const { code, stderr } = await home.run(['config', ...step])
      expect({ step, code, stderr: code === 0 ? '' : stderr }).toEqual({ step, code: 0, stderr: '' })
    }
    expect(home.text()).toBe(
      `{ tools: { $include: './tools.json5', profile: 'minimal', deny: ['cron'], toolSearch: true } }`,
    )
    expect(home.text('tools.json5')).toBe(`{ profile: 'coding', deny: ['process'], allow: ['write'] }`)
    for (let step = 0; step < 5; step++) expect((await home.run(['config', 'undo'])).code).toBe(0)
    expect(home.text('tools.json5')).toBe(`{ profile: 'coding', deny: ['process'], allow: ['read'] }`)
  })

  test('what is removed is told with the file it was in', async () => {
    const home = await configHome(files)
    const { stdout } = await home.run(['config', 'unset', 'tools.deny[0]'])
    expect(shown(home, stdout)).toContain('Removed tools.deny[0] from .openclaw/tools.json5\n')
  })

  test('a value that another file would bring back is not unset', async () => {
    const home = await configHome(files)
    const { code, stderr } = await home.run(['config', 'unset', 'tools.profile'])
    expect(code).toBe(1)
    expect(shown(home, stderr)).toMatchInlineSnapshot(`
      "error: tools.profile would not become that: behind .openclaw/openclaw.json:1:48 stands .openclaw/tools.json5:1:12, which would show through; nothing was written
      try: change .openclaw/tools.json5:1:12 first, or set single values
      "
    `)
    expect(home.text()).toBe(files['openclaw.json'])
  })

  test('a joined list is changed entry by entry, or refused with its places', async () => {
    const home = await configHome(files)
    expect((await home.run(['config', 'set', 'tools.deny', '["exec", "browser", "cron"]'])).code).toBe(0)
    expect(home.text()).toContain("deny: ['browser', 'cron']")
    const { code, stderr } = await home.run([
      'config',
      'set',
      'tools.deny',
      '["exec", "new", "browser", "cron"]',
    ])
    expect(code).toBe(1)
    expect(shown(home, stderr)).toMatchInlineSnapshot(`
      "error: tools.deny is put together from 2 places, so no single file decides it: .openclaw/tools.json5:1:28, .openclaw/openclaw.json:1:62
      try: add to its end (--append), or change entries one by one: tools.deny[0]
      "
    `)
  })

  test('unset of all that a file brings in takes out the key that includes it', async () => {
    const home = await configHome({
      'openclaw.json': `{ tools: { $include: './tools.json5' }, session: {} }`,
      'tools.json5': `{ profile: 'full' }`,
    })
    const { code, stdout } = await home.run(['config', 'unset', 'tools'])
    expect(code).toBe(0)
    expect(shown(home, stdout)).toContain('Removed tools from .openclaw/openclaw.json\n')
    expect(home.text()).toBe('{ session: {} }')
    expect(home.text('tools.json5')).toBe(`{ profile: 'full' }`)
  })

  test('a file that two agents share is not changed for one of them', async () => {
    const home = await configHome({
      'openclaw.json': `{ agents: { list: [{ id: 'a', tools: { $include: './tools.json5' } }, { id: 'b', tools: { $include: './tools.json5' } }] } }`,
      'tools.json5': `{ profile: 'coding', deny: [] }`,
    })
    const set = await home.run(['config', 'set', 'agents.list[id=a].tools.profile', 'full'])
    expect(set.code).toBe(1)
    expect(shown(home, set.stderr)).toMatchInlineSnapshot(`
      "error: agents.list[0].tools.profile comes from .openclaw/tools.json5, which is included elsewhere, too: agents.list[1].tools.profile would change with it; nothing was written
      try: if both are meant, change .openclaw/tools.json5 itself
      try: else write the value beside the $include, where it wins, or include a copy of the file
      "
    `)
    const append = await home.run(['config', 'set', 'agents.list[id=b].tools.deny', '--append', 'exec'])
    expect(append.stderr).toContain('agents.list[0].tools.deny[0] would change with it')
    expect(home.text('tools.json5')).toBe(`{ profile: 'coding', deny: [] }`)
  })
})

describe('where writing is not wanted or not possible', () => {
  test.each(['OPENCLAW_CONFIG_READONLY', 'OPENCLAW_NIX_MODE'])('%s=1 refuses every writer', async (name) => {
    const home = await only(commented)
    const env = { [name]: '1', EDITOR: 'true' }
    for (const args of [
      ['set', 'tools.profile', 'full'],
      ['unset', 'tools.profile'],
      ['patch', '{}'],
      ['undo'],
      ['edit'],
      ['apply', '-'],
    ]) {
      const { code, json } = await home.json(
        ['config', ...args],
        env,
        '{"op":"unset","path":"tools.profile"}',
      )
      expect({ args, code, json }).toMatchObject({
        args,
        code: 1,
        json: { error: { code: 'CONFIG_READONLY' } },
      })
    }
    expect((await home.run(['config', 'set', 'tools.profile', 'full', '--dry-run'], env)).code).toBe(0)
    expect(home.text()).toBe(commented)
  })

  test('a file without write bits stays as it is, whoever asks', async () => {
    const home = await only(commented)
    chmodSync(home.path('openclaw.json'), 0o444)
    const { code, stderr } = await home.run(['config', 'set', 'tools.profile', 'full'])
    expect(code).toBe(1)
    expect(stderr).toMatch(/is read-only \(mode 444\)[\s\S]*chmod u\+w/)
    expect(home.text()).toBe(commented)
  })

  test('mode and symbolic link stay, backups lie beside the link', async () => {
    const home = await configHome({ 'dotfiles/real.json5': commented, 'link/keep': '' })
    chmodSync(home.path('dotfiles/real.json5'), 0o640)
    symlinkSync('../dotfiles/real.json5', home.path('link/openclaw.json'))
    const { code } = await home.run([
      'config',
      'set',
      'tools.profile',
      'full',
      '--config',
      home.path('link/openclaw.json'),
    ])
    expect(code).toBe(0)
    expect(lstatSync(home.path('link/openclaw.json')).isSymbolicLink()).toBe(true)
    expect(statSync(home.path('dotfiles/real.json5')).mode & 0o777).toBe(0o640)
    expect(home.text('dotfiles/real.json5')).toBe(commented.replace("'coding'", "'full'"))
    expect(home.text('link/openclaw.json.bak')).toBe(commented)
    expect(home.text('dotfiles/real.json5.bak')).toBeNull()
  })

  test('an explicit file that is not there is an error, stdin cannot be written', async () => {
    const home = await only(commented)
    const missing = await home.json([
      'config',
      'set',
      'tools.profile',
      'full',
      '--config',
      home.path('none.json'),
    ])
    expect(missing.json).toMatchObject({ error: { code: 'CONFIG_NOT_FOUND' } })
    const stdin = await home.json(['config', 'set', 'tools.profile', 'full', '--config', '-'], {}, '{}')
    expect(stdin.json).toMatchObject({ error: { code: 'USAGE' } })
  })

  test('a state directory that cannot be written costs the audit, not the edit', async () => {
    const home = await configHome({ 'openclaw.json': commented, state: 'a file' })
    const { code, stderr } = await home.run([
      'config',
      'set',
      'tools.profile',
      'full',
      '--config',
      home.path('openclaw.json'),
      '--state-dir',
      home.path('state'),
    ])
    expect(code).toBe(0)
    expect(stderr).toContain('write-incomplete')
    expect(home.text()).toContain("'full'")
  })
})

describe('undo and diff', () => {
  test('undo goes back step by step, five times', async () => {
    const home = await only(commented)
    const states = [home.text()]
    for (let port = 1; port <= 6; port++) {
      expect((await home.run(['config', 'set', 'gateway.port', String(port)])).code).toBe(0)
      states.push(home.text())
    }
    for (let step = 1; step <= 5; step++) {
      expect((await home.run(['config', 'undo'])).code).toBe(0)
      expect(home.text()).toBe(states[states.length - 1 - step])
    }
    const end = await home.json(['config', 'undo'])
    expect(end.json).toMatchObject({ error: { code: 'CONFIG_CONFLICT' } })
    expect(JSON.stringify(end.json)).toContain('no backup of')
  })

  test('undo after undo and a new write takes back the new one', async () => {
    const home = await only(commented)
    await home.run(['config', 'set', 'tools.profile', 'full'])
    await home.run(['config', 'undo'])
    await home.run(['config', 'set', 'tools.profile', 'minimal'])
    await home.run(['config', 'undo'])
    expect(home.text()).toBe(commented)
    expect((await home.run(['config', 'undo'])).code).toBe(1)
  })

  test('undo never throws away what another program wrote', async () => {
    const home = await only(commented)
    await home.run(['config', 'set', 'tools.profile', 'full'])
    writeFileSync(home.path('openclaw.json'), `${home.text()}// by hand\n`)
    const { code, stderr } = await home.run(['config', 'undo'])
    expect(code).toBe(1)
    expect(stderr).toContain('was changed by another program since the last write')
    expect(home.text()).toContain('// by hand')
  })

  test('undo has a dry run', async () => {
    const home = await only(commented)
    await home.run(['config', 'set', 'tools.profile', 'full'])
    const { stdout } = await home.run(['config', 'undo', '--dry-run'])
    expect(stdout).toContain("+    profile: 'coding', // for everybody")
    expect(home.text()).toContain("'full'")
  })

  test('diff shows the last write, or another file', async () => {
    const home = await only(commented)
    expect((await home.json(['config', 'diff'])).json).toMatchObject({ error: { code: 'CONFIG_NOT_FOUND' } })
    await home.run(['config', 'set', 'tools.profile', 'full'])
    const last = await home.json(['config', 'diff'])
    expect(last.json).toMatchObject({
      file: home.path('openclaw.json'),
      other: home.path('openclaw.json.bak'),
      changes: [{ path: 'tools.profile', before: 'coding', after: 'full' }],
    })
    const other = await home.run(['config', 'diff', home.path('openclaw.json')])
    expect(other.stdout).toContain('No differences')
  })
})

describe('edit', () => {
  /** An editor that runs a shell command on the file. */
  const editor = (home: ConfigHome, command: string): Record<string, string> => ({
    VISUAL: `sh -c '${command}' --`,
    TMPDIR: home.home,
  })
  const copies = (home: ConfigHome): string[] =>
    readdirSync(home.home).filter((name) => name.startsWith('openclaw-edit-'))

  test('writes what the editor leaves, with the diff', async () => {
    const home = await only(commented)
    const { code, stdout } = await home.run(['config', 'edit'], editor(home, 'sed -i s/coding/full/ "$1"'))
    expect(code).toBe(0)
    expect(stdout).toContain(
      "-    profile: 'coding', // for everybody\n+    profile: 'full', // for everybody",
    )
    expect(home.text()).toBe(commented.replace('coding', 'full'))
    expect((await home.run(['config', 'undo'])).code).toBe(0)
    expect(home.text()).toBe(commented)
  })

  test('refuses what is wrong and keeps the text', async () => {
    const home = await only(commented)
    const { code, json } = await home.json(['config', 'edit'], editor(home, 'sed -i s/coding/codng/ "$1"'))
    expect(code).toBe(5)
    expect(home.text()).toBe(commented)
    const { error } = json as { error: { data: { copy: string } } }
    expect(readFileSync(error.data.copy, 'utf8')).toContain('codng')
    expect(statSync(error.data.copy).mode & 0o777).toBe(0o600)
  })

  test('mends a file that cannot be read', async () => {
    const home = await only('{ tools: { profile: `full` } }')
    const { code } = await home.run(
      ['config', 'edit'],
      editor(home, 'tr "\\140" "\\042" < "$1" > "$1.new" && mv "$1.new" "$1"'),
    )
    expect(code).toBe(0)
    expect(home.text()).toBe('{ tools: { profile: "full" } }')
  })

  test('an editor that fails, or changes nothing, writes nothing', async () => {
    const home = await only(commented)
    expect((await home.run(['config', 'edit'], editor(home, 'exit 3'))).code).toBe(1)
    const gone = await home.run(['config', 'edit'], { VISUAL: 'rm -f' })
    expect(gone).toMatchObject({ code: 1, stderr: expect.stringContaining('left no file that can be read') })
    const same = await home.run(['config', 'edit'], editor(home, 'true'))
    expect(same.stdout).toBe('No change: the config says this already.\n')
    expect(home.text('openclaw.json.bak')).toBeNull()
    expect(copies(home)).toEqual([])
  })

  test('what it prints is no part of the answer', async () => {
    const home = await only(commented)
    const { stdout, stderr } = await home.run(['config', 'edit', '--json'], editor(home, 'echo working'))
    expect(JSON.parse(stdout)).toMatchObject({ changes: [], dryRun: false })
    expect(stderr).toBe('working\n')
  })

  test('without a terminal and a chosen editor it says so', async () => {
    const { code, stderr } = await (await only(commented)).run(['config', 'edit'], { VISUAL: '', EDITOR: '' })
    expect(code).toBe(1)
    expect(stderr).toMatch(/^error: no terminal to edit in; nothing was written$/m)
  })

  test('a file that changed meanwhile is not overwritten', async () => {
    const home = await only(commented)
    const { code, stderr } = await home.run(
      ['config', 'edit'],
      editor(home, `echo "// other" >> ${home.path('openclaw.json')}; sed -i s/coding/full/ "$1"`),
    )
    expect(code).toBe(1)
    expect(stderr).toContain('was changed while the editor was open')
    expect(home.text()).toBe(`${commented}// other\n`)
  })
})

const realConfigs = globSync('fixtures/realconfigs/*', { cwd: projectRoot }).toSorted()
const isFull = process.env['OPENCLAW_TEST_FULL'] === '1'

// Each one takes a dozen starts of the program; the property tests edit all of them without.
describe.each(realConfigs.filter((_, at) => isFull || at % 4 === 1))('%s', (file) => {
  const text = readFileSync(join(projectRoot, file), 'utf8')

  test('differs by the edit alone, and undo restores every byte', async () => {
    const home = await configHome({ [basename(file)]: text })
    const config = ['--config', home.path(basename(file))]
    const edits = [
      ['set', 'tools.loopDetection.enabled', 'true'],
      ['set', 'tools.deny', '--append', 'process'],
      ['set', 'agents.defaults.workspace', '/srv/ws'],
      ['unset', 'agents.defaults.workspace'],
    ]
    let done = 0
    for (const edit of edits) {
      const before = home.text(basename(file))?.split('\n') ?? []
      const { code, stderr } = await home.run(['config', ...edit, ...config])
      expect({ edit, code, stderr: code === 0 ? '' : stderr }).toEqual({ edit, code: 0, stderr: '' })
      const after = home.text(basename(file))?.split('\n') ?? []
      if (after.join('\n') === before.join('\n')) continue
      done += 1
      // At most one line changes (it gets a comma, an entry or a value); the others are all there, in order.
      const kept = before.filter((line) => after.includes(line))
      expect(before.length - kept.length).toBeLessThanOrEqual(edit[0] === 'unset' ? 3 : 1)
      expect(Math.abs(after.length - before.length)).toBeLessThanOrEqual(4)
    }
    expect(done).toBeGreaterThan(2)
    for (let step = 0; step < done; step++)
      expect(await home.run(['config', 'undo', ...config])).toMatchObject({ code: 0 })
    expect(home.text(basename(file))).toBe(text)
  })
})
