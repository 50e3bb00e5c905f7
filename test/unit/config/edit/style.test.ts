import { describe, expect, test } from 'vitest'
import { createEditor, type Editor } from '../../../../src/config/edit/editor.ts'
import { scan } from '../../../../src/config/scan.ts'

function edit(text: string, change: (editor: Editor) => void, json = false): string {
  const scanned = scan(text)
  if (scanned.problem !== null) throw new Error(text)
  const editor = createEditor(text, scanned.root, { json })
  change(editor)
  return editor.text()
}

const commented = `// head
{
  // Which tools there are
  tools: {
    // for everybody
    profile: 'coding', // trailing

    // never
    deny: ['exec', "browser"],

    allow: [
      'read', // first
      'write',
      // 'edit',
    ],
  },

  session: { dmScope: 'main' }
  // more keys later
}
`

describe('new entries look like their neighbours', () => {
  test('in a commented file', () => {
    const result = edit(commented, (editor) => {
      editor.append(['tools', 'deny'], 'process')
      editor.append(['tools', 'allow'], "don't")
      editor.set(['tools', 'web', 'search', 'enabled'], true)
      editor.set(['session', 'main-key'], 'x')
      editor.set(['agents', 'list'], [{ id: 'work' }])
    })
    expect(result).toMatchInlineSnapshot(`
      "// head
      {
        // Which tools there are
        tools: {
          // for everybody
          profile: 'coding', // trailing

          // never
          deny: ['exec', "browser", 'process'],

          allow: [
            'read', // first
            'write',
            "don't",
            // 'edit',
          ],
          web: {
            search: {
              enabled: true,
            },
          },
        },

        session: { dmScope: 'main', 'main-key': 'x' },
        agents: { list: [{ id: 'work' }] }
        // more keys later
      }
      "
    `)
  })

  const listed: readonly [string, string, (editor: Editor) => void, string][] = [
    [
      'plain JSON',
      '{\n  "a": 1\n}\n',
      (editor) => editor.set(['b'], ['x']),
      '{\n  "a": 1,\n  "b": ["x"]\n}\n',
    ],
    [
      'tabs',
      '{\n\t"a": 1\n}',
      (editor) => editor.set(['b', 'c'], 1),
      '{\n\t"a": 1,\n\t"b": {\n\t\t"c": 1\n\t}\n}',
    ],
    ['CRLF', '{\r\n  a: 1,\r\n}\r\n', (editor) => editor.set(['b'], 2), '{\r\n  a: 1,\r\n  b: 2,\r\n}\r\n'],
    ['a byte order mark', '\ufeff{ a: 1 }', (editor) => editor.set(['b'], 2), '\ufeff{ a: 1, b: 2 }'],
    ['no spaces', '{"a":1,"l":[1,2]}', (editor) => editor.append(['l'], 3), '{"a":1,"l":[1,2,3]}'],
    ['padded brackets', '{ l: [ 1, 2 ] }', (editor) => editor.append(['l'], 3), '{ l: [ 1, 2, 3 ] }'],
    ['trailing commas', '[\n  1,\n]', (editor) => editor.append([], 2), '[\n  1,\n  2,\n]'],
    ['a trailing comma on one line', '[1,]', (editor) => editor.append([], 2), '[1, 2,]'],
    ['single quotes', "{ 'a': 'x' }", (editor) => editor.set(['b'], 'y'), "{ 'a': 'x', 'b': 'y' }"],
    [
      'quotes where they are needed',
      "{ '-1': 'x' }",
      (editor) => editor.set(['-2'], 'y'),
      "{ '-1': 'x', '-2': 'y' }",
    ],
    [
      'quotes of the replaced string',
      `{ a: "x", b: 'y' }`,
      (editor) => editor.set(['a'], 'z'),
      `{ a: "z", b: 'y' }`,
    ],
    ['leading commas', '{ a: 1\n, b: 2\n}', (editor) => editor.set(['c'], 3), '{ a: 1\n, b: 2, c: 3\n}'],
    [
      'entries that hug',
      '[{\n  a: 1\n}, {\n  b: 2\n}]',
      (editor) => editor.append([], { c: 3 }),
      '[{\n  a: 1\n}, {\n  b: 2\n}, {\n  c: 3\n}]',
    ],
    [
      'a comment behind the last value',
      '{ a: 1 // x\n}',
      (editor) => editor.set(['b'], 2),
      '{ a: 1, // x\n  b: 2\n}',
    ],
    [
      'a comment in an empty list',
      '[ // none yet\n]',
      (editor) => editor.append([], 1),
      '[ // none yet\n  1\n]',
    ],
    ['an empty object', '{}', (editor) => editor.set(['a'], { b: 1 }), '{\n  a: {\n    b: 1\n  }\n}'],
    ['a repeated key: the last counts', '{ a: 1, a: 2 }', (editor) => editor.set(['a'], 3), '{ a: 1, a: 3 }'],
  ]
  test.each(listed)('%s', (_name, text, change, expected) => {
    expect(edit(text, change)).toBe(expected)
  })

  test('an empty text is plain JSON where the file is named so', () => {
    expect(edit('{}\n', (editor) => editor.set(['a'], 'b'), true)).toBe('{\n  "a": "b"\n}\n')
    expect(edit('{}\n', (editor) => editor.set(['a'], 'b'), false)).toBe('{\n  a: "b"\n}\n')
  })
})

describe('what goes with an entry that is taken out, and what stays', () => {
  const listed: readonly [string, string, (editor: Editor) => void, string][] = [
    [
      'the comment at the end of its line',
      '{\n  a: 1, // one\n  b: 2, // two\n}',
      (editor) => editor.unset(['a']),
      '{\n  b: 2, // two\n}',
    ],
    [
      'a comment right above that heads nothing else',
      '{\n  // one\n  a: 1,\n\n  // two\n  b: 2,\n}',
      (editor) => editor.unset(['b']),
      '{\n  // one\n  a: 1,\n}',
    ],
    [
      'not the heading of several entries',
      '{\n  // both\n  a: 1,\n  b: 2,\n}',
      (editor) => editor.unset(['a']),
      '{\n  // both\n  b: 2,\n}',
    ],
    [
      'not a comment with a blank line below',
      '{\n  // all\n\n  a: 1,\n\n  b: 2,\n}',
      (editor) => editor.unset(['a']),
      '{\n  // all\n\n  b: 2,\n}',
    ],
    [
      'not an entry that was switched off',
      '{\n  a: 1,\n\n  // b: 2,\n  c: 3,\n}',
      (editor) => editor.unset(['c']),
      '{\n  a: 1,\n\n  // b: 2,\n}',
    ],
    [
      'not the only comment of the last entry',
      '{\n  // about this\n  a: 1,\n}',
      (editor) => editor.unset(['a']),
      '{\n  // about this\n}',
    ],
    ['a comment in front on the same line', '[1, /* two */ 2, 3]', (editor) => editor.unset([1]), '[1, 3]'],
    [
      'not that of the next one',
      '[1, 2, /* three */ 3]',
      (editor) => editor.unset([1]),
      '[1, /* three */ 3]',
    ],
    [
      'the blank line in front of a last entry',
      '{\n  a: 1,\n\n  b: 2\n}',
      (editor) => editor.unset(['b']),
      '{\n  a: 1\n}',
    ],
    [
      'one of two blank lines',
      '{\n  a: 1,\n\n  b: 2,\n\n  c: 3\n}',
      (editor) => editor.unset(['b']),
      '{\n  a: 1,\n\n  c: 3\n}',
    ],
    ['every repetition of the key', '{ a: 1, b: 2, a: 3 }', (editor) => editor.unset(['a']), '{ b: 2 }'],
    ['never the end of a comment', '[1, // one\n  2]', (editor) => editor.unset([1]), '[1 // one\n]'],
    [
      'everything, with the space that only it needed',
      '{ a: [ 1 ] }',
      (editor) => editor.unset(['a', 0]),
      '{ a: [] }',
    ],
  ]
  test.each(listed)('%s', (_name, text, change, expected) => {
    expect(edit(text, change)).toBe(expected)
  })
})

describe('a new value keeps what it shares with the old one', () => {
  test('entries by their id, members by their key', () => {
    const text = `{
  list: [
    { id: 'a', n: 1 }, // the first
    { id: 'b', n: 2 }, // goes
    { id: 'c', n: 3 }, // the third
  ],
}`
    const list = [{ id: 'a', n: 1 }, { id: 'c', n: 4 }, { id: 'd' }]
    expect(edit(text, (editor) => editor.set(['list'], list))).toBe(`{
  list: [
    { id: 'a', n: 1 }, // the first
    { id: 'c', n: 4 }, // the third
    { id: 'd' },
  ],
}`)
  })

  test('the same value changes no byte', () => {
    const value = {
      tools: { profile: 'coding', deny: ['exec', 'browser'], allow: ['read', 'write'] },
      session: { dmScope: 'main' },
    }
    expect(edit(commented, (editor) => editor.set([], value))).toBe(commented)
  })
})
