import { describe, expect, test } from 'vitest'
import { runCli, runJson, tempDir } from '../helpers/run-cli.ts'
import { smallHome } from '../helpers/small-home.ts'

const explain = ['tools', 'explain', '--inventory', 'inventory.json5']

/** What `tools explain` prints in the small home. */
async function told(args: readonly string[], more: Readonly<Record<string, string>> = {}): Promise<string> {
  const { code, stdout, stderr } = await runCli([...explain, ...args], { home: await smallHome(more) })
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  return stdout
}

describe('tools', () => {
  test('visible', async () => {
    expect(await told(['edit'])).toMatchInlineSnapshot(`
      "edit is visible in agent:main:main
      "
    `)
  })

  test('denied by a group, with what the fix brings along', async () => {
    expect(await told(['web_search'])).toMatchInlineSnapshot(`
      "web_search is hidden in agent:main:main
        tools.deny: "group:web" in tools.deny denies it
          at .openclaw/openclaw.json:6:12  tools.deny[0]

      fix: openclaw config set 'tools.deny[0]' web_fetch
      then: openclaw config set tools.deny --append x_search
      "
    `)
  })

  test('outside the profile', async () => {
    expect(await told(['message'])).toMatchInlineSnapshot(`
      "message is hidden in agent:main:main
        tools.profile: profile "coding" does not include it
          at .openclaw/openclaw.json:4:14  tools.profile

      fix: openclaw config set tools.alsoAllow --append message
      "
    `)
  })

  test('denied by the agent, and configured in vain', async () => {
    expect(await told(['process'])).toMatchInlineSnapshot(`
      "process is hidden in agent:main:main
        agent.tools.deny: "process" in agents.list[0].tools.deny denies it
          at .openclaw/openclaw.json:11:37  agents.list[0].tools.deny[0]

      note: tools.exec only sets how the tool works; a section never makes a tool visible

      fix: openclaw config unset 'agents.list[0].tools.deny[0]'
      "
    `)
  })

  test('outside the allow list of an agent', async () => {
    expect(await told(['exec', '--agent', 'guest'])).toMatchInlineSnapshot(`
      "exec is hidden in agent:guest:main
        agent.tools.allow: agents.list[1].tools.allow does not include it
          at .openclaw/openclaw.json:12:38  agents.list[1].tools.allow

      note: agents.list[1].tools.exec only sets how the tool works; a section never makes a tool visible

      fix: openclaw config set 'agents.list[1].tools.allow' --append exec
      "
    `)
  })

  test('hidden by several steps, each with its place', async () => {
    expect(await told(['web_fetch', '--agent', 'guest', '--sandboxed'])).toMatchInlineSnapshot(`
      "web_fetch is hidden in agent:guest:main
        tools.deny: "group:web" in tools.deny denies it
          at .openclaw/openclaw.json:6:12  tools.deny[0]

      Also hidden by
        agent.tools.allow: agents.list[1].tools.allow does not include it
          at .openclaw/openclaw.json:12:38  agents.list[1].tools.allow
        sandbox.tools.allow: the built-in sandbox allow list does not include it

      note: the sandbox has lists of its own (tools.sandbox.tools): sandbox settings say where a tool runs, policy says whether the session has it

      fix: openclaw config unset 'tools.deny[0]'
      then: openclaw config set 'agents.list[1].tools.allow' --append web_fetch
      then: openclaw config set 'agents.list[1].tools.sandbox.tools.alsoAllow' --append web_fetch
      fix: openclaw config unset 'tools.deny[0]'
      then: openclaw config set 'agents.list[1].tools.allow' --append web_fetch
      then: openclaw config set tools.sandbox.tools.alsoAllow --append web_fetch
      fix: openclaw config set 'tools.deny[0]' web_search
      then: openclaw config set tools.deny --append x_search
      then: openclaw config set 'agents.list[1].tools.allow' --append web_fetch
      then: openclaw config set 'agents.list[1].tools.sandbox.tools.alsoAllow' --append web_fetch
      "
    `)
  })

  test('of a plugin, denied by name', async () => {
    expect(await told(['note_wipe'])).toMatchInlineSnapshot(`
      "note_wipe is hidden in agent:main:main
        tools.deny: "note_wipe" in tools.deny denies it
          at .openclaw/openclaw.json:6:25  tools.deny[1]

      note: "notes" in tools.alsoAllow cannot bring it back: deny wins over every allow and alsoAllow

      fix: openclaw config unset 'tools.deny[1]'
      "
    `)
  })

  test('of a plugin, optional', async () => {
    expect(await told(['extra_run'])).toMatchInlineSnapshot(`
      "extra_run is hidden in agent:main:main
        tools.profile: profile "coding" does not include it
          at .openclaw/openclaw.json:4:14  tools.profile

      fix: openclaw config set tools.alsoAllow --append extra_run
      "
    `)
  })

  test('of a server that is not connected', async () => {
    expect(await told(['wiki__find'])).toMatchInlineSnapshot(`
      "wiki__find is unavailable in agent:main:main
        mcp: MCP server "wiki" could not be reached
      "
    `)
  })

  test('of a configured server that is not connected: how to ask it', async () => {
    const configured = 'mcp.servers.wiki={ command: "wiki" }'
    expect(await told(['wiki__find', '--set', configured])).toMatchInlineSnapshot(`
      "wiki__find is unavailable in agent:main:main
        mcp: MCP server "wiki" could not be reached

      note: openclaw mcp probe wiki asks the server again and says what went wrong
      "
    `)
  })

  test('waiting for a capability that a setting gives, and one that none gives', async () => {
    expect(await told(['update_plan'])).toMatchInlineSnapshot(`
      "update_plan is unavailable in agent:main:main
        capability: it is offered to GPT-5 models of openai, with tools.experimental.planTool, or when a list names it

      note: tools catalog lists everything that could exist; only tools effective says what this session has

      unknown: the answer may depend on provider, model; say it with --provider ID, --model ID

      fix: openclaw config set tools.experimental.planTool true
      fix: openclaw config set tools.alsoAllow --append update_plan
      "
    `)
    expect(await told(['heartbeat_respond'])).toMatchInlineSnapshot(`
      "heartbeat_respond is unavailable in agent:main:main
        capability: it exists only in heartbeat runs

      Also hidden by
        tools.profile: profile "coding" does not include it
          at .openclaw/openclaw.json:4:14  tools.profile

      note: tools catalog lists everything that could exist; only tools effective says what this session has
      "
    `)
  })

  test('depending on the account whose groups count', async () => {
    const accounts = 'channels.irc.accounts={ a: { groups: { g: { tools: { deny: ["read"] } } } }, b: {} }'
    const answer = await told(['read', '--set', accounts, '--channel', 'irc', '--group', 'g'])
    expect(answer).toContain('the answer may depend on accountId; say it with --account ID')
  })

  test('depending on who owns the session', async () => {
    expect(await told(['cron'])).toMatchInlineSnapshot(`
      "cron is visible in agent:main:main

      unknown: the answer may depend on sender.isOwner; say it with --owner or --no-owner
      "
    `)
    expect(await told(['cron', '--sender', 'id:7', '--no-owner'])).toMatchInlineSnapshot(`
      "cron is hidden in agent:main:main
        owner: it is for owners only and the sender is not an owner

      note: the owner check removes it, not a profile or list: owners are the senders in commands.ownerAllowFrom
      "
    `)
  })

  test('behind Tool Search', async () => {
    expect(await told(['edit', '--set', 'tools.toolSearch=true'])).toMatchInlineSnapshot(`
      "edit is deferred in agent:main:main
        Tool Search keeps its schema out of the request; the model calls it from code it hands to tool_search_code
      "
    `)
  })

  test('by another name, and by its catalogue id', async () => {
    expect(await told(['bash'])).toMatchInlineSnapshot(`
      "exec is visible in agent:main:main

      note: bash is another name of exec
      "
    `)
    const plain = await told(['github__create_issue'])
    expect(await told(['mcp:github:create_issue'])).toBe(plain)
    expect(await told(['openclaw:core:edit'])).toBe(await told(['edit']))
  })

  test('--full: every step', async () => {
    expect(await told(['web_search', '--full'])).toMatchInlineSnapshot(`
      "web_search is hidden in agent:main:main
        tools.deny: "group:web" in tools.deny denies it
          at .openclaw/openclaw.json:6:12  tools.deny[0]

      Every step
        ✓  run.tools                 pass     tools are on for this run
        ✓  model.tools               pass     the model can call tools
        ✓  capability                pass     it can exist here
        ·  plugin                    skipped  not a plugin tool
        ✓  channel-runtime           pass     the channel can carry it
        ·  model-runtime             skipped  lean mode for local models is off
        ✓  tools.profile             pass     allowed
        ·  tools.byProvider.profile  skipped  no profile is set for this provider
        ✗  tools                     deny     "group:web" in tools.deny denies it (.openclaw/openclaw.json:6:12)
        ·  tools.byProvider          skipped  no entry of tools.byProvider applies
        ✓  agent.tools               pass     not denied
        ·  agent.tools.byProvider    skipped  no byProvider entry of the agent applies
        ·  group.tools               skipped  no group policy applies
        ·  sender                    skipped  no toolsBySender entry applies
        ·  sandbox.tools             skipped  the session is not sandboxed
        ·  owner                     skipped  the sender is an owner, or unknown
        ·  subagent                  skipped  the session is not a subagent
        ·  inherited                 skipped  nothing is inherited from a parent session
        ·  run.toolsAllow            skipped  the run has no tool cap
        ·  mcp                       skipped  not an MCP tool
        ✓  schema                    pass     its schema can be sent to a model
        ✓  tool-search               pass     Tool Search does not remove it

      fix: openclaw config set 'tools.deny[0]' web_fetch
      then: openclaw config set tools.deny --append x_search
      "
    `)
  })
})

describe('names that are no tools', () => {
  test.each([
    'exce',
    'nothing_like_it',
    'group:fs',
    'media',
    'coding',
    'notes',
    'github',
    'github__close_issue',
    'jira__find',
    'handoff',
    'recipes',
    'discord',
    'automations',
    'terminal',
    'Read_File',
    '__proto__',
    ' ',
  ])('%s', async (name) => {
    const home = await smallHome({
      '.openclaw/workspace/skills/recipes/SKILL.md': '# Recipes',
      '.openclaw/skills/handoff/SKILL.md': '# Hand over',
    })
    const { stdout, stderr } = await runCli([...explain, name], { home })
    expect(stdout + stderr).toMatchSnapshot()
  })
})

test('a skill of another agent, and one that the config only names', async () => {
  const home = await tempDir({
    'openclaw.json':
      '{ agents: { list: [{ id: "main", skills: ["review"] }, { id: "ops", workspace: "./ops" }] } }',
    'ops/skills/deploy/SKILL.md': '# Deploy',
  })
  for (const name of ['deploy', 'review']) {
    const { json } = await runJson(['tools', 'explain', name, '--config', 'openclaw.json'], { home })
    expect(json).toMatchObject({ verdict: 'unknown', isA: 'skill', suggestions: ['read'] })
  }
})

describe('--all-agents', () => {
  test('one line an agent', async () => {
    expect(await told(['process', '--all-agents'])).toMatchInlineSnapshot(`
      "main   hidden  agent.tools.deny   "process" in agents.list[0].tools.deny denies it (.openclaw/openclaw.json:11:37)
      guest  hidden  agent.tools.allow  agents.list[1].tools.allow does not include it (.openclaw/openclaw.json:12:38)
      "
    `)
  })

  test('as JSON', async () => {
    const home = await smallHome()
    const { json } = await runJson([...explain, 'process', '--all-agents'], { home })
    const { agents, ...rest } = json as {
      agents: { agentId: string; verdict: string; alsoHiddenBy: unknown[] }[]
    }
    expect(rest).toEqual({ tool: 'process', known: true, suggestions: [], notes: [] })
    expect(
      agents.map(({ agentId, verdict, alsoHiddenBy }) => [agentId, verdict, alsoHiddenBy.length]),
    ).toEqual([
      ['main', 'hidden', 0],
      ['guest', 'hidden', 0],
    ])
  })

  test('of a name that nobody has', async () => {
    expect(await told(['proces', '--all-agents'])).toMatchInlineSnapshot(`
      "proces is unknown to every agent
      did you mean process?
      "
    `)
  })
})

describe('--check', () => {
  test.each([
    ['edit', 0],
    ['edit --set tools.toolSearch=true', 0],
    ['exec --all-agents', 3],
    ['read --all-agents', 0],
    ['web_search', 3],
    ['wiki__find', 3],
    ['nothing_like_it', 3],
  ])('%s: %i', async (line, expected) => {
    const home = await smallHome()
    const { code } = await runCli([...explain, ...line.split(' '), '--check'], { home })
    expect(code).toBe(expected)
    expect(await runJson([...explain, ...line.split(' '), '--check'], { home })).toMatchObject({
      code: expected,
      stderr: '',
    })
    expect((await runCli([...explain, ...line.split(' ')], { home })).code).toBe(0)
  })
})

test('as JSON: the whole answer', async () => {
  const home = await smallHome()
  const { code, stderr, json } = await runJson([...explain, 'web_search', '--agent', 'guest'], { home })
  const { trace, ...rest } = JSON.parse(JSON.stringify(json).replaceAll(home, '~'))
  expect({ code, stderr, steps: trace.length, rest }).toMatchInlineSnapshot(`
    {
      "code": 0,
      "rest": {
        "alsoHiddenBy": [
          {
            "effect": "not-allowed",
            "location": {
              "column": 38,
              "file": "~/.openclaw/openclaw.json",
              "line": 12,
              "path": "agents.list[1].tools.allow",
            },
            "reason": "agents.list[1].tools.allow does not include it",
            "rule": null,
            "step": "agent.tools.allow",
          },
        ],
        "decidedBy": {
          "effect": "deny",
          "location": {
            "column": 12,
            "file": "~/.openclaw/openclaw.json",
            "line": 6,
            "path": "tools.deny[0]",
          },
          "reason": ""group:web" in tools.deny denies it",
          "rule": "group:web",
          "step": "tools.deny",
        },
        "exposure": null,
        "fixes": [
          {
            "alsoHides": [],
            "alsoReveals": [],
            "commands": [
              "openclaw config unset 'tools.deny[0]'",
              "openclaw config set 'agents.list[1].tools.allow' --append web_search",
            ],
            "edits": [
              {
                "op": "unset",
                "path": "tools.deny[0]",
                "value": "group:web",
              },
              {
                "op": "append",
                "path": "agents.list[1].tools.allow",
                "value": "web_search",
              },
            ],
            "verified": true,
          },
          {
            "alsoHides": [],
            "alsoReveals": [],
            "commands": [
              "openclaw config set 'tools.deny[0]' web_fetch",
              "openclaw config set tools.deny --append x_search",
              "openclaw config set 'agents.list[1].tools.allow' --append web_search",
            ],
            "edits": [
              {
                "op": "set",
                "path": "tools.deny[0]",
                "value": "web_fetch",
              },
              {
                "op": "append",
                "path": "tools.deny",
                "value": "x_search",
              },
              {
                "op": "append",
                "path": "agents.list[1].tools.allow",
                "value": "web_search",
              },
            ],
            "verified": true,
          },
        ],
        "known": true,
        "missing": [],
        "notes": [],
        "notices": [],
        "source": "core",
        "suggestions": [],
        "tool": "web_search",
        "verdict": "hidden",
      },
      "stderr": "",
      "steps": 22,
    }
  `)
})

test('the commands of a fix work on the config that was explained', async () => {
  const home = await tempDir({ 'my configs/open claw.json5': '{ tools: { deny: ["exec"] } }' })
  const { stdout } = await runCli(['tools', 'explain', 'exec', '--config', 'my configs/open claw.json5'], {
    home,
  })
  expect(stdout).toContain(
    "fix: openclaw config unset 'tools.deny[0]' --config 'my configs/open claw.json5'\n",
  )
  const { json } = await runJson(['tools', 'explain', 'exec', '--config', 'my configs/open claw.json5'], {
    home,
  })
  expect(json).toMatchObject({ fixes: [{ commands: ["openclaw config unset 'tools.deny[0]'"] }] })
})

test('a session that is not stored, and a group it is not in', async () => {
  const home = await smallHome()
  const { stdout, stderr } = await runCli(
    [...explain, 'edit', '--session', 'agent:main:discord:group:g1', '--group', 'g2'],
    { home },
  )
  expect(stdout + stderr).toMatchInlineSnapshot(`
    "edit is visible in agent:main:discord:group:g1
    warning [context-field-dropped] groupId "g2" is not believed: the session is in group g1
    note [session-not-stored] no session store holds agent:main:discord:group:g1; it is judged by what the key spells out
    "
  `)
})
