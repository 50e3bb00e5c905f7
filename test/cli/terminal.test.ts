import { spawnSync } from 'node:child_process'
import { describe, expect, test } from 'vitest'
import { textWidth } from '../../src/ui/render/table.ts'
import { projectRoot } from '../helpers/project.ts'
import { isolatedEnv, runCli } from '../helpers/run-cli.ts'
import { hasTerminal, runTty } from '../helpers/run-tty.ts'
import { smallHome } from '../helpers/small-home.ts'

// oxlint-disable-next-line no-control-regex
const color = /\u001b\[\d+m/g
const plain = (text: string): string => text.replaceAll(color, '')

describe.skipIf(!hasTerminal)('on a terminal', () => {
  test('tools effective: a headline, column titles and colour', async () => {
    const home = await smallHome()
    const args = ['tools', 'effective', '--agent', 'guest', '--inventory', 'inventory.json5', '--why']
    const { code, screen } = await runTty(args, { home, columns: 100 })
    expect(code).toBe(0)
    expect(screen).toMatch(color)
    expect(plain(screen)).toMatchInlineSnapshot(`
      "warning [mcp-unreachable] MCP server "wiki" could not be reached; its tool is unavailable
      note [configured-but-hidden] tools.exec is set, but exec, process are hidden from agent guest by agents.list[1].tools.allow; a section never makes a tool visible
          at .openclaw/openclaw.json:7:11
      note [configured-but-hidden] agents.list[1].tools.exec is set, but exec, process are hidden from agent guest by agents.list[1].tools.allow; a section never makes a tool visible
          at .openclaw/openclaw.json:12:63
      Agent guest, session agent:guest:main
      profile coding · Tool Search off · edition 2026.7

      Built-in tools (2)
        NAME   EXPOSURE  DESCRIPTION
        read   direct    Read a file's contents
        image  direct    Understand an image

      Client tools (1)
        NAME       EXPOSURE  DESCRIPTION
        pick_file  direct    Ask for a file

      Hidden (36)
        NAME                  STEP               REASON
        write                 agent.tools.allow  agents.list[1].tools.allow does not include it (.openclaw/openclaw.json:12:38)
        edit                  agent.tools.allow  agents.list[1].tools.allow does not include it (.openclaw/openclaw.json:12:38)
        apply_patch           agent.tools.allow  agents.list[1].tools.allow does not include it (.openclaw/openclaw.json:12:38)
        exec                  agent.tools.allow  agents.list[1].tools.allow does not include it (.openclaw/openclaw.json:12:38)
        process               agent.tools.allow  agents.list[1].tools.allow does not include it (.openclaw/openclaw.json:12:38)
        web_search            tools.deny         "group:web" in tools.deny denies it (.openclaw/openclaw.json:6:12)
        web_fetch             tools.deny         "group:web" in tools.deny denies it (.openclaw/openclaw.json:6:12)
        sessions_list         agent.tools.allow  agents.list[1].tools.allow does not include it (.openclaw/openclaw.json:12:38)
        sessions_history      agent.tools.allow  agents.list[1].tools.allow does not include it (.openclaw/openclaw.json:12:38)
        sessions_send         agent.tools.allow  agents.list[1].tools.allow does not include it (.openclaw/openclaw.json:12:38)
        sessions_spawn        agent.tools.allow  agents.list[1].tools.allow does not include it (.openclaw/openclaw.json:12:38)
        sessions_yield        agent.tools.allow  agents.list[1].tools.allow does not include it (.openclaw/openclaw.json:12:38)
        subagents             agent.tools.allow  agents.list[1].tools.allow does not include it (.openclaw/openclaw.json:12:38)
        session_status        agent.tools.allow  agents.list[1].tools.allow does not include it (.openclaw/openclaw.json:12:38)
        message               tools.profile      profile "coding" does not include it (.openclaw/openclaw.json:4:14)
        heartbeat_respond     capability         it exists only in heartbeat runs
        cron                  agent.tools.allow  agents.list[1].tools.allow does not include it (.openclaw/openclaw.json:12:38)
        gateway               tools.profile      profile "coding" does not include it (.openclaw/openclaw.json:4:14)
        nodes                 tools.profile      profile "coding" does not include it (.openclaw/openclaw.json:4:14)
        agents_list           tools.profile      profile "coding" does not include it (.openclaw/openclaw.json:4:14)
        get_goal              agent.tools.allow  agents.list[1].tools.allow does not include it (.openclaw/openclaw.json:12:38)
        create_goal           agent.tools.allow  agents.list[1].tools.allow does not include it (.openclaw/openclaw.json:12:38)
        update_goal           agent.tools.allow  agents.list[1].tools.allow does not include it (.openclaw/openclaw.json:12:38)
        update_plan           capability         it is offered to GPT-5 models of openai, with tools.experimental.planTool, or when a list names it
        skill_workshop        agent.tools.allow  agents.list[1].tools.allow does not include it (.openclaw/openclaw.json:12:38)
        image_generate        capability         no image generation provider is configured
        music_generate        capability         no music generation provider is configured
        video_generate        capability         no video generation provider is configured
        tts                   capability         no speech provider is configured
        pdf                   capability         no model for PDF files is configured
        extra_run             tools.profile      profile "coding" does not include it (.openclaw/openclaw.json:4:14)
        note_add              agent.tools.allow  agents.list[1].tools.allow does not include it (.openclaw/openclaw.json:12:38)
        note_wipe             tools.deny         "note_wipe" in tools.deny denies it (.openclaw/openclaw.json:6:25)
        discord_react         tools.profile      profile "coding" does not include it (.openclaw/openclaw.json:4:14)
        github__create_issue  agent.tools.allow  agents.list[1].tools.allow does not include it (.openclaw/openclaw.json:12:38)
        wiki__find            agent.tools.allow  agents.list[1].tools.allow does not include it (.openclaw/openclaw.json:12:38)
      "
    `)
  })

  test('tools explain', async () => {
    const home = await smallHome()
    const { screen } = await runTty(['tools', 'explain', 'exec', '--agent', 'guest'], { home })
    expect(screen.replaceAll('\u001b', '␛')).toMatchInlineSnapshot(`
      "␛[36mexec␛[39m is ␛[31mhidden␛[39m in agent:guest:main
        ␛[1magent.tools.allow␛[22m: agents.list[1].tools.allow does not include it
          at ␛[35m.openclaw/openclaw.json:12:38␛[39m  ␛[2magents.list[1].tools.allow␛[22m

      ␛[33mnote:␛[39m agents.list[1].tools.exec only sets how the tool works; a section never makes a tool visible

      ␛[32mfix:␛[39m openclaw config set 'agents.list[1].tools.allow' --append exec
      "
    `)
  })

  test('tables keep to the width, descriptions are cut', async () => {
    const home = await smallHome()
    for (const columns of [40, 60, 132]) {
      const { screen } = await runTty(['tools', 'effective', '--no-color'], { home, columns })
      const rows = screen.split('\n').filter((line) => / {2}(?:direct|EXPOSURE) /.test(line))
      expect(rows.length).toBeGreaterThan(10)
      expect(Math.max(...rows.map(textWidth))).toBeLessThanOrEqual(Math.max(columns, 50))
    }
  })

  test.each<[string[], Record<string, string>, boolean]>([
    [[], {}, true],
    [['--no-color'], {}, false],
    [[], { NO_COLOR: '1' }, false],
    [[], { NO_COLOR: '' }, true],
    [[], { TERM: 'dumb' }, false],
    [[], { FORCE_COLOR: '0' }, false],
    [['--json'], {}, false],
  ])('colour with %j and %j: %j', async (args, env, expected) => {
    const home = await smallHome()
    const { screen } = await runTty(['tools', 'effective', ...args], { home, env })
    expect(color.test(screen)).toBe(expected)
    color.lastIndex = 0
  })

  test('--json and names are the same as in a pipe', async () => {
    const home = await smallHome()
    for (const args of [
      ['--json'],
      ['--output', 'names', '--set', 'tools.alsoAllow=[]', '--set', 'tools.deny=["group:web"]'],
    ]) {
      const { screen } = await runTty(['tools', 'effective', ...args], { home })
      expect(screen).toBe((await runCli(['tools', 'effective', ...args], { home })).stdout)
    }
  })

  test('a failure in colour', async () => {
    const home = await smallHome()
    const { code, screen } = await runTty(['tools', 'effective', '--agent', 'gest'], { home })
    expect({ code, screen: screen.replaceAll('\u001b', '␛') }).toMatchInlineSnapshot(`
      {
        "code": 1,
        "screen": "␛[31merror:␛[39m there is no agent "gest"
      ␛[32mtry:␛[39m guest
      ␛[32mtry:␛[39m configured agents: main, guest
      ",
      }
    `)
  })

  test('a value that would write on the terminal is shown, not obeyed', async () => {
    const home = await smallHome({
      'evil.json': JSON.stringify({ channels: { a: { name: '\u001b]0;owned\u0007\u202e' } } }),
    })
    const args = ['config', 'get', 'channels.a.name', '--config', 'evil.json']
    expect((await runTty(args, { home })).screen).toBe('\\u{1b}]0;owned\\u{7}\\u{202e}\n')
    expect((await runCli(args, { home })).stdout).toBe('\u001b]0;owned\u0007\u202e\n')
  })

  test('no row of tools effective breaks at 40 columns', async () => {
    const home = await smallHome()
    const { screen } = await runTty(['tools', 'effective'], { home, columns: 40 })
    const rows = plain(screen)
      .split('\n')
      .filter((line) => line.startsWith('  '))
    expect(rows.length).toBeGreaterThan(10)
    expect(rows.filter((row) => textWidth(row) > 40)).toEqual([])
  })

  test('config edit starts no vi that nobody would see', async () => {
    const home = await smallHome()
    const command = `'${process.execPath}' '${projectRoot}bin/run.js' config edit 2>&1 | cat`
    const { stdout } = spawnSync('script', ['--quiet', '--command', command, '/dev/null'], {
      cwd: home,
      env: { ...isolatedEnv(home), VISUAL: '', EDITOR: '' },
      encoding: 'utf8',
      timeout: 20_000,
    })
    expect(stdout).toContain('error: no terminal to edit in; nothing was written')
  })
})

test('colour can be forced into a pipe', async () => {
  const home = await smallHome()
  expect((await runCli(['tools', 'effective'], { home, env: { FORCE_COLOR: '1' } })).stdout).toMatch(color)
  expect((await runCli(['tools', 'effective'], { home, env: { FORCE_COLOR: '1' } })).stderr).toMatch(color)
})
