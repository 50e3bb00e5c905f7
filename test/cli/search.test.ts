import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { runCli, runJson, tempDir, type CliOptions } from '../helpers/run-cli.ts'

const inventory = {
  plugins: {
    notes: {
      tools: [
        {
          name: 'note_add',
          label: 'Add a note',
          description: 'Add a note to the notebook',
          parameters: {
            type: 'object',
            properties: { text: { type: 'string' }, tag: { enum: ['a', 'b'] } },
            required: ['text'],
          },
          outputSchema: {
            type: 'object',
            properties: { id: { type: 'string' } },
            required: ['id'],
            additionalProperties: false,
          },
        },
        { name: 'note_wipe', description: 'Remove all notes from the notebook' },
        { name: 'note_now', description: 'Write at once', catalogMode: 'direct-only' },
      ],
    },
  },
  mcp: {
    git: {
      status: 'connected',
      tools: [
        {
          name: 'create_branch',
          description: '\u001B[31mCreate\u202E a branch\u0007 of the repository',
          inputSchema: {
            type: 'object',
            properties: { name: { type: 'string', description: 'Its \u202Ename' } },
          },
        },
        { name: 'log', description: 'Show the commits of a branch' },
      ],
    },
    memos: { status: 'failed', tools: [] },
  },
}
const config = {
  tools: {
    alsoAllow: ['group:plugins'],
    deny: ['note_wipe', 'group:runtime'],
    toolSearch: { maxSearchLimit: 5, searchDefaultLimit: 2 },
  },
  mcp: { servers: { memos: { command: 'memos' } } },
}

async function home(): Promise<CliOptions & { readonly home: string }> {
  const dir = await tempDir({
    '.openclaw/openclaw.json': JSON.stringify(config),
    'inventory.json': JSON.stringify(inventory),
    'queries.txt': 'create a branch\n\r\nnotebook\nzzyzx\nmemos save\n',
  })
  return { home: dir, env: { OPENCLAW_INVENTORY: join(dir, 'inventory.json') } }
}

describe('tools search', () => {
  test('prints a table, and beside it what else to know', async () => {
    const result = await runCli(['tools', 'search', 'branch', 'of', 'a', 'repository'], await home())
    expect(result).toMatchInlineSnapshot(`
      {
        "code": 0,
        "stderr": "warning [mcp-unreachable] MCP server "memos" could not be reached
      openclaw tools describe ID shows the full input schema
      ",
        "stdout": "mcp:git:create_branch  unknown  Create a branch of the repository
      mcp:git:log            unknown  Show the commits of a branch
      ",
      }
    `)
  })

  test('prints one JSON value', async () => {
    const { json, stderr } = await runJson(
      ['tools', 'search', 'add to notebook', '--limit', '1'],
      await home(),
    )
    expect(json).toMatchInlineSnapshot(
      // How many built-in tools have a word of it in common is no matter here.
      { hits: [{ score: expect.any(Number) }], total: expect.any(Number) },
      `
      {
        "hiddenMatches": [],
        "hits": [
          {
            "description": "Add a note to the notebook",
            "id": "openclaw:notes:note_add",
            "input": "{ text: string; tag?: "a" | "b" }",
            "label": "Add a note",
            "name": "note_add",
            "output": "{ id: string }",
            "score": Any<Number>,
            "source": "openclaw",
            "sourceName": "notes",
          },
        ],
        "limit": 1,
        "notices": [
          {
            "id": "mcp-unreachable",
            "location": null,
            "message": "MCP server "memos" could not be reached",
            "severity": "warning",
          },
        ],
        "query": "add to notebook",
        "total": Any<Number>,
      }
    `,
    )
    expect(stderr).toBe('')
  })

  test('an empty query has no hits', async () => {
    const { json, code } = await runJson(['tools', 'search', ''], await home())
    expect(json).toMatchObject({
      query: '',
      hits: [],
      total: 0,
      hiddenMatches: [],
      note: { code: 'no-usable-terms' },
    })
    expect(code).toBe(0)
  })

  test('only a hidden tool matches', async () => {
    const result = await runCli(
      ['tools', 'search', 'note_wipe', '--set', 'tools.deny=["note_*"]', '--set', 'tools.profile=minimal'],
      await home(),
    )
    expect(result).toMatchInlineSnapshot(`
      {
        "code": 0,
        "stderr": "warning [mcp-unreachable] MCP server "memos" could not be reached
      the tool that matches is not in this session: note_wipe (tools.deny); openclaw tools explain NAME says what hides it
      ",
        "stdout": "",
      }
    `)
  })

  test('a limit beyond the bound of the session is lowered, and that is told', async () => {
    const { json, stderr } = await runJson(['tools', 'search', 'file', '--limit', '9'], await home())
    expect(json).toMatchObject({ limit: 5 })
    expect(stderr).toBe('limit 9 is lowered to 5, the maxSearchLimit of this session\n')
  })

  test.each(['0', '-1', '1.5', 'many', ''])('--limit=%s is a mistake', async (limit) => {
    const { json, code } = await runJson(['tools', 'search', 'file', `--limit=${limit}`], await home())
    expect(json).toMatchObject({
      error: { code: 'USAGE', message: `--limit: expected a whole number from 1, got "${limit}"` },
    })
    expect(code).toBe(2)
  })

  test.each([[['tools', 'search']], [['tools', 'search', 'file', '--batch', 'queries.txt']]])(
    '%j is a mistake',
    async (args) => {
      const { json, code } = await runJson(args, await home())
      expect(json).toMatchObject({
        error: { code: 'USAGE', message: 'expected a query, or --batch FILE' },
      })
      expect(code).toBe(2)
    },
  )
})

describe('tools search --batch', () => {
  test('answers every line as a search of its own would', async () => {
    const options = await home()
    const { stdout, code } = await runCli(['tools', 'search', '--batch', 'queries.txt', '--json'], options)
    expect(code).toBe(0)
    const lines: { query: string; notices?: unknown }[] = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(lines.map(({ query }) => query)).toEqual([
      'create a branch',
      '',
      'notebook',
      'zzyzx',
      'memos save',
    ])
    for (const line of lines) {
      const { json } = await runJson(['tools', 'search', line.query], options)
      expect(json).toEqual({ ...line, notices: expect.any(Array) })
    }
    expect(lines.map((line) => ('note' in line ? line.note : null))).toMatchObject([
      null,
      { code: 'no-usable-terms' },
      null,
      { code: 'no-match' },
      { code: 'server-unavailable' },
    ])
  })

  test('reads stdin, and says where a file is missing', async () => {
    const options = await home()
    const piped = await runCli(['tools', 'search', '--batch', '-'], {
      ...options,
      stdin: 'commits',
    })
    expect(JSON.parse(piped.stdout)).toMatchObject({
      query: 'commits',
      hits: [{ id: 'mcp:git:log' }, {}],
    })
    const empty = await runCli(['tools', 'search', '--batch', '-'], options)
    expect(empty).toMatchObject({ code: 0, stdout: '' })
    const missing = await runJson(['tools', 'search', '--batch', 'none.txt'], options)
    expect(missing).toMatchObject({
      code: 1,
      json: {
        error: {
          code: 'INPUT_INVALID',
          message: expect.stringContaining('none.txt does not exist'),
        },
      },
    })
    const twice = await runJson(['tools', 'search', '--batch', '-', '--inventory', '-'], options)
    expect(twice).toMatchObject({ code: 2, json: { error: { code: 'USAGE' } } })
  })
})

test('an index of many tools is left in the state directory, and answers are the same with it', async () => {
  const tools = Array.from({ length: 300 }, (_, at) => ({
    name: `tool_${at}`,
    description: `Grind lens ${at}`,
  }))
  const dir = await tempDir({ 'inventory.json': JSON.stringify({ mcp: { art: { tools } } }) })
  const args = ['tools', 'search', 'lens 42', '--inventory', 'inventory.json']
  const first = await runJson(args, { home: dir })
  expect(first.json).toMatchObject({
    hits: [{ name: 'art__tool_42' }, {}, {}, {}, {}, {}, {}, {}],
    total: 300,
  })
  expect(readdirSync(join(dir, '.openclaw/cache/tool-index'))).toHaveLength(1)
  expect((await runJson(args, { home: dir })).json).toEqual(first.json)
})

describe('tools describe', () => {
  test('shows a tool of a server in full, made harmless', async () => {
    const result = await runCli(['tools', 'describe', 'mcp:git:create_branch'], await home())
    expect(result).toMatchInlineSnapshot(`
      {
        "code": 0,
        "stderr": "",
        "stdout": "mcp:git:create_branch
      create_branch of the MCP server git
      name git__create_branch

      Create a branch of the repository

      input unknown

      parameters
      {
        "type": "object",
        "properties": {
          "name": {
            "type": "string",
            "description": "Its \\u202ename"
          }
        }
      }
      ",
      }
    `)
  })

  test('prints one JSON value with the schema as it is', async () => {
    const { json } = await runJson(['tools', 'describe', 'note_add'], await home())
    expect(json).toMatchInlineSnapshot(`
      {
        "description": "Add a note to the notebook",
        "id": "openclaw:notes:note_add",
        "input": "{ text: string; tag?: "a" | "b" }",
        "label": "Add a note",
        "name": "note_add",
        "output": "{ id: string }",
        "outputSchema": {
          "additionalProperties": false,
          "properties": {
            "id": {
              "type": "string",
            },
          },
          "required": [
            "id",
          ],
          "type": "object",
        },
        "parameters": {
          "properties": {
            "tag": {
              "enum": [
                "a",
                "b",
              ],
            },
            "text": {
              "type": "string",
            },
          },
          "required": [
            "text",
          ],
          "type": "object",
        },
        "source": "openclaw",
        "sourceName": "notes",
      }
    `)
    const strange = await runJson(['tools', 'describe', 'create_branch'], await home())
    expect(strange.json).toMatchObject({
      input: 'unknown',
      parameters: inventory.mcp.git.tools[0]!.inputSchema,
    })
  })

  test('a tool outside the catalogue is described, and that is told', async () => {
    const { code, stdout, stderr } = await runCli(['tools', 'describe', 'note_now'], await home())
    expect(code).toBe(0)
    expect(stdout).toContain('openclaw:notes:note_now')
    expect(stderr).toBe('note_now is never behind Tool Search: a search does not find it\n')
  })

  test.each([
    [
      'note_wipe',
      3,
      'TOOL_DENIED',
      'note_wipe is hidden in this session, at tools.deny: "note_wipe" in tools.deny denies it',
    ],
    [
      'openclaw:core:exec',
      3,
      'TOOL_DENIED',
      'exec is hidden in this session, at tools.deny: "group:runtime" in tools.deny denies it',
    ],
    ['browser', 1, 'TOOL_UNAVAILABLE', 'browser is unavailable in this session, at plugin: '],
    ['note_ad', 1, 'UNKNOWN_TOOL', 'unknown tool "note_ad"'],
    ['', 2, 'USAGE', 'the id or name of a tool must not be empty'],
  ])('%s ends with %i, %s', async (id, exit, error, message) => {
    const { json, code } = await runJson(['tools', 'describe', id], await home())
    expect(json).toMatchObject({
      error: { code: error, message: expect.stringContaining(message) },
    })
    expect(code).toBe(exit)
  })
})
