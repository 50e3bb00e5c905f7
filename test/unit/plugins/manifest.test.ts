import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readManifest } from '../../../src/plugins/manifest.ts'
import { folderOf, lines } from './plugin-homes.ts'

/** Reads a manifest of this text and says what is wrong in it. */
async function told(text: string): Promise<string> {
  const folder = await folderOf({ 'openclaw.plugin.json': text })
  const { diagnostics } = await readManifest(join(folder, 'openclaw.plugin.json'))
  return lines(diagnostics, folder)
}

test('a whole manifest, in JSON5', async () => {
  const folder = await folderOf({
    'openclaw.plugin.json': `{
  $schema: "https://example.org/plugin.json", // for editors
  id: "@acme/notes", name: "Notes\\u001b[31m", version: "1.2.0", description: "Keeps notes.",
  kind: "memory", enabledByDefault: false, entry: "./lib/main.js",
  configSchema: { type: "object", properties: { limit: { type: "integer" } } },
  skills: ["./skills"], activation: { onStartup: true },
  contracts: { tools: ["note_add", "note_wipe"], trustedToolPolicies: [] },
  toolMetadata: {
    note_wipe: { optional: true, profiles: ["coding"], risk: "high", tags: ["notes"], availability: { allOf: [{ config: "x" }] } },
  },
}`,
  })
  const { manifest, diagnostics } = await readManifest(join(folder, 'openclaw.plugin.json'))
  expect(lines(diagnostics, folder)).toBe('')
  expect(manifest?.raw['kind']).toBe('memory')
  expect(manifest).toEqual({
    raw: expect.any(Object),
    id: '@acme/notes',
    name: 'Notes',
    version: '1.2.0',
    description: 'Keeps notes.',
    enabledByDefault: false,
    configSchema: { type: 'object', properties: { limit: { type: 'integer' } } },
    skills: ['./skills'],
    tools: ['note_add', 'note_wipe'],
    entry: './lib/main.js',
  })
})

test('text that is no manifest', async () => {
  const texts = [
    '',
    '{ "id": "a",, }',
    '[]',
    'null',
    '"notes"',
    '{ "id": "a"',
    '{}',
    '{ "id": "", "configSchema": {} }',
    '{ "id": 7, "configSchema": {} }',
    '{ "id": "has space", "configSchema": {} }',
    '{ "id": "a:b", "configSchema": {} }',
    '{ "id": "a\\u202eb", "configSchema": {} }',
    '{ "id": "core", "configSchema": {} }',
    '{ "id": "bundle-MCP", "configSchema": {} }',
    '\ufeff{ "id": "ok", "configSchema": {} }',
    '{ "id": 1e999, "configSchema": {} }',
  ]
  const results: string[] = []
  for (const text of texts) results.push(`${JSON.stringify(text)}\n${await told(text)}`)
  expect(results.join('\n')).toMatchInlineSnapshot(`
    """
    error manifest openclaw.plugin.json: the manifest is empty
    "{ \\"id\\": \\"a\\",, }"
    error manifest openclaw.plugin.json:1:13: expected a key or }, found ,
    "[]"
    error manifest openclaw.plugin.json:1:1: a manifest must be an object, this is a list
    "null"
    error manifest openclaw.plugin.json:1:1: a manifest must be an object, this is null
    "\\"notes\\""
    error manifest openclaw.plugin.json:1:1: a manifest must be an object, this is "notes"
    "{ \\"id\\": \\"a\\""
    error manifest openclaw.plugin.json:1:12: expected , or }, found the end of the file; the { at 1:1 is not closed
    "{}"
    error manifest openclaw.plugin.json:1:1: id is missing
    warning manifest openclaw.plugin.json:1:1: configSchema is missing, so the settings of the plugin are not checked
    "{ \\"id\\": \\"\\", \\"configSchema\\": {} }"
    error manifest openclaw.plugin.json:1:9: id "": an id has 1 to 128 letters, digits, . _ - and / only
    "{ \\"id\\": 7, \\"configSchema\\": {} }"
    error manifest openclaw.plugin.json:1:9: id: expected a string, got 7
    "{ \\"id\\": \\"has space\\", \\"configSchema\\": {} }"
    error manifest openclaw.plugin.json:1:9: id "has space": an id has 1 to 128 letters, digits, . _ - and / only
    "{ \\"id\\": \\"a:b\\", \\"configSchema\\": {} }"
    error manifest openclaw.plugin.json:1:9: id "a:b": an id has 1 to 128 letters, digits, . _ - and / only
    "{ \\"id\\": \\"a\\\\u202eb\\", \\"configSchema\\": {} }"
    error manifest openclaw.plugin.json:1:9: id "a\\\\u{202e}b": an id has 1 to 128 letters, digits, . _ - and / only
    "{ \\"id\\": \\"core\\", \\"configSchema\\": {} }"
    error manifest openclaw.plugin.json:1:9: id "core": this id is reserved
    "{ \\"id\\": \\"bundle-MCP\\", \\"configSchema\\": {} }"
    error manifest openclaw.plugin.json:1:9: id "bundle-MCP": this id is reserved
    "﻿{ \\"id\\": \\"ok\\", \\"configSchema\\": {} }"

    "{ \\"id\\": 1e999, \\"configSchema\\": {} }"
    error manifest openclaw.plugin.json:1:9: a number must be finite; write the number out, or put it in quotes"
  `)
})

test('files that cannot be read', async () => {
  const folder = await folderOf({
    'big.json': ' '.repeat(1024 * 1024 + 1),
    'dir/x': '',
  })
  const results: string[] = []
  for (const name of ['none.json', 'big.json', 'dir']) {
    const { manifest, diagnostics } = await readManifest(join(folder, name))
    expect(manifest).toBeNull()
    results.push(lines(diagnostics, folder))
  }
  expect(results.join('\n')).toMatchInlineSnapshot(`
    "error manifest none.json: does not exist; check the path
    error manifest big.json: is too large: 1048577 bytes, the limit is 1048576; split or shrink the file
    error manifest dir: is a directory, not a regular file; name a regular file"
  `)
})

test('wrong kinds, misspellings and unknown fields', async () => {
  expect(
    await told(`{
  "id": "kit", "nmae": "Kit", "main": "./x.js", "channels": ["irc"],
  "name": 1, "version": 2, "description": [], "kind": {}, "enabledByDefault": "yes", "skills": "./skills", "entry": {},
  "configSchema": true,
  "contracts": []
}`),
  ).toMatchInlineSnapshot(`
    "warning manifest openclaw.plugin.json:2:24: unknown field "nmae"; did you mean name?
    warning manifest openclaw.plugin.json:2:39: unknown field "main"; did you mean entry?
    info manifest openclaw.plugin.json:2:61: the field "channels" is not read
    warning manifest openclaw.plugin.json:3:11: name: expected a string, got 1
    warning manifest openclaw.plugin.json:3:25: version: expected a string, got 2
    warning manifest openclaw.plugin.json:3:43: description: expected a string, got a list
    warning manifest openclaw.plugin.json:3:55: kind: expected a string, got an object
    warning manifest openclaw.plugin.json:3:79: enabledByDefault: expected true or false, got "yes"
    warning manifest openclaw.plugin.json:3:96: skills: expected a list of strings, got "./skills"
    error manifest openclaw.plugin.json:3:117: entry: expected a string, got an object
    error manifest openclaw.plugin.json:4:19: configSchema: expected an object, got true
    error manifest openclaw.plugin.json:5:16: contracts: expected an object, got a list"
  `)
  expect(await told('{ "id": "kit" }')).toMatchInlineSnapshot(
    `"warning manifest openclaw.plugin.json:1:1: configSchema is missing, so the settings of the plugin are not checked"`,
  )
})

test('declared tools and what is said of them', async () => {
  expect(
    await told(`{
  "id": "kit", "configSchema": {},
  "contracts": { "tools": ["kit_run", "kit_run", "kit list", "mcp__x", 7, "ünï"] },
  "toolMetadata": {
    "kit_rum": {},
    "kit_run": {
      "optional": "true", "profiles": ["codding", "coding"], "risk": "extreme", "tags": "a", "catalogMode": "direct",
      "executionMode": "fast", "availability": { "allOf": [] }, "label": 1, "note": "x"
    },
    "kit list": []
  }
}`),
  ).toMatchInlineSnapshot(`
    "info tool openclaw.plugin.json:3:39 [kit_run]: tool "kit_run" is declared twice
    error tool openclaw.plugin.json:3:50 [kit list]: tool "kit list": its name has characters other than A-Z a-z 0-9 _ -
    error tool openclaw.plugin.json:3:62 [mcp__x]: tool "mcp__x": its name starts with the reserved mcp__
    error tool openclaw.plugin.json:3:72: contracts.tools: expected a tool name, got 7
    error tool openclaw.plugin.json:3:75 [ünï]: tool "ünï": its name has characters other than A-Z a-z 0-9 _ -
    warning tool openclaw.plugin.json:5:16 [kit_rum]: toolMetadata names kit_rum, which contracts.tools does not declare; did you mean kit_run?
    warning manifest openclaw.plugin.json:7:19: toolMetadata.kit_run.optional: expected true or false, got "true"
    warning manifest openclaw.plugin.json:7:70: toolMetadata.kit_run.risk: expected "low" or "medium" or "high", got "extreme"
    warning manifest openclaw.plugin.json:7:89: toolMetadata.kit_run.tags: expected a list of strings, got "a"
    warning manifest openclaw.plugin.json:7:109: toolMetadata.kit_run.catalogMode: expected "direct-only", got "direct"
    warning manifest openclaw.plugin.json:8:24: toolMetadata.kit_run.executionMode: expected "parallel" or "sequential", got "fast"
    warning manifest openclaw.plugin.json:8:74: toolMetadata.kit_run.label: expected a string, got 1
    info tool openclaw.plugin.json:8:85 [kit_run]: the field "note" is not read
    warning tool openclaw.plugin.json:7:40 [kit_run]: there is no profile "codding"; profiles are minimal, coding, messaging, full
    error tool openclaw.plugin.json:8:48 [kit_run]: kit_run is never available: empty availability group availability.allOf
    warning manifest openclaw.plugin.json:10:17: toolMetadata["kit list"]: expected an object, got a list"
  `)
  expect(
    await told('{ "id": "kit", "configSchema": {}, "contracts": { "tools": "kit_run" } }'),
  ).toMatchInlineSnapshot(
    `"error manifest openclaw.plugin.json:1:60: contracts.tools: expected a list, got "kit_run""`,
  )
})

test('the old shape, whose tools never reach a model', async () => {
  const old = { id: 'cards', configSchema: {}, tools: [{ name: 'card_search' }, { name: 'card_details' }] }
  expect(await told(JSON.stringify(old))).toMatchInlineSnapshot(
    `"error tool openclaw.plugin.json:1:41: "tools" is the old shape: card_search, card_details are not declared in contracts.tools and not exposed; write "contracts": { "tools": ["card_search","card_details"] }"`,
  )
  expect(await told(JSON.stringify({ ...old, contracts: { tools: ['card_search'] } }))).toMatchInlineSnapshot(
    `"error tool openclaw.plugin.json:1:41: "tools" is the old shape: card_details is not declared in contracts.tools and not exposed; write "contracts": { "tools": ["card_search","card_details"] }"`,
  )
  expect(
    await told(JSON.stringify({ ...old, contracts: { tools: ['card_search', 'card_details'] } })),
  ).toMatchInlineSnapshot(
    `"info tool openclaw.plugin.json:1:41: the list "tools" is not read; contracts.tools declares the tools"`,
  )
})
