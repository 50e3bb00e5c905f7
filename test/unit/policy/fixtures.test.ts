import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { parseTestFile } from '../../../src/policy/test-file.ts'
import { createInputs } from '../../../src/runtime/inputs.ts'
import { runPolicyTests } from '../../../src/runtime/policy-tests.ts'
import { naiveVisible } from '../../property/naive-evaluator.ts'
import { open } from './open.ts'

const directory = fileURLToPath(new URL('../../../fixtures/policy/', import.meta.url))
const files = readdirSync(directory).filter((name) => name.endsWith('.json'))

const inputs = createInputs(directory, () => {
  throw new Error('no test reads standard input')
})

test('there are policy test files for both editions', () => {
  expect(files).toEqual(expect.arrayContaining(['random-2026.7.json', 'random-2026.9.json']))
  expect(files).toEqual(expect.arrayContaining(['recorded-2026.7.json', 'recorded-2026.9.json']))
})

test.each(files)('every case of %s passes', async (file) => {
  const result = await runPolicyTests(inputs, [file], { edition: undefined, update: false })
  expect(result.cases.filter(({ ok }) => !ok)).toEqual([])
  expect(result.failed).toBe(0)
  expect(result.passed).toBeGreaterThan(0)
})

test.each(files)('the naive evaluator passes %s, too', (name) => {
  const file = parseTestFile(JSON.parse(readFileSync(directory + name, 'utf8')), name)
  const wrong = file.cases.flatMap((each) => {
    const { visible = [], hidden = [], configInvalid = false } = each.expect
    if (configInvalid) return []
    const { config, edition, inventory, context } = open({ ...file, ...each }).view
    const names = naiveVisible(config, edition, inventory, context)
    const known = new Set(inventory.tools.map((tool) => tool.name))
    const absent = hidden
      .map((tool) => (typeof tool === 'string' ? tool : tool.tool))
      .filter((tool) => names.has(tool))
    const present = visible.filter((tool) => !names.has(tool) || !known.has(tool))
    return [...absent, ...present].map((tool) => `${each.name}: ${tool}`)
  })
  expect(wrong).toEqual([])
})
