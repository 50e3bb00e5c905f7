import JSON5 from 'json5'
import { expect, test } from 'vitest'
import { parseInventory } from '../../../src/catalog/inventory-file.ts'
import { providerKeys } from '../../../src/catalog/types.ts'
import { parseTestFile } from '../../../src/policy/test-file.ts'
import { parseContext } from '../../../src/sessions/context-file.ts'
import { fileFormats } from '../../../src/ui/file-formats.ts'

const textOf = (name: string): string => fileFormats.find((entry) => entry.name === name)?.text ?? ''
const exampleOf = (name: string): unknown => JSON5.parse(/^Example: (.*)$/m.exec(textOf(name))?.[1] ?? '')

/** Every field that a reader of files knows, from its own complaint about one it does not know. */
function knownFields(read: () => unknown): string[] {
  try {
    read()
  } catch (error) {
    const { hints } = error as { hints: readonly string[] }
    return hints.flatMap((hint) => (/^known fields: (.*)$/.exec(hint)?.[1] ?? '').split(', ')).filter(Boolean)
  }
  return []
}

test.each([
  ['context', () => parseContext({ qqqq: 1 })],
  ['context', () => parseContext({ sender: { qqqq: 1 } })],
  ['policy-test', () => parseTestFile({ qqqq: 1 }, 'file')],
  ['policy-test', () => parseTestFile({ cases: [{ name: 'x', expect: { qqqq: 1 } }] }, 'file')],
])('the page names every field of a %s file', (name, read) => {
  const fields = knownFields(read)
  expect(fields.length).toBeGreaterThan(3)
  expect(fields.filter((field) => !new RegExp(`\\b${field}\\b`).test(textOf(name)))).toEqual([])
})

test('and every provider of an inventory', () => {
  expect(providerKeys.filter((key) => !new RegExp(`\\b${key}\\b`).test(textOf('inventory')))).toEqual([])
})

test('the examples are valid', () => {
  expect(parseContext(exampleOf('context'))).toMatchObject({ agentId: 'work' })
  expect(parseInventory(exampleOf('inventory'), 'example')).toMatchObject({ plugins: [{ id: 'notes' }] })
  expect(parseTestFile(exampleOf('policy-test'), 'example').cases).toHaveLength(1)
})
