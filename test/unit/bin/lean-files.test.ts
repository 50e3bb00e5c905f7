import { describe, expect, test } from 'vitest'
import { inAscii, withoutPassing } from '../../../bin/lean-files.ts'

describe('files that only pass exports on', () => {
  const code = 'export const x=1;'

  test('are left out, and lazy imports name what they pass on', () => {
    const files = new Map([
      ['main.js', 'const a=()=>import(`./chunks/a.js`);'],
      ['chunks/a.js', 'export{x as y,z}from"./c.js";'],
      ['chunks/c.js', code],
    ])
    expect([...withoutPassing(files)]).toEqual([
      ['main.js', 'const a=()=>import(`./chunks/c.js`).then(e=>({y:e.x,z:e.z}));'],
      ['chunks/c.js', code],
    ])
  })

  test.each([
    ['a plain import', { 'chunks/d.js': 'import{y}from"./a.js";y()' }],
    ['another such file', { 'chunks/d.js': 'export{y}from"./a.js";', 'main.js': 'import(`./chunks/d.js`)' }],
  ])('stay where %s names them', (_what, more) => {
    const files = new Map(
      Object.entries({ 'chunks/a.js': 'export{x as y}from"./c.js";', 'chunks/c.js': code, ...more }),
    )
    const lean = withoutPassing(files)
    const named = [...lean.values()].flatMap((text) => [...text.matchAll(/\.\/(?:chunks\/)?(\w\.js)/g)])
    expect(named.map(([, file]) => file)).toContain('a.js')
    for (const [, file] of named) expect([...lean.keys()]).toContain(`chunks/${file}`)
  })
})

describe('text beyond ASCII', () => {
  test.each(["'é'", '`é${1}😀`', "'\\é'", "'\\\\é'", "/^[µ😀]$/u.test('😀')", "/\\µ/.test('µ')"])(
    '%s',
    (text) => {
      const ascii = inAscii(text)
      expect(ascii).toMatch(/^[\0-\x7F]*$/)
      const read = (source: string): unknown => Function(`return ${source}`)()
      expect(read(ascii)).toEqual(read(text))
    },
  )

  test('is refused where an escape would be text', () => {
    expect(() => inAscii('const a=String.raw`\\`+String.raw`\\d é`')).toThrow(
      'no escape is read in String.raw`\\d é',
    )
    expect(inAscii("String.raw`d`+'é'")).toBe("String.raw`d`+'\\u00e9'")
  })
})
