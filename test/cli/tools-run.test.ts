import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { text as textOf } from 'node:stream/consumers'
import { beforeEach, describe, expect, test } from 'vitest'
import { callingHome } from '../helpers/calling-home.ts'
import { projectRoot } from '../helpers/project.ts'
import { isolatedEnv, runCli, runJson } from '../helpers/run-cli.ts'

let home: string
beforeEach(async () => {
  home = await callingHome()
})

const run = (code: string, ...more: readonly string[]) =>
  runJson(['tools', 'run', '--code', '-', ...more], { home, stdin: code })

test('the first example of the documentation, over a real MCP server', async () => {
  const { code, json } = await run(`
    const hits = await openclaw.tools.search("echo");
    const tool = await openclaw.tools.describe(hits[0].id);
    console.log(tool.name);
    return await openclaw.tools.call(tool.id, { text: "hello" });`)
  expect(code).toBe(0)
  expect(json).toEqual({
    ok: true,
    value: {
      tool: expect.objectContaining({
        id: 'mcp:demo:echo',
        source: 'mcp',
        name: 'demo__echo',
        input: 'unknown',
      }),
      result: {
        content: [expect.objectContaining({ type: 'text' })],
        details: { mcpServer: 'demo', mcpTool: 'echo' },
      },
    },
    logs: ['demo__echo'],
    telemetry: {
      catalogSize: expect.any(Number),
      sources: { openclaw: expect.any(Number), mcp: 2, client: 0 },
      searchCount: 1,
      describeCount: 1,
      callCount: 1,
    },
  })
})

test('people read the value on stdout and the rest on stderr', async () => {
  const { code, stdout, stderr } = await runCli(['tools', 'run', '--code', '-'], {
    home,
    stdin: 'console.warn("log", 1); return { a: 1 }',
  })
  expect({ code, stdout }).toEqual({ code: 0, stdout: '{\n  "a": 1\n}\n' })
  expect(stderr).toContain('log 1\n')
})

describe('what does not work', () => {
  test.each([
    ['an error', 'throw new Error("kaput")', 'thrown', /^kaput$/],
    [
      'a tool that fails',
      'return await openclaw.tools.call("note_fail", {})',
      'thrown',
      /^the disk is full$/,
    ],
    [
      'a block',
      'return (await openclaw.tools.call("note_add", { text: "bad" }))',
      'thrown',
      /was blocked before execution: no bad notes/,
    ],
    [
      'wrong arguments',
      'return await openclaw.tools.call("note_add", { txt: 1 })',
      'thrown',
      /text is missing; txt is not known. Did you mean text\?/,
    ],
    [
      'a tool that is not there',
      'return await openclaw.tools.call("ghost", {})',
      'thrown',
      /unknown tool "ghost"/,
    ],
    [
      'a limit that is none',
      'return await openclaw.tools.search("x", { limit: 0 })',
      'thrown',
      /limit must be a positive integer/,
    ],
    ['no code', '  ', 'invalid_input', /code must be a non-empty string/],
    ['no JavaScript', 'return (', 'invalid_input', /./],
    ['openclaw#113069: shell', 'ls -la /workspace', 'invalid_input', /shell/],
  ])('%s', async (_, code, error, message) => {
    const result = await run(code)
    expect(result).toMatchObject({
      code: 1,
      json: { ok: false, error: { code: error, message: expect.stringMatching(message) } },
    })
  })

  test.each(['const ls = 1; ls - 1; return ls', 'let pwd; pwd = 3; return pwd'])(
    'but %s is JavaScript',
    async (code) => {
      expect((await run(code)).code).toBe(0)
    },
  )

  test('openclaw#83389, openclaw#149270: what does not end is ended as a timeout', async () => {
    const limit = ['--set', 'tools.toolSearch.codeTimeoutMs=1000']
    for (const code of ['while (true) {}', 'return await openclaw.tools.call("note_slow", {})']) {
      const { json } = await run(`console.log("so far"); ${code}`, ...limit)
      expect(json).toMatchObject({ ok: false, error: { code: 'timeout' }, logs: ['so far'] })
    }
  })

  test('a hidden tool does not exist, and the attempt is on record', async () => {
    const { json } = await run(
      'return await openclaw.tools.call("note_wipe", {})',
      '--set',
      'tools.deny=["note_wipe"]',
    )
    expect(json).toMatchObject({ ok: false, error: { message: expect.not.stringContaining('deny') } })
    const log = await runJson(['sessions', 'log', 'main'], { home })
    expect(log.json).toMatchObject({
      items: expect.arrayContaining([
        expect.objectContaining({
          customType: 'openclaw.policy',
          data: expect.objectContaining({ kind: 'denied', tool: 'note_wipe', by: 'tools.deny' }),
        }),
      ]),
    })
  })

  test('a missing approval reaches the snippet, and the person is told how to give it', async () => {
    const { stderr, json } = await run(
      'try { await openclaw.tools.call("note_wipe", {}) } catch (e) { return e.message }',
    )
    expect(json).toMatchObject({ ok: true, value: 'note_wipe needs an approval: Remove notes?' })
    const [, id = ''] = /try: openclaw approvals allow ([0-9a-f]{8})\n/.exec(stderr) ?? []
    expect((await runCli(['approvals', 'allow', id], { home })).code).toBe(0)
    expect(
      (await run('return (await openclaw.tools.call("note_wipe", {})).result.content[0].text')).json,
    ).toMatchObject({ value: 'wiped all' })
  })

  test('a call that is not awaited is not made', async () => {
    const { json } = await run('openclaw.tools.call("note_add", { text: "a" }); return 1')
    expect(json).toMatchObject({ ok: true, value: 1, telemetry: { callCount: 0 } })
    expect(() => readFileSync(join(home, 'plugin/calls.log'))).toThrow('ENOENT')
  })

  test('the same call over and over is stopped where loop detection is on', async () => {
    const settings = '{ enabled: true, warningThreshold: 2, criticalThreshold: 3 }'
    const code = `const said = []
      for (let n = 0; n < 5; n++) said.push((await openclaw.tools.call("demo__echo", { text: "a" })).result.details.status ?? "ran")
      return said`
    const { json } = await run(code, '--set', `tools.loopDetection=${settings}`)
    expect(json).toMatchObject({ value: ['ran', 'ran', 'ran', 'blocked', 'blocked'] })
  })

  test('where nothing can be locked down nothing runs', async () => {
    writeFileSync(join(home, 'context.json5'), '{ supports: { permission: false } }')
    expect(await run('return 1', '--context', 'context.json5')).toMatchObject({
      code: 1,
      json: { ok: false, error: { code: 'unavailable' } },
    })
  })
})

test('what was called before an interrupt is on record, and the answer is where answers go', async () => {
  const code = `await openclaw.tools.call("note_add", { text: "first" })
    await openclaw.tools.call("note_slow", {})`
  writeFileSync(join(home, 'snippet.js'), code)
  const child = spawn(
    process.execPath,
    [`${projectRoot}bin/run.js`, 'tools', 'run', '--code', 'snippet.js', '--json'],
    {
      cwd: home,
      env: isolatedEnv(home),
      stdio: ['ignore', 'pipe', 'ignore'],
    },
  )
  const printed = textOf(child.stdout)
  await expect.poll(() => existsSync(join(home, 'plugin/calls.log')), { timeout: 20_000 }).toBe(true)
  child.kill('SIGINT')
  const [exit] = await once(child, 'close')
  expect([exit, JSON.parse(await printed)]).toMatchObject([130, { error: { code: 'ABORTED' } }])
  const { json } = await runJson(['sessions', 'log', 'main', '--summary'], { home })
  expect(json).toMatchObject({
    finalCalls: expect.arrayContaining([expect.objectContaining({ name: 'note_add', status: 'ok' })]),
  })
})

test('tools search --as-model prints what the control returns', async () => {
  const search = (...args: readonly string[]) => runCli(['tools', 'search', ...args, '--as-model'], { home })
  const one = await search('add a note', '--limit', '1')
  expect(JSON.parse(one.stdout)).toEqual([
    {
      id: 'openclaw:kit:note_add',
      source: 'openclaw',
      sourceName: 'kit',
      name: 'note_add',
      description: 'Add a note',
      input: '{ text: string }',
      output: '{ length: number }',
    },
  ])
  const hidden = await search('remove every note', '--set', 'tools.deny=["note_wipe"]')
  expect(hidden.stdout).not.toContain('note_wipe')
  const nothing = await search('запустити підагента')
  expect(nothing.stdout).toMatch(/^\[\]\nNote: .*English/)
})
