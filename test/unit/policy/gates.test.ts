import { expect, test } from 'vitest'
import { formatPath } from '../../../src/kernel/path.ts'
import { view, visible } from './select.ts'
import type { Session } from './open.ts'

const has = (name: string, session: Session): boolean => visible(session).includes(name)

test.each<readonly [why: string, isThere: boolean, vision: boolean, config: unknown, providers: unknown]>([
  ['the model sees', true, true, {}, {}],
  ['the inventory has a provider', true, false, {}, { image: true }],
  ['the agent has an image model', true, false, { agents: { entries: { main: { imageModel: 'a/b' } } } }, {}],
  ['every agent has one', true, false, { agents: { defaults: { imageModel: 'a/b' } } }, {}],
  ['nothing sees', false, false, {}, {}],
  [
    'the inventory says no, whatever config says',
    false,
    false,
    { agents: { defaults: { imageModel: 'a/b' } } },
    { image: false },
  ],
])('image: %s', (_why, isThere, vision, config, providers) => {
  const session = { config, context: { supports: { vision } }, inventory: { providers } }
  expect(has('image', session)).toBe(isThere)
  expect(has('view_image', { ...session, edition: '2026.9' })).toBe(isThere)
})

test.each<readonly [isThere: boolean, everyone: boolean | undefined, agent: boolean | undefined]>([
  [false, undefined, undefined],
  [true, true, undefined],
  [true, undefined, true],
  [true, false, true],
  [false, true, false],
])('agents_wait is there: %s with swarm %s, and of the agent %s', (isThere, everyone, agent) => {
  const swarm = (enabled: boolean | undefined): unknown =>
    enabled === undefined ? {} : { swarm: { enabled } }
  const config = { tools: swarm(everyone), agents: { entries: { main: { tools: swarm(agent) } } } }
  expect(has('agents_wait', { edition: '2026.9', config })).toBe(isThere)
})

test('media tools follow the models of the agent that is asked about', () => {
  const config = { agents: { entries: { main: {}, film: { videoGenerationModel: 'a/b' } } } }
  const inventory = { providers: {} }
  expect(has('video_generate', { config, inventory, context: { agentId: 'film' } })).toBe(true)
  expect(has('video_generate', { config, inventory, context: { agentId: 'main' } })).toBe(false)
})

test('a cap that names message carries it past the profile, but not a plugin of that name', () => {
  const session = { config: { tools: { profile: 'coding' } }, context: { toolsAllow: ['read', 'message'] } }
  expect(visible({ ...session, inventory: {} })).toEqual(['read', 'message'])
  expect(visible({ ...session, inventory: { plugins: { message: ['note_send'] } } })).toEqual(['read'])
  expect(
    visible({ ...session, inventory: {}, context: { toolsAllow: ['read', 'group:messaging'] } }),
  ).toEqual(['read'])
})

test.each<readonly [why: string, lists: unknown, shows: string]>([
  ['the built-in list', {}, 'exec read sessions_list'],
  ['an allow list of blanks is an empty one', { allow: ['', ' '] }, 'exec read tts sessions_list'],
  ['an empty one allows everything', { allow: [] }, 'exec read tts sessions_list'],
  ['whatever alsoAllow says beside it', { allow: [], alsoAllow: ['read'] }, 'exec read tts sessions_list'],
  ['an allow list', { allow: ['read'] }, 'read'],
])('sandbox lists: %s', (_why, tools, shows) => {
  const config = { tools: { sandbox: { tools } }, agents: { defaults: { sandbox: { mode: 'all' } } } }
  const about = new Set(['exec', 'read', 'tts', 'sessions_list'])
  const names = visible({ config, inventory: {} }).filter((name) => about.has(name))
  expect(names.toSorted()).toEqual(shows.split(' ').toSorted())
})

test('a sandbox that denies image denies view_image, by the entry that is written there', () => {
  const config = {
    tools: { sandbox: { tools: { allow: [], deny: ['exec', ' Image'] } } },
    agents: { defaults: { sandbox: { mode: 'all' } } },
  }
  const { decisions } = view({ edition: '2026.9', config })
  const decision = decisions.find(({ tool }) => tool.name === 'view_image')
  expect(decision?.trace[decision.decisive]).toEqual({
    step: 'sandbox.tools',
    outcome: 'deny',
    list: 'sandbox.tools.deny',
    rule: 'Image',
    reason: '"Image" in tools.sandbox.tools.deny denies it',
    path: ['tools', 'sandbox', 'tools', 'deny', 1],
  })
})

test.each<readonly [name: string, own: unknown, shared: unknown, place: string | null]>([
  ['write', {}, { mode: 'all', workspaceAccess: 'ro' }, 'agents.defaults.sandbox.workspaceAccess'],
  ['edit', { workspaceAccess: 'ro' }, { mode: 'all' }, 'agents.entries.main.sandbox.workspaceAccess'],
  ['skill_workshop', {}, { mode: 'all' }, 'agents.defaults.sandbox.mode'],
  ['skill_workshop', { mode: 'all' }, { mode: 'off' }, 'agents.entries.main.sandbox.mode'],
  ['skill_workshop', { mode: 'off' }, {}, null],
  ['skill_workshop', {}, {}, null],
])('a sandbox that keeps %s out is told with its place, %j over %j', (name, own, shared, place) => {
  const config = { agents: { defaults: { sandbox: shared }, entries: { main: { sandbox: own } } } }
  const { decisions } = view({ config, context: { sandboxed: true } })
  const decision = decisions.find(({ tool }) => tool.name === name)
  const entry = decision?.trace[decision.decisive]
  expect(entry).toMatchObject({ step: 'capability', outcome: 'gate' })
  expect(entry?.path && formatPath(entry.path)).toBe(place)
})

test.each<readonly [name: string, edition: '2026.7' | '2026.9', tools: unknown]>([
  ['exec', '2026.7', { byProvider: { 'openai/gpt-5': { alsoAllow: ['exec'] }, openai: { deny: ['exec'] } } }],
  ['exec', '2026.9', { byProvider: { 'openai/gpt-5': { alsoAllow: ['exec'] }, openai: { deny: ['exec'] } } }],
  ['apply_patch', '2026.7', { exec: { applyPatch: { allowModels: ['gpt-5'] } } }],
  ['apply_patch', '2026.7', { exec: { applyPatch: { allowModels: ['openai/gpt-5'] } } }],
  ['update_plan', '2026.7', {}],
])(
  'a model that is said with its provider once more is the same model: %s, %s, %j',
  (name, edition, tools) => {
    for (const model of ['gpt-5', 'OpenAI/gpt-5']) {
      expect(has(name, { edition, config: { tools }, context: { provider: 'openai', model } })).toBe(true)
    }
    expect(
      has('exec', {
        config: { tools: { byProvider: { 'openrouter/openai/gpt-5': { deny: ['exec'] } } } },
        context: { provider: 'openrouter', model: 'openai/gpt-5' },
      }),
    ).toBe(false)
  },
)

test.each<readonly [name: string, config: unknown, reason: string, place: string | null]>([
  ['tts', { messages: { tts: { enabled: false } } }, 'messages.tts.enabled is false', 'messages.tts.enabled'],
  [
    'web_search',
    { tools: { web: { search: { provider: 'grok' } } }, plugins: { entries: { xai: { enabled: false } } } },
    'the plugin xai, which brings the chosen search provider, is disabled',
    'plugins.entries.xai.enabled',
  ],
])('what switches the provider of %s off is told with its place', (name, config, reason, place) => {
  const told = (session: Session) => {
    const decision = view(session).decisions.find(({ tool }) => tool.name === name)
    const entry = decision?.trace[decision.decisive]
    return entry && [entry.rule, entry.reason, entry.path && formatPath(entry.path)]
  }
  expect(told({ config, inventory: {} })).toEqual([`provider ${name}`, reason, place])
  const [rule, , path] = told({ config: {}, inventory: { providers: { [name]: false } } }) ?? []
  expect([rule, path]).toEqual([`provider ${name}`, null])
})
