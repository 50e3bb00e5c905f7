import { describe, expect, test } from 'vitest'
import { lineMap } from '../../../src/config/line-map.ts'
import { scan, toValue } from '../../../src/config/scan.ts'
import type { Node } from '../../../src/config/scan.ts'

function tree(text: string): Node {
  const { problem, root } = scan(text)
  if (problem !== null || root === null) throw new Error(`not scanned: ${JSON.stringify(problem)}`)
  return root
}

/** Every node and comma with the text it covers, indented by depth. */
function outline(text: string, node = tree(text), indent = ''): string[] {
  const cover = JSON.stringify(text.slice(node.start, node.end))
  if (node.type === 'scalar') return [`${indent}${cover} = ${JSON.stringify(node.value)}`]
  const lines = [`${indent}${node.type} ${cover}`]
  for (const item of node.items) {
    const comma = item.comma < 0 ? '' : ` comma at ${item.comma}`
    if ('key' in item) {
      const key = text.slice(item.keyStart, item.keyEnd)
      lines.push(`${indent}  key ${key} = ${JSON.stringify(item.key)}${comma}`)
    } else lines.push(`${indent}  entry${comma}`)
    lines.push(...outline(text, item.value, `${indent}    `))
  }
  return lines
}

function problemOf(text: string): string {
  const { problem } = scan(text)
  if (problem === null) return `${JSON.stringify(text)} is accepted`
  return `${JSON.stringify(text.slice(0, 40))} at ${problem.offset}: ${problem.expected} (open: ${problem.openedAt})`
}

describe('scan', () => {
  test('gives ranges of values, keys and commas', () => {
    const text = `// head\n{ a: 1, 'b c' : ["x", /* no */ -0x10 , ], // tail\n  "d": { }, }`
    expect(outline(text).join('\n')).toMatchInlineSnapshot(`
      "object "{ a: 1, 'b c' : [\\"x\\", /* no */ -0x10 , ], // tail\\n  \\"d\\": { }, }"
        key a = "a" comma at 14
          "1" = 1
        key 'b c' = "b c" comma at 48
          array "[\\"x\\", /* no */ -0x10 , ]"
            entry comma at 28
              "\\"x\\"" = "x"
            entry comma at 45
              "-0x10" = -16
        key "d" = "d" comma at 68
          object "{ }""
    `)
  })

  test.each([
    ['{null: 1, true: 2, Infinity: 3}', { null: 1, true: 2, Infinity: 3 }],
    [String.raw`'\x41\v\0\'\u0042'`, "A\v\0'B"],
    ['"a\u2028b"', 'a\u2028b'],
    ['"a\\\r\nb\\\nc\\\u2028d"', 'abcd'],
    ['\ufeff{a:1}\u00a0', { a: 1 }],
    ['{a:1,\r\n// x\r\nb:2}', { a: 1, b: 2 }],
    [String.raw`{\u0061b: +.5, $_é\u200c: 5.}`, { ab: 0.5, '$_é\u200c': 5 }],
    ['[0, -0, 1e3, .5e-1, 0XfF, +Infinity, -NaN]', [0, -0, 1000, 0.05, 255, Infinity, Number.NaN]],
    ['{a:1,b:2,a:3}', { a: 3, b: 2 }],
  ])('%j', (text, value) => {
    expect(toValue(tree(text))).toEqual(value)
  })

  test('a __proto__ key is an own key and reaches no prototype', () => {
    const value = toValue(tree('{ __proto__: { polluted: true }, a: { "__proto__": 1 } }'))
    expect(JSON.stringify(value)).toBe('{"__proto__":{"polluted":true},"a":{"__proto__":1}}')
    expect(Reflect.get({}, 'polluted')).toBeUndefined()
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype)
  })

  test('says where a text breaks and what could stand there', () => {
    const broken = [
      '',
      '  // only a comment',
      '{a:1 b:2}',
      '{a 1}',
      '{a:}',
      '{a:1,,}',
      '{,}',
      '{1:2}',
      '[1',
      '[1,',
      '{a:1',
      '{a',
      '{a:1}}',
      '{a:`x`}',
      '{a:tru}',
      '{a:nullx}',
      '[01]',
      '[+]',
      '[0x]',
      '"abc',
      '"a\nb"',
      "'a\rb'",
      '"\\',
      '"\\x4"',
      '"\\u12"',
      '"\\1"',
      '"\\01"',
      '{\\u0031: 1}',
      '{a\\x: 1}',
      '/* x',
      '/ x',
      '{a:1 # x\n}',
      '{“a”: 1}',
      '\\u006eull',
    ]
    expect(broken.map(problemOf).join('\n')).toMatchInlineSnapshot(`
      """ at 0: a value (open: null)
      "  // only a comment" at 19: a value (open: null)
      "{a:1 b:2}" at 5: , or } (open: 0)
      "{a 1}" at 3: : behind the key (open: 0)
      "{a:}" at 3: a value (open: 0)
      "{a:1,,}" at 5: a key or } (open: 0)
      "{,}" at 1: a key or } (open: 0)
      "{1:2}" at 1: a key or } (open: 0)
      "[1" at 2: , or ] (open: 0)
      "[1," at 3: a value (open: 0)
      "{a:1" at 4: , or } (open: 0)
      "{a" at 2: : behind the key (open: 0)
      "{a:1}}" at 5: the end of the file (open: null)
      "{a:\`x\`}" at 3: a value (open: 0)
      "{a:tru}" at 3: a value (open: 0)
      "{a:nullx}" at 7: , or } (open: 0)
      "[01]" at 2: , or ] (open: 0)
      "[+]" at 1: a value (open: 0)
      "[0x]" at 2: , or ] (open: 0)
      "\\"abc" at 4: " at the end of the string (open: null)
      "\\"a\\nb\\"" at 2: " at the end of the string (open: null)
      "'a\\rb'" at 2: ' at the end of the string (open: null)
      "\\"\\\\" at 2: an escaped character (open: null)
      "\\"\\\\x4\\"" at 3: two hexadecimal digits (open: null)
      "\\"\\\\u12\\"" at 3: four hexadecimal digits (open: null)
      "\\"\\\\1\\"" at 2: an escape other than a digit (open: null)
      "\\"\\\\01\\"" at 3: no digit behind \\0 (open: null)
      "{\\\\u0031: 1}" at 1: an escape that may stand in a key (open: 0)
      "{a\\\\x: 1}" at 2: \\u and four hexadecimal digits (open: 0)
      "/* x" at 0: */ at the end of this comment (open: null)
      "/ x" at 1: // or /* (a comment) (open: null)
      "{a:1 # x\\n}" at 5: , or } (open: 0)
      "{“a”: 1}" at 1: a key or } (open: 0)
      "\\\\u006eull" at 0: a value (open: null)"
    `)
  })

  test.each([
    ['lists', (levels: number) => '['.repeat(levels) + ']'.repeat(levels)],
    ['objects', (levels: number) => '{a:'.repeat(levels) + '1' + '}'.repeat(levels)],
  ])('allows 500 levels of %s and no more', (_kind, nest) => {
    expect(scan(nest(500)).problem).toBeNull()
    expect(scan(nest(501)).problem?.expected).toBe('at most 500 levels of nesting')
    expect(scan(nest(200_000)).problem?.expected).toBe('at most 500 levels of nesting')
  })

  test('does not take the square of eight times as long for eight times the text', () => {
    const entry = `{ id: "agent-1", tools: { allow: ["read", 'write'], deny: [] }, n: 12.5, /* note */ on: true },\n`
    const cost = (bytes: number): number => {
      const text = `[${entry.repeat(Math.ceil(bytes / entry.length))}]`
      const costs = [1, 2, 3].map(() => {
        const before = process.cpuUsage()
        expect(scan(text).problem).toBeNull()
        const spent = process.cpuUsage(before)
        return (spent.user + spent.system) / 1000
      })
      return Math.min(...costs)
    }
    cost(256 * 1024)
    // Collecting garbage and other programs have their share; the square would be 64 times.
    expect(cost(2 * 1024 * 1024)).toBeLessThan(40 * cost(256 * 1024) + 50)
  })
})

describe('lineMap', () => {
  test('counts LF, CRLF and CR lines, UTF-16 columns, and no column for the byte order mark', () => {
    const text = '\ufeffa\r\nb😀c\rd\n\u2028e'
    const at = lineMap(text)
    const places = ['a', 'b', 'c', 'd', '\u2028', 'e'].map((char) => {
      const { line, column } = at(text.indexOf(char))
      return `${line}:${column}`
    })
    expect(places).toEqual(['1:1', '2:1', '2:4', '3:1', '4:1', '4:2'])
    expect(at(text.length)).toEqual({ line: 4, column: 3 })
    expect(lineMap('')(0)).toEqual({ line: 1, column: 1 })
  })
})
