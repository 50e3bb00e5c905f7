import { expect, test } from 'vitest'
import { selected } from './select.ts'

const mcp = 'github__create_issue github__list_issues mail-box__send'
const owned = `Ledger_Read browser browser_shot canvas ledger_wipe memory_get memory_search note_send ${mcp}`

// One line per rule of policy facts §2: the entry, then what it selects in an allow list and, where it differs, in a deny list.
test.each<readonly string[]>([
  // Names: trimmed, lower-cased, aliases.
  ['read', 'read'],
  ['  ReAd\t', 'read'],
  ['bash', 'exec'],
  [' BASH ', 'exec'],
  ['apply-patch', 'apply_patch'],
  ['ledger_read', 'Ledger_Read'],
  ['cron', 'cron'],
  ['image', 'image'],
  ['update_plan', 'update_plan'],
  // Names that mean nothing here.
  ['', ''],
  ['   ', ''],
  ['nosuch', ''],
  ['view_image', ''],
  ['automations', ''],
  ['__proto__', ''],
  ['constructor', ''],
  ['mail box__send', ''],
  // Groups: one level, exact, in any case.
  ['group:fs', 'read write edit apply_patch'],
  [' Group:FS ', 'read write edit apply_patch'],
  ['group:messaging', 'message'],
  ['group:nope', ''],
  ['fs', ''],
  // Globs: `*` alone is special, the whole name must fit, aliases do not apply.
  ['web_*', 'web_search web_fetch'],
  ['WEB_*', 'web_search web_fetch'],
  ['sess*list', 'sessions_list'],
  ['*_goal', 'get_goal create_goal update_goal'],
  ['re*ad', 'read'],
  [
    '*ea*',
    'read heartbeat_respond web_search create_goal Ledger_Read memory_search discord_react github__create_issue tool_search_code tool_search',
  ],
  ['ba*', ''],
  ['rea?', ''],
  ['[rw]ead', ''],
  ['e.ec', ''],
  ['exec$', ''],
  ['r*d*x', ''],
  ['group:*', ''],
  ['*:fs', ''],
  ['memory-*', ''],
  // Allowing `write` allows apply_patch; nothing else does, and a deny list knows no such thing.
  ['write', 'write apply_patch', 'write'],
  ['w*', 'write apply_patch web_search web_fetch', 'write web_search web_fetch'],
  ['edit', 'edit'],
  ['apply_patch', 'apply_patch'],
  // Plugin ids come before groups and names; a denied id takes the tool of that name along.
  ['browser', 'browser browser_shot'],
  ['BROWSER', 'browser browser_shot'],
  ['memory-core', 'memory_get memory_search'],
  [' ledger ', 'Ledger_Read ledger_wipe'],
  ['group:ui', 'browser canvas'],
  ['message', 'note_send', 'message note_send'],
  ['group:plugins', owned],
  ['Group:Plugins', owned],
  // MCP tools: the plugin bundle-mcp, and names with the safe server name.
  ['bundle-mcp', mcp],
  ['github__*', 'github__create_issue github__list_issues'],
  ['mail-box__send', 'mail-box__send'],
  ['github', ''],
  ['*__*', mcp],
  // Channel and client tools have names only.
  ['discord_react', 'discord_react'],
  ['discord', ''],
  ['pick_file', 'pick_file'],
])('2026.7: %j selects %j', (entry = '', allow = '', deny = allow) => {
  const inOrder = (names: string): string[] => names.split(' ').toSorted()
  expect(inOrder(selected(entry, 'allow'))).toEqual(inOrder(allow))
  expect(inOrder(selected(entry, 'deny'))).toEqual(inOrder(deny))
})

test.each<readonly [entry: string, selects: string]>([
  ['cron', 'automations'],
  ['CRON', 'automations'],
  ['automations', 'automations'],
  ['update_plan', 'progress_card'],
  ['update*', 'update_goal'],
  // The plugin's own tool and the tool that came out of it, whether or not the plugin is there.
  ['canvas', 'show_widget canvas'],
  ['canvas*', 'canvas'],
  ['image', ''],
  ['view_image', 'view_image'],
  ['spawn_task', ''],
  ['group:fs', 'ls read write edit apply_patch'],
  [
    'group:automation',
    'heartbeat_respond automations gateway plugins openclaw'.split(' ').toSorted().join(' '),
  ],
])('2026.9: %j selects %j', (entry, selects) => {
  const names = selected(entry, 'allow', '2026.9').split(' ').toSorted()
  expect(names).toEqual(selects.split(' ').toSorted())
  expect(selected(entry, 'deny', '2026.9').split(' ').toSorted()).toEqual(names)
})

test('* selects every tool there is, and so does **', () => {
  const everything = selected('*', 'deny').split(' ')
  expect(everything.length).toBeGreaterThan(40)
  expect(selected('**', 'deny').split(' ')).toEqual(everything)
  expect(selected('*', 'allow').split(' ')).toEqual(everything)
})
