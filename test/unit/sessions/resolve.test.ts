import { expect, test } from 'vitest'
import { editions, type EditionId } from '../../../src/catalog/edition.ts'
import type { Config } from '../../../src/config/types.ts'
import type { Context, Sender } from '../../../src/policy/context.ts'
import { readEntry } from '../../../src/sessions/entry.ts'
import type { SessionRequest } from '../../../src/sessions/request.ts'
import { resolveContext, type ResolvedSession } from '../../../src/sessions/resolve.ts'
import { told } from './told.ts'

function resolve(
  request: SessionRequest,
  config: Config = {},
  stored?: object | null,
  edition: EditionId = '2026.7',
): ResolvedSession {
  const entry = stored === undefined || stored === null ? stored : readEntry(stored)
  return resolveContext({ config, edition: editions[edition], request, entry })
}

/** The named fields of the context. */
function pick<K extends keyof Context>(result: ResolvedSession, ...fields: readonly K[]): Context[K][] {
  return fields.map((field) => result.context[field])
}

test('with nothing said and nothing configured', () => {
  expect(resolve({})).toMatchInlineSnapshot(`
    {
      "context": {
        "accountId": null,
        "agentId": "main",
        "channel": null,
        "clientCaps": [],
        "disableTools": false,
        "edition": "2026.7",
        "groupIds": [],
        "harness": "openclaw",
        "inherited": null,
        "isOwner": null,
        "model": null,
        "notStored": false,
        "origin": "defaults",
        "provider": null,
        "sandboxed": false,
        "sender": null,
        "sessionKey": "agent:main:main",
        "spawnedBy": null,
        "subagentDepth": 0,
        "subagentRole": "main",
        "supports": {
          "permission": true,
          "tools": true,
          "vision": true,
        },
        "toolsAllow": null,
        "workspaceAccess": "none",
      },
      "dropped": [],
      "missing": [
        "provider",
        "model",
        "channel",
        "sender",
        "sender.isOwner",
      ],
    }
  `)
})

test('with everything said', () => {
  const request: SessionRequest = {
    sessionKey: 'agent:main:discord:group:g1',
    provider: ' openai ',
    model: 'gpt-5.5',
    channel: 'Discord',
    accountId: 'default',
    groupId: 'G1',
    sender: { id: '100', e164: '+49 (0) 0', username: ' ' },
    isOwner: false,
    sandboxed: true,
    spawnedBy: 'agent:main:main',
    spawnDepth: 1,
    subagentRole: 'leaf',
    inherited: { allow: [], deny: ['exec'] },
    toolsAllow: [],
    harness: 'codex',
    supports: { vision: false },
    clientCaps: ['ui-commands'],
    disableTools: true,
  }
  expect(resolve(request)).toMatchInlineSnapshot(`
    {
      "context": {
        "accountId": "default",
        "agentId": "main",
        "channel": "discord",
        "clientCaps": [
          "ui-commands",
        ],
        "disableTools": true,
        "edition": "2026.7",
        "groupIds": [
          "g1",
        ],
        "harness": "codex",
        "inherited": {
          "allow": [],
          "deny": [
            "exec",
          ],
        },
        "isOwner": false,
        "model": "gpt-5.5",
        "notStored": false,
        "origin": "flags",
        "provider": "openai",
        "sandboxed": true,
        "sender": {
          "e164": "+4900",
          "id": "100",
        },
        "sessionKey": "agent:main:discord:group:g1",
        "spawnedBy": "agent:main:main",
        "subagentDepth": 1,
        "subagentRole": "leaf",
        "supports": {
          "permission": true,
          "tools": true,
          "vision": false,
        },
        "toolsAllow": [],
        "workspaceAccess": "none",
      },
      "dropped": [],
      "missing": [],
    }
  `)
})

const team: Config = {
  agents: {
    defaults: {
      model: { primary: 'anthropic/mid' },
      models: { 'edge-gw/mid/2': { alias: 'GW' }, 'x/y': {}, 'x/z': { alias: 5 } },
    },
    list: [
      { id: 'Main' },
      { id: 'work', model: { primary: 'openai/gpt' } },
      { id: 'gw', model: 'gw' },
      { id: 'bare', model: 'llama' },
      { id: 'env', model: { primary: '${MODEL}' } },
      { id: 'late', model: { fallbacks: ['a/b'] } },
    ],
  },
}

test.each<[string, SessionRequest, string, string]>([
  ['the default agent', {}, 'Main', 'agent:Main:main'],
  ['an agent as configured', { agentId: 'MAIN' }, 'Main', 'agent:Main:main'],
  ['the agent of the key', { sessionKey: 'agent:WORK:cron:x' }, 'work', 'agent:work:cron:x'],
  ['an unprefixed key', { agentId: 'work', sessionKey: 'hook:1' }, 'work', 'agent:work:hook:1'],
  [
    'an unprefixed key of nobody',
    { sessionKey: 'telegram:direct:5' },
    'Main',
    'agent:Main:telegram:direct:5',
  ],
  ['both, agreeing', { agentId: 'Work', sessionKey: 'agent:work:main' }, 'work', 'agent:work:main'],
  ['a sentinel', { agentId: 'work', sessionKey: 'unknown' }, 'work', 'unknown'],
])('agent and key: %s', (_name, request, agentId, sessionKey) => {
  expect(pick(resolve(request, team), 'agentId', 'sessionKey')).toEqual([agentId, sessionKey])
})

function mainKeys(config: Config): string[] {
  return ['main', 'agent:main:main', undefined].map(
    (sessionKey) => resolve({ sessionKey }, config).context.sessionKey,
  )
}

test('main is whatever the config calls the main session', () => {
  expect(mainKeys({ session: { mainKey: ' Home ' } })).toEqual(Array(3).fill('agent:main:home'))
  expect(mainKeys({ session: { scope: 'global' } })).toEqual(Array(3).fill('global'))
  expect(mainKeys({ session: { mainKey: '' } })).toEqual(Array(3).fill('agent:main:main'))
})

test('an agent that does not exist, a key of another one', () => {
  expect([
    told(() => resolve({ agentId: 'wrok' }, team)),
    told(() => resolve({ sessionKey: 'agent:zzz:main' }, team)),
    told(() => resolve({ agentId: 'work' })),
    told(() => resolve({ agentId: '' }, team)),
    told(() => resolve({ agentId: 'work', sessionKey: 'agent:main:main' }, team)),
    told(() => resolve({ sessionKey: 'agent:main' }, team)),
    told(() => resolve({ spawnedBy: 'agent::x' }, team)),
  ]).toMatchInlineSnapshot(`
    [
      "UNKNOWN_AGENT | there is no agent "wrok" | did you mean work? | configured agents: Main, work, gw, bare, env, late",
      "UNKNOWN_AGENT | there is no agent "zzz" | configured agents: Main, work, gw, bare, env, late",
      "UNKNOWN_AGENT | there is no agent "work" | no agents are configured, so only "main" exists",
      "UNKNOWN_AGENT | there is no agent "" | configured agents: Main, work, gw, bare, env, late",
      "USAGE | the session key "agent:main:main" belongs to agent "main", not to "work" | leave out the agent, or ask for agent:work:main",
      "USAGE | malformed session key "agent:main": nothing follows the agent id "main" | a full key is agent:<agent id>:<rest>, such as agent:main:main or agent:main:telegram:group:-100",
      "USAGE | malformed session key "agent::x": the agent id is missing | a full key is agent:<agent id>:<rest>, such as agent:main:main or agent:main:telegram:group:-100",
    ]
  `)
})

test.each<[string, SessionRequest, object | undefined, [string | null, string | null]]>([
  ['from all agents', {}, undefined, ['anthropic', 'mid']],
  ['from the agent', { agentId: 'work' }, undefined, ['openai', 'gpt']],
  ['by alias', { agentId: 'gw' }, undefined, ['edge-gw', 'mid/2']],
  ['by alias, asked for', { model: ' gw' }, undefined, ['edge-gw', 'mid/2']],
  ['without a provider', { agentId: 'bare' }, undefined, [null, 'llama']],
  ['not from an unset variable', { agentId: 'env' }, undefined, [null, null]],
  ['from all agents when the own has fallbacks only', { agentId: 'late' }, undefined, ['anthropic', 'mid']],
  ['another provider takes the model away', { provider: 'xai' }, undefined, ['xai', null]],
  ['the same provider does not', { provider: 'Anthropic' }, undefined, ['Anthropic', 'mid']],
  ['a model of the same provider', { model: 'big' }, undefined, ['anthropic', 'big']],
  ['a model with its provider', { model: 'xai/grok' }, undefined, ['xai', 'grok']],
  ['stored', {}, { modelProvider: 'zai', model: 'glm' }, ['zai', 'glm']],
  [
    'stored override',
    {},
    { modelProvider: 'zai', model: 'glm', providerOverride: 'openai', modelOverride: 'o9' },
    ['openai', 'o9'],
  ],
  [
    'stored override of the model',
    {},
    { modelProvider: 'zai', model: 'glm', modelOverride: 'g2' },
    ['zai', 'g2'],
  ],
  ['asked for, over stored', { model: 'a/b' }, { modelProvider: 'zai', model: 'glm' }, ['a', 'b']],
])('model: %s', (_name, request, stored, expected) => {
  expect(pick(resolve(request, team, stored), 'provider', 'model')).toEqual(expected)
})

test.each<[string, SessionRequest, Partial<Context>]>([
  ['alias and case', { channel: ' Teams ' }, { channel: 'msteams', groupIds: [] }],
  [
    'a group without a key is believed',
    { channel: 'discord', groupId: 'G1' },
    { channel: 'discord', groupIds: ['G1'] },
  ],
  [
    'with its thread as topic',
    { channel: 'telegram', groupId: '-5', threadId: '9' },
    { groupIds: ['-5:topic:9', '-5'] },
  ],
  ['a topic given twice', { groupId: '-5:topic:9', threadId: '9' }, { groupIds: ['-5:topic:9', '-5'] }],
  [
    'from the key',
    { sessionKey: 'agent:main:telegram:group:-5:topic:9:sender:4' },
    { channel: 'telegram', groupIds: ['-5:topic:9:sender:4', '-5:topic:9', '-5'] },
  ],
  [
    'from the key, thread cut off',
    { sessionKey: 'agent:main:slack:channel:C1:thread:17.5' },
    { channel: 'slack', groupIds: ['C1'] },
  ],
  [
    'from the spawner',
    { sessionKey: 'agent:main:subagent:1', spawnedBy: 'agent:main:telegram:group:-5' },
    { channel: 'telegram', groupIds: ['-5'] },
  ],
  [
    'a known group in another case',
    { sessionKey: 'agent:main:slack:channel:c1', groupId: 'C1' },
    { groupIds: ['c1'] },
  ],
  [
    'spoken to through another channel',
    { sessionKey: 'agent:main:slack:channel:c1', channel: 'webchat' },
    { channel: 'webchat', groupIds: ['c1'], groupChannel: 'slack' },
  ],
  [
    'a direct chat with its account',
    { sessionKey: 'agent:main:whatsapp:biz:direct:+49' },
    { channel: 'whatsapp', accountId: 'biz', groupIds: [] },
  ],
  [
    'the account of another channel is none',
    { sessionKey: 'agent:main:whatsapp:biz:direct:+49', channel: 'signal' },
    { channel: 'signal', accountId: null },
  ],
])('route: %s', (_name, request, expected) => {
  expect(resolve(request).context).toMatchObject(expected)
})

test('only a group of another channel has a channel of its own', () => {
  const context = resolve({ sessionKey: 'agent:main:teams:channel:c1', channel: 'msteams' }).context
  expect(context).not.toHaveProperty('groupChannel')
})

function dropped(request: SessionRequest): unknown[] {
  const result = resolve(request)
  return [
    result.context.groupIds,
    ...result.dropped.map((each) => `${each.field} ${each.value}: ${each.reason}`),
  ]
}

test('a group that the key contradicts is dropped and told', () => {
  expect([
    dropped({ sessionKey: 'agent:main:telegram:group:300:topic:1', groupId: '-200' }),
    dropped({ sessionKey: 'main', groupId: 'g' }),
    dropped({ spawnedBy: 'agent:main:telegram:group:1', groupId: 'g' }),
    dropped({ sessionKey: 'agent:main:telegram:group:300:topic:1', groupId: '300' }),
  ]).toMatchInlineSnapshot(`
    [
      [
        [
          "300:topic:1",
          "300",
        ],
        "groupId -200: the session is in group 300",
      ],
      [
        [],
        "groupId g: the session is not in a group",
      ],
      [
        [
          "1",
        ],
        "groupId g: the session is in group 1",
      ],
      [
        [
          "300:topic:1",
          "300",
        ],
      ],
    ]
  `)
})

test.each<[string, Sender | undefined, Sender | null]>([
  ['nobody', undefined, null],
  ['nothing', {}, null],
  ['blanks', { id: ' ', name: '' }, null],
  ['a formatted number', { e164: '+1 (555) 010-0123' }, { e164: '+15550100123' }],
  ['an id that is a number', { id: '+1 (555) 010-0123' }, { id: '+1 (555) 010-0123', e164: '+15550100123' }],
  ['an id that is not', { id: '15550100123' }, { id: '15550100123' }],
  ['a number without digits', { id: 'x', e164: '+' }, { id: 'x' }],
  ['names as they are', { username: '@Bob ', name: 'Bob B' }, { username: '@Bob', name: 'Bob B' }],
])('sender: %s', (_name, sender, expected) => {
  expect(resolve({ sender }).context.sender).toEqual(expected)
})

test.each<[string, readonly (string | number)[] | undefined, SessionRequest, boolean | null]>([
  ['no list', undefined, { sender: { id: '1' } }, null],
  ['an empty list', [], { sender: { id: '1' } }, null],
  ['no sender', ['1'], {}, null],
  ['said', ['1'], { sender: { id: '1' }, isOwner: false }, false],
  ['said of nobody', undefined, { isOwner: true }, true],
  ['bare', ['200'], { channel: 'discord', sender: { id: '200' } }, true],
  ['a number', [200], { channel: 'discord', sender: { id: '200' } }, true],
  ['sender with the channel', ['200'], { channel: 'discord', sender: { id: 'discord:200' } }, true],
  ['sender with user', ['200'], { channel: 'discord', sender: { id: 'user:200' } }, true],
  ['entry with the channel', ['Discord:200'], { channel: 'discord', sender: { id: '200' } }, true],
  ['entry with channel and user', ['discord:user:200'], { channel: 'discord', sender: { id: '200' } }, true],
  ['entry with an alias', ['teams:A-1'], { channel: 'msteams', sender: { id: 'a-1' } }, true],
  ['entry of another channel', ['slack:200'], { channel: 'discord', sender: { id: '200' } }, false],
  ['entry of a channel, none known', ['slack:200'], { sender: { id: '200' } }, null],
  ['another one, no channel known', ['slack:200'], { sender: { id: '201' } }, false],
  ['two channels', ['slack:200'], { sender: { id: 'discord:200' } }, false],
  ['ids with colons', ['29:1a-b'], { channel: 'msteams', sender: { id: '29:1A-b' } }, true],
  ['phone', ['+15550100123'], { channel: 'signal', sender: { e164: '+1 (555) 010-0123' } }, true],
  [
    'phone in the list',
    ['signal:+1 555 0100123'],
    { channel: 'signal', sender: { e164: '+15550100123' } },
    true,
  ],
  ['phone as a number', [15550100123], { channel: 'whatsapp', sender: { id: '+15550100123' } }, true],
  ['another phone', ['+15550100124'], { channel: 'signal', sender: { e164: '+15550100123' } }, false],
  ['everybody', ['x', '*'], { channel: 'discord', sender: { id: '200' } }, true],
  ['somebody without an id', ['200'], { channel: 'discord', sender: { name: '200' } }, null],
  ['an entry with a variable', ['slack:${OWNER}'], { channel: 'slack', sender: { id: 'U1' } }, null],
  ['a known one beside a variable', ['${OWNER}', 'U1'], { channel: 'slack', sender: { id: 'u1' } }, true],
])('owner: %s', (_name, ownerAllowFrom, request, expected) => {
  const config: Config =
    ownerAllowFrom === undefined ? {} : { commands: { ownerAllowFrom: [...ownerAllowFrom] } }
  expect(resolve(request, config).context.isOwner).toBe(expected)
})

const nonMain: Config = { agents: { defaults: { sandbox: { mode: 'non-main', workspaceAccess: 'ro' } } } }

test.each<[string, SessionRequest, Config, [boolean, string]]>([
  ['not configured', {}, {}, [false, 'none']],
  ['all', {}, { agents: { defaults: { sandbox: { mode: 'all' } } } }, [true, 'none']],
  ['said', { sandboxed: false }, { agents: { defaults: { sandbox: { mode: 'all' } } } }, [false, 'none']],
  ['non-main, main', {}, nonMain, [false, 'ro']],
  ['non-main, main by name', { sessionKey: 'agent:main:MAIN' }, nonMain, [false, 'ro']],
  ['non-main, thread of main', { sessionKey: 'agent:main:main:thread:1' }, nonMain, [true, 'ro']],
  ['non-main, group', { sessionKey: 'agent:main:telegram:group:123' }, nonMain, [true, 'ro']],
  ['non-main, group without a key', { channel: 'telegram', groupId: '123' }, nonMain, [true, 'ro']],
  ['non-main, spawned without a key', { spawnedBy: 'agent:main:main' }, nonMain, [true, 'ro']],
  ['non-main, unknown', { sessionKey: 'unknown' }, nonMain, [true, 'ro']],
  [
    'non-main, other main key',
    { sessionKey: 'agent:main:home' },
    { ...nonMain, session: { mainKey: 'home' } },
    [false, 'ro'],
  ],
  ['non-main, shared session', {}, { ...nonMain, session: { scope: 'global' } }, [false, 'ro']],
  ['non-main, global by key only', { sessionKey: 'global' }, nonMain, [true, 'ro']],
  [
    'the agent decides field by field',
    { agentId: 'a' },
    {
      agents: {
        defaults: { sandbox: { mode: 'off', workspaceAccess: 'ro' } },
        entries: { a: { sandbox: { mode: 'all' } } },
      },
    },
    [true, 'ro'],
  ],
  [
    'and may switch it off',
    { agentId: 'a' },
    {
      agents: {
        defaults: { sandbox: { mode: 'all' } },
        entries: { a: { sandbox: { mode: 'off', workspaceAccess: 'rw' } } },
      },
    },
    [false, 'rw'],
  ],
])('sandbox: %s', (_name, request, config, expected) => {
  expect(pick(resolve(request, config), 'sandboxed', 'workspaceAccess')).toEqual(expected)
})

test('a stored session may require the sandbox', () => {
  expect(resolve({}, {}, { sandbox: 'required' }).context.sandboxed).toBe(true)
  expect(resolve({ sandboxed: false }, {}, { sandbox: 'required' }).context.sandboxed).toBe(false)
})

const child = 'agent:main:subagent:u1'

test.each<[string, SessionRequest, object | undefined, [number, string]]>([
  ['main', {}, undefined, [0, 'main']],
  ['a child', { sessionKey: child }, undefined, [1, 'orchestrator']],
  ['a grandchild by key', { sessionKey: `${child}:subagent:u2` }, undefined, [2, 'leaf']],
  ['a grandchild by its spawner', { sessionKey: child, spawnedBy: child }, undefined, [2, 'leaf']],
  ['a stored spawner', { sessionKey: child }, { spawnedBy: child }, [2, 'leaf']],
  ['a stored depth', { sessionKey: child }, { spawnedBy: child, spawnDepth: 1 }, [1, 'orchestrator']],
  ['a stored role', { sessionKey: child }, { subagentRole: 'leaf' }, [1, 'leaf']],
  [
    'depth said over stored',
    { sessionKey: child, spawnDepth: 1 },
    { spawnDepth: 2, subagentRole: 'leaf' },
    [1, 'orchestrator'],
  ],
  [
    'role said',
    { sessionKey: `${child}:subagent:u2`, subagentRole: 'orchestrator' },
    undefined,
    [2, 'orchestrator'],
  ],
  ['role said without a key', { subagentRole: 'leaf' }, undefined, [1, 'leaf']],
  ['main said of a child', { sessionKey: child, subagentRole: 'main' }, undefined, [0, 'main']],
  ['depth 0 said of a child', { sessionKey: child, spawnDepth: 0 }, undefined, [0, 'main']],
  ['spawned without a key', { spawnedBy: 'agent:main:main' }, undefined, [1, 'orchestrator']],
  [
    'a spawner does not make a group session a child',
    { sessionKey: 'agent:main:discord:group:g', spawnedBy: child },
    undefined,
    [0, 'main'],
  ],
  [
    'unless its depth is said',
    { sessionKey: 'agent:main:discord:group:g', spawnDepth: 2 },
    undefined,
    [2, 'leaf'],
  ],
  [
    'nor a stored depth',
    { sessionKey: 'agent:main:discord:group:g' },
    { spawnDepth: 2, subagentRole: 'leaf' },
    [0, 'main'],
  ],
  ['acp with what is stored', { sessionKey: 'acp:1' }, { spawnDepth: 2 }, [2, 'leaf']],
  ['acp alone', { sessionKey: 'acp:1' }, undefined, [0, 'main']],
])('lineage, two levels allowed: %s', (_name, request, stored, expected) => {
  const config: Config = { agents: { defaults: { subagents: { maxSpawnDepth: 2 } } } }
  expect(pick(resolve(request, config, stored), 'subagentDepth', 'subagentRole')).toEqual(expected)
})

function childRole(edition: EditionId, spawnDepth: number): string {
  return resolve({ sessionKey: child, spawnDepth }, {}, undefined, edition).context.subagentRole
}

test('how deep subagents go by default is up to the edition', () => {
  expect([
    childRole('2026.7', 1),
    childRole('2026.9', 1),
    childRole('2026.9', 4),
    childRole('2026.9', 5),
  ]).toEqual(['leaf', 'orchestrator', 'orchestrator', 'leaf'])
})

test('what is stored about a session, in both layouts', () => {
  const shared = {
    agentHarnessId: 'codex',
    inheritedToolDeny: ['exec', 5],
    cronRunContinuation: { toolsAllow: ['read'] },
    bogus: { nested: true },
  }
  const newer = {
    ...shared,
    delivery: {
      kind: 'external',
      context: { channel: 'telegram', to: '5', threadId: 7 },
      origin: { provider: 'slack', accountId: 'acct' },
    },
  }
  const older = {
    ...shared,
    lastChannel: 'telegram',
    lastAccountId: 'acct',
    lastThreadId: 7,
    origin: { provider: 'slack' },
  }
  const seen = [newer, older].map((stored) =>
    pick(resolve({}, {}, stored), 'channel', 'accountId', 'harness', 'inherited', 'toolsAllow', 'origin'),
  )
  expect(seen[0]).toEqual(['telegram', 'acct', 'codex', { deny: ['exec'] }, ['read'], 'session-store'])
  expect(seen[1]).toEqual(seen[0])
  expect(readEntry(newer)).toEqual(readEntry(older))
  expect(readEntry({ delivery: { kind: 'none', context: { channel: 'x' } }, lastChannel: 'y' })).toEqual({})
  expect([readEntry(null), readEntry([]), readEntry('x')]).toEqual([null, null, null])
})

test.each<[string, SessionRequest, object | null | undefined, [string, boolean]]>([
  ['nothing', {}, undefined, ['defaults', false]],
  ['nothing, not stored either', {}, null, ['defaults', false]],
  ['stored', {}, {}, ['session-store', false]],
  ['a stored key', { sessionKey: 'main' }, {}, ['session-store', false]],
  ['a key that is not stored', { sessionKey: 'main' }, null, ['flags', true]],
  ['a key nobody looked up', { sessionKey: 'main' }, undefined, ['flags', false]],
  ['an agent', { agentId: 'main' }, null, ['flags', false]],
  ['more than is stored', { sessionKey: 'main', channel: 'x' }, {}, ['flags', false]],
  ['a field without a value', { channel: undefined }, {}, ['session-store', false]],
])('origin: %s', (_name, request, stored, expected) => {
  expect(pick(resolve(request, {}, stored), 'origin', 'notStored')).toEqual(expected)
})

test.each<[string, SessionRequest, readonly string[]]>([
  ['all', {}, ['provider', 'model', 'channel', 'sender', 'sender.isOwner']],
  [
    'a channel raises more questions',
    { channel: 'x', model: 'a/b', isOwner: true },
    ['accountId', 'groupId', 'sender'],
  ],
  [
    'a key answers which group',
    { sessionKey: 'agent:main:x:group:1', model: 'a/b' },
    ['accountId', 'sender', 'sender.isOwner'],
  ],
  [
    'none',
    { channel: 'x', accountId: 'a', groupId: 'g', model: 'a/b', sender: { id: '1' }, isOwner: true },
    [],
  ],
])('missing: %s', (_name, request, expected) => {
  expect(resolve(request).missing).toEqual(expected)
})
