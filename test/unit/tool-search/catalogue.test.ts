import { describe, expect, test } from 'vitest'
import { buildCatalogue, catalogueEntry, searchDocument } from '../../../src/tool-search/catalogue.ts'
import { describeBriefly, describeFully } from '../../../src/tool-search/descriptor.ts'
import { open, type Session } from '../policy/open.ts'

const inventory = {
  plugins: {
    notes: {
      name: 'Notebook',
      tools: [
        {
          name: 'note_add',
          description: 'Add a note',
          parameters: { type: 'object', properties: { text: { type: 'string' } } },
        },
        { name: 'note_now', catalogMode: 'direct-only' },
      ],
    },
  },
  mcp: {
    'git hub': {
      status: 'connected',
      tools: [
        {
          name: 'create_issue',
          title: 'New issue',
          inputSchema: { type: 'object', properties: { title: {} } },
        },
      ],
    },
  },
  client: [{ name: 'pick_file', label: 'Pick' }],
  channel: [{ channelId: 'discord', name: 'discord_react' }],
}
const ids = (session: Session): string[] =>
  buildCatalogue(open({ inventory, ...session }).view).entries.map(({ id }) => id)
const others = (session: Session): string[] => ids(session).filter((id) => !id.startsWith('openclaw:core:'))
const config = (toolSearch: unknown, more: object = {}) => ({
  config: {
    tools: { alsoAllow: ['group:plugins'], ...more, ...(toolSearch === undefined ? {} : { toolSearch }) },
  },
  context: { channel: 'discord', sessionKey: 'agent:main:discord:direct:u1' },
})

describe('what is in the catalogue', () => {
  const everything = [
    'client:client:pick_file',
    'mcp:git-hub:create_issue',
    'openclaw:discord:discord_react',
    'openclaw:notes:note_add',
  ]

  test.each([
    ['Tool Search off', false, everything],
    ['mode tools', { mode: 'tools' }, everything],
    ['mode code', { mode: 'code' }, everything],
    ['mode directory leaves client tools in the request', { mode: 'directory' }, everything.slice(1)],
  ])('%s', (_, toolSearch, expected) => {
    expect(others(config(toolSearch))).toEqual(expected)
  })

  test('core tools are in it, and in edition 2026.9 all but the direct-only ones', () => {
    expect(ids(config({ mode: 'tools' }))).toEqual(
      expect.arrayContaining(['openclaw:core:read', 'openclaw:core:exec', 'openclaw:core:sessions_yield']),
    )
    const newer = ids({ ...config({ mode: 'tools' }), edition: '2026.9' })
    expect(newer).toEqual(expect.arrayContaining(['openclaw:core:read', 'openclaw:core:exec']))
    expect(newer.filter((id) => /:(?:sessions_yield|openclaw|computer|heartbeat_respond)$/.test(id))).toEqual(
      [],
    )
  })

  test('controls and direct-only tools are outside, but known to be there', () => {
    const { entries, direct } = buildCatalogue(open({ inventory, ...config({ mode: 'tools' }) }).view)
    expect(entries.filter(({ name }) => /^tool_|note_now/.test(name))).toEqual([])
    expect([...direct.keys()].toSorted()).toEqual(['note_now', 'tool_call', 'tool_describe', 'tool_search'])
  })

  test('a hidden tool is nowhere in it', () => {
    const { view } = open({
      inventory,
      ...config({ mode: 'tools' }, { deny: ['note_add', 'note_now', 'bundle-mcp', 'exec'] }),
    })
    const catalogue = buildCatalogue(view)
    const names = [...catalogue.entries.map(({ name }) => name), ...catalogue.direct.keys()]
    expect(names.filter((name) => /note_|create_issue|exec/.test(name))).toEqual([])
  })

  test('an id that two tools claim is reported, and its second tool left out', () => {
    const { view } = open({ inventory, ...config({ mode: 'tools' }) })
    const twin = { ...view.decisions.find(({ tool }) => tool.name === 'note_add')!, trace: [] }
    const doubled = { ...view, decisions: [...view.decisions, twin] }
    const catalogue = buildCatalogue(doubled)
    expect(catalogue.duplicateIds).toEqual(['openclaw:notes:note_add'])
    expect(catalogue.entries).toHaveLength(buildCatalogue(view).entries.length)
  })
})

describe('entries', () => {
  const { view } = open({ inventory, ...config({ mode: 'tools' }) })
  const entry = (name: string) => catalogueEntry(view.inventory.tools.find((tool) => tool.name === name)!)

  test('say where a tool comes from', () => {
    expect(describeBriefly(entry('git-hub__create_issue'), '2026.7')).toEqual({
      id: 'mcp:git-hub:create_issue',
      source: 'mcp',
      sourceName: 'git-hub',
      name: 'git-hub__create_issue',
      label: 'New issue',
      mcp: { serverName: 'git hub', toolName: 'create_issue' },
      description: '',
      input: 'unknown',
    })
    expect(describeBriefly(entry('note_add'), '2026.7')).toEqual({
      id: 'openclaw:notes:note_add',
      source: 'openclaw',
      sourceName: 'notes',
      name: 'note_add',
      description: 'Add a note',
      input: '{ text?: string }',
    })
    expect(describeBriefly(entry('discord_react'), '2026.7')).toMatchObject({
      source: 'openclaw',
      sourceName: 'discord',
    })
    expect(describeBriefly(entry('pick_file'), '2026.7')).toMatchObject({
      source: 'client',
      sourceName: 'client',
      label: 'Pick',
    })
  })

  test('in full have the schema as it is, also that of a stranger', () => {
    expect(describeFully(entry('git-hub__create_issue'), '2026.7')).toMatchObject({
      label: 'New issue',
      parameters: { type: 'object', properties: { title: {} } },
    })
    expect(describeFully(entry('read'), '2026.7')).toMatchObject({
      label: 'read',
      parameters: { required: ['path'], additionalProperties: false },
      input: '{ path: string; limit?: number; offset?: number }',
    })
  })

  test('are indexed by their parameters only where these can be trusted', () => {
    expect(searchDocument(entry('note_add'), 'Notebook')).toEqual({
      id: 'openclaw:notes:note_add',
      name: 'note_add',
      description: 'Add a note',
      source: 'openclaw',
      sourceName: 'notes',
      serverTitle: 'Notebook',
      parameters: [{ name: 'text' }],
    })
    expect(searchDocument(entry('git-hub__create_issue'))).not.toHaveProperty('parameters')
    expect(searchDocument(entry('pick_file'))).not.toHaveProperty('parameters')
  })

  test('a long description is cut in a hit and whole in a description', () => {
    const long = {
      ...entry('note_add'),
      tool: { ...entry('note_add').tool, description: 'long '.repeat(400).trim() },
    }
    expect(describeBriefly(long, '2026.7').description).toHaveLength(1_024)
    expect(describeFully(long, '2026.7').description).toHaveLength(1_999)
  })
})
