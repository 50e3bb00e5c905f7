import { expect, test } from 'vitest'
import { visible } from './select.ts'

const core = new Set(
  visible({ inventory: { plugins: {}, providers: { web_search: true, tts: true, image: true } } }),
)

/** The visible tools under these lists of `tools`, without what the case is not about. */
function shown(tools: unknown, about: (name: string) => boolean = () => true): string {
  return visible({ config: { tools } }).filter(about).join(' ')
}

test.each<readonly [why: string, tools: unknown, shows: string]>([
  ['an allow list shows only what it selects', { allow: ['read', 'exec'] }, 'read exec'],
  ['deny comes first', { allow: ['read', 'exec'], deny: ['EXEC'] }, 'read'],
  ['a deny beats a glob that allows', { allow: ['*'], deny: ['*'] }, ''],
  ['unknown names leave nothing', { allow: ['nosuch'] }, ''],
  ['blank entries are no entries', { allow: ['', 'read', '  '] }, 'read'],
  ['write brings apply_patch along', { allow: ['write'] }, 'write apply_patch'],
  ['a glob that selects write does, too', { allow: ['wri*'] }, 'write apply_patch'],
  ['apply_patch can be denied beside it', { allow: ['write'], deny: ['apply_patch'] }, 'write'],
  ['denying write leaves apply_patch', { allow: ['group:fs'], deny: ['write'] }, 'read edit apply_patch'],
  ['edit implies nothing', { allow: ['edit'] }, 'edit'],
  ['allow intersects with the profile', { profile: 'coding', allow: ['read', 'tts'] }, 'read'],
  [
    'alsoAllow widens the profile',
    { profile: 'minimal', alsoAllow: ['read', 'tts'] },
    'read session_status tts',
  ],
  [
    'and so does a plugin id there',
    { profile: 'minimal', alsoAllow: ['memory-core'] },
    'session_status memory_get memory_search',
  ],
  ['an unknown profile is none', { profile: 'nosuch', allow: ['read'] }, 'read'],
  ['globs do not select plugin tools', { allow: ['memory_*'] }, ''],
  ['neither do groups', { allow: ['group:memory', 'read'] }, 'read'],
  [
    'a group works where something else selects the tool',
    { allow: ['group:memory', 'browser'] },
    'browser browser_shot',
  ],
  ['an exact name selects a plugin tool', { allow: ['memory_get'] }, 'memory_get'],
  ['a plugin id opens its optional tools', { allow: ['ledger'] }, 'Ledger_Read ledger_wipe'],
  ['so does the name', { allow: ['ledger_wipe'] }, 'ledger_wipe'],
])('%s', (_why, tools, shows) => {
  const about = (name: string): boolean => !name.startsWith('tool_') && name !== 'pick_file'
  expect(shown(tools, about).split(' ').toSorted()).toEqual(shows.split(' ').toSorted())
})

test.each<readonly [why: string, tools: unknown]>([
  ['no lists', {}],
  ['an empty allow list', { allow: [] }],
  ['an allow list of blanks', { allow: ['', '  '] }],
  ['alsoAllow alone', { alsoAllow: ['read'] }],
  ['an empty allow list with alsoAllow', { allow: [], alsoAllow: ['read'] }],
  ['blanks in alsoAllow', { alsoAllow: ['  '] }],
  ['a deny list that matches nothing', { deny: ['nosuch', 'rea?', 'group:nope', ''] }],
  ['profile full', { profile: 'full' }],
])('%s restricts no built-in tool', (_why, tools) => {
  expect(shown(tools, (name) => core.has(name))).toEqual([...core].join(' '))
})

test.each<readonly [why: string, tools: unknown, shows: string]>([
  ['by itself a plugin tool is there unless it is optional', {}, 'Ledger_Read'],
  ['* opens optional tools', { allow: ['*'] }, 'Ledger_Read ledger_wipe'],
  ['so does profile full', { profile: 'full' }, 'Ledger_Read ledger_wipe'],
  ['a * in alsoAllow is the same', { alsoAllow: ['*'] }, 'Ledger_Read ledger_wipe'],
  ['the * that alsoAllow alone implies is not', { alsoAllow: ['read'] }, 'Ledger_Read'],
  ['nor is it with an empty allow list', { allow: [], alsoAllow: ['read'] }, 'Ledger_Read'],
  ['** is no *', { allow: ['**'] }, ''],
  ['a deny glob hides one tool', { deny: ['ledger_*'] }, ''],
  ['a deny glob that fits the plugin id hides its tools', { deny: ['led*er'] }, ''],
  ['a deny glob that fits group:plugins hides every plugin tool', { deny: ['group:*'] }, ''],
  ['an allow glob of that kind selects nothing', { allow: ['group:*', 'ledger_*'] }, ''],
])('plugin tools: %s', (_why, tools, shows) => {
  expect(shown(tools, (name) => name.toLowerCase().startsWith('ledger'))).toBe(shows)
})

test('deny group:* hides plugin tools and nothing else', () => {
  const left = new Set(visible({ config: { tools: { deny: ['group:*'] } } }))
  expect([...core].filter((name) => !left.has(name))).toEqual([])
  expect([...left].filter((name) => !core.has(name))).toMatchInlineSnapshot(`
    [
      "image_generate",
      "discord_react",
      "github__create_issue",
      "github__list_issues",
      "mail-box__send",
      "pick_file",
    ]
  `)
})

test('a group that names a tool with the id of a plugin hides that plugin', () => {
  const tools = { deny: ['group:ui'] }
  expect(shown(tools, (name) => /^(browser|canvas|message)/.test(name))).toBe('message')
})

test('a plugin called like a tool cannot keep it from being denied, and is no way to allow it', () => {
  const about = (name: string): boolean => name === 'message' || name === 'note_send'
  expect(shown({ deny: ['message'] }, about)).toBe('')
  expect(shown({ allow: ['message'] }, about)).toBe('note_send')
  expect(shown({ allow: ['group:messaging'] }, about)).toBe('message')
})
