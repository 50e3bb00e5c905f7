import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { projectRoot } from '../helpers/project.ts'
import { runCli, runJson, tempDir } from '../helpers/run-cli.ts'

const passing = `{
  // The head is what tools snapshot prints.
  config: { tools: { profile: "coding", deny: ["exec"] } },
  cases: [
    { name: "coders code", expect: { visible: ["read", "process"], hidden: ["exec", { tool: "message", step: "tools.profile" }] } },
    { name: "a stranger", context: { sender: { id: "7", isOwner: false } }, expect: { hidden: [{ tool: "cron", step: "owner" }] } },
    { name: "another config", config: { tools: { allow: [] } }, expect: { visible: ["exec"], notices: ["empty-allow"] } },
    { name: "a broken one", config: { tools: { profile: "codign" } }, expect: { configInvalid: true } },
  ],
}
`

const failing = `{
  config: { tools: { deny: ["exec"] } },  // what the team agreed on
  cases: [
    {
      name: "exec & friends",
      // exec must never be there
      expect: { visible: ["exec", "read"], hidden: [{ tool: "process", step: "tools" }] }, // stays
    },
    { name: 'wrong step', expect: { hidden: [{ tool: "exec", step: "agent.tools" }], notices: ["empty-allow"] } },
    { name: "invalid", config: { tools: { deny: 7 } }, expect: { visible: ["read"] } },
    { name: "bad context", context: { agentt: "x" }, expect: { visible: ["read"] } },
    { name: "right", expect: { hidden: ["exec"] } },
  ],
}
`

describe('results', () => {
  test('all pass: 0', async () => {
    const home = await tempDir({ 'pass.json5': passing })
    expect(await runCli(['tools', 'test', 'pass.json5'], { home })).toEqual({
      code: 0,
      stdout: '4 passed, 0 failed\n',
      stderr: '',
    })
    expect(await runCli(['tools', 'test', '-'], { home, stdin: passing })).toEqual({
      code: 0,
      stdout: '4 passed, 0 failed\n',
      stderr: '',
    })
  })

  test('some fail: 3, each with what is true instead', async () => {
    const home = await tempDir({ 'pass.json5': passing, 'fail.json5': failing })
    expect(await runCli(['tools', 'test', 'pass.json5', 'fail.json5'], { home })).toMatchInlineSnapshot(`
      {
        "code": 3,
        "stderr": "",
        "stdout": "✗ exec & friends  fail.json5
          expected exec to be visible, but exec is hidden (tools.deny: "exec" in tools.deny denies it)
          expected process to be hidden, but process is direct
      ✗ wrong step  fail.json5
          expected exec to be hidden at agent.tools, but exec is hidden (tools.deny: "exec" in tools.deny denies it)
          expected the notice empty-allow, but the notices are: none
      ✗ invalid  fail.json5
          the config is invalid: tools.deny: expected a list of strings, got the number 7
      ✗ bad context  fail.json5
          unknown field "agentt" in fail.json5: cases[3]: context
      5 passed, 4 failed
      ",
      }
    `)
  })

  test('as JSON', async () => {
    const home = await tempDir({ 'fail.json5': failing })
    const { code, stderr, json } = await runJson(['tools', 'test', 'fail.json5'], { home })
    expect({ code, stderr, json }).toMatchInlineSnapshot(`
      {
        "code": 3,
        "json": {
          "cases": [
            {
              "file": "fail.json5",
              "name": "exec & friends",
              "ok": false,
              "problems": [
                "expected exec to be visible, but exec is hidden (tools.deny: "exec" in tools.deny denies it)",
                "expected process to be hidden, but process is direct",
              ],
            },
            {
              "file": "fail.json5",
              "name": "wrong step",
              "ok": false,
              "problems": [
                "expected exec to be hidden at agent.tools, but exec is hidden (tools.deny: "exec" in tools.deny denies it)",
                "expected the notice empty-allow, but the notices are: none",
              ],
            },
            {
              "file": "fail.json5",
              "name": "invalid",
              "ok": false,
              "problems": [
                "the config is invalid: tools.deny: expected a list of strings, got the number 7",
              ],
            },
            {
              "file": "fail.json5",
              "name": "bad context",
              "ok": false,
              "problems": [
                "unknown field "agentt" in fail.json5: cases[3]: context",
              ],
            },
            {
              "file": "fail.json5",
              "name": "right",
              "ok": true,
              "problems": [],
            },
          ],
          "failed": 4,
          "passed": 1,
        },
        "stderr": "",
      }
    `)
  })

  test('--edition wins over case and file', async () => {
    const home = await tempDir({
      'edition.json5': `{ edition: "2026.7", cases: [{ name: "cron", expect: { visible: ["cron"] } }, { name: "automations", edition: "2026.9", expect: { visible: ["automations"] } }] }`,
    })
    expect((await runCli(['tools', 'test', 'edition.json5'], { home })).stdout).toBe('2 passed, 0 failed\n')
    expect((await runCli(['tools', 'test', 'edition.json5', '--edition', '2026.9'], { home })).code).toBe(3)
  })

  test('a snapshot is the head of a test file', async () => {
    const home = await tempDir({ '.openclaw/openclaw.json': '{ tools: { deny: ["exec"] } }' })
    const { json } = await runJson(['tools', 'snapshot'], { home })
    const file = JSON.stringify({
      ...(json as object),
      cases: [{ name: 'as it is', expect: { hidden: ['exec'], visible: ['read'] } }],
    })
    expect(await runCli(['tools', 'test', '-'], { home, stdin: file })).toMatchObject({
      code: 0,
      stdout: '1 passed, 0 failed\n',
    })
  })

  test('the policy fixtures pass from the command line, too', async () => {
    const { code, stdout } = await runCli(
      ['tools', 'test', 'fixtures/policy/recorded-2026.7.json', 'fixtures/policy/random-2026.9.json'],
      { cwd: projectRoot },
    )
    expect({ code, stdout }).toEqual({ code: 0, stdout: '182 passed, 0 failed\n' })
  })
})

test('a name that is no tool is hidden for nothing, which is told', async () => {
  const file = `{ cases: [
    { name: "slips", expect: { hidden: ["exce", "no_such_thing", "view_image", "jira__find"] } },
    { name: "steps", config: { tools: { deny: ["exec"] } }, expect: { hidden: [{ tool: "exec", step: "tools.denny" }] } },
    { name: "notices", expect: { notNotices: ["empty-alow", "no-such", "empty-allow"] } },
  ] }`
  const { code, stdout } = await runCli(['tools', 'test', '-'], { stdin: file })
  expect({ code, stdout }).toMatchInlineSnapshot(`
    {
      "code": 3,
      "stdout": "! slips  -
        no tool is called exce, so it is hidden anyway; did you mean exec?
    ✗ steps  -
        expected exec to be hidden at tools.denny (there is no step tools.denny), but exec is hidden (tools.deny: "exec" in tools.deny denies it)
    ! notices  -
        no notice is called empty-alow, so it never comes; did you mean empty-allow?
        no notice is called no-such, so it never comes
    2 passed, 1 failed
    ",
    }
  `)
})

describe('--update', () => {
  test('rewrites the claims that are wrong and nothing else', async () => {
    const home = await tempDir({ 'fail.json5': failing })
    expect(await runCli(['tools', 'test', 'fail.json5', '--update'], { home })).toMatchInlineSnapshot(`
      {
        "code": 3,
        "stderr": "updated 3 cases
      ",
        "stdout": "✗ bad context  fail.json5
          unknown field "agentt" in fail.json5: cases[3]: context
      4 passed, 1 failed
      ",
      }
    `)
    expect(readFileSync(join(home, 'fail.json5'), 'utf8')).toMatchInlineSnapshot(`
      "{
        config: { tools: { deny: ["exec"] } },  // what the team agreed on
        cases: [
          {
            name: "exec & friends",
            // exec must never be there
            expect: { visible: ["read", "process"], hidden: ["exec"] }, // stays
          },
          { name: 'wrong step', expect: { hidden: [{ tool: "exec", step: "tools.deny" }] } },
          { name: "invalid", config: { tools: { deny: 7 } }, expect: { configInvalid: true } },
          { name: "bad context", context: { agentt: "x" }, expect: { visible: ["read"] } },
          { name: "right", expect: { hidden: ["exec"] } },
        ],
      }
      "
    `)
    expect((await runCli(['tools', 'test', 'fail.json5'], { home })).stdout).toMatch(/4 passed, 1 failed\n$/)
  })

  test('keeps the comments inside of what it rewrites', async () => {
    const text = `{ config: { tools: { deny: ["exec"] } }, cases: [{ name: "x", expect: {
  // what a coder needs
  'visible': [
    'read', // always
    'exec', // was needed once
  ],
  /* and not */ 'hidden': ['message'],
} }] }`
    const home = await tempDir({ 'comments.json5': text })
    await runCli(['tools', 'test', 'comments.json5', '--update'], { home })
    expect(readFileSync(join(home, 'comments.json5'), 'utf8')).toMatchInlineSnapshot(`
      "{ config: { tools: { deny: ["exec"] } }, cases: [{ name: "x", expect: {
        // what a coder needs
        'visible': [
          'read', // always
          'message', // was needed once
        ],
        /* and not */ 'hidden': ['exec'],
      } }] }"
    `)
  })

  test('leaves a right file as it is', async () => {
    const home = await tempDir({ 'pass.json5': passing })
    expect(await runCli(['tools', 'test', 'pass.json5', '--update'], { home })).toMatchObject({
      code: 0,
      stderr: '',
    })
    expect(readFileSync(join(home, 'pass.json5'), 'utf8')).toBe(passing)
  })

  test('keeps line ends and a byte order mark', async () => {
    const text =
      '\uFEFF{\r\n\tconfig: { tools: { deny: ["exec"] } },\r\n\tcases: [\r\n\t\t{ name: "x", expect: { visible: ["exec"] } },\r\n\t],\r\n}\r\n'
    const home = await tempDir({ 'crlf.json5': text })
    expect(await runCli(['tools', 'test', 'crlf.json5', '--update'], { home })).toMatchObject({ code: 0 })
    const updated = readFileSync(join(home, 'crlf.json5'), 'utf8')
    expect(updated.startsWith('\uFEFF{\r\n')).toBe(true)
    expect(updated.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/)
  })

  test('cannot rewrite stdin', async () => {
    expect(await runCli(['tools', 'test', '-', '--update'], { stdin: passing })).toMatchObject({
      code: 2,
      stdout: '',
    })
  })
})

describe('--junit', () => {
  test('a report beside the answer', async () => {
    const home = await tempDir({ 'fail.json5': failing })
    expect(
      await runCli(['tools', 'test', 'fail.json5', '--junit', 'reports/junit.xml'], { home }),
    ).toMatchObject({
      code: 3,
    })
    expect(readFileSync(join(home, 'reports/junit.xml'), 'utf8')).toMatchInlineSnapshot(`
      "<?xml version="1.0" encoding="UTF-8"?>
      <testsuites tests="5" failures="4">
        <testsuite name="fail.json5" tests="5" failures="4">
          <testcase classname="fail.json5" name="exec &amp; friends">
            <failure message="expected exec to be visible, but exec is hidden (tools.deny: &quot;exec&quot; in tools.deny denies it)">expected exec to be visible, but exec is hidden (tools.deny: &quot;exec&quot; in tools.deny denies it)
      expected process to be hidden, but process is direct</failure>
          </testcase>
          <testcase classname="fail.json5" name="wrong step">
            <failure message="expected exec to be hidden at agent.tools, but exec is hidden (tools.deny: &quot;exec&quot; in tools.deny denies it)">expected exec to be hidden at agent.tools, but exec is hidden (tools.deny: &quot;exec&quot; in tools.deny denies it)
      expected the notice empty-allow, but the notices are: none</failure>
          </testcase>
          <testcase classname="fail.json5" name="invalid">
            <failure message="the config is invalid: tools.deny: expected a list of strings, got the number 7">the config is invalid: tools.deny: expected a list of strings, got the number 7</failure>
          </testcase>
          <testcase classname="fail.json5" name="bad context">
            <failure message="unknown field &quot;agentt&quot; in fail.json5: cases[3]: context">unknown field &quot;agentt&quot; in fail.json5: cases[3]: context</failure>
          </testcase>
          <testcase classname="fail.json5" name="right"/>
        </testsuite>
      </testsuites>
      "
    `)
  })

  test('where nothing can be written', async () => {
    const home = await tempDir({ 'pass.json5': passing })
    const { code, stdout, stderr } = await runCli(
      ['tools', 'test', 'pass.json5', '--junit', 'pass.json5/report.xml'],
      { home },
    )
    expect({ code, stdout, stderr: stderr.replaceAll(home, '~') }).toMatchInlineSnapshot(`
      {
        "code": 2,
        "stderr": "error: --junit: cannot write ~/pass.json5/report.xml: EEXIST: file already exists, mkdir '~/pass.json5'
      ",
        "stdout": "",
      }
    `)
  })
})

describe('files that are no policy tests', () => {
  const files: Record<string, string> = {
    'list.json5': '[]',
    'nocases.json5': '{ config: {} }',
    'typo.json5': '{ cases: [{ name: "x", expects: {} }] }',
    'expect.json5': '{ cases: [{ name: "x", expect: { visble: ["read"] } }] }',
    'kind.json5': '{ cases: [{ name: "x", expect: { visible: "read" } }] }',
    'step.json5': '{ cases: [{ name: "x", expect: { hidden: [{ tool: "read", stp: "tools" }] } }] }',
    'edition.json5': '{ edition: "2026.8", cases: [] }',
    'broken.json5': '{ cases: [ { name: "x" expect: {} } ] }',
    'empty.json5': '',
  }
  test.each([...Object.keys(files), 'missing.json5', '.'])('%s', async (name) => {
    const home = await tempDir(files)
    const { code, stdout, stderr } = await runCli(['tools', 'test', name], { home })
    expect({ code, stdout, stderr: stderr.replaceAll(home, '~') }).toMatchSnapshot()
    expect(await runJson(['tools', 'test', name], { home })).toMatchObject({
      code,
      stderr: '',
      json: { error: { code: 'INPUT_INVALID' } },
    })
  })
})
