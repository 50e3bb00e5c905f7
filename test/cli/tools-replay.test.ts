import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { listAgents } from '../../src/config/agents.ts'
import { OpenClawError } from '../../src/kernel/errors.ts'
import { effectiveTools } from '../../src/runtime/answers.ts'
import { openCase, type CaseQuery } from '../../src/runtime/case.ts'
import { takeSnapshot } from '../../src/runtime/snapshot.ts'
import { projectRoot } from '../helpers/project.ts'
import { tempDir } from '../helpers/run-cli.ts'

/** Notices on the machine an answer was given on; a snapshot is judged without one. */
const aboutTheMachine = [
  'env-missing',
  'mcp-stale',
  'plugin-invalid',
  'session-not-stored',
  'session-store-unreadable',
]

/** What `tools effective --json` prints, without places, what this machine lacks, and where the session was looked up. */
async function answer(
  options: { file?: string; home: string; edition?: '2026.7' | '2026.9' },
  query: CaseQuery,
) {
  const each = await openCase({ env: { HOME: options.home }, cwd: options.home, ...options }, query)
  const { context, notices, ...rest } = await effectiveTools(each, true)
  const { origin: _origin, ...session } = context
  // Without places they stand in another order.
  const kept = notices
    .filter(({ id }) => !aboutTheMachine.includes(id))
    .toSorted((a, b) => (a.message < b.message ? -1 : 1))
  const text = JSON.stringify({ ...rest, context: session, notices: kept }, (key, value) =>
    key === 'location' || key === 'needs' ? undefined : value,
  )
  return { each, answer: JSON.parse(text) }
}

/** Cases on invalid configs and sessions have no answer. */
function nothingToReplay(error: unknown): null {
  if (error instanceof OpenClawError) return null
  throw error
}

async function replayed(home: string, each: Awaited<ReturnType<typeof openCase>>) {
  const replayFile = join(home, 'snapshot.json')
  writeFileSync(replayFile, JSON.stringify(await takeSnapshot(each)))
  return (await answer({ home }, { request: {}, replayFile })).answer
}

describe('a replayed snapshot gives the same answer', () => {
  test.each(globSync('fixtures/realconfigs/*', { cwd: projectRoot }).toSorted())('%s', async (file) => {
    const home = await tempDir()
    const options = { file: join(projectRoot, file), home }
    const { each } = await answer(options, { request: {} })
    for (const agentId of [...listAgents(each.config).map(({ id }) => id), undefined]) {
      for (const request of [
        { agentId },
        { agentId, channel: 'telegram', groupId: '-100:topic:7', sender: { id: '+49 1' } },
      ]) {
        const first = await answer(options, { request })
        expect(await replayed(home, first.each)).toEqual(first.answer)
      }
    }
  })

  test.each(globSync('fixtures/policy/*.json', { cwd: projectRoot }).toSorted())(
    'every case of %s',
    async (name) => {
      const file = JSON.parse(readFileSync(join(projectRoot, name), 'utf8'))
      const home = await tempDir()
      let count = 0
      for (const own of file.cases) {
        const input = { ...file, ...own }
        const write = (part: string): string => {
          writeFileSync(join(home, part), JSON.stringify(input[part] ?? {}))
          return join(home, part)
        }
        const query = {
          request: {},
          contextFile: write('context'),
          ...(input.inventory && { inventoryFile: write('inventory') }),
        }
        const first = await answer({ file: write('config'), home, edition: input.edition }, query).catch(
          nothingToReplay,
        )
        if (first === null) continue
        expect({ name: own.name, ...(await replayed(home, first.each)) }).toEqual({
          name: own.name,
          ...first.answer,
        })
        count++
      }
      expect(count).toBeGreaterThan(file.cases.length * 0.9)
    },
  )
})
