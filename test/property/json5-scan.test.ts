import JSON5 from 'json5'
import { isDeepStrictEqual } from 'node:util'
import { expect, test, vi } from 'vitest'
import { scan, toValue } from '../../src/config/scan.ts'
import { law, random, runs, seedOf } from './random.ts'

const documents = [
  `// head\n{ a: 1, 'b': [true, null, -0x1F, .5, +1e3, ], "c": { nested: "x\\n\\x41\\u0042\\\n y" }, /* end */ }`,
  `{"$include": ["./a.json5", "./b.json5"], tools: {deny: ["exec", 'browser'], profile: 'coding'}}`,
  `[Infinity, -Infinity, NaN, {__proto__: 1, null: 2, a: 3, a: 4}, '\\0', "\u2028", 0, 5., -0]`,
  `\ufeff{\r\n\t$id_1: "\${VAR}", ünï: 'x', \\u0061b: 1,\r\n}\r\n`,
  `{ "agents": { "list": [ { "id": "main", "tools": { "allow": [], }, }, { id: "w" } ] }, n: 12345678901234567890 }`,
  `'single'`,
  `/**/ null // end`,
]

const scraps = [
  ...`{}[],:"'\\/*+-.0123456789eExXuINa$_ \n\r\t\v`,
  '\u2028',
  '\u00a0',
  '\ufeff',
  '\0',
  '//',
  '/*',
  '*/',
  '\\u0041',
  '\\x41',
  '\\\r\n',
  '__proto__:',
  'null',
  'true',
  'false',
  'Infinity',
  'NaN',
  '"k":',
  '{a:',
  'é',
  '😀',
  '\ud800',
  '1e999',
]

function pick<T>(next: () => number, items: readonly T[]): T {
  const item = items[Math.floor(next() * items.length)]
  if (item === undefined) throw new Error('nothing to pick from')
  return item
}

function mutate(next: () => number, text: string): string {
  let result = text
  for (let count = 1 + Math.floor(next() * 3); count > 0; count--) {
    const at = Math.floor(next() * (result.length + 1))
    const length = Math.floor(next() * 4)
    const way = Math.floor(next() * 4)
    if (way === 0) result = result.slice(0, at) + result.slice(at + length)
    else if (way === 1) result = result.slice(0, at) + pick(next, scraps) + result.slice(at)
    else if (way === 2) result = result.slice(0, at) + pick(next, scraps) + result.slice(at + length)
    else {
      const from = Math.floor(next() * result.length)
      result = result.slice(0, at) + result.slice(from, from + length * 3) + result.slice(at)
    }
  }
  return result
}

function oracle(text: string): { value: unknown } | null {
  try {
    return { value: JSON5.parse(text) }
  } catch {
    return null
  }
}

test('accepts, rejects and reads what the JSON5 reference parser does', () => {
  // The reference parser prints a line for every U+2028 it reads.
  vi.spyOn(console, 'warn').mockImplementation(() => {})
  const seed = seedOf('json5-scan')
  const next = random(seed)
  let accepted = 0
  const total = runs(60_000)
  for (let run = 0; run < total; run++) {
    const text = mutate(next, pick(next, documents))
    const expected = oracle(text)
    const { problem, root } = scan(text)
    const where = `seed ${seed}, run ${run}: ${JSON.stringify(text)}`
    law((problem === null) === (expected !== null), where)
    if (expected === null || root === null) continue
    accepted += 1
    const value = toValue(root)
    law(isDeepStrictEqual(value, expected.value), where)
    law(JSON.stringify(value) === JSON.stringify(expected.value), where)
  }
  expect(accepted / total).toBeGreaterThan(0.1)
  expect(accepted / total).toBeLessThan(0.9)
})
