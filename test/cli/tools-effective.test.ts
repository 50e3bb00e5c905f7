import { describe, expect, test } from 'vitest'
import { runCli, runJson, tempDir } from '../helpers/run-cli.ts'
import { smallHome } from '../helpers/small-home.ts'

const withInventory = ['tools', 'effective', '--inventory', 'inventory.json5']

describe('what people read', () => {
  test('a table per group, and how many are hidden', async () => {
    expect(await runCli(withInventory, { home: await smallHome() })).toMatchInlineSnapshot(`
      {
        "code": 0,
        "stderr": "warning [mcp-unreachable] MCP server "wiki" could not be reached; its tool is unavailable
      ",
        "stdout": "Built-in tools (18)
        read              direct  Read a file's contents
        write             direct  Create a file or overwrite it
        edit              direct  Targeted edits inside a file
        apply_patch       direct  Apply a multi-file patch
        exec              direct  Run a shell command
        sessions_list     direct  List visible sessions
        sessions_history  direct  Read a sanitized session transcript
        sessions_send     direct  Message another session or agent
        sessions_spawn    direct  Start a sub-agent/ACP child session
        sessions_yield    direct  End the turn to receive sub-agent results
        subagents         direct  List/manage background sub-agent work
        session_status    direct  Show session status, model and usage
        cron              direct  Schedule reminders and jobs
        get_goal          direct  Read the current thread goal
        create_goal       direct  Create a thread goal
        update_goal       direct  Complete or block a thread goal
        skill_workshop    direct  Manage skill proposals
        image             direct  Understand an image

      Plugin tools (1)
        note_add  direct

      MCP server tools (1)
        github__create_issue  direct  Open an issue

      Client tools (1)
        pick_file  direct  Ask for a file

      18 hidden – openclaw tools explain NAME
      ",
      }
    `)
  })

  test('--why: the hidden ones with one reason each', async () => {
    const { code, stdout } = await runCli([...withInventory, '--why'], { home: await smallHome() })
    expect({ code, hidden: stdout.slice(stdout.indexOf('Hidden')) }).toMatchInlineSnapshot(`
      {
        "code": 0,
        "hidden": "Hidden (18)
        process            agent.tools.deny  "process" in agents.list[0].tools.deny denies it (.openclaw/openclaw.json:11:37)
        web_search         tools.deny        "group:web" in tools.deny denies it (.openclaw/openclaw.json:6:12)
        web_fetch          tools.deny        "group:web" in tools.deny denies it (.openclaw/openclaw.json:6:12)
        message            tools.profile     profile "coding" does not include it (.openclaw/openclaw.json:4:14)
        heartbeat_respond  capability        it exists only in heartbeat runs
        gateway            tools.profile     profile "coding" does not include it (.openclaw/openclaw.json:4:14)
        nodes              tools.profile     profile "coding" does not include it (.openclaw/openclaw.json:4:14)
        agents_list        tools.profile     profile "coding" does not include it (.openclaw/openclaw.json:4:14)
        update_plan        capability        it is offered to GPT-5 models of openai, with tools.experimental.planTool, or when a list names it
        image_generate     capability        no image generation provider is configured
        music_generate     capability        no music generation provider is configured
        video_generate     capability        no video generation provider is configured
        tts                capability        no speech provider is configured
        pdf                capability        no model for PDF files is configured
        extra_run          tools.profile     profile "coding" does not include it (.openclaw/openclaw.json:4:14)
        note_wipe          tools.deny        "note_wipe" in tools.deny denies it (.openclaw/openclaw.json:6:25)
        discord_react      tools.profile     profile "coding" does not include it (.openclaw/openclaw.json:4:14)
        wiki__find         mcp               MCP server "wiki" could not be reached
      ",
      }
    `)
  })

  test('--all prints them, too', async () => {
    const home = await smallHome()
    const why = await runCli([...withInventory, '--why'], { home })
    expect(await runCli([...withInventory, '--all'], { home })).toEqual(why)
  })

  test('no tools at all', async () => {
    const home = await smallHome()
    expect(await runCli(['tools', 'effective', '--tools-allow', ''], { home })).toMatchInlineSnapshot(`
      {
        "code": 0,
        "stderr": "warning [unknown-entry] "notes" in tools.alsoAllow selects nothing: no tool, group or plugin has this name; did you mean nodes?
          at .openclaw/openclaw.json:5:17
      warning [unknown-entry] "github__*" in tools.alsoAllow selects nothing: no MCP server github is configured
          at .openclaw/openclaw.json:5:26
      warning [unknown-entry] "note_wipe" in tools.deny selects nothing: no tool, group or plugin has this name
          at .openclaw/openclaw.json:6:25
      note [configured-but-hidden] tools.exec is set, but exec, process are hidden from agent main by run.toolsAllow; a section never makes a tool visible
          at .openclaw/openclaw.json:7:11
      ",
        "stdout": "No tools.

      32 hidden – openclaw tools explain NAME
      ",
      }
    `)
  })

  test('nothing is hidden from nobody: a home without a config', async () => {
    const { code, stdout, stderr } = await runCli(['tools', 'effective'])
    expect({ code, stderr, last: stdout.split('\n').at(-2) }).toMatchInlineSnapshot(`
      {
        "code": 0,
        "last": "6 hidden – openclaw tools explain NAME",
        "stderr": "",
      }
    `)
  })

  test('--output names: one name a line, in the order of the tables', async () => {
    const { code, stdout } = await runCli([...withInventory, '--agent', 'guest', '--output', 'names'], {
      home: await smallHome(),
    })
    expect({ code, stdout }).toMatchInlineSnapshot(`
      {
        "code": 0,
        "stdout": "read
      image
      pick_file
      ",
      }
    `)
  })
})

describe('what scripts read', () => {
  test('the whole answer for a session of few tools', async () => {
    const home = await smallHome()
    const { code, stderr, json } = await runJson(
      [...withInventory, '--agent', 'guest', '--tools-allow', 'read,pick_file'],
      { home },
    )
    const text = JSON.stringify(json, null, 1).replaceAll(home, '~')
    expect({
      code,
      stderr,
      json: { ...JSON.parse(text), hidden: JSON.parse(text).hidden.slice(0, 3) },
    }).toMatchInlineSnapshot(`
      {
        "code": 0,
        "json": {
          "agentId": "guest",
          "context": {
            "channel": null,
            "harness": "openclaw",
            "model": null,
            "origin": "flags",
            "provider": null,
            "sandboxed": false,
            "sender": null,
            "subagentDepth": 0,
          },
          "edition": "2026.7",
          "groups": [
            {
              "id": "core",
              "label": "Built-in tools",
              "source": "core",
              "tools": [
                {
                  "description": "Read a file's contents",
                  "exposure": "direct",
                  "id": "read",
                  "label": "read",
                  "name": "read",
                  "source": "core",
                },
              ],
            },
            {
              "id": "client",
              "label": "Client tools",
              "source": "client",
              "tools": [
                {
                  "description": "Ask for a file",
                  "exposure": "direct",
                  "id": "pick_file",
                  "label": "pick_file",
                  "name": "pick_file",
                  "source": "client",
                },
              ],
            },
          ],
          "hidden": [
            {
              "alsoHiddenBy": [
                "run.toolsAllow",
              ],
              "effect": "not-allowed",
              "id": "write",
              "location": {
                "column": 38,
                "file": "~/.openclaw/openclaw.json",
                "line": 12,
                "path": "agents.list[1].tools.allow",
              },
              "reason": "agents.list[1].tools.allow does not include it",
              "rule": null,
              "source": "core",
              "step": "agent.tools.allow",
              "verdict": "hidden",
            },
            {
              "alsoHiddenBy": [
                "run.toolsAllow",
              ],
              "effect": "not-allowed",
              "id": "edit",
              "location": {
                "column": 38,
                "file": "~/.openclaw/openclaw.json",
                "line": 12,
                "path": "agents.list[1].tools.allow",
              },
              "reason": "agents.list[1].tools.allow does not include it",
              "rule": null,
              "source": "core",
              "step": "agent.tools.allow",
              "verdict": "hidden",
            },
            {
              "alsoHiddenBy": [
                "run.toolsAllow",
              ],
              "effect": "not-allowed",
              "id": "apply_patch",
              "location": {
                "column": 38,
                "file": "~/.openclaw/openclaw.json",
                "line": 12,
                "path": "agents.list[1].tools.allow",
              },
              "reason": "agents.list[1].tools.allow does not include it",
              "rule": null,
              "source": "core",
              "step": "agent.tools.allow",
              "verdict": "hidden",
            },
          ],
          "notices": [
            {
              "id": "mcp-unreachable",
              "location": null,
              "message": "MCP server "wiki" could not be reached; its tool is unavailable",
              "severity": "warning",
            },
            {
              "id": "configured-but-hidden",
              "location": {
                "column": 11,
                "file": "~/.openclaw/openclaw.json",
                "line": 7,
                "path": "tools.exec",
              },
              "message": "tools.exec is set, but exec, process are hidden from agent guest by agents.list[1].tools.allow; a section never makes a tool visible",
              "severity": "info",
            },
            {
              "id": "configured-but-hidden",
              "location": {
                "column": 63,
                "file": "~/.openclaw/openclaw.json",
                "line": 12,
                "path": "agents.list[1].tools.exec",
              },
              "message": "agents.list[1].tools.exec is set, but exec, process are hidden from agent guest by agents.list[1].tools.allow; a section never makes a tool visible",
              "severity": "info",
            },
          ],
          "profile": "coding",
          "sessionKey": "agent:guest:main",
          "toolSearch": {
            "adjusted": [],
            "codeTimeoutMs": 10000,
            "enabled": false,
            "fallback": null,
            "maxSearchLimit": 20,
            "mode": null,
            "requestedMode": null,
            "searchDefaultLimit": 8,
          },
        },
        "stderr": "",
      }
    `)
  })

  test.each([
    ['tools.toolSearch=true', 'tool_search_code'],
    ['tools.toolSearch.mode=directory', 'tool_search'],
  ])('%s without the control that it needs is told, and sends every schema', async (set, control) => {
    const home = await smallHome()
    const args = ['tools', 'effective', '--set', set, '--set', `tools.deny=["${control}"]`]
    const { json } = await runJson(args, { home })
    const { toolSearch, notices } = json as { toolSearch: object; notices: { id: string; message: string }[] }
    expect(toolSearch).toMatchObject({ enabled: false, mode: null })
    expect(notices).toContainEqual(
      expect.objectContaining({
        id: 'tool-search-fallback',
        message: expect.stringContaining(`${control} is not available (tools.deny: `),
      }),
    )
    const off = await runJson(['tools', 'effective', '--set', 'tools.toolSearch=false'], { home })
    expect((off.json as { notices: { id: string }[] }).notices.map(({ id }) => id)).not.toContain(
      'tool-search-fallback',
    )
  })

  test('a deferred tool, a control and a tool of every source', async () => {
    const { json } = await runJson([...withInventory, '--set', 'tools.toolSearch=true'], {
      home: await smallHome(),
    })
    const { groups, toolSearch } = json as {
      groups: { id: string; tools: { name: string; exposure: string }[] }[]
      toolSearch: unknown
    }
    expect({
      toolSearch,
      groups: groups.map(
        ({ id, tools }) => `${id}: ${tools.map((tool) => `${tool.name} (${tool.exposure})`).join(', ')}`,
      ),
    }).toMatchInlineSnapshot(`
      {
        "groups": [
          "core: read (deferred), write (deferred), edit (deferred), apply_patch (deferred), exec (deferred), sessions_list (deferred), sessions_history (deferred), sessions_send (deferred), sessions_spawn (deferred), sessions_yield (deferred), subagents (deferred), session_status (deferred), cron (deferred), get_goal (deferred), create_goal (deferred), update_goal (deferred), skill_workshop (deferred), image (deferred), tool_search_code (control)",
          "plugin: note_add (deferred)",
          "mcp: github__create_issue (deferred)",
          "client: pick_file (deferred)",
        ],
        "toolSearch": {
          "adjusted": [],
          "codeTimeoutMs": 10000,
          "enabled": true,
          "fallback": null,
          "maxSearchLimit": 20,
          "mode": "code",
          "requestedMode": "code",
          "searchDefaultLimit": 8,
        },
      }
    `)
  })
})

describe('whose tools', () => {
  const hiddenBy = async (args: readonly string[], options: Parameters<typeof runCli>[1] = {}) => {
    const home = options.home ?? (await smallHome())
    const { code, json } = await runJson([...withInventory, ...args], { ...options, home })
    const { sessionKey, context, hidden } = json as {
      sessionKey: string
      context: { origin: string }
      hidden: { id: string; step: string }[]
    }
    const steps = new Map<string, string[]>()
    for (const { id, step } of hidden) steps.set(step, [...(steps.get(step) ?? []), id])
    return {
      code,
      sessionKey,
      context,
      steps: Object.fromEntries(
        [...steps].filter(([step]) => step !== 'capability' && step !== 'tools.profile'),
      ),
    }
  }

  test.each<[string, string[]]>([
    ['an agent', ['--agent', 'guest']],
    ['a session key', ['--session', 'agent:guest:discord:group:g1']],
    ['a key without an agent', ['--session', 'discord:group:g1']],
    ['a stranger', ['--channel', 'discord', '--sender', 'id:7', '--no-owner']],
    ['a model that cannot call tools', ['--set', 'tools.deny=[]', '--context', '-']],
    ['the sandbox', ['--sandboxed']],
    ['a subagent', ['--session', 'agent:main:subagent:x', '--spawned-by', 'agent:main:main']],
    ['a run with a cap', ['--tools-allow', 'read', '--tools-allow', 'note_add,exec']],
    ['another edition', ['--edition', '2026.9']],
    [
      'a changed config',
      [
        '--set',
        'tools.deny=["exec"]',
        '--set',
        'agents.list[id=main].tools.profile=minimal',
        '--unset',
        'tools.alsoAllow',
      ],
    ],
  ])('%s', async (_, args) => {
    expect(await hiddenBy(args, { stdin: '{ supports: { tools: false } }' })).toMatchSnapshot()
  })

  test('a context file, over it flags', async () => {
    const home = await smallHome({
      'context.json5': `{ agentId: 'guest', channel: 'discord', sender: { id: '7', isOwner: false } }`,
    })
    const fromFile = await hiddenBy(['--context', 'context.json5'], { home })
    expect(fromFile).toMatchObject({
      sessionKey: 'agent:guest:main',
      context: { channel: 'discord', sender: { id: '7', isOwner: false }, origin: 'flags' },
    })
    expect(
      await hiddenBy(['--context', '-'], {
        home,
        stdin: `{ agentId: 'guest', channel: 'discord', sender: { id: '7', isOwner: false } }`,
      }),
    ).toEqual(fromFile)
    const over = await hiddenBy(
      ['--context', 'context.json5', '--agent', 'main', '--channel', 'telegram', '--owner'],
      { home },
    )
    expect(over).toMatchObject({
      sessionKey: 'agent:main:main',
      context: { channel: 'telegram', sender: { id: '7', isOwner: true } },
    })
  })

  test('every flag by its variable', async () => {
    const home = await smallHome({ 'context.json5': '{ supports: { vision: false } }' })
    const flags: Readonly<Record<string, string>> = {
      agent: 'guest',
      provider: 'openai',
      model: 'gpt-5.5',
      channel: 'discord',
      account: 'a1',
      group: 'g1',
      thread: 't1',
      sender: 'id:7',
      'spawned-by': 'agent:main:discord:group:g1',
      'tools-allow': 'read,exec',
      harness: 'codex',
      context: 'context.json5',
      set: 'tools.deny=["image"]',
      unset: 'tools.exec',
      edition: '2026.9',
    }
    const switches: Readonly<Record<string, string>> = { owner: 'false', sandboxed: 'true' }
    const typed = await hiddenBy(
      [...Object.entries(flags).map(([name, value]) => `--${name}=${value}`), '--no-owner', '--sandboxed'],
      { home },
    )
    const env = Object.fromEntries(
      Object.entries({ ...flags, ...switches }).map(([name, value]) => [
        `OPENCLAW_${name.replaceAll('-', '_').toUpperCase()}`,
        value,
      ]),
    )
    expect(typed.context).toMatchObject({
      sender: { id: '7', isOwner: false },
      sandboxed: true,
      harness: 'codex',
    })
    expect(await hiddenBy([], { home, env })).toEqual(typed)
    const blank = Object.fromEntries(Object.keys(env).map((name) => [name, ' ']))
    expect(await hiddenBy([], { home, env: blank })).toEqual(await hiddenBy([], { home }))
  })

  test('an inventory from stdin', async () => {
    const home = await tempDir()
    const { stdout } = await runCli(['tools', 'effective', '--inventory', '-', '--output', 'names'], {
      home,
      stdin: `{ plugins: { notes: { tools: ['note_add'] } } }`,
    })
    expect(stdout.split('\n')).toContain('note_add')
  })

  test('a file of plain JSON, of JSON5, with a byte order mark and of another line end', async () => {
    const plain = await runCli(['tools', 'effective', '--why'], {
      home: await tempDir({ '.openclaw/openclaw.json': '{\n"tools":{\n"deny":["exec"]}}' }),
    })
    expect(plain.stdout).toContain('(.openclaw/openclaw.json:3:9)')
    for (const text of [
      `{\r\n'tools':{\r\n"deny":['exec',],},}`,
      '\uFEFF{\n"tools":{\n"deny":["exec"]}}',
      '{\r"tools":{\r"deny":["exec"]}}',
    ]) {
      expect(
        await runCli(['tools', 'effective', '--why'], {
          home: await tempDir({ '.openclaw/openclaw.json': text }),
        }),
      ).toEqual(plain)
    }
  })
})
