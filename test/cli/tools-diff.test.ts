import { describe, expect, test } from 'vitest'
import { runCli, runJson } from '../helpers/run-cli.ts'
import { smallHome } from '../helpers/small-home.ts'

const files = {
  'old.json5': `{ tools: { profile: "coding" }, agents: { list: [{ id: "main" }, { id: "gone" }] } }`,
  'new.json5': `{
    meta: { lastTouchedVersion: "2026.9.6" },
    tools: { profile: "coding", alsoAllow: ["message"], toolSearch: { enabled: true, mode: "tools" } },
    agents: { list: [{ id: "main" }, { id: "fresh", tools: { allow: ["read"] } }] },
  }`,
  'less.json5': `{ tools: { profile: "coding", deny: ["exec", "group:web"] }, agents: { list: [{ id: "main" }, { id: "gone" }] } }`,
  'boss.json5': `{ agents: { list: [{ id: "boss", tools: { allow: ["read"] } }] } }`,
}

async function diff(args: readonly string[], stdin = ''): Promise<string> {
  const run = await runCli(['tools', 'diff', ...args], { home: await smallHome(files), stdin })
  expect(run).toMatchObject({ code: 0, stderr: '' })
  return run.stdout
}

describe('two configs', () => {
  test('of one session', async () => {
    expect(await diff(['--from', 'old.json5', '--to', 'less.json5'])).toMatchInlineSnapshot(`
      "Agent main, session agent:main:main
        - exec  tools.deny: "exec" in tools.deny denies it
        - web_fetch  tools.deny: "group:web" in tools.deny denies it
        - web_search  tools.deny: "group:web" in tools.deny denies it
      "
    `)
  })

  test('of the same content', async () => {
    expect(await diff(['--from', 'old.json5', '--to', 'old.json5', '--all-agents'])).toBe(
      'No tool changes.\n',
    )
  })

  test('the config in use stands in for the side that is not given', async () => {
    const to = await diff(['--to', 'old.json5'])
    expect(await diff(['--from', '.openclaw/openclaw.json', '--to', 'old.json5'])).toBe(to)
    const from = await diff(['--from', 'old.json5'])
    expect(await diff(['--from', 'old.json5', '--to', '.openclaw/openclaw.json'])).toBe(from)
  })

  test('one from stdin', async () => {
    const typed = await diff(['--from', 'old.json5', '--to', 'less.json5'])
    expect(await diff(['--from', 'old.json5', '--to', '-'], files['less.json5'])).toBe(typed)
    expect(await diff(['--from', '-', '--to', 'less.json5'], files['old.json5'])).toBe(typed)
  })

  test('all agents, of which each side has one of its own', async () => {
    expect(await diff(['--from', 'old.json5', '--to', 'less.json5', '--all-agents'])).toMatchInlineSnapshot(`
      "Agent main, session agent:main:main
        - exec  tools.deny: "exec" in tools.deny denies it
        - web_fetch  tools.deny: "group:web" in tools.deny denies it
        - web_search  tools.deny: "group:web" in tools.deny denies it

      Agent gone, session agent:gone:main
        - exec  tools.deny: "exec" in tools.deny denies it
        - web_fetch  tools.deny: "group:web" in tools.deny denies it
        - web_search  tools.deny: "group:web" in tools.deny denies it
      "
    `)
    const { json } = await runJson(
      ['tools', 'diff', '--from', 'old.json5', '--to', 'new.json5', '--edition', '2026.7', '--all-agents'],
      { home: await smallHome(files) },
    )
    const { sessions } = json as {
      sessions: {
        agentId: string
        agent?: string
        added: string[]
        removed: { name: string; step: string }[]
        moved: unknown[]
      }[]
    }
    expect(
      sessions.map(({ agentId, agent, added, removed, moved }) => ({
        agentId,
        agent,
        added: added.slice(0, 3),
        removed: removed.slice(0, 1),
        moved: moved.slice(0, 1),
      })),
    ).toMatchInlineSnapshot(`
      [
        {
          "added": [
            "message",
            "tool_call",
            "tool_describe",
          ],
          "agent": undefined,
          "agentId": "main",
          "moved": [
            {
              "from": "direct",
              "name": "apply_patch",
              "to": "deferred",
            },
          ],
          "removed": [],
        },
        {
          "added": [
            "read",
            "tool_call",
            "tool_describe",
          ],
          "agent": "added",
          "agentId": "fresh",
          "moved": [],
          "removed": [],
        },
        {
          "added": [],
          "agent": "removed",
          "agentId": "gone",
          "moved": [],
          "removed": [
            {
              "name": "apply_patch",
              "reason": "its agent is not configured any more, so nothing runs",
              "step": "run.tools",
            },
          ],
        },
      ]
    `)
  })

  test('another default agent is no change of this one', async () => {
    expect(await diff(['--from', 'old.json5', '--to', 'boss.json5'])).toMatch(
      /^Agent main, session agent:main:main \(not there after the change\)\n  - /,
    )
    expect(await diff(['--from', 'boss.json5', '--to', 'old.json5', '--agent', 'gone'])).toMatch(
      /^Agent gone, session agent:gone:main \(only after the change\)\n  \+ /,
    )
  })

  test('an agent that neither has', async () => {
    const home = await smallHome(files)
    expect(
      await runCli(['tools', 'diff', '--from', 'old.json5', '--to', 'new.json5', '--agent', 'mian'], {
        home,
      }),
    ).toMatchInlineSnapshot(`
      {
        "code": 1,
        "stderr": "error: there is no agent "mian"
      try: main
      try: configured agents: main, fresh
      ",
        "stdout": "",
      }
    `)
  })
})

describe('a changed config', () => {
  test('--set and --unset', async () => {
    expect(
      await diff([
        '--inventory',
        'inventory.json5',
        '--set',
        'tools.profile=minimal',
        '--unset',
        'tools.deny',
      ]),
    ).toMatchInlineSnapshot(`
      "Agent main, session agent:main:main
        + note_wipe
        - apply_patch  tools.profile: profile "minimal" does not include it
        - create_goal  tools.profile: profile "minimal" does not include it
        - cron  tools.profile: profile "minimal" does not include it
        - edit  tools.profile: profile "minimal" does not include it
        - exec  tools.profile: profile "minimal" does not include it
        - get_goal  tools.profile: profile "minimal" does not include it
        - image  tools.profile: profile "minimal" does not include it
        - read  tools.profile: profile "minimal" does not include it
        - sessions_history  tools.profile: profile "minimal" does not include it
        - sessions_list  tools.profile: profile "minimal" does not include it
        - sessions_send  tools.profile: profile "minimal" does not include it
        - sessions_spawn  tools.profile: profile "minimal" does not include it
        - sessions_yield  tools.profile: profile "minimal" does not include it
        - skill_workshop  tools.profile: profile "minimal" does not include it
        - subagents  tools.profile: profile "minimal" does not include it
        - update_goal  tools.profile: profile "minimal" does not include it
        - write  tools.profile: profile "minimal" does not include it
      "
    `)
  })

  test('what moves behind Tool Search', async () => {
    expect(await diff(['--agent', 'guest', '--set', 'tools.toolSearch=true'])).toMatchInlineSnapshot(`
      "Agent guest, session agent:guest:main
        + tool_search_code
        ~ image  direct → deferred
        ~ read  direct → deferred
      "
    `)
  })

  test('with context and inventory from stdin', async () => {
    expect(
      await diff(
        ['--context', '-', '--set', 'tools.deny=["read"]'],
        `{ agentId: 'guest', toolsAllow: ['read'] }`,
      ),
    ).toMatchInlineSnapshot(`
      "Agent guest, session agent:guest:main
        - read  tools.deny: "read" in tools.deny denies it
      "
    `)
  })

  test('of a replayed snapshot', async () => {
    const home = await smallHome(files)
    const { stdout: snapshot } = await runCli(['tools', 'snapshot', '--agent', 'guest'], { home })
    const { stdout } = await runCli(
      ['tools', 'diff', '--replay', '-', '--set', 'agents.list[id=guest].tools.allow=["exec"]'],
      { stdin: snapshot },
    )
    expect(stdout).toMatchInlineSnapshot(`
      "Agent guest, session agent:guest:main
        + exec
        - image  agent.tools.allow: agents.list[1].tools.allow does not include it
        - read  agent.tools.allow: agents.list[1].tools.allow does not include it
      "
    `)
  })
})

describe('another edition', () => {
  test('says what a tool is called there', async () => {
    const text = await diff(['--from', 'old.json5', '--to-edition', '2026.9'])
    expect(text.split('\n').filter((line) => !line.startsWith('  +'))).toMatchInlineSnapshot(`
      [
        "Agent main, session agent:main:main",
        "  - cron  capability: edition 2026.9 has no such tool here; it is called automations",
        "  - image  capability: edition 2026.9 has no such tool here; it is called view_image",
        "  ~ create_goal  direct → deferred",
        "  ~ get_goal  direct → deferred",
        "  ~ session_status  direct → deferred",
        "  ~ sessions_history  direct → deferred",
        "  ~ sessions_list  direct → deferred",
        "  ~ sessions_send  direct → deferred",
        "  ~ sessions_spawn  direct → deferred",
        "  ~ skill_workshop  direct → deferred",
        "  ~ subagents  direct → deferred",
        "  ~ update_goal  direct → deferred",
        "  ~ web_fetch  direct → deferred",
        "  ~ web_search  direct → deferred",
        "",
      ]
    `)
  })
})

describe('mistakes', () => {
  test.each<[string, string]>([
    ['', 'USAGE'],
    ['--from nope.json5 --to old.json5', 'CONFIG_NOT_FOUND'],
    ['--from old.json5 --to nope.json5', 'CONFIG_NOT_FOUND'],
    ['--from - --to -', 'USAGE'],
    ['--from - --to old.json5 --context -', 'USAGE'],
    ['--replay old.json5 --to new.json5', 'USAGE'],
    ['--all-agents --agent main --to old.json5', 'USAGE'],
    ['--set tools.profile=codign', 'CONFIG_INVALID'],
    ['--unset tools.allow', 'PATH_UNSET'],
    ['--to-edition 2027.1', 'USAGE'],
  ])('%s: %s', async (line, code) => {
    const home = await smallHome(files)
    const args = ['tools', 'diff', ...line.split(' ').filter((word) => word !== '')]
    const { stdout, stderr } = await runCli(args, { home, stdin: '{}' })
    expect(stdout).toBe('')
    expect(stderr.replaceAll(home, '~')).toMatchSnapshot()
    expect((await runJson(args, { home, stdin: '{}' })).json).toMatchObject({ error: { code } })
  })
})
