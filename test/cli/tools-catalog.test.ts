import { expect, test } from 'vitest'
import { runCli, runJson, tempDir } from '../helpers/run-cli.ts'
import { smallHome } from '../helpers/small-home.ts'

const catalog = ['tools', 'catalog', '--inventory', 'inventory.json5']

test('a table per group, with the profiles that list each tool', async () => {
  expect((await runCli(catalog, { home: await smallHome() })).stdout).toMatchInlineSnapshot(`
    "Files (4)
      read         coding  Read a file's contents
      write        coding  Create a file or overwrite it
      edit         coding  Targeted edits inside a file
      apply_patch  coding  Apply a multi-file patch

    Runtime (3)
      exec            coding  Run a shell command
      process         coding  Inspect and control background exec sessions
      code_execution  coding  Remote sandboxed (Python) analysis

    Web (3)
      web_search  coding  Web search
      web_fetch   coding  Fetch a URL as readable content
      x_search    coding  Search posts on X

    Memory (2)
      memory_search  coding  Semantic memory search
      memory_get     coding  Read memory files

    Sessions (7)
      sessions_list     coding, messaging           List visible sessions
      sessions_history  coding, messaging           Read a sanitized session transcript
      sessions_send     coding, messaging           Message another session or agent
      sessions_spawn    coding                      Start a sub-agent/ACP child session
      sessions_yield    coding                      End the turn to receive sub-agent results
      subagents         coding                      List/manage background sub-agent work
      session_status    minimal, coding, messaging  Show session status, model and usage

    UI (2)
      browser  –  Drive a web browser
      canvas   –  Drive node Canvas surfaces

    Messaging (1)
      message  messaging  Send messages / channel actions

    Automation (3)
      heartbeat_respond  –       Record the outcome of a heartbeat run
      cron               coding  Schedule reminders and jobs
      gateway            –       Gateway control / config reads / self-update

    Nodes (1)
      nodes  –  Paired nodes and devices

    Agents (6)
      agents_list     –       List agent ids usable as spawn targets
      get_goal        coding  Read the current thread goal
      create_goal     coding  Create a thread goal
      update_goal     coding  Complete or block a thread goal
      update_plan     coding  Keep a short work plan
      skill_workshop  coding  Manage skill proposals

    Media (6)
      image           coding  Understand an image
      image_generate  coding  Generate images
      music_generate  coding  Generate music
      video_generate  coding  Generate video
      tts             –       Text to speech
      pdf             –       Read and extract PDFs

    Tool Search (4)
      tool_search_code  –  Run a short JavaScript program that searches, describes and calls tools
      tool_search       –  Search the tools of this session
      tool_describe     –  Show one tool with its full input schema
      tool_call         –  Call one tool by id or unique name

    extras (1)
      extra_run  –

    notes (2)
      note_add   –
      note_wipe  –

    discord (1)
      discord_react  –  React to a message

    github (1)
      github__create_issue  coding, messaging  Open an issue

    wiki (1)
      wiki__find  coding, messaging

    Client tools (1)
      pick_file  –  Ask for a file
    "
  `)
})

test('knows no policy', async () => {
  const plain = await runJson(catalog, { home: await smallHome() })
  const denied = await runJson([...catalog, '--set', 'tools.deny=["*"]'], { home: await smallHome() })
  expect(denied).toEqual(plain)
})

test('as JSON: groups of core and plugins, and who owns what', async () => {
  const { json } = await runJson(catalog, { home: await smallHome() })
  const { groups, ...rest } = json as { groups: { id: string; tools: { id: string }[] }[] }
  const [first] = groups
  expect({
    ...rest,
    first: { ...first, tools: first?.tools.slice(0, 1) },
    last: groups.slice(-2),
  }).toMatchInlineSnapshot(`
    {
      "agentId": "main",
      "edition": "2026.7",
      "first": {
        "id": "fs",
        "label": "Files",
        "source": "core",
        "tools": [
          {
            "defaultProfiles": [
              "coding",
            ],
            "description": "Read a file's contents",
            "id": "read",
            "label": "read",
            "risk": "low",
            "source": "core",
          },
        ],
      },
      "last": [
        {
          "id": "mcp:wiki",
          "label": "wiki",
          "source": "mcp",
          "tools": [
            {
              "defaultProfiles": [
                "coding",
                "messaging",
              ],
              "description": "",
              "id": "wiki__find",
              "label": "find",
              "mcpServer": "wiki",
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
              "description": "Ask for a file",
              "id": "pick_file",
              "label": "pick_file",
              "source": "client",
            },
          ],
        },
      ],
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
})

test('--output names: every id once', async () => {
  const { stdout } = await runCli([...catalog, '--output', 'names'], { home: await smallHome() })
  const names = stdout.trimEnd().split('\n')
  expect(new Set(names).size).toBe(names.length)
  expect(names).toEqual(expect.arrayContaining(['read', 'browser', 'note_add', 'extra_run']))
})

test('the other edition has other tools', async () => {
  const names = async (edition: string) =>
    (
      await runCli(['tools', 'catalog', '--edition', edition, '--output', 'names'], { home: await tempDir() })
    ).stdout
      .trimEnd()
      .split('\n')
  const [older, newer] = [await names('2026.7'), await names('2026.9')]
  expect({ older: older.length, newer: newer.length }).toMatchInlineSnapshot(`
    {
      "newer": 65,
      "older": 42,
    }
  `)
  expect(older.filter((name) => !newer.includes(name))).toMatchInlineSnapshot(`
    [
      "cron",
      "update_plan",
      "image",
    ]
  `)
})
