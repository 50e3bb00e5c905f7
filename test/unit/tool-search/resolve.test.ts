import { describe, expect, test } from 'vitest'
import { OpenClawError } from '../../../src/kernel/errors.ts'
import { buildCatalogue } from '../../../src/tool-search/catalogue.ts'
import { resolveForOperator } from '../../../src/tool-search/operator.ts'
import { resolveEntry, suggestEntries } from '../../../src/tool-search/resolve.ts'
import { open } from '../policy/open.ts'

const { view } = open({
  config: {
    tools: { alsoAllow: ['group:plugins'], deny: ['exec', 'secret_wipe'], toolSearch: { mode: 'tools' } },
  },
  inventory: {
    plugins: {
      notes: {
        tools: [
          { name: 'note_add', description: 'Add a note to the notebook' },
          { name: 'note_now', catalogMode: 'direct-only' },
        ],
      },
      vault: { tools: ['secret_wipe'] },
      off: { enabled: false, tools: ['off_tool'] },
    },
    mcp: {
      github: { status: 'connected', tools: ['create_issue', 'star', 'read'] },
      gitlab: { status: 'connected', tools: ['create_issue'] },
      down: { status: 'failed', tools: ['ping'] },
    },
  },
})
const catalogue = buildCatalogue(view)

function outcome(resolve: () => { readonly id: string }): unknown {
  try {
    return resolve().id
  } catch (error) {
    if (!(error instanceof OpenClawError)) throw error
    return [error.code, error.message, error.hints]
  }
}
const model = (selector: string): unknown => outcome(() => resolveEntry(catalogue, selector))
const operator = (selector: string): unknown =>
  outcome(() => resolveForOperator(view, catalogue, selector, () => ['deploy-site']))

describe('for a model', () => {
  test.each([
    ['an id', 'openclaw:notes:note_add', 'openclaw:notes:note_add'],
    ['an id of a server tool', 'mcp:github:star', 'mcp:github:star'],
    ['a name', 'github__star', 'mcp:github:star'],
    ['with blanks around', ' note_add ', 'openclaw:notes:note_add'],
  ])('%s', (_, selector, id) => {
    expect(model(selector)).toBe(id)
  })

  test.each([
    ['another letter case', 'Note_Add', ['UNKNOWN_TOOL', 'unknown tool "Note_Add"', ['note_add']]],
    ['only the name at the server', 'star', ['UNKNOWN_TOOL', 'unknown tool "star"', ['github__star']]],
    [
      'a guessed id',
      'openclaw:notes:note_create',
      ['UNKNOWN_TOOL', 'unknown tool "openclaw:notes:note_create"', ['note_add']],
    ],
    ['a hidden tool', 'exec', ['UNKNOWN_TOOL', 'unknown tool "exec"', ['process']]],
    [
      'a hidden tool by id',
      'openclaw:vault:secret_wipe',
      ['UNKNOWN_TOOL', 'unknown tool "openclaw:vault:secret_wipe"', []],
    ],
    [
      'a slip of the pen in an id',
      'openclaw:core:writte',
      ['UNKNOWN_TOOL', 'unknown tool "openclaw:core:writte"', ['write']],
    ],
    ['nothing like any tool', 'zzyzx', ['UNKNOWN_TOOL', 'unknown tool "zzyzx"', []]],
    ['nothing', '  ', ['INPUT_INVALID', 'the id of a tool must not be empty', []]],
    [
      'a tool in the request',
      'note_now',
      [
        'UNKNOWN_TOOL',
        '"note_now" is not behind Tool Search: call note_now directly, its schema is in the request',
        [],
      ],
    ],
    [
      'a control by id',
      'openclaw:core:tool_search',
      [
        'UNKNOWN_TOOL',
        '"openclaw:core:tool_search" is not behind Tool Search: call tool_search directly, its schema is in the request',
        [],
      ],
    ],
  ])('%s', (_, selector, error) => {
    expect(model(selector)).toEqual(error)
  })

  test('an ambiguous name is refused with the ids, and the ids work', () => {
    const note = catalogue.byName.get('note_add')![0]!
    const twin = { ...note, id: 'openclaw:other:note_add' }
    const twins = {
      ...catalogue,
      entries: [...catalogue.entries, twin],
      byId: new Map([...catalogue.byId, [twin.id, twin]]),
      byName: new Map([...catalogue.byName, ['note_add', [note, twin]]]),
    }
    expect(outcome(() => resolveEntry(twins, 'note_add'))).toEqual([
      'AMBIGUOUS_TOOL',
      '2 tools are called "note_add"; use an exact id',
      ['openclaw:notes:note_add', 'openclaw:other:note_add'],
    ])
    expect(outcome(() => resolveEntry(twins, twin.id))).toBe(twin.id)
    expect(suggestEntries(twins, 'note_adds')).toEqual(['openclaw:notes:note_add', 'openclaw:other:note_add'])
  })

  test('suggestions never name a hidden tool', () => {
    for (const selector of ['exec', 'secret_wipe', 'secret wipe', 'ping', 'off_tool', 'down__pin'])
      expect(
        suggestEntries(catalogue, selector).filter((name) => /exec|secret|ping|off_/.test(name)),
      ).toEqual([])
  })
})

describe('for an operator', () => {
  test.each([
    ['a name', 'note_add', 'openclaw:notes:note_add'],
    ['another letter case', 'Note_Add', 'openclaw:notes:note_add'],
    ['the name at the server', 'star', 'mcp:github:star'],
    ['a name that a server has, too', 'read', 'openclaw:core:read'],
    ['a direct-only tool', 'note_now', 'openclaw:notes:note_now'],
    ['a control', 'tool_search', 'openclaw:core:tool_search'],
  ])('%s', (_, selector, id) => {
    expect(operator(selector)).toBe(id)
  })

  test.each([
    [
      'a denied tool',
      'exec',
      [
        'TOOL_DENIED',
        'exec is hidden in this session, at tools.deny: "exec" in tools.deny denies it',
        ['openclaw tools explain exec'],
      ],
    ],
    [
      'a denied tool by id',
      'openclaw:vault:secret_wipe',
      ['TOOL_DENIED', expect.stringContaining('at tools.deny'), ['openclaw tools explain secret_wipe']],
    ],
    [
      'a disabled plugin',
      'off_tool',
      ['TOOL_UNAVAILABLE', expect.stringContaining('at plugin'), ['openclaw tools explain off_tool']],
    ],
    [
      'a server that is down',
      'down__ping',
      ['TOOL_UNAVAILABLE', expect.stringContaining('at mcp'), ['openclaw tools explain down__ping']],
    ],
    [
      'a tool of no plugin here',
      'browser',
      ['TOOL_UNAVAILABLE', expect.stringContaining('at plugin'), ['openclaw tools explain browser']],
    ],
    [
      'a name two servers have',
      'create_issue',
      [
        'AMBIGUOUS_TOOL',
        '2 tools are called "create_issue"; use an exact id',
        ['mcp:github:create_issue', 'mcp:gitlab:create_issue'],
      ],
    ],
    ['a slip', 'note_ad', ['UNKNOWN_TOOL', 'unknown tool "note_ad"', ['note_add']]],
    [
      'a group',
      'group:fs',
      ['UNKNOWN_TOOL', expect.stringContaining('is a group, not a tool'), expect.arrayContaining(['read'])],
    ],
    ['a skill', 'deploy-site', ['UNKNOWN_TOOL', expect.stringContaining('is a skill, not a tool'), ['read']]],
  ])('%s', (_, selector, error) => {
    expect(operator(selector)).toEqual(error)
  })
})
