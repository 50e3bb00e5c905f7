import { existsSync } from 'node:fs'
import { readFile, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Config } from '../../src/config/types.ts'
import { lastUserText, sinceUser } from '../../src/qa/mock-openai/conversation.ts'
import { defaultScript, type Script } from '../../src/qa/mock-openai/script.ts'
import { agentHome, runAgentCli, startCli } from '../helpers/agent-home.ts'
import { hasTerminal, runAnswered } from '../helpers/run-tty.ts'

const allow = ['lab', 'group:sessions', 'agents_list', 'cron']
const model = { primary: 'mock/mock-model' }

function sessionHome(config: Config = {}, script: Script = inTurn) {
  return agentHome(
    { tools: { allow, ...config.tools }, ...(config.agents && { agents: config.agents }) },
    { script },
  )
}

/** The mock model, but with one call a turn where the prompt says so. */
const inTurn: Script = (conversation) => {
  const [head = '', ...lines] = lastUserText(conversation).split('\n')
  if (head !== 'one after the other:') return defaultScript(conversation)
  const done = sinceUser(conversation)
  const [, name = '', args = '{}'] = /^call (\S+) (.*)$/.exec(lines[done.length] ?? '') ?? []
  if (name === '') return { text: done.map(({ output }) => output).join('\n'), calls: [] }
  return { text: '', calls: [{ name, args: JSON.parse(args) }] }
}

/** A call as the mock model reads it out of a prompt. */
function call(name: string, args: object = {}): string {
  return `call ${name} ${JSON.stringify(args)}`
}

function say(home: string, lines: readonly string[], flags: readonly string[] = []) {
  return runAgentCli(home, ['--message', lines.join('\n'), ...flags])
}

const newer = ['--edition', '2026.9', '--set', 'tools.toolSearch=false']

type Entry = Record<string, unknown>

/** Stored sub-agents of an agent, by their keys. */
async function children(home: string, agentId = 'main'): Promise<readonly (Entry & { key: string })[]> {
  const file = join(home, '.openclaw/agents', agentId, 'sessions/sessions.json')
  const store: Record<string, Entry> = JSON.parse(await readFile(file, 'utf8'))
  return Object.entries(store).flatMap(([key, entry]) =>
    key.includes(':subagent:') ? [{ ...entry, key }] : [],
  )
}

/** What the transcript of a session says, as one text. */
async function said(home: string, { sessionId }: Entry, agentId = 'main'): Promise<string> {
  return readFile(join(home, '.openclaw/agents', agentId, 'sessions', `${String(sessionId)}.jsonl`), 'utf8')
}

describe('sub-agents of a run', () => {
  test('work in a session of their own, and a turn that yields goes on with what they found', async () => {
    const { home, server } = await sessionHome()
    const task = call('lab_add', { a: 40, b: 2 })
    const { code, stdout } = await say(home, [
      call('sessions_spawn', { task, label: 'adder' }),
      call('sessions_yield'),
    ])
    expect(code).toBe(0)
    expect(stdout).toMatch(
      /Sub-agent "adder" \(agent:main:subagent:[\w-]+\) is done after \d+ s\. It says:\n> lab_add: 42/,
    )
    const [child = { key: '' }, ...others] = await children(home)
    expect(others).toEqual([])
    expect(child).toMatchObject({
      spawnedBy: 'agent:main:main',
      spawnDepth: 1,
      subagentRole: 'leaf',
      status: 'done',
      label: 'adder',
    })
    expect(await said(home, child)).toContain('lab_add')
    // Two requests each: the yielded turn asks nothing before the result is there.
    expect(server.requests).toHaveLength(4)
  })

  test('are waited for at the end of a run that says nothing of them', async () => {
    const { home } = await sessionHome()
    const { code, stdout } = await say(home, [
      call('sessions_spawn', { task: call('lab_add', { a: 1, b: 1 }), label: 'one' }),
      call('sessions_spawn', { task: call('lab_fail'), label: 'two', cleanup: 'delete' }),
    ])
    expect({ code, one: /"one".*is done/.test(stdout), two: /"two".*is done/.test(stdout) }).toEqual({
      code: 0,
      one: true,
      two: true,
    })
    expect(stdout).toContain('> lab_fail: the disk is full')
    const left = await children(home)
    expect(left.map(({ label }) => label)).toEqual(['one'])
    const files = await readdir(join(home, '.openclaw/agents/main/sessions'))
    expect(files.filter((name) => name.endsWith('.jsonl'))).toHaveLength(2)
  })

  test('may begin their own only as deep as they may go', async () => {
    const inner = call('sessions_spawn', { task: call('lab_add', { a: 1, b: 2 }), label: 'inner' })
    const outer = call('sessions_spawn', { task: inner, label: 'outer' })
    const shallow = await sessionHome()
    expect((await say(shallow.home, [outer])).stdout).toContain('> There is no tool sessions_spawn.')

    const deep = await sessionHome({ agents: { defaults: { model, subagents: { maxSpawnDepth: 2 } } } })
    const { stdout } = await say(deep.home, [outer])
    expect(stdout).toContain('> > lab_add: 3')
    expect(
      (await children(deep.home))
        .map(({ label, spawnDepth, subagentRole }) => ({ label, spawnDepth, subagentRole }))
        .toSorted((a, b) => Number(a.spawnDepth) - Number(b.spawnDepth)),
    ).toEqual([
      { label: 'outer', spawnDepth: 1, subagentRole: 'orchestrator' },
      { label: 'inner', spawnDepth: 2, subagentRole: 'leaf' },
    ])
  })

  test.each(['2026.7', '2026.9'])('have no more rights than their parent in edition %s', async (edition) => {
    const config: Config = {
      tools: { allow, toolsBySender: { 'id:guest': { deny: ['lab_add'] } } },
      agents: {
        defaults: { model, subagents: { allowAgents: ['work'] } },
        list: [{ id: 'main' }, { id: 'work' }],
      },
    }
    const { home } = await sessionHome(config)
    const flags = ['--edition', edition, '--set', 'tools.toolSearch=false']
    const guest = [...flags, '--channel', 'telegram', '--sender', 'id:guest', '--no-owner']
    const task = [call('lab_add', { a: 1, b: 2 })].join('\n')
    const first = await say(home, [call('sessions_spawn', { task, agentId: 'work' })], guest)
    expect(first.stdout).toContain('> There is no tool lab_add.')
    const [child = { key: '' }] = await children(home, 'work')
    expect(child).toMatchObject({ spawnedBy: 'agent:main:main' })
    expect(Object.entries(child)).toContainEqual(['inheritedToolDeny', expect.arrayContaining(['lab_add'])])
    const owner = await say(home, [call('sessions_spawn', { task, agentId: 'work' })], flags)
    expect(owner.stdout).toContain('> lab_add: 3')
  })

  test('may be only agents that are named', async () => {
    const agents: Config['agents'] = { defaults: { model }, list: [{ id: 'main' }, { id: 'work' }] }
    const { home } = await sessionHome({ agents })
    const asked = await say(home, [
      call('agents_list'),
      call('sessions_spawn', { task: 'x', agentId: 'work' }),
    ])
    expect(asked.stdout).toContain('agent "work" may not be spawned from here')
    expect(asked.stdout).not.toContain('"id": "work"')
    expect(existsSync(join(home, '.openclaw/agents/work'))).toBe(false)
  })

  test('end with the run that began them', async () => {
    const { home, server } = await sessionHome()
    const held = join(home, 'held')
    const task = call('lab_hold', { file: held })
    const lines = [call('sessions_spawn', { task, label: 'holder' }), call('sessions_yield')]
    const run = startCli(['agent', '--message', lines.join('\n')], home)
    await server.received(2)
    await expect.poll(() => existsSync(held), { timeout: 10_000 }).toBe(true)
    run.child.kill('SIGINT')
    const { code } = await run.ended
    expect(code).toBe(130)
    const [child = { key: '' }] = await children(home)
    expect(await said(home, child)).toContain('"isError":true')
    const listed = await startCli(['tools', 'call', 'subagents', '--json'], home).ended
    expect(JSON.parse(listed.stdout).result.details).toEqual({
      subagents: [{ number: 1, label: 'holder', sessionKey: child.key, status: 'unfinished' }],
    })
  })

  test('are stopped when their time is over, and can be ended', async () => {
    const { home } = await sessionHome()
    const task = call('lab_hold', { file: join(home, 'held') })
    const late = await say(home, [call('sessions_spawn', { task, label: 'slow', runTimeoutSeconds: 1 })])
    expect({ code: late.code, stdout: late.stdout }).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/"slow".*was stopped after 1 s/),
    })
    const killed = await say(home, [
      'one after the other:',
      call('sessions_spawn', { task, label: 'unwanted' }),
      call('subagents', { action: 'steer', target: 'unwanted', message: 'hurry' }),
      call('subagents', { action: 'info', target: '1' }),
      call('subagents', { action: 'kill', target: 'all' }),
    ])
    expect(killed.stdout).toContain('"status": "running"')
    expect(killed.stdout).toContain('"killed": 1')
    expect((await children(home)).map(({ status }) => status)).toEqual(['timeout', 'killed'])
  })
})

describe('messages between sessions', () => {
  const agents: Config['agents'] = { defaults: { model }, list: [{ id: 'main' }, { id: 'work' }] }

  test('are answered under the policy of the other one', async () => {
    const list = [{ id: 'main', tools: { deny: ['lab'] } }, { id: 'work' }]
    const { home } = await sessionHome({ agents: { ...agents, list } })
    const message = call('lab_add', { a: 20, b: 3 })
    const { code, stdout } = await say(home, [call('sessions_send', { agentId: 'work', message })], newer)
    expect(code).toBe(0)
    expect(stdout).toContain('"reply": "lab_add: 23"')
    const file = join(home, '.openclaw/agents/work/sessions/sessions.json')
    const store: Record<string, Entry> = JSON.parse(await readFile(file, 'utf8'))
    expect(await said(home, store['agent:work:main'] ?? {}, 'work')).toContain(
      'Message from session agent:main:main:',
    )
  })

  test('go nowhere that may not be seen, and nothing tells it from what is not there', async () => {
    const { home } = await sessionHome({ agents })
    const send = (sessionKey: string) => [call('sessions_send', { sessionKey, message: 'say hi' })]
    const hidden = await say(home, send('agent:work:main'))
    const unknown = await say(home, send('agent:ghost:main'))
    expect(hidden.stdout.replace('work', 'ghost')).toBe(unknown.stdout)
    expect(hidden.stdout).toContain('no session "agent:work:main" that this one may see')

    const open = await sessionHome({
      agents,
      tools: { allow, sessions: { visibility: 'all' }, agentToAgent: { enabled: true } },
    })
    expect((await say(open.home, send('agent:work:main'))).stdout).toContain('"reply": "hi"')
  })

  test('carry no rights that the sender has not', async () => {
    const { home } = await sessionHome({ agents })
    const send = [
      call('sessions_send', { agentId: 'work', message: call('automations', { action: 'list' }) }),
    ]
    const flags = [...newer, '--set', 'tools.allow=["*"]']
    expect((await say(home, send, flags)).stdout).not.toContain('There is no tool')
    expect((await say(home, send, [...flags, '--no-owner'])).stdout).toContain(
      'There is no tool automations.',
    )
  })

  test('never wait in a circle', async () => {
    const { home } = await sessionHome({ agents })
    const back = call('sessions_send', { agentId: 'main', message: 'say again' })
    const itself = call('sessions_send', { sessionKey: 'main', message: 'say me' })
    const { code, stdout } = await say(
      home,
      [call('sessions_send', { agentId: 'work', message: back }), itself],
      newer,
    )
    expect(code).toBe(0)
    expect(stdout).toContain('agent:main:main waits for you, so it cannot answer before you end')
    expect(stdout).toContain('a session cannot send to itself')
  })

  test('end where agents would answer each other for ever', async () => {
    const toOther: Script = (conversation) => {
      if (sinceUser(conversation).length > 0) return { text: 'sent', calls: [] }
      const agentId = lastUserText(conversation).startsWith('Message from session agent:main:')
        ? 'main'
        : 'work'
      return {
        text: '',
        calls: [{ name: 'sessions_send', args: { agentId, message: 'and you?', timeoutSeconds: 0 } }],
      }
    }
    const { home, server } = await sessionHome({ agents }, toOther)
    expect((await say(home, ['hello'], [...newer, '--timeout', '60'])).code).toBe(0)
    // The first turn and ten that messages led to, of two requests each.
    expect(server.requests.length).toBe(22)
  })

  test('can be sent by a person, and without waiting', async () => {
    const { home } = await sessionHome({ agents })
    const args = (timeoutSeconds: number) =>
      JSON.stringify({ agentId: 'work', message: 'say hi there', timeoutSeconds })
    const run = (seconds: number) =>
      startCli(['tools', 'call', 'sessions_send', '--args', args(seconds), '--json', ...newer], home).ended
    const waited = JSON.parse((await run(30)).stdout)
    expect(waited.result.details).toMatchObject({ status: 'ok', reply: 'hi there' })
    const sent = JSON.parse((await run(0)).stdout)
    expect(sent.result.details).toEqual({ status: 'accepted', sessionKey: 'agent:work:main' })
    const file = join(home, '.openclaw/agents/work/sessions/sessions.json')
    const store: Record<string, Entry> = JSON.parse(await readFile(file, 'utf8'))
    const transcript = await said(home, store['agent:work:main'] ?? {}, 'work')
    // The program ends when the turn has, though nobody waits for its answer.
    expect(transcript.match(/"text":"hi there"/g)).toHaveLength(2)
  })
})

test.skipIf(!hasTerminal)(
  'a person at the terminal is asked, and the number of a choice stands for it',
  async () => {
    const { home } = await sessionHome()
    const args = { question: 'Which\u001b[2J colour?', choices: ['red', 'green'] }
    const { code, screen } = await runAnswered(
      ['tools', 'call', 'ask_user', '--args', JSON.stringify(args), ...newer, '--set', 'tools.allow=["*"]'],
      { home },
      'Answer: ',
      '2\n',
    )
    expect(code).toBe(0)
    expect(screen).toContain('agent:main:main asks: Which colour?\n  1) red\n  2) green\n')
    expect(screen).toContain('"answer": "green"')
  },
)
