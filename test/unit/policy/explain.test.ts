import { expect, test } from 'vitest'
import { explainTool, type ExplainResult } from '../../../src/policy/explain.ts'
import { stepIds } from '../../../src/policy/types.ts'
import { locate, open, type Session } from './open.ts'

function explain(name: string, session: Session = {}, skills: readonly string[] = []): ExplainResult {
  const { view, reopen } = open(session)
  return explainTool(view, name, { reopen, locate, skills })
}

/** The answer as a person would tell it. */
function told(result: ExplainResult): string {
  const steps = [...(result.decidedBy ? [result.decidedBy] : []), ...result.alsoHiddenBy]
  const lines = [
    `${result.tool}: ${result.verdict}${result.isA ? ` (${result.isA})` : ''}`,
    ...steps.map(
      ({ step, effect, rule, reason, location }) =>
        `  ${step} ${effect} ${rule ?? '-'} @ ${location?.path ?? '-'}: ${reason}`,
    ),
    ...result.notes.map((note) => `  - ${note}`),
    ...(result.missing.length > 0 ? [`  missing: ${result.missing.join(', ')}`] : []),
    ...(result.suggestions.length > 0 ? [`  near: ${result.suggestions.join(', ')}`] : []),
  ]
  return lines.join('\n')
}

test('the whole answer for a hidden tool', () => {
  const result = explain('Bash', {
    config: {
      tools: { profile: 'minimal', deny: ['group:runtime'] },
      agents: { list: [{ id: 'main', tools: { allow: ['read'] } }] },
    },
  })
  const { trace, ...rest } = result
  expect(rest).toMatchInlineSnapshot(`
    {
      "alsoHiddenBy": [
        {
          "effect": "deny",
          "location": {
            "column": 1,
            "file": "/home/u/openclaw.json",
            "line": 1,
            "path": "tools.deny[0]",
          },
          "reason": ""group:runtime" in tools.deny denies it",
          "rule": "group:runtime",
          "step": "tools.deny",
        },
        {
          "effect": "not-allowed",
          "location": {
            "column": 1,
            "file": "/home/u/openclaw.json",
            "line": 1,
            "path": "agents.list[0].tools.allow",
          },
          "reason": "agents.list[0].tools.allow does not include it",
          "rule": null,
          "step": "agent.tools.allow",
        },
      ],
      "asked": "Bash",
      "decidedBy": {
        "effect": "not-allowed",
        "location": {
          "column": 1,
          "file": "/home/u/openclaw.json",
          "line": 1,
          "path": "tools.profile",
        },
        "reason": "profile "minimal" does not include it",
        "rule": "minimal",
        "step": "tools.profile",
      },
      "exposure": null,
      "fixes": [
        {
          "alsoHides": [],
          "alsoReveals": [],
          "commands": [
            "openclaw config set tools.alsoAllow --append exec",
            "openclaw config unset 'tools.deny[0]'",
            "openclaw config set 'agents.list[0].tools.allow' --append exec",
          ],
          "edits": [
            {
              "op": "append",
              "path": "tools.alsoAllow",
              "value": "exec",
            },
            {
              "op": "unset",
              "path": "tools.deny[0]",
              "value": "group:runtime",
            },
            {
              "op": "append",
              "path": "agents.list[0].tools.allow",
              "value": "exec",
            },
          ],
          "verified": true,
        },
        {
          "alsoHides": [],
          "alsoReveals": [],
          "commands": [
            "openclaw config set tools.alsoAllow --append exec",
            "openclaw config set 'tools.deny[0]' process",
            "openclaw config set tools.deny --append code_execution",
            "openclaw config set 'agents.list[0].tools.allow' --append exec",
          ],
          "edits": [
            {
              "op": "append",
              "path": "tools.alsoAllow",
              "value": "exec",
            },
            {
              "op": "set",
              "path": "tools.deny[0]",
              "value": "process",
            },
            {
              "op": "append",
              "path": "tools.deny",
              "value": "code_execution",
            },
            {
              "op": "append",
              "path": "agents.list[0].tools.allow",
              "value": "exec",
            },
          ],
          "verified": true,
        },
      ],
      "known": true,
      "missing": [],
      "notes": [
        "Bash is another name of exec",
      ],
      "source": "core",
      "suggestions": [],
      "tool": "exec",
      "verdict": "hidden",
    }
  `)
  expect(trace.map(({ step }) => step)).toEqual(stepIds)
  expect(trace.filter(({ outcome }) => outcome !== 'pass' && outcome !== 'skipped')).toMatchInlineSnapshot(`
    [
      {
        "location": {
          "column": 1,
          "file": "/home/u/openclaw.json",
          "line": 1,
          "path": "tools.profile",
        },
        "outcome": "not-allowed",
        "reason": "profile "minimal" does not include it",
        "rule": "minimal",
        "step": "tools.profile",
      },
      {
        "location": {
          "column": 1,
          "file": "/home/u/openclaw.json",
          "line": 1,
          "path": "tools.deny[0]",
        },
        "outcome": "deny",
        "reason": ""group:runtime" in tools.deny denies it",
        "rule": "group:runtime",
        "step": "tools",
      },
      {
        "location": {
          "column": 1,
          "file": "/home/u/openclaw.json",
          "line": 1,
          "path": "agents.list[0].tools.allow",
        },
        "outcome": "not-allowed",
        "reason": "agents.list[0].tools.allow does not include it",
        "rule": null,
        "step": "agent.tools",
      },
    ]
  `)
})

test('names lead to tools however they are written', () => {
  const inventory = {
    plugins: { notes: { tools: ['note_add'] } },
    mcp: { 'my server': { tools: ['create:issue'] } },
    client: [{ name: 'pick_file' }],
  }
  const spelled = [
    'exec',
    'EXEC',
    ' Bash ',
    'apply-patch',
    'openclaw:core:exec',
    'openclaw:notes:note_add',
    'mcp:my-server:create:issue',
    'my-server__create-issue',
    'client:client:pick_file',
    'openclaw:core:browser',
  ]
  const found = spelled.map((name) => `${name} → ${told(explain(name, { inventory }))}`)
  expect(found.join('\n')).toMatchInlineSnapshot(`
    "exec → exec: visible
    EXEC → exec: visible
     Bash  → exec: visible
      - Bash is another name of exec
    apply-patch → apply_patch: visible
      - apply-patch is another name of apply_patch
    openclaw:core:exec → exec: visible
    openclaw:notes:note_add → note_add: visible
    mcp:my-server:create:issue → my-server__create-issue: visible
    my-server__create-issue → my-server__create-issue: visible
    client:client:pick_file → pick_file: visible
    openclaw:core:browser → browser: unavailable
      plugin gate plugin absent @ -: it comes with the plugin browser, which is not here: not installed, or not switched on in plugins.entries
      - tools catalog lists everything that could exist; only tools effective says what this session has"
  `)
})

test('a name that is no tool is told as what it is', () => {
  const session: Session = {
    config: {
      plugins: { entries: { 'corp-bridge': { enabled: true } } },
      mcp: { servers: { github: { command: 'github' }, wiki: { command: 'wiki' } } },
      channels: { zalo2: {} },
    },
    inventory: { plugins: { notes: { tools: ['note_add'] } }, mcp: { github: { tools: ['create_issue'] } } },
  }
  const names = [
    'group:fs',
    'group:openclaw',
    'runtime',
    'group:plugins',
    'coding',
    'full',
    'notes',
    'corp-bridge',
    'bundle-mcp',
    'github',
    'github__nope',
    'wiki__page',
    'corp_exec',
    'pdf-forms',
    'automations',
    'view_image',
    'terminal',
    'glob',
    'TodoWrite',
    'telegram',
    'zalo2',
    'exce',
    'websearch',
    'zzz',
    '',
    '__proto__',
    'toString',
  ]
  const answers = names.map((name) => told(explain(name, session, ['pdf-forms'])))
  expect(answers.join('\n')).toMatchInlineSnapshot(`
    "group:fs: unknown (group)
      - group:fs is a group, not a tool. Its members: read, write, edit, apply_patch
      near: read, write, edit
    group:openclaw: unknown (group)
      - group:openclaw is a group, not a tool. Its members: code_execution, web_search, web_fetch, x_search, memory_search, memory_get, sessions_list, sessions_history and 22 more; it is not every tool: read, write, edit, apply_patch, exec, process and canvas are outside
      near: code_execution, web_search, web_fetch
    runtime: unknown (group)
      - group:runtime is a group, not a tool. Its members: exec, process, code_execution
      near: exec, process, code_execution
    group:plugins: unknown (group)
      - group:plugins is a group, not a tool. Its members: note_add, github__create_issue
      near: note_add, github__create_issue
    coding: unknown (profile)
      - coding is a profile (tools.profile), not a tool. It allows: read, write, edit, apply_patch, exec, process, code_execution, web_search and 22 more
    full: unknown (profile)
      - full is a profile (tools.profile), not a tool. It allows every tool
    notes: unknown (plugin)
      - notes is a plugin, not a tool. Its tools: note_add
      near: note_add
    corp-bridge: unknown (plugin)
      - corp-bridge is a plugin, not a tool. Its tools: none that are known here
    bundle-mcp: unknown (plugin)
      - bundle-mcp stands for the tools of all MCP servers. Its tools: github__create_issue
      near: github__create_issue
    github: unknown (mcp-server)
      - github is an MCP server, not a tool. Its tools are named github__<tool>: github__create_issue
      near: github__create_issue
    github__nope: unknown
      - the MCP server github has 1 tool, none of this name
    wiki__page: unavailable
      mcp gate server unknown @ -: the tools of its server wiki are not known yet: openclaw mcp probe wiki lists them
    corp_exec: unknown
      - which tools come with corp-bridge is not known here; --inventory FILE can declare them
    pdf-forms: unknown (skill)
      - pdf-forms is a skill, not a tool: instructions (SKILL.md) that the model reads with the tool read
      near: read
    automations: unknown (other-edition)
      - automations is called cron in edition 2026.7
      near: cron
    view_image: unknown (other-edition)
      - view_image is called image in edition 2026.7
      near: image
    terminal: unknown (other-edition)
      - terminal is a tool of edition 2026.9; edition 2026.7 does not have it
    glob: unknown (other-product)
      - glob is a tool name of other products; here its work is done by exec
      near: exec
    TodoWrite: unknown (other-product)
      - TodoWrite is a tool name of other products; here its work is done by update_plan
      near: update_plan
    telegram: unknown (channel)
      - telegram is a channel, not a tool; the model writes to channels with the tool message
      near: message
    zalo2: unknown (channel)
      - zalo2 is a channel, not a tool; the model writes to channels with the tool message
      near: message
    exce: unknown
      near: exec
    websearch: unknown (other-product)
      - websearch is a tool name of other products; here its work is done by web_search
      near: web_search
    zzz: unknown
      - which tools come with corp-bridge is not known here; --inventory FILE can declare them
    : unknown
    __proto__: unknown
      - which tools come with corp-bridge is not known here; --inventory FILE can declare them
    toString: unknown
      - which tools come with corp-bridge is not known here; --inventory FILE can declare them"
  `)
})

test('a plugin that has the name of a tool as its id takes the name out of allow lists, which is told', () => {
  const inventory = { plugins: { message: ['note_send'] } }
  const notes = (tools: unknown): readonly string[] =>
    explain('message', { config: { tools }, inventory }).notes
  expect(notes({ profile: 'messaging' })).toEqual([
    '"message" in profile messaging means the plugin of that id, so the tool of the same name is not in the list; the entry message* is the tool',
  ])
  expect(notes({ allow: ['Message', 'read'] })).toEqual([
    '"Message" in tools.allow means the plugin of that id, so the tool of the same name is not in the list; the entry message* is the tool',
  ])
  expect(notes({ allow: ['read'] })).toEqual([])
  expect(notes({ allow: ['message*'] })).toEqual([])
})

test('what can stand in a list and is no tool is told as such', () => {
  const session = {
    config: { plugins: { deny: ['voice-kit'] } },
    inventory: { plugins: { notes: ['note_add', 'note_list'] } },
  }
  const names = [
    'memory-core',
    'voice-kit',
    'note_*',
    'zz*',
    'group:run',
    'group:runtim',
    'group:r*',
    'wiki__page',
  ]
  expect(names.map((name) => told(explain(name, session))).join('\n')).toMatchInlineSnapshot(`
    "memory-core: unknown (plugin)
      - memory-core is a plugin, not a tool, and is not here. Its tools: memory_search, memory_get
      near: memory_search, memory_get
    voice-kit: unknown (plugin)
      - voice-kit is a plugin, not a tool, and is not here. Its tools: none that are known here
    note_*: unknown (pattern)
      - note_* is a pattern for lists, not a tool. It matches: note_add, note_list
    zz*: unknown (pattern)
      - zz* is a pattern for lists, not a tool. It matches: none that are known here
    group:run: unknown
      - there is no such group
      near: group:runtime
    group:runtim: unknown
      - there is no such group
      near: group:runtime
    group:r*: unknown
      - patterns are never compared with group names
    wiki__page: unknown
      - it looks like a tool of an MCP server, but mcp.servers has no server wiki"
  `)
})

test('names of the older edition are told in the newer one', () => {
  const names = ['cron', 'image', 'update_plan', 'spawn_task', 'ls']
  const answers = names.map((name) =>
    told(explain(name, { edition: '2026.9', context: { sandboxed: false } })),
  )
  expect(answers.join('\n')).toMatchInlineSnapshot(`
    "automations: deferred
      - cron is another name of automations
      missing: sender.isOwner
    image: unknown (other-edition)
      - image is called view_image in edition 2026.9
      near: view_image
    update_plan: unknown (other-edition)
      - update_plan is called progress_card in edition 2026.9
      near: progress_card
    spawn_task: unknown (other-edition)
      - spawn_task is called suggest_task in edition 2026.9
      near: suggest_task
    ls: visible"
  `)
})

test('a catalogue tool that cannot exist here is unavailable, with the reason', () => {
  const cases: [string, Session][] = [
    ['browser', {}],
    ['browser', { config: { plugins: { entries: { browser: { enabled: false } } } } }],
    ['memory_get', { inventory: { plugins: { 'memory-core': { tools: ['memory_search'] } } } }],
    ['code_execution', {}],
    ['transcripts', {}],
    ['tool_search', {}],
    ['tool_search_code', { config: { tools: { toolSearch: { mode: 'tools' } } } }],
    ['github__x', { config: { mcp: { servers: { github: { command: 'g' } } } } }],
    ['github__x', { config: { mcp: { servers: { github: { command: 'g', enabled: false } } } } }],
    [
      'github__x',
      { config: { tools: { profile: 'coding' }, mcp: { servers: { github: { command: 'g' } } } } },
    ],
    ['memory_get', { config: { tools: { profile: 'minimal', alsoAllow: ['memory-core'] } } }],
    ['github__x', { inventory: { mcp: { github: { status: 'failed', tools: ['x'] } } } }],
    ['heartbeat_respond', {}],
  ]
  expect(cases.map(([name, session]) => told(explain(name, session))).join('\n')).toMatchInlineSnapshot(`
    "browser: unavailable
      plugin gate plugin absent @ -: it comes with the plugin browser, which is not here: not installed, or not switched on in plugins.entries
      - tools catalog lists everything that could exist; only tools effective says what this session has
    browser: unavailable
      plugin gate plugin disabled @ plugins.entries.browser.enabled: the plugin browser is disabled
      - tools catalog lists everything that could exist; only tools effective says what this session has
    memory_get: unavailable
      plugin gate plugin absent @ -: the plugin memory-core is here but does not offer it
      - tools catalog lists everything that could exist; only tools effective says what this session has
    code_execution: unavailable
      capability gate provider code_execution @ -: a plugin or provider has to supply it, and none does here
      - tools catalog lists everything that could exist; only tools effective says what this session has
    transcripts: unavailable
      capability gate absent @ -: it exists only where transcripts are enabled
    tool_search: unavailable
      tool-search gate tools.toolSearch @ tools.toolSearch: Tool Search is off
    tool_search_code: unavailable
      tool-search gate mode tools @ tools.toolSearch: Tool Search in mode tools does not use this control
    github__x: unavailable
      mcp gate server unknown @ -: the tools of its server github are not known yet: openclaw mcp probe github lists them
    github__x: unavailable
      mcp gate server disabled @ mcp.servers.github.enabled: its server github is switched off by mcp.servers.github.enabled
    github__x: unavailable
      mcp gate server unknown @ -: the tools of its server github are not known yet: openclaw mcp probe github lists them
    memory_get: unavailable
      plugin gate plugin absent @ -: it comes with the plugin memory-core, which is not here: not installed, or not switched on in plugins.entries
      - tools catalog lists everything that could exist; only tools effective says what this session has
    github__x: unavailable
      mcp gate failed @ -: MCP server "github" could not be reached
    heartbeat_respond: unavailable
      capability gate heartbeat @ -: it exists only in heartbeat runs
      - tools catalog lists everything that could exist; only tools effective says what this session has"
  `)
})

const confusions: readonly (readonly [title: string, name: string, session: Session])[] = [
  ['a section grants nothing', 'exec', { config: { tools: { profile: 'messaging', exec: { ask: 'off' } } } }],
  [
    'an agent alsoAllow replaces the global one',
    'message',
    {
      config: {
        tools: { profile: 'coding', alsoAllow: ['group:messaging'] },
        agents: { entries: { main: { tools: { alsoAllow: ['tts'] } } } },
      },
    },
  ],
  [
    'nor are those of a provider added up',
    'exec',
    {
      config: {
        tools: { byProvider: { openai: { profile: 'minimal', alsoAllow: ['exec'] } } },
        agents: { entries: { main: { tools: { byProvider: { OpenAI: { alsoAllow: ['read'] } } } } } },
      },
      context: { provider: 'openai' },
    },
  ],
  [
    'allow does not add to a profile',
    'message',
    { config: { tools: { profile: 'coding', allow: ['message'] } } },
  ],
  [
    'a glob does not select plugin tools',
    'note_add',
    { config: { tools: { allow: ['note_*'] } }, inventory: { plugins: { notes: { tools: ['note_add'] } } } },
  ],
  [
    'an optional tool waits to be named',
    'note_wipe',
    { inventory: { plugins: { notes: { tools: [{ name: 'note_wipe', optional: true }] } } } },
  ],
  [
    'elevated does not restore exec',
    'exec',
    { config: { tools: { deny: ['exec'], elevated: { enabled: true } } } },
  ],
  ['allow: [] restricts nothing', 'exec', { config: { tools: { allow: [] } } }],
  ['group:openclaw is not everything', 'exec', { config: { tools: { deny: ['group:openclaw'] } } }],
  ['group:openclaw allows no exec', 'exec', { config: { tools: { allow: ['group:openclaw'] } } }],
  ['deny wins', 'exec', { config: { tools: { alsoAllow: ['exec'], deny: ['exec'] } } }],
  [
    'a sandbox has lists of its own',
    'web_fetch',
    { config: { tools: { alsoAllow: ['web_fetch'] } }, context: { sandboxed: true } },
  ],
  [
    'an agent sandbox list replaces the global one',
    'web_fetch',
    {
      config: {
        tools: { sandbox: { tools: { alsoAllow: ['web_fetch'] } } },
        agents: { entries: { main: { tools: { sandbox: { tools: { alsoAllow: ['ledger__*'] } } } } } },
      },
      context: { sandboxed: true },
    },
  ],
  ['subagents lose tools by default', 'cron', { context: { sessionKey: 'agent:main:subagent:1' } }],
  ['owners only', 'cron', { context: { sender: { id: '5', isOwner: false } } }],
  [
    'health is not visibility',
    'mailer__send',
    { config: { tools: { profile: 'minimal' } }, inventory: { mcp: { mailer: { tools: ['send'] } } } },
  ],
  [
    'provider ids have no aliases',
    'exec',
    {
      config: { tools: { byProvider: { 'amazon-bedrock': { deny: ['exec'] } } } },
      context: { provider: 'bedrock', model: 'm' },
    },
  ],
  ...(
    [
      ['bedrock', 'amazon-bedrock'],
      ['z.ai', 'zai'],
      ['claude/opus', 'anthropic'],
      ['google', 'gemini'],
      ['openrouter', 'open'],
      ['google-vertex', 'google-gemini'],
    ] as const
  ).map(
    ([key, provider]) =>
      [
        `${key} and ${provider}`,
        'exec',
        {
          config: { tools: { byProvider: { [key]: { deny: ['exec'] } } } },
          context: { provider, model: 'm' },
        },
      ] as const,
  ),
  [
    'the catalogue is not the effective list',
    'web_fetch',
    { config: { tools: { web: { fetch: { enabled: false } } } } },
  ],
]

test('known confusions are said in words', () => {
  const answers = confusions.map(([title, name, session]) => `# ${title}\n${told(explain(name, session))}`)
  expect(answers.join('\n')).toMatchInlineSnapshot(`
    "# a section grants nothing
    exec: hidden
      tools.profile not-allowed messaging @ tools.profile: profile "messaging" does not include it
      - tools.exec only sets how the tool works; a section never makes a tool visible
    # an agent alsoAllow replaces the global one
    message: hidden
      tools.profile not-allowed coding @ tools.profile: profile "coding" does not include it
      - agents.entries.main.tools.alsoAllow replaces tools.alsoAllow, so the entry "group:messaging" there does not count for this agent
    # nor are those of a provider added up
    exec: hidden
      tools.byProvider.profile not-allowed minimal @ tools.byProvider.openai.profile: profile "minimal" does not include it
      - agents.entries.main.tools.byProvider.OpenAI.alsoAllow replaces tools.byProvider.openai.alsoAllow, so the entry "exec" there does not count for this agent
    # allow does not add to a profile
    message: hidden
      tools.profile not-allowed coding @ tools.profile: profile "coding" does not include it
      - "message" in tools.allow does not add to the profile: allow only narrows, alsoAllow adds
    # a glob does not select plugin tools
    note_add: hidden
      plugin not-allowed - @ tools.allow: the allow lists in force name neither it, its plugin notes, group:plugins nor * (globs and core groups do not select plugin tools)
      - "note_*" in tools.allow does not select it: patterns and groups of built-in tools in an allow list leave plugin tools out; name the tool, its plugin or group:plugins
    # an optional tool waits to be named
    note_wipe: hidden
      plugin not-allowed - @ -: it is an optional tool of the plugin notes: an allow list must name it, the plugin, group:plugins or *
      - an optional plugin tool stays off until a list names it; profile full names everything, no profile names nothing
    # elevated does not restore exec
    exec: hidden
      tools.deny deny exec @ tools.deny[0]: "exec" in tools.deny denies it
      - tools.elevated lets an allowed exec run outside the sandbox; it never restores a hidden one
    # allow: [] restricts nothing
    exec: visible
      - tools.allow is empty, which means no restriction
    # group:openclaw is not everything
    exec: visible
      - group:openclaw in tools.deny is not every tool: read, write, edit, apply_patch, exec, process and canvas are outside
    # group:openclaw allows no exec
    exec: hidden
      tools.allow not-allowed - @ tools.allow: tools.allow does not include it
      - group:openclaw in tools.allow is not every tool: read, write, edit, apply_patch, exec, process and canvas are outside
    # deny wins
    exec: hidden
      tools.deny deny exec @ tools.deny[0]: "exec" in tools.deny denies it
      - "exec" in tools.alsoAllow cannot bring it back: deny wins over every allow and alsoAllow
    # a sandbox has lists of its own
    web_fetch: hidden
      sandbox.tools.allow not-allowed - @ -: the built-in sandbox allow list does not include it
      - the sandbox has lists of its own (tools.sandbox.tools): sandbox settings say where a tool runs, policy says whether the session has it
    # an agent sandbox list replaces the global one
    web_fetch: hidden
      sandbox.tools.allow not-allowed - @ agents.entries.main.tools.sandbox.tools.alsoAllow: the sandbox lists do not include it (agents.entries.main.tools.sandbox.tools.alsoAllow)
      - agents.entries.main.tools.sandbox.tools.alsoAllow replaces tools.sandbox.tools.alsoAllow, which names it; sandbox lists are not merged
    # subagents lose tools by default
    cron: hidden
      subagent.deny deny cron @ -: "cron" is never given to a subagent of this role
      - subagents lose it by default; its exact name in tools.subagents.tools.allow or alsoAllow lifts that (groups and patterns do not)
      missing: sender.isOwner
    # owners only
    cron: hidden
      owner deny cron @ -: it is for owners only and the sender is not an owner
      - the owner check removes it, not a profile or list: owners are the senders in commands.ownerAllowFrom
    # health is not visibility
    mailer__send: hidden
      tools.profile not-allowed minimal @ tools.profile: profile "minimal" does not include it
      - the entry mailer__* stands for all tools of this server, bundle-mcp for those of every server
      - the server mailer is connected; a healthy server says nothing about visibility, policy decides that
    # provider ids have no aliases
    exec: visible
      - tools.byProvider.amazon-bedrock does not apply: the provider of this session is bedrock, and provider ids have no aliases
    # bedrock and amazon-bedrock
    exec: visible
      - tools.byProvider.bedrock does not apply: the provider of this session is amazon-bedrock, and provider ids have no aliases
    # z.ai and zai
    exec: visible
      - tools.byProvider["z.ai"] does not apply: the provider of this session is zai, and provider ids have no aliases
    # claude/opus and anthropic
    exec: visible
      - tools.byProvider["claude/opus"] does not apply: the provider of this session is anthropic, and provider ids have no aliases
    # google and gemini
    exec: visible
      - tools.byProvider.google does not apply: the provider of this session is gemini, and provider ids have no aliases
    # openrouter and open
    exec: visible
    # google-vertex and google-gemini
    exec: visible
    # the catalogue is not the effective list
    web_fetch: unavailable
      capability gate web.fetch.enabled @ tools.web.fetch.enabled: tools.web.fetch.enabled is false
      - tools catalog lists everything that could exist; only tools effective says what this session has"
  `)
})

test('words stay away where nothing is confused', () => {
  const plain: [string, Session][] = [
    ['exec', {}],
    ['exec', { config: { tools: { deny: ['exec'] } } }],
    ['read', { config: { tools: { profile: 'coding' }, agents: { entries: { main: {} } } } }],
  ]
  expect(plain.flatMap(([name, session]) => explain(name, session).notes)).toEqual([])
})

const missingCases: readonly (readonly [title: string, name: string, session: Session, missing: string[]])[] =
  [
    ['nothing configured', 'exec', {}, []],
    ['an owner-only tool', 'cron', {}, ['sender.isOwner']],
    ['an owner-only tool, owner known', 'cron', { context: { sender: { id: '1', isOwner: true } } }, []],
    [
      'a sender key that changes the answer',
      'exec',
      { config: { tools: { toolsBySender: { 'id:7': {}, '*': { deny: ['exec'] } } } } },
      ['sender'],
    ],
    [
      'a sender key that says nothing on this tool',
      'read',
      { config: { tools: { toolsBySender: { 'id:7': {}, '*': { deny: ['exec'] } } } } },
      [],
    ],
    [
      'denied before the sender step',
      'exec',
      { config: { tools: { deny: ['exec'], toolsBySender: { 'id:7': {}, '*': { deny: ['exec'] } } } } },
      [],
    ],
    [
      'a sender that is given',
      'exec',
      {
        config: { tools: { toolsBySender: { 'id:7': {}, '*': { deny: ['exec'] } } } },
        context: { sender: { id: '8' } },
      },
      [],
    ],
    [
      'a key for a channel and a sender without one',
      'exec',
      {
        config: { tools: { toolsBySender: { 'channel:telegram:8': { deny: ['exec'] } } } },
        context: { sender: { id: '8' } },
      },
      ['channel'],
    ],
    [
      'a provider key',
      'exec',
      { config: { tools: { byProvider: { openai: { deny: ['exec'] } } } } },
      ['provider'],
    ],
    [
      'a model key',
      'exec',
      {
        config: { tools: { byProvider: { 'openai/gpt-5': { deny: ['exec'] } } } },
        context: { provider: 'openai' },
      },
      ['model'],
    ],
    [
      'a model key without a provider',
      'exec',
      { config: { tools: { byProvider: { 'openai/gpt-5': { deny: ['exec'] } } } } },
      ['provider', 'model'],
    ],
    [
      'models that may patch',
      'apply_patch',
      { config: { tools: { exec: { applyPatch: { allowModels: ['openai/gpt-5'] } } } } },
      ['provider', 'model'],
    ],
    [
      'a group policy and only a channel',
      'exec',
      {
        config: { channels: { telegram: { groups: { '-1': { tools: { deny: ['exec'] } } } } } },
        context: { channel: 'telegram' },
      },
      ['groupId'],
    ],
    [
      'groups of an account',
      'exec',
      {
        config: {
          channels: { discord: { accounts: { a: { groups: { g: { tools: { deny: ['exec'] } } } }, b: {} } } },
        },
        context: { sessionKey: 'agent:main:discord:group:g' },
      },
      ['accountId'],
    ],
    [
      'groups of an account, which is given',
      'exec',
      {
        config: {
          channels: { discord: { accounts: { a: { groups: { g: { tools: { deny: ['exec'] } } } }, b: {} } } },
        },
        context: { sessionKey: 'agent:main:discord:group:g', accountId: 'a' },
      },
      [],
    ],
    [
      'a sender key of a group, with the channel under its other name',
      'exec',
      {
        config: {
          channels: { teams: { groups: { g: { toolsBySender: { 'id:7': {}, '*': { deny: ['exec'] } } } } } },
        },
        context: { sessionKey: 'agent:main:msteams:group:g' },
      },
      ['sender'],
    ],
    [
      'a direct chat is no group',
      'exec',
      {
        config: { channels: { telegram: { groups: { '-1': { tools: { deny: ['exec'] } } } } } },
        context: { sessionKey: 'agent:main:telegram:direct:5' },
      },
      [],
    ],
  ]

test.each(missingCases)('missing: %s', (_, name, session, missing) => {
  expect(explain(name, session).missing).toEqual(missing)
})

test('a deferred tool says how the model reaches it', () => {
  const inventory = { mcp: { github: { tools: ['create_issue'] } } }
  const config = { tools: { toolSearch: { enabled: true, mode: 'tools' } } }
  const { verdict, exposure, toolSearch } = explain('github__create_issue', { config, inventory })
  expect({ verdict, exposure, toolSearch }).toMatchInlineSnapshot(`
    {
      "exposure": "deferred",
      "toolSearch": "Tool Search keeps its schema out of the request; the model finds it with tool_search and calls it through tool_call",
      "verdict": "deferred",
    }
  `)
})
