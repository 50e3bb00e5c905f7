import { expect, test } from 'vitest'
import { agentIds, defaultAgentId, findAgent, listAgents } from '../../../src/config/agents.ts'
import type { Config } from '../../../src/config/types.ts'

const list: Config = { agents: { list: [{ id: 'work' }, { id: 'Main' }, { id: 'WORK', default: true }] } }
const entries: Config = {
  agents: { entries: { home: {}, work: { default: true } }, list: [{ id: 'old', default: true }] },
}

test('agents come from the list with their place, a repeated id once', () => {
  expect(listAgents(list)).toEqual([
    { id: 'work', path: ['agents', 'list', 0], config: { id: 'work' } },
    { id: 'Main', path: ['agents', 'list', 1], config: { id: 'Main' } },
  ])
})

test('entries win over the list, an empty map does not', () => {
  expect(listAgents(entries).map((agent) => agent.path)).toEqual([
    ['agents', 'entries', 'home'],
    ['agents', 'entries', 'work'],
  ])
  expect(agentIds({ agents: { entries: {}, list: [{ id: 'old' }] } })).toEqual(['old'])
})

test('ids compare without case and outer blanks', () => {
  expect(findAgent(list, ' MAIN ')?.path).toEqual(['agents', 'list', 1])
  expect(findAgent(list, 'mainx')).toBeUndefined()
  expect(findAgent({ agents: { list: [{}, { id: '  ' }, { id: ' x ' }] } }, 'x')?.path).toEqual([
    'agents',
    'list',
    2,
  ])
})

test.each<[string, Config, string]>([
  ['the marked one', entries, 'work'],
  ['a repeated id counts with its first entry', list, 'Main'],
  ['the first', { agents: { list: [{ id: 'b' }, { id: 'a' }] } }, 'b'],
  ['none configured', { agents: { defaults: {} } }, 'main'],
])('default agent: %s', (_name, config, id) => {
  expect(defaultAgentId(config)).toBe(id)
})

test('a config without agents has main alone, and no entry for it', () => {
  expect(agentIds({})).toEqual(['main'])
  expect(findAgent({}, 'main')).toBeUndefined()
})
