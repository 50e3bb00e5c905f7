import { expect, test } from 'vitest'
import { catalogResult } from '../../../src/catalog/catalog.ts'
import { editions, type EditionId } from '../../../src/catalog/edition.ts'
import { catalogId, sourceName } from '../../../src/catalog/ids.ts'
import { inventoryOf } from './inventories.ts'

const file = {
  plugins: {
    notes: {
      name: 'Notes',
      tools: [
        'note_add',
        { name: 'note_wipe', optional: true, risk: 'high', tags: ['x'], profiles: ['coding'] },
      ],
    },
    browser: { tools: ['browser', 'browser_shot'] },
    empty: {},
  },
  mcp: { 'mail box': { tools: ['send.all'] }, git: { status: 'failed', tools: [] } },
  client: ['pick'],
  channel: [{ channelId: 'irc', name: 'join' }],
}

const catalog = (edition: EditionId) =>
  catalogResult(inventoryOf(file, {}, edition), editions[edition], 'main')

function outline(edition: EditionId): string {
  return catalog(edition)
    .groups.map(({ id, label, source, tools }) => {
      const names = tools.map((tool) => tool.id + (tool.installed === false ? '?' : ''))
      return `${id} "${label}" ${source}: ${names.join(' ')}`
    })
    .join('\n')
}

test('sections in catalogue order, then owners; ? is a name that nothing provides here', () => {
  expect(outline('2026.7')).toMatchInlineSnapshot(`
    "fs "Files" core: read write edit apply_patch
    runtime "Runtime" core: exec process code_execution?
    web "Web" core: web_search web_fetch x_search?
    memory "Memory" core: memory_search? memory_get?
    sessions "Sessions" core: sessions_list sessions_history sessions_send sessions_spawn sessions_yield subagents session_status
    ui "UI" core: canvas?
    messaging "Messaging" core: message
    automation "Automation" core: heartbeat_respond cron gateway
    nodes "Nodes" core: nodes
    agents "Agents" core: agents_list get_goal create_goal update_goal update_plan skill_workshop
    media "Media" core: image image_generate music_generate video_generate tts pdf
    plugin:browser "browser" plugin: browser browser_shot
    plugin:notes "Notes" plugin: note_add note_wipe
    channel:irc "irc" channel: join
    mcp:mail-box "mail box" mcp: mail-box__send-all
    client "Client tools" client: pick"
  `)
})

test('edition 2026.9', () => {
  expect(outline('2026.9')).toMatchInlineSnapshot(`
    "fs "Files" core: ls read write edit apply_patch
    runtime "Runtime" core: exec process code_execution? secrets
    web "Web" core: web_search web_fetch x_search?
    memory "Memory" core: memory_search? memory_get?
    sessions "Sessions" core: sessions sessions_list sessions_history sessions_search conversations_list conversations_send conversations_turn sessions_send sessions_spawn github_identity_status github_publish agents_wait sessions_yield subagents session_status suggest_task dismiss_task
    ui "UI" core: screen theme dashboard terminal portal canvas? show_widget
    messaging "Messaging" core: message
    automation "Automation" core: heartbeat_respond automations gateway plugins openclaw
    nodes "Nodes" core: nodes computer mobile_ui
    agents "Agents" core: agents_list get_goal create_goal update_goal progress_card ask_user skill_workshop
    media "Media" core: view_image image_generate music_generate video_generate tts pdf
    plugin:browser "browser" plugin: browser browser_shot
    plugin:notes "Notes" plugin: note_add note_wipe
    channel:irc "irc" channel: join
    mcp:mail-box "mail box" mcp: mail-box__send-all
    client "Client tools" client: pick"
  `)
})

test('whole entries', () => {
  const { groups, ...rest } = catalog('2026.9')
  expect(rest).toMatchInlineSnapshot(`
    {
      "agentId": "main",
      "edition": "2026.9",
      "profiles": [
        {
          "id": "minimal",
          "label": "Minimal",
        },
        {
          "id": "coding",
          "label": "Coding",
        },
        {
          "id": "messaging",
          "label": "Messaging",
        },
        {
          "id": "full",
          "label": "Full",
        },
      ],
    }
  `)
  const entries = groups.filter(({ source }) => source !== 'core')
  expect(entries).toMatchInlineSnapshot(`
    [
      {
        "id": "plugin:browser",
        "label": "browser",
        "pluginId": "browser",
        "source": "plugin",
        "tools": [
          {
            "defaultProfiles": [],
            "description": "Drive a web browser",
            "id": "browser",
            "label": "browser",
            "pluginId": "browser",
            "source": "plugin",
          },
          {
            "defaultProfiles": [],
            "description": "",
            "id": "browser_shot",
            "label": "browser_shot",
            "pluginId": "browser",
            "source": "plugin",
          },
        ],
      },
      {
        "id": "plugin:notes",
        "label": "Notes",
        "pluginId": "notes",
        "source": "plugin",
        "tools": [
          {
            "defaultProfiles": [],
            "description": "",
            "id": "note_add",
            "label": "note_add",
            "pluginId": "notes",
            "source": "plugin",
          },
          {
            "defaultProfiles": [
              "coding",
            ],
            "description": "",
            "id": "note_wipe",
            "label": "note_wipe",
            "optional": true,
            "pluginId": "notes",
            "risk": "high",
            "source": "plugin",
            "tags": [
              "x",
            ],
          },
        ],
      },
      {
        "id": "channel:irc",
        "label": "irc",
        "source": "channel",
        "tools": [
          {
            "channelId": "irc",
            "defaultProfiles": [],
            "description": "",
            "id": "join",
            "label": "join",
            "source": "channel",
          },
        ],
      },
      {
        "id": "mcp:mail-box",
        "label": "mail box",
        "source": "mcp",
        "tools": [
          {
            "defaultProfiles": [
              "coding",
              "messaging",
            ],
            "description": "",
            "id": "mail-box__send-all",
            "label": "send.all",
            "mcpServer": "mail box",
            "pluginId": "bundle-mcp",
            "source": "mcp",
          },
        ],
      },
      {
        "id": "client",
        "label": "Client tools",
        "source": "client",
        "tools": [
          {
            "defaultProfiles": [],
            "description": "",
            "id": "pick",
            "label": "pick",
            "source": "client",
          },
        ],
      },
    ]
  `)
  expect(groups[0]?.tools[0]).toMatchInlineSnapshot(`
    {
      "defaultProfiles": [
        "coding",
      ],
      "description": "List a directory",
      "id": "ls",
      "label": "ls",
      "risk": "low",
      "source": "core",
    }
  `)
  expect(groups.find(({ id }) => id === 'memory')).toMatchInlineSnapshot(`
    {
      "id": "memory",
      "label": "Memory",
      "source": "core",
      "tools": [
        {
          "defaultProfiles": [
            "coding",
          ],
          "description": "Semantic memory search",
          "id": "memory_search",
          "installed": false,
          "label": "memory_search",
          "pluginId": "memory-core",
          "source": "core",
        },
        {
          "defaultProfiles": [
            "coding",
          ],
          "description": "Read memory files",
          "id": "memory_get",
          "installed": false,
          "label": "memory_get",
          "pluginId": "memory-core",
          "source": "core",
        },
      ],
    }
  `)
})

const profiles = (edition: EditionId) =>
  catalog(edition)
    .groups.flatMap(({ tools }) => tools)
    .find((tool) => tool.id === 'note_wipe')?.defaultProfiles

test('manifest profiles count from edition 2026.9 on', () => {
  expect([profiles('2026.7'), profiles('2026.9')]).toEqual([[], ['coding']])
})

test('catalogue ids', () => {
  const ids = inventoryOf(file).tools.flatMap((tool) =>
    tool.source === 'core' && tool.name !== 'read' ? [] : [`${catalogId(tool)} of ${sourceName(tool)}`],
  )
  expect(ids.join('\n')).toMatchInlineSnapshot(`
    "openclaw:core:read of core
    openclaw:browser:browser of browser
    openclaw:browser:browser_shot of browser
    openclaw:notes:note_add of notes
    openclaw:notes:note_wipe of notes
    openclaw:irc:join of irc
    mcp:mail-box:send.all of mail-box
    client:client:pick of client"
  `)
})
