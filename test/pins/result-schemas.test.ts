import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { resultSchemas } from '../../src/ui/results/schemas.ts'
import { projectRoot } from '../helpers/project.ts'
import { schemaProblems, untold } from '../helpers/result-schema.ts'
import { runJson } from '../helpers/run-cli.ts'
import { sampled, samplesOf } from '../helpers/samples.ts'

const manifest: { readonly commands: Readonly<Record<string, unknown>> } = JSON.parse(
  readFileSync(`${projectRoot}dist/oclif.manifest.json`, 'utf8'),
)
const commands = Object.keys(manifest.commands)

/** Commands whose answer is a value of the config, which has a schema of its own. */
const ofConfig = ['config:get']

test('every command has a schema', () => {
  const missing = commands.filter((id) => resultSchemas[id.replaceAll(':', '-')] === undefined)
  expect(missing).toEqual(ofConfig)
})

test('there are samples for every schema', () => {
  expect(sampled.toSorted()).toEqual(Object.keys(resultSchemas).toSorted())
})

describe.each(Object.keys(resultSchemas))('%s', (name) => {
  test('holds for what is printed, and tells of every field', { timeout: 60_000 }, async () => {
    const samples = await samplesOf(name)
    expect(samples.length).toBeGreaterThan(0)
    for (const sample of samples) {
      expect(schemaProblems(name, sample)).toEqual([])
      expect(untold(name, sample)).toEqual([])
    }
  })

  test('does not hold for anything', async () => {
    for (const sample of await samplesOf(name)) {
      expect(schemaProblems(name, [sample])).not.toEqual([])
    }
    // What a method of the Gateway answers is for that method to say.
    if (name === 'gateway-call') return
    expect(schemaProblems(name, {})).not.toEqual([])
    const others = await samplesOf(name === 'failure' ? 'help' : 'failure')
    expect(schemaProblems(name, others[0])).not.toEqual([])
  })

  test('may gain fields', async () => {
    for (const sample of await samplesOf(name))
      expect(schemaProblems(name, { ...(sample as object), news: 1 })).toEqual([])
  })
})

describe('a failure has the one form', () => {
  const failing: readonly (readonly [line: string, code: number])[] = [
    ['agent --message x', 6],
    ['approvals allow nobody', 1],
    ['approvals deny nobody', 1],
    ['config set tools.profile wrong', 5],
    ['gateway call health --url ws://127.0.0.1:1', 6],
    ['gateway run --port 0 --config nowhere.json5', 1],
    ['gateway status --url ws://127.0.0.1:1', 6],
    ['help nonsense', 2],
    ['mcp probe nobody', 1],
    ['plugins inspect nobody', 1],
    ['plugins list --inventory nowhere.json5', 1],
    ['qa suite --scenario nobody', 2],
    ['sandbox explain --agent nobody', 1],
    ['sessions list --agent nobody', 1],
    ['sessions log nobody', 1],
    ['sessions show nobody', 1],
    ['tools call nobody', 1],
    ['tools run --code nowhere.js', 1],
  ]

  test.each(failing)('%s', async (line, code) => {
    const result = await runJson(line.split(' '))
    expect(result).toMatchObject({ code })
    expect([schemaProblems('failure', result.json), untold('failure', result.json)]).toEqual([[], []])
  })

  test('whatever the command', { timeout: 60_000 }, async () => {
    const results = await Promise.all(
      commands.map((id) => runJson([...id.split(':'), '--no-such-flag'], { limit: 60_000 })),
    )
    for (const { code, json } of results) {
      expect(code).toBe(2)
      expect(json).toMatchObject({ error: { code: 'USAGE' } })
      expect([schemaProblems('failure', json), untold('failure', json)]).toEqual([[], []])
    }
  })
})
