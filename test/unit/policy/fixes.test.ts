import { expect, test } from 'vitest'
import type { Config } from '../../../src/config/types.ts'
import { explainTool } from '../../../src/policy/explain.ts'
import type { Fix } from '../../../src/policy/fixes.ts'
import { locate, open, type Session } from './open.ts'

function fixesOf(name: string, session: Session, isValid?: (config: Config) => boolean): readonly Fix[] {
  const { view, reopen } = open(session)
  return explainTool(view, name, { reopen, locate, ...(isValid && { isValid }) }).fixes
}

function told(name: string, session: Session): string {
  const fixes = fixesOf(name, session).map(({ commands, alsoReveals, alsoHides }) =>
    [
      ...commands.map((command) => `  ${command.replace('openclaw config ', '')}`),
      ...(alsoReveals.length > 0 ? [`    reveals ${alsoReveals.join(', ')}`] : []),
      ...(alsoHides.length > 0 ? [`    hides ${alsoHides.join(', ')}`] : []),
    ].join('\n'),
  )
  return fixes.length > 0 ? fixes.join('\n  or\n') : '  nothing'
}

const tell = (cases: readonly (readonly [title: string, name: string, session: Session])[]): string =>
  cases.map(([title, name, session]) => `${title}: ${name}\n${told(name, session)}`).join('\n')

const tools = (value: unknown, context?: unknown): Session => ({
  config: { tools: value },
  ...(context === undefined ? {} : { context }),
})
const agent = (value: unknown, global?: unknown): Session => ({
  config: { tools: global, agents: { entries: { main: { tools: value } } } },
})
const notes = {
  plugins: { notes: { tools: ['note_add', 'note_list', { name: 'note_wipe', optional: true }] } },
}
const servers = {
  mcp: { ex: { tools: ['a'] }, brain: { tools: ['get_page', 'put_page'] } },
}

test('deny lists lose what matches the tool and keep the rest', () => {
  const cases: [string, string, Session][] = [
    ['one entry', 'exec', tools({ deny: ['read', 'exec', 'tts'] })],
    ['every matching entry, from the back', 'exec', tools({ deny: ['exec', 'read', 'bash', 'EXEC'] })],
    ['a group', 'exec', tools({ deny: ['group:runtime'] })],
    ['a group of one', 'message', tools({ deny: ['group:messaging'] })],
    [
      'a group whose rest is listed, too',
      'exec',
      tools({ deny: ['group:runtime', 'process', 'code_execution'] }),
    ],
    [
      'a group whose rest is hidden anyway',
      'exec',
      tools({ deny: ['group:runtime'], allow: ['exec', 'read'] }),
    ],
    ['a pattern', 'web_fetch', tools({ deny: ['web_*', 'read'] })],
    ['everything', 'exec', tools({ deny: ['*', 'tts'] })],
    ['everything beside alsoAllow', 'exec', tools({ deny: ['*'], alsoAllow: ['read'] })],
    ['all MCP tools', 'brain__get_page', { ...tools({ deny: ['*__*'] }), inventory: servers }],
    ['bundle-mcp', 'brain__get_page', { ...tools({ deny: ['bundle-mcp'] }), inventory: servers }],
    [
      'all plugins',
      'note_add',
      { ...tools({ deny: ['group:plugins'] }), inventory: { ...servers, ...notes } },
    ],
    ['a plugin id', 'note_add', { ...tools({ deny: ['notes'] }), inventory: notes }],
    [
      'a renamed entry',
      'show_widget',
      { ...tools({ deny: ['canvas'] }, { clientCaps: ['canvas', 'inline-widgets'] }), edition: '2026.9' },
    ],
    ['an agent', 'exec', agent({ deny: ['exec'] })],
    ['agent and global', 'exec', agent({ deny: ['exec'] }, { deny: ['exec'] })],
    [
      'a provider',
      'exec',
      tools({ byProvider: { 'openai/gpt-5': { deny: ['exec'] } } }, { provider: 'openai', model: 'gpt-5' }),
    ],
    ['a sender', 'exec', tools({ toolsBySender: { '*': { deny: ['exec'] } } })],
    [
      'a group chat',
      'exec',
      {
        config: { channels: { telegram: { groups: { '-1': { tools: { deny: ['exec'] } } } } } },
        context: { sessionKey: 'agent:main:telegram:group:-1' },
      },
    ],
  ]
  expect(tell(cases)).toMatchInlineSnapshot(`
    "one entry: exec
      unset 'tools.deny[1]'
    every matching entry, from the back: exec
      unset 'tools.deny[3]'
      unset 'tools.deny[2]'
      unset 'tools.deny[0]'
    a group: exec
      set 'tools.deny[0]' process
      set tools.deny --append code_execution
    a group of one: message
      unset 'tools.deny[0]'
    a group whose rest is listed, too: exec
      unset 'tools.deny[0]'
    a group whose rest is hidden anyway: exec
      unset 'tools.deny[0]'
      or
      set 'tools.deny[0]' process
      set tools.deny --append code_execution
    a pattern: web_fetch
      set 'tools.deny[0]' web_search
    everything: exec
      set tools.allow '["exec"]'
      unset 'tools.deny[0]'
    everything beside alsoAllow: exec
      unset tools.alsoAllow
      set tools.allow '["exec"]'
      unset 'tools.deny[0]'
    all MCP tools: brain__get_page
      set 'tools.deny[0]' brain__put_page
      set tools.deny --append 'ex__*'
    bundle-mcp: brain__get_page
      set 'tools.deny[0]' brain__put_page
      set tools.deny --append 'ex__*'
    all plugins: note_add
      set 'tools.deny[0]' note_list
      set tools.deny --append note_wipe
      set tools.deny --append bundle-mcp
    a plugin id: note_add
      set 'tools.deny[0]' note_list
      set tools.deny --append note_wipe
    a renamed entry: show_widget
      unset 'tools.deny[0]'
    an agent: exec
      unset 'agents.entries.main.tools.deny[0]'
    agent and global: exec
      unset 'tools.deny[0]'
      unset 'agents.entries.main.tools.deny[0]'
    a provider: exec
      unset 'tools.byProvider["openai/gpt-5"].deny[0]'
    a sender: exec
      unset 'tools.toolsBySender.*.deny[0]'
    a group chat: exec
      unset 'channels.telegram.groups["-1"].tools.deny[0]'"
  `)
})

test('allow lists and profiles gain the one tool', () => {
  const cases: [string, string, Session][] = [
    ['allow', 'exec', tools({ allow: ['read'] })],
    ['allow and deny in one scope', 'exec', tools({ allow: ['read'], deny: ['group:runtime'] })],
    ['profile', 'message', tools({ profile: 'coding' })],
    ['profile with alsoAllow', 'message', tools({ profile: 'coding', alsoAllow: ['tts'] })],
    [
      'the agent alsoAllow in force',
      'message',
      agent({ alsoAllow: ['tts'] }, { profile: 'coding', alsoAllow: ['x_search'] }),
    ],
    [
      'an agent without alsoAllow keeps the global one',
      'message',
      agent({}, { profile: 'coding', alsoAllow: ['tts'] }),
    ],
    ['an agent profile', 'exec', agent({ profile: 'messaging' })],
    [
      'profile beside allow: another profile is the last resort',
      'message',
      tools({ profile: 'coding', allow: ['read', 'message'] }),
    ],
    [
      'profile beside allow, where another profile reveals more',
      'exec',
      tools({ profile: 'messaging', allow: ['*'] }),
    ],
    [
      'provider profile',
      'exec',
      tools({ byProvider: { openai: { profile: 'minimal' } } }, { provider: 'openai' }),
    ],
    [
      'both profiles',
      'exec',
      tools({ profile: 'minimal', byProvider: { openai: { profile: 'minimal' } } }, { provider: 'openai' }),
    ],
    ['sandbox defaults', 'web_fetch', tools({}, { sandboxed: true })],
    ['sandbox allow', 'web_fetch', tools({ sandbox: { tools: { allow: ['read'] } } }, { sandboxed: true })],
    ['sandbox built-in deny', 'cron', tools({}, { sandboxed: true })],
    ['sandbox deny', 'exec', tools({ sandbox: { tools: { deny: ['exec'] } } }, { sandboxed: true })],
    ['sandbox and profile', 'message', tools({ profile: 'coding' }, { sandboxed: true })],
    ['subagent default', 'cron', tools({}, { sessionKey: 'agent:main:subagent:1' })],
    [
      'subagent default of the newer edition',
      'message',
      { edition: '2026.9', context: { sessionKey: 'agent:main:subagent:1' } },
    ],
    [
      'subagent allow',
      'exec',
      tools({ subagents: { tools: { allow: ['read'] } } }, { sessionKey: 'agent:main:subagent:1' }),
    ],
    [
      'lean mode',
      'tts',
      {
        config: { agents: { defaults: { experimental: { localModelLean: true } } } },
        inventory: { providers: { tts: true } },
      },
    ],
  ]
  expect(tell(cases)).toMatchInlineSnapshot(`
    "allow: exec
      set tools.allow --append exec
    allow and deny in one scope: exec
      unset 'tools.deny[0]'
      set tools.allow --append exec
      or
      set 'tools.deny[0]' process
      set tools.deny --append code_execution
      set tools.allow --append exec
    profile: message
      set tools.alsoAllow --append message
    profile with alsoAllow: message
      set tools.alsoAllow --append message
    the agent alsoAllow in force: message
      set agents.entries.main.tools.alsoAllow --append message
    an agent without alsoAllow keeps the global one: message
      set tools.alsoAllow --append message
    an agent profile: exec
      set agents.entries.main.tools.alsoAllow --append exec
      or
      set tools.alsoAllow --append exec
    profile beside allow: another profile is the last resort: message
      set tools.profile full
      or
      unset tools.profile
    profile beside allow, where another profile reveals more: exec
      set tools.profile coding
        reveals apply_patch, create_goal, cron, edit, get_goal, image, process, read, sessions_spawn, sessions_yield, skill_workshop, subagents, update_goal, web_fetch, web_search, write
        hides message
    provider profile: exec
      set tools.byProvider.openai.alsoAllow --append exec
    both profiles: exec
      set tools.alsoAllow --append exec
      set tools.byProvider.openai.alsoAllow --append exec
    sandbox defaults: web_fetch
      set tools.sandbox.tools.alsoAllow --append web_fetch
    sandbox allow: web_fetch
      set tools.sandbox.tools.allow --append web_fetch
    sandbox built-in deny: cron
      set tools.sandbox.tools.alsoAllow --append cron
    sandbox deny: exec
      unset 'tools.sandbox.tools.deny[0]'
    sandbox and profile: message
      set tools.alsoAllow --append message
      set tools.sandbox.tools.alsoAllow --append message
    subagent default: cron
      set tools.subagents.tools.alsoAllow --append cron
    subagent default of the newer edition: message
      nothing
    subagent allow: exec
      set tools.subagents.tools.allow --append exec
    lean mode: tts
      set tools.alsoAllow --append tts"
  `)
})

test('plugins, servers and gates', () => {
  const entry = (value: unknown): Session => ({ config: { plugins: value }, inventory: notes })
  const filter = (toolFilter: unknown): Session => ({
    config: { mcp: { servers: { brain: { command: 'b', toolFilter } } } },
    inventory: servers,
  })
  const cases: [string, string, Session][] = [
    ['a disabled plugin', 'note_add', entry({ entries: { notes: { enabled: false } } })],
    ['plugins.allow', 'note_add', entry({ allow: ['telegram'] })],
    ['plugins.deny', 'note_add', entry({ deny: ['telegram', 'Notes'] })],
    ['plugins off', 'note_add', entry({ enabled: false })],
    ['an optional tool', 'note_wipe', { inventory: notes }],
    ['an optional tool under a profile', 'note_wipe', { ...tools({ profile: 'coding' }), inventory: notes }],
    ['a pattern that selects nothing', 'note_add', { ...tools({ allow: ['note_*'] }), inventory: notes }],
    ['an absent plugin', 'browser', {}],
    ['toolFilter.include', 'brain__get_page', filter({ include: ['put_page'] })],
    ['toolFilter.exclude', 'brain__get_page', filter({ exclude: ['get_page'] })],
    ['toolFilter.exclude by pattern', 'brain__get_page', filter({ exclude: ['*_page'] })],
    [
      'a disabled server',
      'brain__get_page',
      { config: { mcp: { servers: { brain: { command: 'b', enabled: false } } } }, inventory: servers },
    ],
    ['a failed server', 'brain__x', { inventory: { mcp: { brain: { status: 'failed', tools: ['x'] } } } }],
    ['web fetch', 'web_fetch', tools({ web: { fetch: { enabled: false } } })],
    [
      'a read-only workspace',
      'write',
      { config: { agents: { defaults: { sandbox: { mode: 'all', workspaceAccess: 'ro' } } } } },
    ],
    ['apply_patch switched off', 'apply_patch', tools({ exec: { applyPatch: { enabled: false } } })],
    [
      'models that may patch',
      'apply_patch',
      tools(
        { exec: { applyPatch: { allowModels: ['openai/gpt-4'] } } },
        { provider: 'openai', model: 'gpt-5' },
      ),
    ],
    [
      'models that may patch, model unknown',
      'apply_patch',
      tools({ exec: { applyPatch: { allowModels: ['openai/gpt-4'] } } }),
    ],
    ['speech switched off', 'tts', { config: { messages: { tts: { enabled: false } } } }],
    [
      'a search provider whose plugin is off',
      'web_search',
      {
        config: {
          tools: { web: { search: { provider: 'gemini' } } },
          plugins: { entries: { google: { enabled: false }, brave: { enabled: false } } },
        },
      },
    ],
    ['update_plan', 'update_plan', tools({ experimental: { planTool: false } })],
    [
      'a sender who is no owner',
      'cron',
      {
        config: { commands: { ownerAllowFrom: ['telegram:1'] } },
        context: { channel: 'telegram', sender: { id: '2' } },
      },
    ],
    ['a sender said to be no owner', 'cron', { context: { sender: { id: '2', isOwner: false } } }],
    ['a Tool Search control', 'tool_search', {}],
  ]
  expect(tell(cases)).toMatchInlineSnapshot(`
    "a disabled plugin: note_add
      set plugins.entries.notes.enabled true
        reveals note_list
    plugins.allow: note_add
      set plugins.allow --append notes
        reveals note_list
    plugins.deny: note_add
      unset 'plugins.deny[1]'
        reveals note_list
    plugins off: note_add
      set plugins.enabled true
        reveals note_list
    an optional tool: note_wipe
      set tools.alsoAllow --append note_wipe
    an optional tool under a profile: note_wipe
      set tools.alsoAllow --append note_wipe
    a pattern that selects nothing: note_add
      set tools.allow --append note_add
    an absent plugin: browser
      nothing
    toolFilter.include: brain__get_page
      set mcp.servers.brain.toolFilter.include --append get_page
    toolFilter.exclude: brain__get_page
      unset 'mcp.servers.brain.toolFilter.exclude[0]'
    toolFilter.exclude by pattern: brain__get_page
      set 'mcp.servers.brain.toolFilter.exclude[0]' put_page
    a disabled server: brain__get_page
      set mcp.servers.brain.enabled true
        reveals brain__put_page
    a failed server: brain__x
      nothing
    web fetch: web_fetch
      set tools.web.fetch.enabled true
    a read-only workspace: write
      set agents.defaults.sandbox.workspaceAccess rw
        reveals apply_patch, edit
    apply_patch switched off: apply_patch
      set tools.exec.applyPatch.enabled true
    models that may patch: apply_patch
      set tools.exec.applyPatch.allowModels --append openai/gpt-5
    models that may patch, model unknown: apply_patch
      nothing
    speech switched off: tts
      set messages.tts.enabled true
    a search provider whose plugin is off: web_search
      set plugins.entries.google.enabled true
    update_plan: update_plan
      set tools.experimental.planTool true
      or
      set tools.alsoAllow --append update_plan
    a sender who is no owner: cron
      set commands.ownerAllowFrom --append telegram:2
        reveals gateway, nodes
    a sender said to be no owner: cron
      nothing
    a Tool Search control: tool_search
      set tools.toolSearch '{"enabled":true,"mode":"tools"}'
        reveals tool_call, tool_describe"
  `)
})

test('what no config edit opens has no fix, whatever else hides the tool', () => {
  const deny = { deny: ['exec', 'tts'] }
  const cases: [string, string, Session][] = [
    ['tools are off for the run', 'exec', tools(deny, { disableTools: true })],
    ['the run is capped', 'exec', tools(deny, { toolsAllow: ['read'] })],
    ['the parent session denies it', 'exec', tools(deny, { inherited: { deny: ['exec'] } })],
    [
      'the channel cannot carry it',
      'tts',
      { ...tools(deny, { channel: 'voice' }), inventory: { providers: { tts: true } } },
    ],
    ['no provider', 'tts', { ...tools(deny), inventory: { providers: { tts: false } } }],
    ['a heartbeat tool', 'heartbeat_respond', {}],
    ['not in a sandbox', 'skill_workshop', tools({ profile: 'minimal' }, { sandboxed: true })],
    ['a visible tool', 'exec', {}],
  ]
  expect(new Set(cases.map(([, name, session]) => fixesOf(name, session).length))).toEqual(new Set([0]))
})

test('the edits are the commands, as data', () => {
  expect(fixesOf('exec', tools({ deny: ['exec', 'read', 'exec'], allow: ['read'] }))).toMatchInlineSnapshot(`
    [
      {
        "alsoHides": [],
        "alsoReveals": [],
        "commands": [
          "openclaw config unset 'tools.deny[2]'",
          "openclaw config unset 'tools.deny[0]'",
          "openclaw config set tools.allow --append exec",
        ],
        "edits": [
          {
            "op": "unset",
            "path": "tools.deny[2]",
            "value": "exec",
          },
          {
            "op": "unset",
            "path": "tools.deny[0]",
            "value": "exec",
          },
          {
            "op": "append",
            "path": "tools.allow",
            "value": "exec",
          },
        ],
        "verified": true,
      },
    ]
  `)
})

test('commands are quoted for the shell and read back as the same value', () => {
  const session: Session = {
    config: {
      tools: { toolsBySender: { "name:O'Neil": { deny: ['exec'] }, '*': { deny: ['exec'] } } },
      commands: { ownerAllowFrom: ['5'] },
    },
    context: { sender: { id: '-100', name: "O'Neil" } },
  }
  expect(told('exec', session)).toMatchInlineSnapshot(
    `"  unset 'tools.toolsBySender["name:O'\\''Neil"].deny[0]'"`,
  )
  expect(told('cron', session)).toMatchInlineSnapshot(`
    "  set commands.ownerAllowFrom --append '"-100"'
        reveals gateway, nodes"
  `)
})

test('a config that would not validate is not offered', () => {
  const session = tools({ profile: 'coding' })
  expect(fixesOf('message', session, () => false)).toEqual([])
  expect(fixesOf('message', session, () => true)).toHaveLength(1)
})

test('a pattern that denies plugins by id keeps denying the others', () => {
  const inventory = { plugins: { notes: ['note_add', 'note_list'], ledger: ['ledger_read', 'entry'] } }
  const cases: [string, string, Session][] = [
    ['every plugin', 'note_add', { ...tools({ deny: ['group:*'] }), inventory }],
    ['plugins by id, whose tools have other names', 'note_add', { ...tools({ deny: ['*es'] }), inventory }],
    ['one plugin by id and by name', 'entry', { ...tools({ deny: ['ledger*'] }), inventory }],
  ]
  expect(tell(cases)).toMatchInlineSnapshot(`
    "every plugin: note_add
      set 'tools.deny[0]' ledger
      set tools.deny --append note_list
    plugins by id, whose tools have other names: note_add
      set 'tools.deny[0]' nodes
      set tools.deny --append note_list
    one plugin by id and by name: entry
      set 'tools.deny[0]' ledger_read"
  `)
})

test('a switch of an agent is turned at the agent', () => {
  const session = {
    ...agent({ swarm: { enabled: false } }, { swarm: { enabled: true } }),
    edition: '2026.9' as const,
  }
  expect(told('agents_wait', session)).toBe('  set agents.entries.main.tools.swarm.enabled true')
})
