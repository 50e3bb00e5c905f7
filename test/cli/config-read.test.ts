import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { runCli, runJson, tempDir } from '../helpers/run-cli.ts'
import { smallConfig, smallHome } from '../helpers/small-home.ts'

const files = {
  '.openclaw/openclaw.json': `{
  // What this machine adds.
  $include: "./shared.json5",
  tools: { deny: ["exec"] },
  gateway: { port: 18789, auth: { mode: "token", token: "\${GATEWAY_TOKEN}" } },
  agents: { list: [{ id: "main" }, { id: "work", tools: { deny: [] } }] },
}`,
  '.openclaw/shared.json5': `{ tools: { profile: "coding", byProvider: { "openai/gpt-5.5": { deny: ["\${EXTRA}"] } } }, models: { providers: { px: { apiKey: "sk-1" } } } }`,
}
const env = { EXTRA: 'cron', GATEWAY_TOKEN: 'secret' }

describe('config get', () => {
  const get = async (path: string | null, more: readonly string[] = []) => {
    const home = await tempDir(files)
    const { code, stdout, stderr } = await runCli(
      ['config', 'get', ...(path === null ? [] : [path]), ...more],
      { home, env },
    )
    return { code, stdout, stderr: stderr.replaceAll(home, '~') }
  }

  test('the whole config: includes merged, variables resolved, secrets kept', async () => {
    expect(await get(null)).toMatchInlineSnapshot(`
      {
        "code": 0,
        "stderr": "",
        "stdout": "{
        "tools": {
          "profile": "coding",
          "byProvider": {
            "openai/gpt-5.5": {
              "deny": [
                "cron"
              ]
            }
          },
          "deny": [
            "exec"
          ]
        },
        "models": {
          "providers": {
            "px": {
              "apiKey": "__OPENCLAW_REDACTED__"
            }
          }
        },
        "gateway": {
          "port": 18789,
          "auth": {
            "mode": "token",
            "token": "__OPENCLAW_REDACTED__"
          }
        },
        "agents": {
          "list": [
            {
              "id": "main"
            },
            {
              "id": "work",
              "tools": {
                "deny": []
              }
            }
          ]
        }
      }
      ",
      }
    `)
  })

  test.each([
    'tools.profile',
    'tools.deny',
    'tools.deny[0]',
    'agents.list[id=work].tools.deny',
    'agents.list[1].id',
    'tools.byProvider["openai/gpt-5.5"].deny',
    'gateway.auth.token',
    'gateway.port',
    'models.providers.px.apiKey',
  ])('%s: text bare, all else as JSON', async (path) => {
    const plain = await get(path)
    expect(plain).toMatchSnapshot()
    const { code, stdout, stderr } = await get(path, ['--json'])
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    const value: unknown = JSON.parse(stdout)
    expect(typeof value === 'string' ? value : JSON.stringify(value, null, 2)).toBe(plain.stdout.trimEnd())
  })

  test.each<[string, string, number]>([
    ['tools.allow', 'PATH_UNSET', 1],
    ['tools.exec.host', 'PATH_UNSET', 1],
    ['agents.list[id=work].tools.profile', 'PATH_UNSET', 1],
    ['agents.list[7]', 'PATH_UNSET', 1],
    ['agents.list[id=nobody].tools', 'PATH_UNSET', 1],
    ['tools.profle', 'PATH_UNKNOWN', 1],
    ['tool.deny', 'PATH_UNKNOWN', 1],
    ['tools.deny.first', 'PATH_UNKNOWN', 1],
    ['tools..deny', 'PATH_INVALID', 2],
    ['tools.deny[', 'PATH_INVALID', 2],
    ['tools.deny[-1]', 'PATH_UNKNOWN', 1],
    ['tools.byProvider.openai/gpt-5.5.deny', 'PATH_UNKNOWN', 1],
    ['__proto__', 'PATH_INVALID', 2],
    ['tools.constructor', 'PATH_INVALID', 2],
  ])('%s: %s', async (path, code, exit) => {
    const { json, ...run } = await runJson(['config', 'get', path], { home: await tempDir(files), env })
    expect(run).toMatchObject({ code: exit, stderr: '' })
    expect(json).toMatchObject({ error: { code } })
    expect(await get(path)).toMatchSnapshot()
  })

  test('the default is in the data', async () => {
    const { json } = await runJson(['config', 'get', 'tools.exec.host'], { home: await tempDir(files) })
    expect(json).toMatchObject({
      error: { code: 'PATH_UNSET', data: { path: 'tools.exec.host', default: 'auto' } },
    })
  })
})

describe('config list', () => {
  test('every value by path', async () => {
    expect(await runCli(['config', 'list'], { home: await tempDir(files), env })).toMatchInlineSnapshot(`
      {
        "code": 0,
        "stderr": "",
        "stdout": "tools.profile = "coding"
      tools.byProvider["openai/gpt-5.5"].deny = ["cron"]
      tools.deny = ["exec"]
      models.providers.px.apiKey = "__OPENCLAW_REDACTED__"
      gateway.port = 18789
      gateway.auth.mode = "token"
      gateway.auth.token = "__OPENCLAW_REDACTED__"
      agents.list[0].id = "main"
      agents.list[1].id = "work"
      agents.list[1].tools.deny = []
      ",
      }
    `)
  })

  test('--origin: where each is set, and the defaults of the rest', async () => {
    const { stdout } = await runCli(['config', 'list', '--origin'], { home: await tempDir(files), env })
    const lines = stdout.split('\n')
    expect(lines.slice(0, 14)).toMatchInlineSnapshot(`
      [
        "tools.profile                                              .openclaw/shared.json5:1:21   "coding"",
        "tools.byProvider["openai/gpt-5.5"].deny                    .openclaw/shared.json5:1:71   ["cron"]",
        "tools.deny                                                 .openclaw/openclaw.json:4:18  ["exec"]",
        "models.providers.px.apiKey                                 .openclaw/shared.json5:1:128  "__OPENCLAW_REDACTED__"",
        "gateway.port                                               .openclaw/openclaw.json:5:20  18789",
        "gateway.auth.mode                                          .openclaw/openclaw.json:5:41  "token"",
        "gateway.auth.token                                         .openclaw/openclaw.json:5:57  "__OPENCLAW_REDACTED__"",
        "agents.list[0].id                                          .openclaw/openclaw.json:6:26  "main"",
        "agents.list[1].id                                          .openclaw/openclaw.json:6:42  "work"",
        "agents.list[1].tools.deny                                  .openclaw/openclaw.json:6:65  []",
        "tools.elevated.enabled                                     default                       true",
        "tools.fs.workspaceOnly                                     default                       false",
        "tools.loopDetection.enabled                                default                       false",
        "tools.loopDetection.historySize                            default                       30",
      ]
    `)
    expect(lines.some((line) => /^tools\.exec\.host +default +"auto"$/.test(line))).toBe(true)
    expect(lines.some((line) => line.startsWith('tools.profile ') && line.includes('default'))).toBe(false)
  })

  test('as JSON, and as names', async () => {
    const home = await tempDir(files)
    const { json } = await runJson(['config', 'list', '--origin'], { home, env })
    expect(json).toMatchObject({
      file: join(home, '.openclaw/openclaw.json'),
      items: expect.arrayContaining([
        {
          path: 'tools.profile',
          value: 'coding',
          origin: 'set',
          location: {
            file: join(home, '.openclaw/shared.json5'),
            path: 'tools.profile',
            line: 1,
            column: 21,
          },
        },
        { path: 'tools.exec.host', value: 'auto', origin: 'default', location: null },
      ]),
    })
    const { items } = (await runJson(['config', 'list'], { home, env })).json as { items: { path: string }[] }
    const { stdout } = await runCli(['config', 'list', '--output', 'names'], { home, env })
    expect(stdout.trimEnd().split('\n')).toEqual(items.map((item) => item.path))
  })
})

describe('config file', () => {
  test('where it is, and whether', async () => {
    const home = await smallHome()
    expect(await runCli(['config', 'file'], { home })).toEqual({
      code: 0,
      stdout: `${home}/.openclaw/openclaw.json\n`,
      stderr: '',
    })
    const empty = await tempDir()
    expect(await runCli(['config', 'file'], { home: empty })).toEqual({
      code: 0,
      stdout: `${empty}/.openclaw/openclaw.json\n`,
      stderr: 'note: the file does not exist; every setting has its default\n',
    })
  })

  test.each<[Record<string, string>, string[], string]>([
    [{ OPENCLAW_STATE_DIR: '/s' }, [], '/s/openclaw.json'],
    [{ OPENCLAW_HOME: '/h' }, [], '/h/.openclaw/openclaw.json'],
    [{ OPENCLAW_PROFILE: 'work' }, [], '~/.openclaw-work/openclaw.json'],
    [{ OPENCLAW_STATE_DIR: '/s' }, ['--profile', 'work'], '/s/openclaw.json'],
    [{ OPENCLAW_STATE_DIR: '/s' }, ['--state-dir', '/t'], '/t/openclaw.json'],
    [{ OPENCLAW_STATE_DIR: ' ', OPENCLAW_PROFILE: '' }, [], '~/.openclaw/openclaw.json'],
  ])('%j %j', async (variables, args, expected) => {
    const home = await tempDir()
    const { stdout } = await runCli(['config', 'file', ...args], { home, env: variables })
    expect(stdout.trimEnd().replace(home, '~')).toBe(expected)
  })

  test('under the earlier name', async () => {
    const home = await tempDir({ '.openclaw/clawdbot.json': '{ tools: { deny: ["exec"] } }' })
    expect((await runCli(['config', 'file'], { home })).stdout).toBe(`${home}/.openclaw/clawdbot.json\n`)
    expect((await runCli(['tools', 'explain', 'exec'], { home })).stdout).toContain(
      '.openclaw/clawdbot.json:1:19',
    )
  })

  test('an explicit file that is not there is an error, the default one is not', async () => {
    const home = await tempDir({ 'conf/openclaw.json': '{}' })
    for (const [args, variables] of [
      [['--config', 'nope.json'], {}],
      [[], { OPENCLAW_CONFIG_PATH: 'nope.json' }],
    ] as const) {
      expect(await runJson(['config', 'file', ...args], { home, env: variables })).toMatchObject({
        code: 1,
        json: { error: { code: 'CONFIG_NOT_FOUND' } },
      })
    }
    const near = await runCli(['config', 'get', '--config', 'conf/openclaw.json5'], { home })
    expect(near.stderr.replaceAll(home, '~')).toMatchInlineSnapshot(`
      "error: config file ~/conf/openclaw.json5 does not exist
      try: there is ~/conf/openclaw.json
      "
    `)
  })
})

describe('config schema', () => {
  test.each(['2026.7', '2026.9'])('of edition %s is a JSON Schema of the whole config', async (edition) => {
    const { code, json } = await runJson(['config', 'schema', '--edition', edition])
    expect(code).toBe(0)
    expect(json).toMatchObject({
      type: 'object',
      properties: { tools: expect.any(Object), agents: expect.any(Object) },
    })
  })

  test('needs no valid config', async () => {
    const home = await tempDir({ '.openclaw/openclaw.json': '{ broken' })
    expect(await runCli(['config', 'schema'], { home })).toMatchObject({ code: 0, stderr: '' })
  })
})

describe('config validate', () => {
  test('tells what a Gateway list and tools.codeMode do not do', async () => {
    const config = {
      gateway: { tools: { allow: ['exce', 'cron'], deny: ['raed', 'group:fs', 'web_*', 'read'] } },
      tools: { codeMode: { enabled: true } },
      agents: { list: [{ id: 'a' }, { id: 'b' }] },
    }
    const home = await tempDir({ '.openclaw/openclaw.json': JSON.stringify(config) })
    const { json } = await runJson(['config', 'validate'], { home })
    const { warnings } = json as { warnings: { id: string; location: { path: string } }[] }
    expect(warnings.map(({ id, location }) => `${id} ${location.path}`).toSorted()).toEqual([
      'code-mode-unsupported tools.codeMode',
      'unknown-entry gateway.tools.allow[0]',
      'unknown-entry gateway.tools.deny[0]',
      'unknown-entry gateway.tools.deny[1]',
      'unknown-entry gateway.tools.deny[2]',
    ])
  })

  test('says that there is nothing to check yet', async () => {
    expect(await runCli(['config', 'validate'])).toMatchObject({
      code: 0,
      stderr: 'note: the file does not exist; every setting has its default\n',
    })
  })

  const validate = async (text: string, args: readonly string[] = []) => {
    const home = await tempDir({ '.openclaw/openclaw.json': text })
    const { code, stdout, stderr } = await runCli(['config', 'validate', ...args], { home })
    return { code, stdout: stdout.replaceAll(home, '~'), stderr: stderr.replaceAll(home, '~') }
  }

  test('valid, without a word more', async () => {
    expect(await validate(smallConfig.replace('"notes", "github__*"', ''))).toMatchInlineSnapshot(`
      {
        "code": 0,
        "stderr": "warning [unknown-entry] "note_wipe" in tools.deny selects nothing: no tool, group or plugin has this name
          at .openclaw/openclaw.json:6:25
      note [configured-but-hidden] agents.list[1].tools.exec is set, but exec, process are hidden from agent guest by agents.list[1].tools.allow; a section never makes a tool visible
          at .openclaw/openclaw.json:12:63
      ",
        "stdout": "valid  ~/.openclaw/openclaw.json
      ",
      }
    `)
  })

  test('valid, with warnings', async () => {
    expect(
      await validate(
        `{ tools: { allow: [], deny: ["exce", "write"] }, toolz: {}, agents: { list: [{ id: "a" }, { id: "a" }] } }`,
      ),
    ).toMatchInlineSnapshot(`
      {
        "code": 0,
        "stderr": "warning [unknown-key] toolz: unknown section, not read; did you mean "tools"?
          at .openclaw/openclaw.json:1:57
      warning [duplicate-id] agents.list[1].id: an agent with this id stands before it; this one is not read
          at .openclaw/openclaw.json:1:97
      warning [unknown-entry] "exce" in tools.deny selects nothing: no tool, group or plugin has this name; did you mean exec?
          at .openclaw/openclaw.json:1:30
      warning [empty-allow] tools.allow is empty, which means no restriction; to take every tool away write deny: ["*"], to restrict nothing remove it
          at .openclaw/openclaw.json:1:19
      warning [partial-write-deny] tools.deny denies write but not edit, apply_patch, so files can still be changed; deny all three, or group:fs
          at .openclaw/openclaw.json:1:38
      ",
        "stdout": "valid  ~/.openclaw/openclaw.json
      ",
      }
    `)
  })

  test('invalid: every error with place, path and way out', async () => {
    const text = `{
  tools: {
    profile: "codng",
    deny: "exec",
    alow: ["read"],
    toolSearch: { maxSearchLimit: 0, mode: "both" },
    exec: { ask: ture },
  },
}`
    expect(await validate(text.replace('ture', '"ture"'))).toMatchInlineSnapshot(`
      {
        "code": 5,
        "stderr": "",
        "stdout": "error .openclaw/openclaw.json:3:14: tools.profile: expected "minimal", "coding", "messaging" or "full", got the string "codng"; did you mean "coding"?
      error .openclaw/openclaw.json:4:11: tools.deny: expected a list of strings, got the string "exec"; did you mean ["exec"]?
      error .openclaw/openclaw.json:5:11: tools.alow: unknown key "alow"; did you mean "allow"?
      error .openclaw/openclaw.json:6:35: tools.toolSearch.maxSearchLimit: expected a whole number of at least 1, got the number 0
      error .openclaw/openclaw.json:6:44: tools.toolSearch.mode: expected "code", "tools" or "directory", got the string "both"
      error .openclaw/openclaw.json:7:18: tools.exec.ask: expected "off", "on-miss" or "always", got the string "ture"
      6 errors in ~/.openclaw/openclaw.json
      ",
      }
    `)
    expect(await validate(text)).toMatchInlineSnapshot(`
      {
        "code": 5,
        "stderr": "",
        "stdout": "error .openclaw/openclaw.json:7:18: expected a value, found t
      7 |     exec: { ask: ture…
        |                  ^
          try: put text in quotes
      1 error in ~/.openclaw/openclaw.json
      ",
      }
    `)
  })

  test('an include that is broken, with its own place', async () => {
    const home = await tempDir({
      '.openclaw/openclaw.json': '{ $include: "./part.json5" }',
      '.openclaw/part.json5': '{\n tools: { deny: [exec] } }',
    })
    const { code, stdout, stderr } = await runCli(['config', 'validate'], { home })
    expect({ code, stdout: stdout.replaceAll(home, '~'), stderr }).toMatchInlineSnapshot(`
      {
        "code": 5,
        "stderr": "",
        "stdout": "error .openclaw/openclaw.json:1:13: include "./part.json5" cannot be used: ~/.openclaw/part.json5:2:18: expected a value, found e
      2 |  tools: { deny: [exec…
        |                  ^
          try: put text in quotes
      1 error in ~/.openclaw/openclaw.json
      ",
      }
    `)
  })

  test('as JSON', async () => {
    const home = await tempDir({
      '.openclaw/openclaw.json': '{ tools: { allow: ["read"], alsoAllow: ["exec"] }, typo: 1 }',
    })
    const { code, stderr, json } = await runJson(['config', 'validate'], { home })
    expect({
      code,
      stderr,
      json: JSON.parse(JSON.stringify(json).replaceAll(home, '~')),
    }).toMatchInlineSnapshot(`
      {
        "code": 5,
        "json": {
          "file": "~/.openclaw/openclaw.json",
          "issues": [
            {
              "expected": "allow or alsoAllow, not both",
              "got": "allow with 1, alsoAllow with 1",
              "location": {
                "column": 10,
                "file": "~/.openclaw/openclaw.json",
                "line": 1,
                "path": "tools",
              },
              "message": "allow and alsoAllow cannot both have entries in one scope: move the entries of alsoAllow into allow, or keep alsoAllow alone to widen a profile",
              "path": "tools",
              "suggestion": "allow: ["read","exec"]",
            },
          ],
          "valid": false,
          "warnings": [
            {
              "id": "unknown-key",
              "location": {
                "column": 58,
                "file": "~/.openclaw/openclaw.json",
                "line": 1,
                "path": "typo",
              },
              "message": "typo: unknown section, not read",
              "severity": "warning",
            },
          ],
        },
        "stderr": "",
      }
    `)
  })

  test('of nothing at all', async () => {
    const home = await tempDir()
    expect(await runJson(['config', 'validate'], { home })).toMatchObject({
      code: 0,
      json: { valid: true, issues: [], warnings: [] },
    })
  })

  test('from stdin', async () => {
    expect(await runCli(['config', 'validate', '--config', '-'], { stdin: '{ tools: { deny: 7 } }' }))
      .toMatchInlineSnapshot(`
      {
        "code": 5,
        "stderr": "",
        "stdout": "error <stdin>:1:18: tools.deny: expected a list of strings, got the number 7
      1 error in <stdin>
      ",
      }
    `)
  })
})
