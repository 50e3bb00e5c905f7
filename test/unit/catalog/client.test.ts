import { expect, test } from 'vitest'
import { brought, inventoryOf, told } from './inventories.ts'

test('client tools: reserved and taken names are refused', () => {
  const inventory = inventoryOf({
    plugins: { kit: { tools: ['kit_run'] } },
    mcp: { git: { tools: ['log'] } },
    client: [
      'pick_file',
      'Read',
      'grep',
      'find',
      'exec',
      'kit_run',
      'git__log',
      'PICK_FILE',
      'tool_search',
      'browser',
      '',
    ],
  })
  expect(brought(inventory)).toMatchInlineSnapshot(`
    "kit_run (plugin kit)
    git__log (mcp git)
    pick_file (client)"
  `)
  expect(told(inventory)).toMatchInlineSnapshot(`
    "warning name-conflict: the client: the tool "Read" is left out: a built-in tool has that name
    warning name-conflict: the client: the tool "grep" is left out: a built-in tool has that name
    warning name-conflict: the client: the tool "find" is left out: a built-in tool has that name
    warning name-conflict: the client: the tool "exec" is left out: a built-in tool has that name
    warning name-conflict: the client: the tool "kit_run" is left out: plugin "kit" has that name
    warning name-conflict: the client: the tool "git__log" is left out: MCP server "git" has that name
    warning name-conflict: the client: the tool "PICK_FILE" is left out: the client has that name
    warning name-conflict: the client: the tool "tool_search" is left out: a built-in tool has that name
    warning name-conflict: the client: the tool "browser" is left out: a built-in tool has that name
    warning invalid-tool: the client brings a tool without a name; it is left out"
  `)
})

test('client and channel tools with a bad name or schema are unavailable', () => {
  const bad = { type: 'object', properties: { a: 5 } }
  const inventory = inventoryOf({
    client: [{ name: 'pick', parameters: bad }, { name: 'has space' }, { name: 'text', parameters: 'x' }],
    channel: [
      { channelId: 'discord', name: 'react', parameters: bad, optional: true, risk: 'low' },
      { channelId: 'discord', name: 'message' },
      { channelId: 'discord' },
    ],
  })
  expect(brought(inventory)).toMatchInlineSnapshot(`
    "react (channel discord) ! schema: its input schema does not compile: a schema must be an object, true or false (at /properties/a)
    has space (client) ! capability: its name has characters other than A-Z a-z 0-9 _ -
    pick (client) ! schema: its input schema does not compile: a schema must be an object, true or false (at /properties/a)
    text (client) ! capability: its parameters are not a JSON Schema object"
  `)
  expect(told(inventory)).toMatchInlineSnapshot(`
    "warning schema-quarantined: channel "discord": the tool "react" is unavailable: its input schema does not compile: a schema must be an object, true or false (at /properties/a)
    warning schema-quarantined: the client: the tool "pick" is unavailable: its input schema does not compile: a schema must be an object, true or false (at /properties/a)
    warning name-conflict: channel "discord": the tool "message" is left out: a built-in tool has that name
    warning invalid-tool: channel "discord" brings a tool without a name; it is left out
    warning invalid-tool: the client: the tool "has space" is unavailable: its name has characters other than A-Z a-z 0-9 _ -
    warning invalid-tool: the client: the tool "text" is unavailable: its parameters are not a JSON Schema object"
  `)
  expect(inventory.tools.find((tool) => tool.name === 'react')).toMatchObject({ optional: true, risk: 'low' })
})
