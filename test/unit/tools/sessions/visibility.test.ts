import { describe, expect, test } from 'vitest'
import type { EditionId } from '../../../../src/catalog/edition.ts'
import { agentsMayTalk, reachFrom, visibilityOf } from '../../../../src/tools/sessions/visibility.ts'
import { open } from '../../policy/open.ts'

const me = 'agent:main:telegram:group:-1'
const sessions = [
  { key: 'agent:main:main', agentId: 'main', entry: {} },
  { key: me, agentId: 'main', entry: {} },
  { key: 'agent:main:subagent:a', agentId: 'main', entry: { spawnedBy: me.toUpperCase() } },
  { key: 'agent:work:subagent:b', agentId: 'work', entry: { spawnedBy: 'agent:main:subagent:a' } },
  { key: 'agent:main:subagent:c', agentId: 'main', entry: { spawnedBy: 'agent:main:main' } },
  { key: 'agent:work:main', agentId: 'work', entry: {} },
  { key: 'agent:main:subagent:x', agentId: 'main', entry: { spawnedBy: 'agent:main:subagent:y' } },
  { key: 'agent:main:subagent:y', agentId: 'main', entry: { spawnedBy: 'agent:main:subagent:x' } },
]

function seen(
  tools: object,
  edition: EditionId = '2026.7',
  more: { sandboxed?: boolean; sandbox?: object } = {},
) {
  const { sandboxed = false, sandbox = {} } = more
  const agents = { defaults: { sandbox }, list: [{ id: 'main' }, { id: 'work' }] }
  const { view } = open({ config: { agents, tools }, edition, context: { sessionKey: me, sandboxed } })
  return { level: visibilityOf(view), keys: sessions.filter(reachFrom(view, sessions)).map(({ key }) => key) }
}

const tree = [me, 'agent:main:subagent:a', 'agent:work:subagent:b']
const ofAgent = sessions.flatMap(({ key, agentId }) =>
  agentId === 'main' || key === 'agent:work:subagent:b' ? [key] : [],
)
const everything = sessions.map(({ key }) => key)
const visibility = (level: string, more: object = {}) => ({ sessions: { visibility: level }, ...more })

describe('which sessions a session sees', () => {
  test.each([
    ['its own tree by default', seen({}), 'tree', tree],
    ['all by default in 2026.9', seen({}, '2026.9'), 'all', everything],
    ['itself', seen(visibility('self')), 'self', [me]],
    ['its agent', seen(visibility('agent')), 'agent', ofAgent],
    ['its agent, where agents may not talk', seen(visibility('all')), 'all', ofAgent],
    ['all', seen(visibility('all', { agentToAgent: { enabled: true } })), 'all', everything],
    ['no other agent in 2026.9', seen({ agentToAgent: { enabled: false } }, '2026.9'), 'all', ofAgent],
    ['its tree in a sandbox', seen({}, '2026.9', { sandboxed: true }), 'tree', tree],
    ['itself in a sandbox', seen(visibility('self'), '2026.9', { sandboxed: true }), 'self', [me]],
    [
      'all in a sandbox that allows it',
      seen({}, '2026.9', { sandboxed: true, sandbox: { sessionToolsVisibility: 'all' } }),
      'all',
      everything,
    ],
  ] as const)('%s', (_what, { level, keys }, wantedLevel, wanted) => {
    expect({ level, keys }).toEqual({ level: wantedLevel, keys: wanted })
  })
})

test.each([
  [[], true],
  [['main', 'work'], true],
  [['main'], false],
  [['work'], false],
  [['MAIN', 'work'], false],
  [['M*', 'W*'], true],
  [['*'], true],
  [[' ', ''], false],
])('agents that tools.agentToAgent.allow %j lets talk', (allow, wanted) => {
  const { view } = open({ config: { tools: { agentToAgent: { enabled: true, allow } } } })
  expect(agentsMayTalk(view, 'main', 'work')).toBe(wanted)
  expect(agentsMayTalk(view, 'main', 'MAIN')).toBe(true)
})
