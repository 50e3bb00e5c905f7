import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv2020 } from 'ajv/dist/2020.js'
import JSON5 from 'json5'
import { expect, test } from 'vitest'
import { configSchema } from '../../src/config/generated/config-schema.ts'
import { configJsonSchema } from '../../src/config/json-schema.ts'
import { reportOn } from '../../src/config/report/report.ts'
import { isUnremarkable } from '../../src/config/validate.ts'
import { editionIds } from '../../src/kernel/edition-id.ts'
import { projectRoot } from '../helpers/project.ts'
import { law, runs, seedOf } from './random.ts'
import { Random } from './seeded-random.ts'

const folder = join(projectRoot, 'fixtures/realconfigs')
const seeds: readonly unknown[] = [
  ...readdirSync(folder).map((name) => JSON5.parse(readFileSync(join(folder, name), 'utf8'))),
  {
    tools: {
      profile: 'coding',
      allow: ['read'],
      byProvider: { openai: { profile: 'full', deny: ['exec'] } },
      toolsBySender: { 'id:1': { deny: ['exec'] }, '*': null },
      exec: { mode: 'ask', applyPatch: { enabled: true, allowModels: ['a'] }, timeoutSec: 5 },
      loopDetection: { enabled: true, warningThreshold: 5, criticalThreshold: 10 },
      toolSearch: { enabled: true, mode: 'tools', codeTimeoutMs: 5000 },
      codeMode: { enabled: false },
      message: { crossContext: { marker: { prefix: 'x' } } },
      sandbox: { tools: { alsoAllow: ['browser'] } },
    },
    agents: { list: [{ id: 'a', tools: { alsoAllow: ['exec'], exec: { security: 'full' } } }], defaults: {} },
    mcp: { servers: { a: { command: 'x', env: { A: 1 } }, b: { url: 'https://b', transport: 'sse' } } },
    session: { scope: 'global', reset: { mode: 'daily', atHour: 4 } },
    gateway: { tools: { allow: ['cron'] } },
  },
]

/** Every key the schema knows, so that a change often lands on something it says. */
const knownKeys: string[] = []
JSON.stringify(configSchema, (key, value: unknown) => {
  if (key === 'properties' && typeof value === 'object' && value !== null)
    knownKeys.push(...Object.keys(value))
  return value
})

const values: readonly unknown[] = [
  true,
  false,
  null,
  0,
  1,
  -1,
  2.5,
  1e9,
  '',
  'x',
  'full',
  'coding',
  'all',
  'ask',
  'tools',
  'https://x',
  'mcp://x',
  [],
  ['read'],
  [1],
  [null],
  {},
  { allow: ['a'] },
  { allow: ['a'], alsoAllow: ['b'] },
  { enabled: true },
  { mode: 'ask', security: 'full' },
  { warningThreshold: 9, criticalThreshold: 3 },
  { source: 'env', id: 'A' },
]

/** A known key, mostly as it is, else in other letters or without one of them. */
function misspelled(random: Random): string {
  const key = random.pick(knownKeys)
  const kind = random.below(6)
  const at = random.below(key.length)
  return kind === 0
    ? key.toUpperCase()
    : kind === 1
      ? key.slice(0, at) + key.slice(at + 1)
      : kind === 2
        ? `${key.slice(0, at)}x${key.slice(at)}`
        : key
}

/** The config with a few places replaced, removed, renamed or added. */
function mutate(value: unknown, random: Random): unknown {
  const copy = structuredClone(value)
  const places: { holder: object; key: string }[] = []
  const collect = (current: unknown): void => {
    if (typeof current !== 'object' || current === null) return
    for (const key of Object.keys(current)) {
      places.push({ holder: current, key })
      collect(Reflect.get(current, key))
    }
  }
  collect(copy)
  for (let change = random.below(4); change >= 0; change--) {
    const { holder, key } = random.pick(places)
    const kind = random.below(4)
    if (kind === 0) Reflect.set(holder, key, structuredClone(random.pick(values)))
    else if (Array.isArray(holder)) holder.push(structuredClone(random.pick(values)))
    else if (kind === 1) Reflect.deleteProperty(holder, key)
    else if (kind === 2) Reflect.set(holder, random.pick(knownKeys), Reflect.get(holder, key))
    else Reflect.set(holder, misspelled(random), structuredClone(random.pick(values)))
  }
  return copy
}

test('the start check, the report and Ajv with the published schema agree', () => {
  const seed = seedOf('config-validate')
  const random = new Random(seed)
  const ajv = new Ajv2020({ strict: false, validateFormats: false })
  const accepts = ajv.compile(configJsonSchema())
  const count = runs(40_000)
  const seen = { silent: 0, warned: 0, refused: 0 }
  for (let run = 0; run < count; run++) {
    // A renamed key that was removed before leaves an undefined, which no config file can hold.
    const value: unknown = JSON.parse(JSON.stringify(mutate(random.pick(seeds), random)))
    const edition = random.pick(editionIds)
    const { issues, warnings } = reportOn(value, { edition, locate: () => null })
    const where = () => `seed ${seed}, run ${run}, ${edition}: ${JSON.stringify({ value, issues, warnings })}`
    law(
      !isUnremarkable(value, edition) || issues.length + warnings.length === 0,
      `silent at start, ${where()}`,
    )
    // JSON Schema cannot compare two numbers of a config.
    const structural = issues.filter(({ message }) => !message.includes('must be less than'))
    law(accepts(value) === (structural.length === 0), `${JSON.stringify(accepts.errors)}, ${where()}`)
    if (issues.length > 0) seen.refused += 1
    else if (warnings.length > 0) seen.warned += 1
    else seen.silent += 1
  }
  // Without all three the run would prove little.
  expect(Math.min(seen.silent, seen.warned, seen.refused)).toBeGreaterThan(count / 50)
})

test('the start check lets ordinary configs pass without a report', () => {
  for (const value of seeds.slice(0, -1)) {
    for (const edition of editionIds) {
      const { issues, warnings } = reportOn(value, { edition, locate: () => null })
      expect(isUnremarkable(value, edition)).toBe(issues.length + warnings.length === 0)
    }
  }
})
