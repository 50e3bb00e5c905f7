import { readdirSync, readFileSync } from 'node:fs'
import json5 from 'json5'
import { expect, test } from 'vitest'
import { agentIds } from '../../../src/config/agents.ts'
import type { Notice } from '../../../src/kernel/path.ts'
import { lint, lintConfig } from '../../../src/policy/lint.ts'
import { projectRoot } from '../../helpers/project.ts'
import { locate, open, type Session } from './open.ts'

const line = ({ id, severity, message, location }: Notice): string =>
  `${id} ${severity} @ ${location?.path ?? '-'}: ${message}`

function linted(session: Session): string[] {
  return lint(open(session).view, locate).map(line)
}

/** Config in, notices out; the cases of one notice stand together. */
function tell(cases: Readonly<Record<string, Session>>): string {
  return Object.entries(cases)
    .map(([title, session]) => [`# ${title}`, ...linted(session)].join('\n'))
    .join('\n')
}

const tools = (value: unknown): Session => ({ config: { tools: value } })
const plugins = { notes: { tools: ['note_add', { name: 'note_wipe', optional: true }] } }
const mcp = { github: { tools: ['create_issue'] } }

test('entries that select nothing', () => {
  const cases = {
    'a slip': tools({ deny: ['exce', 'group:fss', 'web_serch'] }),
    'other products and profiles': tools({ deny: ['glob', 'coding'] }),
    'wildcards that are none': tools({ deny: ['rea?', '[rw]*'] }),
    'a pattern for groups': tools({ deny: ['group:*'] }),
    'a pattern that matches nothing': tools({ deny: ['zz*'] }),
    'MCP names': {
      config: {
        tools: {
          allow: ['read', 'github__create_isue', 'gihub__x', 'github', 'wiki__anything', 'wiki__*', 'lab__*'],
        },
        mcp: { servers: { wiki: { command: 'w' } } },
      },
      inventory: { mcp },
    },
    'every place that holds lists': {
      config: {
        tools: {
          allow: ['read', 'nope1'],
          byProvider: { openai: { deny: ['nope2'] } },
          toolsBySender: { 'id:1': { deny: ['nope3'] } },
          sandbox: { tools: { deny: ['nope4'] } },
          subagents: { tools: { deny: ['nope5'] } },
        },
        agents: {
          list: [
            {
              id: 'main',
              tools: {
                deny: ['nope6'],
                byProvider: { x: { deny: ['nope7'] } },
                toolsBySender: { '*': { deny: ['nope8'] } },
                sandbox: { tools: { alsoAllow: ['nope9'] } },
              },
            },
            { id: 'other', tools: { deny: ['not-told-here'] } },
          ],
        },
        channels: {
          telegram: {
            groups: {
              '-1': { tools: { deny: ['nope10'] }, toolsBySender: { 'id:2': { deny: ['nope11'] } } },
            },
            accounts: { a: { groups: { '-2': { tools: { deny: ['nope12'] } } } } },
          },
        },
      },
    },
    'a plugin whose tools are not known here': {
      config: { tools: { deny: ['corp_thing', 'exce'] }, plugins: { entries: { corp: { enabled: true } } } },
    },
  } satisfies Record<string, Session>
  expect(tell(cases)).toMatchInlineSnapshot(`
    "# a slip
    unknown-entry warning @ tools.deny[0]: "exce" in tools.deny selects nothing: no tool, group or plugin has this name; did you mean exec?
    unknown-entry warning @ tools.deny[1]: "group:fss" in tools.deny selects nothing: there is no such group; did you mean group:fs?
    unknown-entry warning @ tools.deny[2]: "web_serch" in tools.deny selects nothing: no tool, group or plugin has this name; did you mean web_search, web_fetch?
    # other products and profiles
    unknown-entry warning @ tools.deny[0]: "glob" in tools.deny selects nothing: it is a tool of other products; did you mean exec?
    unknown-entry warning @ tools.deny[1]: "coding" in tools.deny selects nothing: it is a profile, not a tool
    # wildcards that are none
    unknown-entry warning @ tools.deny[0]: "rea?" in tools.deny selects nothing: * is the only wildcard
    unknown-entry warning @ tools.deny[1]: "[rw]*" in tools.deny selects nothing: the pattern matches no tool
    # a pattern for groups
    unknown-entry warning @ tools.deny[0]: "group:*" in tools.deny selects nothing: patterns are never compared with group names
    # a pattern that matches nothing
    unknown-entry warning @ tools.deny[0]: "zz*" in tools.deny selects nothing: the pattern matches no tool
    # MCP names
    unknown-entry warning @ tools.allow[1]: "github__create_isue" in tools.allow selects nothing: the MCP server github offers no such tool; did you mean github__create_issue?
    unknown-entry warning @ tools.allow[2]: "gihub__x" in tools.allow selects nothing: no MCP server gihub is configured; did you mean github__x?
    unknown-entry warning @ tools.allow[3]: "github" in tools.allow selects nothing: it is an MCP server, not a tool; did you mean github__*?
    unknown-entry warning @ tools.allow[6]: "lab__*" in tools.allow selects nothing: no MCP server lab is configured
    # every place that holds lists
    unknown-entry warning @ tools.allow[1]: "nope1" in tools.allow selects nothing: no tool, group or plugin has this name
    unknown-entry warning @ tools.byProvider.openai.deny[0]: "nope2" in tools.byProvider.openai.deny selects nothing: no tool, group or plugin has this name
    unknown-entry warning @ tools.sandbox.tools.deny[0]: "nope4" in tools.sandbox.tools.deny selects nothing: no tool, group or plugin has this name
    unknown-entry warning @ tools.subagents.tools.deny[0]: "nope5" in tools.subagents.tools.deny selects nothing: no tool, group or plugin has this name
    unknown-entry warning @ agents.list[0].tools.deny[0]: "nope6" in agents.list[0].tools.deny selects nothing: no tool, group or plugin has this name
    unknown-entry warning @ agents.list[0].tools.byProvider.x.deny[0]: "nope7" in agents.list[0].tools.byProvider.x.deny selects nothing: no tool, group or plugin has this name
    unknown-entry warning @ agents.list[0].tools.sandbox.tools.alsoAllow[0]: "nope9" in agents.list[0].tools.sandbox.tools.alsoAllow selects nothing: no tool, group or plugin has this name
    unknown-entry warning @ agents.list[0].tools.toolsBySender.*.deny[0]: "nope8" in agents.list[0].tools.toolsBySender.*.deny selects nothing: no tool, group or plugin has this name
    unknown-entry warning @ tools.toolsBySender["id:1"].deny[0]: "nope3" in tools.toolsBySender["id:1"].deny selects nothing: no tool, group or plugin has this name
    unknown-entry warning @ channels.telegram.groups["-1"].toolsBySender["id:2"].deny[0]: "nope11" in channels.telegram.groups["-1"].toolsBySender["id:2"].deny selects nothing: no tool, group or plugin has this name
    unknown-entry warning @ channels.telegram.groups["-1"].tools.deny[0]: "nope10" in channels.telegram.groups["-1"].tools.deny selects nothing: no tool, group or plugin has this name
    unknown-entry warning @ channels.telegram.accounts.a.groups["-2"].tools.deny[0]: "nope12" in channels.telegram.accounts.a.groups["-2"].tools.deny selects nothing: no tool, group or plugin has this name
    shadowed-rule info @ tools.sandbox.tools.deny: tools.sandbox.tools.deny replaces the built-in sandbox deny list: "browser", "canvas", "nodes", "cron", "gateway" are no longer denied there
    shadowed-rule warning @ agents.list[0].tools.toolsBySender.*: agents.list[0].tools.toolsBySender.* ends the search for a sender it matches: "id:1" in tools.toolsBySender does not apply to them
    shadowed-rule warning @ channels.telegram.groups["-1"].toolsBySender["id:2"]: channels.telegram.groups["-1"].toolsBySender["id:2"] is used instead of channels.telegram.groups["-1"].tools: its deny "nope10" does not apply to this sender
    shadowed-rule warning @ channels.telegram.accounts.a.groups: channels.telegram.accounts.a.groups replaces channels.telegram.groups for this account: policies there do not apply
    # a plugin whose tools are not known here
    unknown-entry info @ tools.deny[1]: "exce" in tools.deny selects nothing: no tool, group or plugin has this name; did you mean exec? (tools of corp are not known here)"
  `)
})

test('what is known is not called unknown', () => {
  const known: Session = {
    config: {
      tools: {
        deny: [
          'exec',
          'BASH',
          ' group:fs ',
          'group:plugins',
          'bundle-mcp',
          'notes',
          'note_add',
          'note_*',
          '*',
          'web_*',
          '*__*',
          'github__*',
          'github__create_issue',
          'tool_search',
          'browser',
          'memory-core',
          'pdf',
          'transcripts',
          'telegram',
          '',
          '  ',
          'terminal',
        ],
      },
    },
    inventory: { plugins, mcp },
  }
  expect(linted(known).filter((each) => /^(unknown|unavailable)-entry/.test(each))).toEqual([])
})

test('names of tools that cannot exist here are told apart', () => {
  const cases = {
    'no plugin, no provider': tools({ allow: ['read', 'browser', 'pdf', 'apply_patch'] }),
    'another edition': tools({ allow: ['read', 'terminal', 'automations', 'view_image'] }),
    'a deny of a renamed tool does nothing': { ...tools({ deny: ['image'] }), edition: '2026.9' },
    'a deny of an absent tool is harmless': tools({ deny: ['browser', 'terminal'] }),
    'a profile lists what the model cannot use': {
      ...tools({ profile: 'coding' }),
      context: { supports: { vision: false } },
    },
  } satisfies Record<string, Session>
  expect(tell(cases)).toMatchInlineSnapshot(`
    "# no plugin, no provider
    unavailable-entry info @ tools.allow[1]: "browser" in tools.allow is known but does nothing here: its plugin browser is not here
    unavailable-entry info @ tools.allow[2]: "pdf" in tools.allow is known but does nothing here: no model for PDF files is configured
    # another edition
    unavailable-entry info @ tools.allow[1]: "terminal" in tools.allow is known but does nothing here: it is a tool of edition 2026.9
    unavailable-entry warning @ tools.allow[2]: "automations" in tools.allow is known but does nothing here: edition 2026.7 calls it cron
    unavailable-entry warning @ tools.allow[3]: "view_image" in tools.allow is known but does nothing here: edition 2026.7 calls it image
    # a deny of a renamed tool does nothing
    unavailable-entry warning @ tools.deny[0]: "image" in tools.deny is known but does nothing here: edition 2026.9 calls it view_image
    # a deny of an absent tool is harmless
    # a profile lists what the model cannot use"
  `)
})

test('empty allow lists', () => {
  const cases = {
    'no restriction': tools({ allow: [] }),
    'blanks only': tools({ allow: [' '] }),
    'an agent and a provider': {
      config: {
        tools: { byProvider: { openai: { allow: [] } } },
        agents: { entries: { main: { tools: { allow: [] } } } },
      },
    },
    sandbox: tools({ sandbox: { tools: { allow: [] } } }),
    'empty deny and alsoAllow mean nothing else': tools({ deny: [], alsoAllow: [] }),
  } satisfies Record<string, Session>
  expect(tell(cases)).toMatchInlineSnapshot(`
    "# no restriction
    empty-allow warning @ tools.allow: tools.allow is empty, which means no restriction; to take every tool away write deny: ["*"], to restrict nothing remove it
    # blanks only
    empty-allow warning @ tools.allow: tools.allow has only blank entries, which means no restriction; to take every tool away write deny: ["*"], to restrict nothing remove it
    # an agent and a provider
    empty-allow warning @ tools.byProvider.openai.allow: tools.byProvider.openai.allow is empty, which means no restriction; to take every tool away write deny: ["*"], to restrict nothing remove it
    empty-allow warning @ agents.entries.main.tools.allow: agents.entries.main.tools.allow is empty, which means no restriction; to take every tool away write deny: ["*"], to restrict nothing remove it
    # sandbox
    empty-allow info @ tools.sandbox.tools.allow: tools.sandbox.tools.allow is empty, which lets every tool into the sandbox that no deny names; alsoAllow beside it only lifts built-in denies
    # empty deny and alsoAllow mean nothing else"
  `)
})

test('dead rules', () => {
  const cases = {
    repeated: tools({ deny: ['exec', 'Bash', 'EXEC '] }),
    'covered in the same list': tools({ deny: ['group:fs', 'read', 'web_*', 'web_fetch'] }),
    'an allow entry is needed where it selects a plugin tool': {
      ...tools({ allow: ['group:memory', 'memory_get'] }),
      inventory: { plugins: { 'memory-core': { tools: ['memory_get'] } } },
    },
    'denied everywhere already': {
      config: {
        tools: { deny: ['group:runtime'] },
        agents: { entries: { main: { tools: { deny: ['exec'] } } } },
      },
    },
    'deny wins': {
      config: {
        tools: { profile: 'minimal', alsoAllow: ['exec'], deny: ['group:runtime'] },
        agents: {
          entries: { main: { tools: { alsoAllow: ['read', 'github__create_issue'], deny: ['*__*'] } } },
        },
      },
      inventory: { mcp },
    },
    'a sender key without a sender': tools({ toolsBySender: { 'channel:telegram': { deny: ['exec'] } } }),
    'a denied plugin': {
      config: { plugins: { allow: ['notes'], deny: ['Notes'], entries: { notes: { enabled: true } } } },
    },
    'a precaution is not dead': tools({ allow: ['session_status'], deny: ['group:plugins', 'group:fs'] }),
  } satisfies Record<string, Session>
  expect(tell(cases)).toMatchInlineSnapshot(`
    "# repeated
    dead-rule info @ tools.deny[1]: "Bash" in tools.deny changes nothing: the list has it already
    dead-rule info @ tools.deny[2]: "EXEC" in tools.deny changes nothing: the list has it already
    # covered in the same list
    dead-rule info @ tools.deny[1]: "read" in tools.deny changes nothing: "group:fs" in the same list covers it
    dead-rule info @ tools.deny[3]: "web_fetch" in tools.deny changes nothing: "web_*" in the same list covers it
    # an allow entry is needed where it selects a plugin tool
    # denied everywhere already
    dead-rule info @ agents.entries.main.tools.deny[0]: "exec" in agents.entries.main.tools.deny changes nothing: "group:runtime" in tools.deny already denies it everywhere
    # deny wins
    also-allow-replaced warning @ agents.entries.main.tools.alsoAllow: agents.entries.main.tools.alsoAllow replaces tools.alsoAllow, so "exec" is not added to profile minimal for agent main; repeat what it needs
    dead-rule warning @ tools.alsoAllow[0]: "exec" in tools.alsoAllow lets nothing through: "group:runtime" in tools.deny denies it, and deny wins over every allow and alsoAllow
    dead-rule warning @ agents.entries.main.tools.alsoAllow[1]: "github__create_issue" in agents.entries.main.tools.alsoAllow lets nothing through: "*__*" in agents.entries.main.tools.deny denies it, and deny wins over every allow and alsoAllow
    # a sender key without a sender
    dead-rule warning @ tools.toolsBySender["channel:telegram"]: the sender key "channel:telegram" in tools.toolsBySender can never match: write channel:<channel>:<id>, id:<id>, e164:<number>, username:<name>, name:<name> or *
    # a denied plugin
    dead-rule warning @ plugins.allow[0]: "notes" in plugins.allow changes nothing: plugins.deny names the plugin, and deny wins
    dead-rule warning @ plugins.entries.notes.enabled: plugins.entries.notes.enabled: true changes nothing: plugins.deny names the plugin, and deny wins
    # a precaution is not dead"
  `)
})

test('shadowed rules', () => {
  const cases = {
    'a model key': tools({ byProvider: { openai: { deny: ['exec'] }, 'openai/gpt-5': { deny: ['read'] } } }),
    'a model key that loses nothing': tools({
      byProvider: { openai: { deny: ['exec'] }, 'openai/gpt-5': { deny: ['group:runtime'] } },
    }),
    'a model key without the profile': tools({
      byProvider: { openai: { profile: 'minimal' }, 'openai/gpt-5': { deny: ['exec'] } },
    }),
    'one key twice': tools({ byProvider: { OpenAI: { deny: ['exec'] }, openai: { deny: ['read'] } } }),
    'an agent sandbox list': {
      config: {
        tools: { sandbox: { tools: { alsoAllow: ['web_search', 'web_fetch', 'bundle-mcp'] } } },
        agents: { entries: { main: { tools: { sandbox: { tools: { alsoAllow: ['web_fetch'] } } } } } },
      },
    },
    'the first sandbox deny': tools({ sandbox: { tools: { deny: ['exec'] } } }),
    'a sandbox deny beside an open allow list': tools({ sandbox: { tools: { allow: [], deny: ['exec'] } } }),
    'an agent sender map': {
      config: {
        tools: { toolsBySender: { '*': { deny: ['group:runtime'] } } },
        agents: {
          entries: {
            main: {
              tools: {
                toolsBySender: { 'id:1': {}, 'id:2': { deny: ['exec', 'process', 'code_execution'] } },
              },
            },
          },
        },
      },
    },
    'one sender twice': tools({ toolsBySender: { 'id:1': { deny: ['exec'] }, 'ID: 1': { deny: ['read'] } } }),
    'a group and "*"': {
      config: {
        channels: {
          telegram: {
            groups: { '*': { tools: { deny: ['exec'] } }, '-1': { tools: { allow: ['message'] } }, '-2': {} },
          },
        },
      },
    },
    'a sender of a group': {
      config: {
        channels: {
          zalo: {
            groups: {
              g1: {
                tools: { allow: ['group:messaging'], deny: ['group:fs'] },
                toolsBySender: { 'id:5': { allow: ['group:fs'] } },
              },
            },
          },
        },
      },
    },
    'groups of an account': {
      config: {
        channels: {
          telegram: {
            groups: { '*': { tools: { deny: ['exec'] } } },
            accounts: { a: { groups: { '-1': { requireMention: true } } } },
          },
        },
      },
    },
  } satisfies Record<string, Session>
  expect(tell(cases)).toMatchInlineSnapshot(`
    "# a model key
    shadowed-rule warning @ tools.byProvider["openai/gpt-5"]: tools.byProvider["openai/gpt-5"] is used instead of tools.byProvider.openai, not on top of it: its deny "exec" does not apply to this model
    # a model key that loses nothing
    # a model key without the profile
    shadowed-rule warning @ tools.byProvider["openai/gpt-5"]: tools.byProvider["openai/gpt-5"] is used instead of tools.byProvider.openai, not on top of it: its profile minimal does not apply to this model
    # one key twice
    shadowed-rule warning @ tools.byProvider.OpenAI: tools.byProvider.OpenAI is never used: "openai" is the same key
    # an agent sandbox list
    shadowed-rule warning @ agents.entries.main.tools.sandbox.tools.alsoAllow: agents.entries.main.tools.sandbox.tools.alsoAllow replaces tools.sandbox.tools.alsoAllow: "web_search", "bundle-mcp" do not apply to this agent; repeat what it needs
    # the first sandbox deny
    shadowed-rule info @ tools.sandbox.tools.deny: tools.sandbox.tools.deny replaces the built-in sandbox deny list: "browser", "canvas", "nodes", "cron", "gateway" are no longer denied there
    # a sandbox deny beside an open allow list
    empty-allow info @ tools.sandbox.tools.allow: tools.sandbox.tools.allow is empty, which lets every tool into the sandbox that no deny names; alsoAllow beside it only lifts built-in denies
    shadowed-rule warning @ tools.sandbox.tools.deny: tools.sandbox.tools.deny replaces the built-in sandbox deny list: "browser", "canvas", "nodes", "cron", "gateway" are no longer denied there
    # an agent sender map
    shadowed-rule warning @ agents.entries.main.tools.toolsBySender["id:1"]: agents.entries.main.tools.toolsBySender["id:1"] ends the search for a sender it matches: "*" in tools.toolsBySender does not apply to them
    # one sender twice
    shadowed-rule warning @ tools.toolsBySender["ID: 1"]: tools.toolsBySender["ID: 1"] is never used: "id:1" is the same sender
    # a group and "*"
    shadowed-rule warning @ channels.telegram.groups["-1"].tools: channels.telegram.groups["-1"].tools is used instead of the policy of the group "*": its deny "exec" does not apply here
    # a sender of a group
    shadowed-rule warning @ channels.zalo.groups.g1.toolsBySender["id:5"]: channels.zalo.groups.g1.toolsBySender["id:5"] is used instead of channels.zalo.groups.g1.tools: its deny "group:fs" does not apply to this sender
    # groups of an account
    shadowed-rule warning @ channels.telegram.accounts.a.groups: channels.telegram.accounts.a.groups replaces channels.telegram.groups for this account: policies there do not apply"
  `)
})

test('sender keys', () => {
  const cases = {
    untyped: tools({
      toolsBySender: { '@bob': { deny: ['exec'] }, 'telegram:bob': {}, '+4915': {}, 'id:7': {}, '*': {} },
    }),
    'a key that lifts what "*" denies': tools({
      toolsBySender: {
        'e164:+15550100123': {},
        'id:2': { deny: ['group:runtime'] },
        'id:3': { deny: ['group:runtime', 'group:fs'] },
        '*': { deny: ['group:runtime', 'group:fs'] },
      },
    }),
  } satisfies Record<string, Session>
  expect(tell(cases)).toMatchInlineSnapshot(`
    "# untyped
    untyped-sender-key warning @ tools.toolsBySender["@bob"]: the sender key "@bob" in tools.toolsBySender has no type, so it is compared with sender ids only; write id:bob or username:bob
    untyped-sender-key warning @ tools.toolsBySender["telegram:bob"]: the sender key "telegram:bob" in tools.toolsBySender has no type, so it is compared with sender ids only; write channel:telegram:bob or id:telegram:bob
    untyped-sender-key warning @ tools.toolsBySender["+4915"]: the sender key "+4915" in tools.toolsBySender has no type, so it is compared with sender ids only; write e164:+4915 or id:+4915
    # a key that lifts what "*" denies
    sender-key-lifts-default info @ tools.toolsBySender["e164:+15550100123"]: tools.toolsBySender["e164:+15550100123"] is used instead of "*", so "group:runtime", "group:fs", which "*" denies, are not denied to this sender
    sender-key-lifts-default info @ tools.toolsBySender["id:2"]: tools.toolsBySender["id:2"] is used instead of "*", so "group:fs", which "*" denies, is not denied to this sender"
  `)
})

test('profiles: what alsoAllow and allow do to them', () => {
  const agents = (value: unknown): unknown => ({ entries: { main: { tools: value } } })
  const cases = {
    'alsoAllow without a profile': tools({ alsoAllow: ['read', 'exec'] }),
    'an optional plugin tool is granted': { ...tools({ alsoAllow: ['note_wipe'] }), inventory: { plugins } },
    'already in the profile': tools({ profile: 'coding', alsoAllow: ['exec', 'message'] }),
    'a profile that allows everything': tools({ profile: 'full', alsoAllow: ['exec'] }),
    'at a sender': tools({ toolsBySender: { 'id:1': { alsoAllow: ['exec'] } } }),
    'at a provider without a profile': tools({ byProvider: { openai: { alsoAllow: ['exec'] } } }),
    'in the sandbox': tools({ sandbox: { tools: { alsoAllow: ['exec', 'web_fetch'] } } }),
    'in an open sandbox': tools({ sandbox: { tools: { allow: [], alsoAllow: ['web_fetch'] } } }),
    'for subagents': tools({ subagents: { tools: { alsoAllow: ['sessions_send', 'group:automation'] } } }),
    'for subagents of the newer edition': {
      ...tools({ subagents: { tools: { alsoAllow: ['message'] } } }),
      edition: '2026.9',
    },
    'replaced by the agent': {
      config: {
        tools: { profile: 'coding', alsoAllow: ['message', 'exec'] },
        agents: agents({ alsoAllow: ['tts'] }),
      },
    },
    'replaced and repeated': {
      config: {
        tools: { profile: 'coding', alsoAllow: ['message'] },
        agents: agents({ alsoAllow: ['group:messaging', 'tts'] }),
      },
    },
    'allow outside the profile': tools({ profile: 'coding', allow: ['read', 'message', 'group:fs'] }),
    'an agent allow outside its profile': {
      config: {
        tools: { profile: 'coding' },
        agents: agents({ profile: 'messaging', allow: ['message', 'exec'] }),
      },
    },
  } satisfies Record<string, Session>
  expect(tell(cases)).toMatchInlineSnapshot(`
    "# alsoAllow without a profile
    also-allow-grants-nothing info @ tools.alsoAllow: tools.alsoAllow ("read", "exec") grants nothing: it adds to a profile, and none is set; without a profile nothing is restricted
    # an optional plugin tool is granted
    # already in the profile
    also-allow-grants-nothing info @ tools.alsoAllow[0]: "exec" in tools.alsoAllow grants nothing: profile coding includes it already
    # a profile that allows everything
    also-allow-grants-nothing info @ tools.alsoAllow: tools.alsoAllow ("exec") grants nothing: profile full includes it already
    # at a sender
    also-allow-grants-nothing info @ tools.toolsBySender["id:1"].alsoAllow: tools.toolsBySender["id:1"].alsoAllow ("exec") grants nothing: a sender has no profile to add to, and alsoAllow alone restricts nothing
    # at a provider without a profile
    also-allow-grants-nothing info @ tools.byProvider.openai.alsoAllow: tools.byProvider.openai.alsoAllow ("exec") grants nothing: it adds to a profile of this provider, and none is set there
    # in the sandbox
    also-allow-grants-nothing info @ tools.sandbox.tools.alsoAllow[0]: "exec" in tools.sandbox.tools.alsoAllow grants nothing: the built-in sandbox allow list has it already
    # in an open sandbox
    empty-allow info @ tools.sandbox.tools.allow: tools.sandbox.tools.allow is empty, which lets every tool into the sandbox that no deny names; alsoAllow beside it only lifts built-in denies
    also-allow-grants-nothing info @ tools.sandbox.tools.alsoAllow: tools.sandbox.tools.alsoAllow ("web_fetch") grants nothing: an empty sandbox allow list lets everything through already
    # for subagents
    also-allow-grants-nothing info @ tools.subagents.tools.alsoAllow[1]: "group:automation" in tools.subagents.tools.alsoAllow grants nothing: it only lifts what subagents are denied by default, by exact name
    # for subagents of the newer edition
    also-allow-grants-nothing info @ tools.subagents.tools.alsoAllow: tools.subagents.tools.alsoAllow ("message") grants nothing: in edition 2026.9 nothing lifts what subagents are denied
    # replaced by the agent
    also-allow-replaced warning @ agents.entries.main.tools.alsoAllow: agents.entries.main.tools.alsoAllow replaces tools.alsoAllow, so "message" is not added to profile coding for agent main; repeat what it needs
    # replaced and repeated
    # allow outside the profile
    allow-outside-profile warning @ tools.allow[1]: "message" in tools.allow grants nothing: profile coding (tools.profile) does not include it, and allow only narrows; use alsoAllow to add to a profile
    dead-rule info @ tools.allow[0]: "read" in tools.allow changes nothing: "group:fs" in the same list covers it
    # an agent allow outside its profile
    allow-outside-profile warning @ agents.entries.main.tools.allow[1]: "exec" in agents.entries.main.tools.allow grants nothing: profile messaging (agents.entries.main.tools.profile) does not include it, and allow only narrows; use alsoAllow to add to a profile"
  `)
})

test('plugins', () => {
  const cases = {
    'a pattern': { ...tools({ allow: ['read', 'note_*'] }), inventory: { plugins } },
    'a group of built-in tools': {
      ...tools({ allow: ['group:memory', 'read'] }),
      inventory: { plugins: { 'memory-core': { tools: ['memory_get', 'memory_search'] } } },
    },
    'a pattern for a plugin whose tools are not known': {
      config: {
        tools: { alsoAllow: ['corp_*'] },
        plugins: { entries: { 'corp-bridge': { enabled: true } } },
      },
    },
    'a pattern for MCP tools works': {
      config: { tools: { allow: ['read', 'github__*'] } },
      inventory: { mcp },
    },
    'plugins.allow leaves one out': {
      config: {
        plugins: { allow: ['notes'], entries: { browser: { enabled: true }, google: { enabled: false } } },
      },
      inventory: { plugins: { ...plugins, browser: { tools: ['browser'] } } },
    },
    'a list asks for a plugin outside plugins.allow': {
      config: { tools: { profile: 'coding', alsoAllow: ['browser'] }, plugins: { allow: ['notes'] } },
    },
    'plugins.allow names all that is on': {
      config: { plugins: { allow: ['notes', 'telegram'], entries: { telegram: { enabled: true } } } },
      inventory: { plugins },
    },
  } satisfies Record<string, Session>
  expect(tell(cases)).toMatchInlineSnapshot(`
    "# a pattern
    glob-skips-plugin-tools warning @ tools.allow[1]: "note_*" in tools.allow does not select the plugin tools note_add, note_wipe: patterns leave plugin tools out; name the tool, its plugin id or group:plugins
    # a group of built-in tools
    glob-skips-plugin-tools warning @ tools.allow[0]: "group:memory" in tools.allow does not select the plugin tools memory_get, memory_search: groups of built-in tools leave plugin tools out; name the tool, its plugin id or group:plugins
    # a pattern for a plugin whose tools are not known
    also-allow-grants-nothing info @ tools.alsoAllow: tools.alsoAllow ("corp_*") grants nothing: it adds to a profile, and none is set; without a profile nothing is restricted
    glob-skips-plugin-tools info @ tools.alsoAllow[0]: "corp_*" in tools.alsoAllow does not select plugin tools: in allow lists patterns leave them out; name the tool, its plugin id or group:plugins
    # a pattern for MCP tools works
    # plugins.allow leaves one out
    plugins-allow-restricts warning @ plugins.allow: plugins.allow does not name the plugin browser, so its tools are hidden; add it, or remove the list
    # a list asks for a plugin outside plugins.allow
    unavailable-entry info @ tools.alsoAllow[0]: "browser" in tools.alsoAllow is known but does nothing here: its plugin browser is not here
    plugins-allow-restricts warning @ plugins.allow: plugins.allow does not name the plugin browser, so its tools are hidden; add it, or remove the list
    # plugins.allow names all that is on"
  `)
})

test('tools that change files', () => {
  const cases = {
    'one of three': tools({ deny: ['write'] }),
    'two of three': tools({ deny: ['edit', 'write'] }),
    'all three': tools({ deny: ['write', 'edit', 'apply_patch'] }),
    'the group': tools({ deny: ['group:fs'] }),
    'the rest is denied elsewhere': {
      config: {
        tools: { deny: ['apply_patch'] },
        agents: { entries: { main: { tools: { deny: ['write', 'edit'] } } } },
      },
    },
    'the rest is hidden anyway': tools({ profile: 'messaging', deny: ['write'] }),
  } satisfies Record<string, Session>
  expect(tell(cases)).toMatchInlineSnapshot(`
    "# one of three
    partial-write-deny warning @ tools.deny[0]: tools.deny denies write but not edit, apply_patch, so files can still be changed; deny all three, or group:fs
    # two of three
    partial-write-deny warning @ tools.deny[1]: tools.deny denies write, edit but not apply_patch, so files can still be changed; deny all three, or group:fs
    # all three
    # the group
    # the rest is denied elsewhere
    # the rest is hidden anyway"
  `)
})

test('sections that set up hidden tools', () => {
  const cases = {
    'exec under messaging': tools({
      profile: 'messaging',
      exec: { ask: 'off' },
      fs: { workspaceOnly: true },
    }),
    'web tools that are denied': tools({ deny: ['group:web'], web: { fetch: { maxChars: 100 } } }),
    'one tool of two': tools({ deny: ['process'], exec: { ask: 'off' } }),
    'switched off is not set up': tools({ deny: ['web_fetch'], web: { fetch: { enabled: false } } }),
    'unavailable is not hidden': tools({ web: { search: { maxResults: 3 } } }),
    'an agent': {
      config: {
        tools: { profile: 'full', exec: { host: 'gateway' } },
        agents: { entries: { main: { tools: { profile: 'messaging', exec: { ask: 'off' } } } } },
      },
    },
  } satisfies Record<string, Session>
  expect(tell(cases)).toMatchInlineSnapshot(`
    "# exec under messaging
    configured-but-hidden info @ tools.exec: tools.exec is set, but exec, process are hidden from agent main by tools.profile (messaging); a section never makes a tool visible
    configured-but-hidden info @ tools.fs: tools.fs is set, but read, write, edit, apply_patch are hidden from agent main by tools.profile (messaging); a section never makes a tool visible
    # web tools that are denied
    configured-but-hidden info @ tools.web.fetch: tools.web.fetch is set, but web_fetch is hidden from agent main by tools.deny[0]; a section never makes a tool visible
    # one tool of two
    # switched off is not set up
    # unavailable is not hidden
    # an agent
    configured-but-hidden info @ tools.exec: tools.exec is set, but exec, process are hidden from agent main by agents.entries.main.tools.profile (messaging); a section never makes a tool visible
    configured-but-hidden info @ agents.entries.main.tools.exec: agents.entries.main.tools.exec is set, but exec, process are hidden from agent main by agents.entries.main.tools.profile (messaging); a section never makes a tool visible"
  `)
})

test('no tool left', () => {
  const cases = {
    'profile and allow': tools({ profile: 'coding', allow: ['group:messaging'] }),
    'nothing matches': tools({ allow: ['nosuchtool'] }),
    'two lists': {
      config: { tools: { allow: ['read'] }, agents: { entries: { main: { tools: { allow: ['exec'] } } } } },
    },
    'everything denied': tools({ deny: ['*'] }),
    'a server that has not told its tools': {
      config: { tools: { allow: ['wiki__*'] }, mcp: { servers: { wiki: { command: 'w' } } } },
    },
    'a plugin that has not told its tools': {
      config: { tools: { allow: ['corp_thing'] }, plugins: { entries: { corp: { enabled: true } } } },
    },
    'switched off for the run is no surprise': { context: { disableTools: true } },
    'an empty cap is no surprise': { context: { toolsAllow: [] } },
  } satisfies Record<string, Session>
  expect(tell(cases)).toMatchInlineSnapshot(`
    "# profile and allow
    no-callable-tools warning @ tools.allow: agent main has no callable tool: tools.allow lets only message through, and tools.profile (coding) hides that
    allow-outside-profile warning @ tools.allow[0]: "group:messaging" in tools.allow grants nothing: profile coding (tools.profile) does not include it, and allow only narrows; use alsoAllow to add to a profile
    # nothing matches
    no-callable-tools warning @ tools.allow: agent main has no callable tool: tools.allow matches no tool of this session
    unknown-entry warning @ tools.allow[0]: "nosuchtool" in tools.allow selects nothing: no tool, group or plugin has this name
    # two lists
    no-callable-tools warning @ tools.allow: agent main has no callable tool: tools.allow, agents.entries.main.tools.allow together match no tool of this session
    # everything denied
    no-callable-tools warning @ tools.deny[0]: agent main has no callable tool: tools.deny[0] hides everything
    # a server that has not told its tools
    # a plugin that has not told its tools
    # switched off for the run is no surprise
    # an empty cap is no surprise"
  `)
})

test('real configs give their marked traps and nothing else', () => {
  const directory = `${projectRoot}fixtures/realconfigs/`
  const answers = readdirSync(directory).map((file) => {
    const config: unknown = json5.parse(readFileSync(directory + file, 'utf8'))
    const { view } = open({ config })
    const edition = file.startsWith('13') ? '2026.9' : '2026.7'
    const views = agentIds(view.config).map((agentId) => open({ config, edition, context: { agentId } }).view)
    return [`# ${file}`, ...lintConfig(views, locate).map(line)].join('\n')
  })
  expect(answers.join('\n')).toMatchInlineSnapshot(`
    "# 02-local-models-coding-lean.json5
    # 03-two-agents-global-coding-main-full.json5
    # 04-nine-local-agents-full-deny-one.json5
    # 07-spec-to-pr-sandbox-all-search-off.json5
    also-allow-grants-nothing info @ agents.entries.lead.tools.alsoAllow: agents.entries.lead.tools.alsoAllow ("sessions_spawn", "sessions_yield", "subagents") grants nothing: it adds to a profile, and none is set; without a profile nothing is restricted
    # 09-org-commented-json5.json5
    # 10-team-single-id-agent-gateway-provider.json5
    # 11-network-ops-60-mcp-wrong-key.json5
    # 13-teams-slack-plugins-allow.json5
    # 14-laptop-env-baseurl.json5
    # 15-hosted-star-allow-empty-lists.json5
    # 17-many-providers-oauth.json5
    # 19-company-bot-mcp-bridge-glob.json5
    also-allow-grants-nothing info @ tools.alsoAllow: tools.alsoAllow ("corp_*") grants nothing: it adds to a profile, and none is set; without a profile nothing is restricted
    glob-skips-plugin-tools info @ tools.alsoAllow[0]: "corp_*" in tools.alsoAllow does not select plugin tools: in allow lists patterns leave them out; name the tool, its plugin id or group:plugins
    # 21-team-entries-mcp-deny-globs.json5
    unknown-entry warning @ agents.entries.main.tools.deny[0]: "video__*" in agents.entries.main.tools.deny selects nothing: no MCP server video is configured
    also-allow-grants-nothing info @ tools.alsoAllow: tools.alsoAllow ("read", "group:memory", "sessions_spawn") grants nothing: it adds to a profile, and none is set; without a profile nothing is restricted
    also-allow-grants-nothing info @ agents.entries.qa.tools.alsoAllow: agents.entries.qa.tools.alsoAllow ("read", "brain__get_page") grants nothing: it adds to a profile, and none is set; without a profile nothing is restricted
    dead-rule warning @ agents.entries.qa.tools.alsoAllow[1]: "brain__get_page" in agents.entries.qa.tools.alsoAllow lets nothing through: "*__*" in agents.entries.qa.tools.deny denies it, and deny wins over every allow and alsoAllow
    also-allow-grants-nothing info @ agents.entries.maintenance-agent.tools.alsoAllow: agents.entries.maintenance-agent.tools.alsoAllow ("exec") grants nothing: it adds to a profile, and none is set; without a profile nothing is restricted
    # 23-elevated-six-agents-sandbox-all.json5"
  `)
})

test('a notice on a shared entry must hold for every agent', () => {
  const config = {
    tools: { profile: 'coding', alsoAllow: ['message'], exec: { ask: 'off' } },
    agents: { entries: { main: {}, kids: { tools: { profile: 'full', deny: ['group:runtime'] } } } },
  }
  const views = ['main', 'kids'].map((agentId) => open({ config, context: { agentId } }).view)
  expect(lintConfig(views, locate).map(line)).toEqual([])
})

test('ten thousand entries are linted in bounded time and words', () => {
  const deny = Array.from({ length: 10_000 }, (_, index) => `nope${index}*`)
  const started = performance.now()
  const found = linted(tools({ deny, allow: ['*', ...deny] }))
  expect(performance.now() - started).toBeLessThan(5_000)
  expect(found.length).toBeLessThan(100)
})

test("the alsoAllow of an agent's provider key replaces the global one of that provider", () => {
  const byProvider = { openai: { profile: 'minimal', alsoAllow: ['exec', 'read'] } }
  const session = (alsoAllow: readonly string[], provider: string): Session => ({
    config: {
      tools: { byProvider },
      agents: { entries: { main: { tools: { byProvider: { openai: { alsoAllow } } } } } },
    },
    context: { provider },
  })
  expect(
    tell({
      'one of two is lost': session(['read'], 'openai'),
      'nothing is lost': session(['read', 'exec', 'tts'], 'openai'),
      'another provider': session(['read'], 'anthropic'),
    }),
  ).toMatchInlineSnapshot(`
    "# one of two is lost
    also-allow-replaced warning @ agents.entries.main.tools.byProvider.openai.alsoAllow: agents.entries.main.tools.byProvider.openai.alsoAllow replaces tools.byProvider.openai.alsoAllow, so "exec" is not added to profile minimal for agent main; repeat what it needs
    # nothing is lost
    # another provider"
  `)
})
