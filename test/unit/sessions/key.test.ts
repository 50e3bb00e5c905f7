import {
  array,
  assert,
  constantFrom,
  oneof,
  option,
  pre,
  property,
  record,
  stringMatching,
  tuple,
} from 'fast-check'
import { expect, test } from 'vitest'
import { OpenClawError } from '../../../src/kernel/errors.ts'
import {
  formatSessionKey,
  groupIdFallbacks,
  parseSessionKey,
  type SessionKey,
} from '../../../src/sessions/key.ts'

/** What a key says, without the fields that say nothing. */
function summary(text: string): Partial<SessionKey> {
  const { agentId, kind, channel, accountId, peer, groupIds, threadId, subagentDepth } = parseSessionKey(text)
  return {
    agentId,
    kind,
    ...(channel !== null && { channel }),
    ...(accountId !== null && { accountId }),
    ...(peer !== null && { peer }),
    ...(groupIds.length > 0 && { groupIds }),
    ...(threadId !== null && { threadId }),
    ...(subagentDepth > 0 && { subagentDepth }),
  }
}

test.each<[string, Partial<SessionKey>]>([
  ['agent:main:main', { agentId: 'main', kind: 'main' }],
  ['agent:main:main:thread:7', { agentId: 'main', kind: 'main', threadId: '7' }],
  ['agent:w:direct:77', { agentId: 'w', kind: 'direct', peer: '77' }],
  ['agent:w:telegram:direct:77', { agentId: 'w', kind: 'direct', channel: 'telegram', peer: '77' }],
  ['agent:w:Teams:dm:29:1a', { agentId: 'w', kind: 'direct', channel: 'msteams', peer: '29:1a' }],
  [
    'agent:w:whatsapp:biz:direct:+49',
    { agentId: 'w', kind: 'direct', channel: 'whatsapp', accountId: 'biz', peer: '+49' },
  ],
  [
    'agent:main:telegram:group:-100200',
    { agentId: 'main', kind: 'group', channel: 'telegram', groupIds: ['-100200'] },
  ],
  [
    'agent:main:slack:channel:C0AB:thread:1700.5',
    { agentId: 'main', kind: 'channel', channel: 'slack', groupIds: ['C0AB'], threadId: '1700.5' },
  ],
  [
    'agent:main:matrix:room:!Ab:home.org',
    { agentId: 'main', kind: 'room', channel: 'matrix', groupIds: ['!Ab:home.org'] },
  ],
  [
    'agent:main:telegram:group:-5:topic:9',
    { agentId: 'main', kind: 'group', channel: 'telegram', groupIds: ['-5:topic:9', '-5'], threadId: '9' },
  ],
  [
    'agent:main:telegram:group:-5:topic:9:sender:42',
    {
      agentId: 'main',
      kind: 'group',
      channel: 'telegram',
      groupIds: ['-5:topic:9:sender:42', '-5:topic:9', '-5'],
      threadId: '9',
    },
  ],
  [
    'agent:main:discord:channel:1:thread:2:thread:3',
    { agentId: 'main', kind: 'channel', channel: 'discord', groupIds: ['1:thread:2'], threadId: '3' },
  ],
  ['agent:main:subagent:ab', { agentId: 'main', kind: 'subagent', subagentDepth: 1 }],
  ['agent:main:subagent:ab:subagent:cd', { agentId: 'main', kind: 'subagent', subagentDepth: 2 }],
  ['agent:main:cron:daily', { agentId: 'main', kind: 'cron' }],
  ['agent:main:cron:daily:run:5', { agentId: 'main', kind: 'cron' }],
  ['cron:daily:run:5', { agentId: null, kind: 'cron' }],
  ['hook:6f', { agentId: null, kind: 'hook' }],
  ['acp:6f', { agentId: null, kind: 'acp' }],
  ['agent:main:openai-user:jo', { agentId: 'main', kind: 'http' }],
  ['telegram:group:5', { agentId: null, kind: 'group', channel: 'telegram', groupIds: ['5'] }],
  ['main', { agentId: null, kind: 'main' }],
  ['Global', { agentId: null, kind: 'global' }],
  ['unknown', { agentId: null, kind: 'unknown' }],
  ['agent:main:global', { agentId: 'main', kind: 'other' }],
  ['agent:main:my notes', { agentId: 'main', kind: 'other' }],
  ['agent:main:telegram:group:', { agentId: 'main', kind: 'other' }],
  ['agent:main:subagent:', { agentId: 'main', kind: 'other' }],
])('%s', (key, expected) => {
  expect(summary(key)).toEqual(expected)
})

test.each([
  ['', 'malformed session key "": it is empty'],
  ['agent:', 'malformed session key "agent:": the agent id is missing'],
  ['agent::main', 'malformed session key "agent::main": the agent id is missing'],
  ['agent:main', 'malformed session key "agent:main": nothing follows the agent id "main"'],
  ['AGENT:main::', 'malformed session key "AGENT:main::": nothing follows the agent id "main"'],
  ['a\u0007b', 'malformed session key "a\\u{7}b": it contains a control character'],
])('%j is malformed', (key, message) => {
  const error = thrown(() => parseSessionKey(key))
  expect(error).toMatchObject({ code: 'USAGE', message, data: { sessionKey: key } })
})

function thrown(run: () => unknown): OpenClawError | undefined {
  try {
    run()
  } catch (error) {
    if (error instanceof OpenClawError) return error
    throw error
  }
  return undefined
}

test('group ids fall back by sender, then by topic', () => {
  expect(groupIdFallbacks('X:sender:s')).toEqual(['X:sender:s', 'X'])
  expect(groupIdFallbacks('X')).toEqual(['X'])
  expect(groupIdFallbacks('')).toEqual([])
})

const runs = process.env['OPENCLAW_TEST_FULL'] === '1' ? 20_000 : 1000
const word = stringMatching(/^[A-Za-z0-9_.+!@-]{1,8}$/)
const piece = oneof(
  word,
  constantFrom(
    'main',
    'direct',
    'dm',
    'group',
    'channel',
    'room',
    'topic',
    'sender',
    'thread',
    'subagent',
    '',
  ),
)

test('every key that parses is written back as it was', () => {
  const key = oneof(
    tuple(word, array(piece, { minLength: 1, maxLength: 9 })).map(
      ([id, rest]) => `agent:${id}:${rest.join(':')}`,
    ),
    array(piece, { minLength: 1, maxLength: 9 }).map((rest) => rest.join(':')),
  )
  assert(
    property(key, (text) => {
      pre(!/^:*$/.test(text.replace(/^agent:[^:]+:/, '')) && !/^(global|unknown)$/i.test(text))
      expect(formatSessionKey(parseSessionKey(text))).toBe(text)
    }),
    { numRuns: runs },
  )
})

test('a key built from its parts yields those parts', () => {
  const id = word.filter(
    (each) => !/^(direct|dm|group|channel|room|subagent|cron|hook|acp|openai|teams)$/i.test(each),
  )
  const parts = record({
    agentId: word,
    channel: id.map((each) => each.toLowerCase()),
    kind: constantFrom('group' as const, 'channel' as const, 'room' as const),
    group: id,
    topic: option(id),
    sender: option(id),
    thread: option(id),
  })
  assert(
    property(parts, ({ agentId, channel, kind, group, topic, sender, thread }) => {
      const suffixes = [topic && `:topic:${topic}`, sender && `:sender:${sender}`].map((each) => each ?? '')
      const full = group + suffixes.join('')
      const text = `agent:${agentId}:${channel}:${kind}:${full}${thread === null ? '' : `:thread:${thread}`}`
      expect(summary(text)).toEqual({
        agentId,
        kind,
        channel,
        groupIds: [...new Set([full, group + suffixes[0], group])],
        ...((thread ?? topic) !== null && { threadId: thread ?? topic }),
      })
    }),
    { numRuns: runs },
  )
})
