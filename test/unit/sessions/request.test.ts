import { expect, test } from 'vitest'
import { parseContext } from '../../../src/sessions/context-file.ts'
import {
  overlayRequests,
  parseModel,
  parseSender,
  parseToolsAllow,
  type SessionRequest,
} from '../../../src/sessions/request.ts'
import { told } from './told.ts'

test.each<[string, SessionRequest, SessionRequest, SessionRequest]>([
  ['a later field wins', { channel: 'a', groupId: 'g' }, { channel: 'b' }, { channel: 'b', groupId: 'g' }],
  ['undefined says nothing', { channel: 'a' }, { channel: undefined }, { channel: 'a' }],
  [
    'the model goes with another provider',
    { provider: 'openai', model: 'gpt' },
    { provider: 'xai' },
    { provider: 'xai' },
  ],
  [
    'the model stays with the same provider',
    { provider: 'openai', model: 'gpt' },
    { provider: 'OpenAI' },
    { provider: 'OpenAI', model: 'gpt' },
  ],
  [
    'a model may bring its provider',
    { provider: 'openai', model: 'gpt' },
    { model: 'xai/grok/4' },
    { provider: 'xai', model: 'grok/4' },
  ],
  [
    'a model alone keeps the provider',
    { provider: 'openai', model: 'gpt' },
    { model: 'o9' },
    { provider: 'openai', model: 'o9' },
  ],
  [
    'a model id may hold a slash when its provider is named',
    {},
    { provider: 'openrouter', model: 'meta/llama-4' },
    { provider: 'openrouter', model: 'meta/llama-4' },
  ],
  [
    'a provider joins a model without one',
    { model: 'gpt' },
    { provider: 'openai' },
    { model: 'gpt', provider: 'openai' },
  ],
  [
    'the account goes with another channel',
    { channel: 'slack', accountId: 'a' },
    { channel: 'discord' },
    { channel: 'discord' },
  ],
  [
    'ownership goes with another sender',
    { sender: { id: '1' }, isOwner: true },
    { sender: { id: '2' } },
    { sender: { id: '2' } },
  ],
  [
    'ownership alone leaves the sender',
    { sender: { id: '1' }, isOwner: true },
    { isOwner: false },
    { sender: { id: '1' }, isOwner: false },
  ],
  [
    'a key ends the agent below',
    { agentId: 'main', sessionKey: 'agent:main:main' },
    { sessionKey: 'agent:work:main' },
    { sessionKey: 'agent:work:main' },
  ],
  [
    'an unprefixed key keeps it',
    { agentId: 'work' },
    { sessionKey: 'cron:x' },
    { agentId: 'work', sessionKey: 'cron:x' },
  ],
  [
    'an agent takes the key along',
    { sessionKey: 'agent:main:telegram:group:G:topic:1' },
    { agentId: 'work' },
    { agentId: 'work', sessionKey: 'agent:work:telegram:group:G:topic:1' },
  ],
  [
    'sentinels belong to no agent',
    { sessionKey: 'global' },
    { agentId: 'work' },
    { agentId: 'work', sessionKey: 'global' },
  ],
  [
    'capabilities merge one by one',
    { supports: { tools: false, vision: true } },
    { supports: { vision: false } },
    { supports: { tools: false, vision: false } },
  ],
  ['an empty cap wins over a full one', { toolsAllow: ['read'] }, { toolsAllow: [] }, { toolsAllow: [] }],
])('%s', (_name, below, above, expected) => {
  expect(overlayRequests(below, above)).toStrictEqual(expected)
})

test('a context file may say everything', () => {
  const file = {
    sessionKey: ' agent:main:discord:group:g1 ',
    agentId: 'main',
    provider: 'openai',
    model: 'gpt-5.5',
    channel: 'discord',
    accountId: 'default',
    groupId: -100200,
    threadId: 't1',
    sender: { id: 100, e164: '+4900', username: 'u1', name: 'User One', isOwner: false },
    sandboxed: true,
    spawnedBy: 'agent:main:main',
    spawnDepth: 1,
    subagentRole: 'leaf',
    inherited: { allow: [], deny: ['exec'] },
    toolsAllow: ['read'],
    harness: 'codex',
    supports: { tools: true, vision: false, permission: null },
    clientCaps: ['ui-commands'],
    disableTools: false,
  }
  expect(parseContext(file)).toStrictEqual({
    ...file,
    sessionKey: 'agent:main:discord:group:g1',
    groupId: '-100200',
    sender: { id: '100', e164: '+4900', username: 'u1', name: 'User One' },
    isOwner: false,
    supports: { tools: true, vision: false },
  })
  expect(parseContext({ channel: null, sender: {} })).toStrictEqual({ sender: {} })
})

test('what a context file may not say', () => {
  const bad = [
    7,
    [],
    { sesionKey: 'x' },
    { agent: 'main' },
    { zzz: 1 },
    JSON.parse('{"__proto__": {}}'),
    { channel: 5 },
    { agentId: '  ' },
    { groupId: 2 ** 60 },
    { sender: { ID: 'x' } },
    { sender: { isOwner: 'yes' } },
    { spawnDepth: -1 },
    { spawnDepth: 1.5 },
    { subagentRole: 'leav' },
    { inherited: { allow: ['read', 5] } },
    { toolsAllow: 'read' },
    { supports: { vision: 1 } },
    { harness: 'x'.repeat(200) },
  ]
  expect(bad.map((value) => told(() => parseContext(value)))).toMatchInlineSnapshot(`
    [
      "INPUT_INVALID | context: expected an object, got 7",
      "INPUT_INVALID | context: expected an object, got []",
      "INPUT_INVALID | unknown field "sesionKey" in context | did you mean sessionKey?",
      "INPUT_INVALID | unknown field "agent" in context | did you mean agentId?",
      "INPUT_INVALID | unknown field "zzz" in context | known fields: sessionKey, agentId, provider, model, channel, accountId, groupId, threadId, sender, sandboxed, spawnedBy, spawnDepth, subagentRole, inherited, toolsAllow, harness, supports, clientCaps, disableTools, heartbeat",
      "INPUT_INVALID | unknown field "__proto__" in context | known fields: sessionKey, agentId, provider, model, channel, accountId, groupId, threadId, sender, sandboxed, spawnedBy, spawnDepth, subagentRole, inherited, toolsAllow, harness, supports, clientCaps, disableTools, heartbeat",
      "INPUT_INVALID | context.channel: expected a text that is not empty, got 5",
      "INPUT_INVALID | context.agentId: expected a text that is not empty, got "  "",
      "INPUT_INVALID | context.groupId: expected an id in quotes, since this number is not kept as it was written, got 1152921504606847000",
      "INPUT_INVALID | unknown field "ID" in context.sender | did you mean id?",
      "INPUT_INVALID | context.sender.isOwner: expected true or false, got "yes"",
      "INPUT_INVALID | context.spawnDepth: expected a whole number from 0, got -1",
      "INPUT_INVALID | context.spawnDepth: expected a whole number from 0, got 1.5",
      "INPUT_INVALID | context.subagentRole: expected main or orchestrator or leaf, got "leav" | did you mean leaf?",
      "INPUT_INVALID | context.inherited.allow[1]: expected a text, got 5",
      "INPUT_INVALID | context.toolsAllow: expected a list of texts, got "read"",
      "INPUT_INVALID | context.supports.vision: expected true or false, got 1",
      "INPUT_INVALID | context.harness: expected openclaw or codex, got "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx…",
    ]
  `)
  expect(told(() => parseContext({ model: 1 }, 'cases[3].context'))).toBe(
    'INPUT_INVALID | cases[3].context.model: expected a text that is not empty, got 1',
  )
})

test('flags with a value of their own form', () => {
  expect(['id:100', ' E164: +49 (1) ', 'username:@u', 'name:A: B'].map(parseSender)).toStrictEqual([
    { id: '100' },
    { e164: '+49 (1)' },
    { username: '@u' },
    { name: 'A: B' },
  ])
  expect(['openai/gpt-5.5', 'openrouter/meta/llama', 'gpt', '/x'].map(parseModel)).toEqual([
    { provider: 'openai', model: 'gpt-5.5' },
    { provider: 'openrouter', model: 'meta/llama' },
    { model: 'gpt' },
    { model: '/x' },
  ])
  expect([parseToolsAllow(' read, exec,,'), parseToolsAllow('')]).toEqual([['read', 'exec'], []])
  expect([
    told(() => parseSender('bob')),
    told(() => parseSender('phone: +49 1')),
    told(() => parseSender('constructor:7')),
    told(() => parseSender('id: ')),
    told(() => parseSender('')),
    told(() => parseModel('openai/')),
    told(() => parseModel(' ')),
  ]).toMatchInlineSnapshot(`
    [
      "USAGE | the sender "bob" does not say which kind of identity it is | write one of id:bob, e164:bob, username:bob, name:bob",
      "USAGE | the sender "phone: +49 1" does not say which kind of identity it is | write e164:+49 1",
      "USAGE | the sender "constructor:7" does not say which kind of identity it is | write one of id:constructor:7, e164:constructor:7, username:constructor:7, name:constructor:7",
      "USAGE | the sender "id: " has no value | write one of id:…, e164:…, username:…, name:…",
      "USAGE | the sender "" does not say which kind of identity it is | write one of id:…, e164:…, username:…, name:…",
      "USAGE | "openai/" names no model | write it as provider/model, such as openai/gpt-5.5, or as the model alone",
      "USAGE | " " names no model | write it as provider/model, such as openai/gpt-5.5, or as the model alone",
    ]
  `)
})
