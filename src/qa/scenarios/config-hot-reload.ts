import { writeFile } from 'node:fs/promises'
import { isRecord } from '../../config/path-value.ts'
import { Bench, pluginTools, type OutsideEnd } from '../bench.ts'
import { catalogueTool, specialTools } from '../fake-plugin.ts'
import { jsonText } from '../lab.ts'
import { defineScenario, type Check } from '../scenario.ts'

/** What a session has under one config. */
interface Phase {
  readonly revision: number
  /** Why the newest file is not in force. */
  readonly problem: string | null
  /** Schemas in a model's request. */
  readonly offered: readonly string[]
  readonly call: OutsideEnd
}

/** A session under changing configs, without a restart. */
export interface ReloadEvidence {
  readonly start: Phase
  readonly denied: Phase
  /** The file is no JSON any more. */
  readonly broken: Phase
  /** The file is JSON that the schema refuses. */
  readonly invalid: Phase
  readonly mended: Phase
  readonly searching: Phase
  readonly pidsSame: boolean
}

const tool = catalogueTool(1)
const sessionKey = 'agent:main:qa-reload'

function has({ offered, call }: Phase): string | null {
  if (!offered.includes(tool)) return `${tool} was not offered`
  return call.ok ? null : `a call gives ${JSON.stringify(call)}`
}

function hasNot({ offered, call }: Phase): string | null {
  if (offered.includes(tool)) return `${tool} was offered`
  return call.status === 404 ? null : `a call gives ${JSON.stringify(call)}`
}

/** Asserted about that. */
export const reloadChecks: readonly Check<ReloadEvidence>[] = [
  {
    id: 'tool-is-there-first',
    title: 'The session has the tool at first',
    judge: ({ start }) => has(start),
  },
  {
    id: 'deny-takes-effect',
    title: 'A deny entry takes effect on the next turn and the next call',
    judge: ({ start, denied }) =>
      hasNot(denied) ?? (denied.revision > start.revision ? null : 'the revision is the same'),
  },
  {
    id: 'broken-file-keeps-the-last',
    title: 'A broken file leaves the last good config in force and says so',
    judge: ({ broken }) => (broken.problem === null ? 'nothing says so' : hasNot(broken)),
  },
  {
    id: 'invalid-file-keeps-the-last',
    title: 'So does a file that the schema refuses, which names the key',
    judge: ({ invalid }) => {
      if (invalid.problem === null || !invalid.problem.includes('denny')) return `it says ${invalid.problem}`
      return hasNot(invalid)
    },
  },
  {
    id: 'mended-file-takes-effect',
    title: 'A file that is valid again takes effect',
    judge: ({ mended }) =>
      has(mended) ?? (mended.problem === null ? null : `it still says ${mended.problem}`),
  },
  {
    id: 'tool-search-takes-effect',
    title: 'Tool Search that is switched on takes effect on the next turn',
    judge: ({ searching: { offered } }) =>
      offered.includes('tool_search') && !offered.includes(tool)
        ? null
        : `the request has ${offered.join(', ')}`,
  },
  {
    id: 'one-process',
    title: 'All of it happened in one process',
    judge: ({ pidsSame }) => (pidsSame ? null : 'the Gateway was another one in the end'),
  },
]

/** The config file is written again and again while the Gateway runs. */
export const configHotReload = defineScenario<ReloadEvidence>({
  id: 'config-hot-reload',
  title: 'A running Gateway follows its config, and keeps the last good one when the file is bad',
  limitMs: 90_000,
  async drive(lab) {
    const tools = (denied: readonly string[], toolSearch: unknown) =>
      pluginTools([specialTools.denied, ...denied], { toolSearch })
    const bench = await lab.step('the Gateway starts', () =>
      Bench.open(lab, { name: 'reload', tools: 2, config: { tools: tools([], false) } }),
    )
    await bench.gateway.listen()
    const pidBefore = (await bench.ask('status'))['pid']
    const phase = async (): Promise<Phase> => {
      const { config } = await bench.ask('health')
      const { revision, problem } = isRecord(config) ? config : {}
      const { requests } = await bench.turn(sessionKey, 'say hello')
      return {
        revision: Number(revision),
        problem: typeof problem === 'string' ? problem.slice(0, 500) : null,
        offered: requests[0]?.tools ?? [],
        call: await bench.invokeOverHttp(sessionKey, tool, { marker: 'x' }),
      }
    }
    const after = (name: string, text: string, ok: boolean): Promise<Phase> =>
      lab.step(name, async () => {
        const since = bench.gateway.eventCount
        await writeFile(bench.home.configFile, text)
        const isIt = (payload: unknown): boolean => isRecord(payload) && payload['ok'] === ok
        await bench.gateway.event('config.changed', isIt, since)
        return phase()
      })
    const text = (section: object): string => jsonText({ ...bench.config, tools: section })
    const good = text(tools([], false))
    const start = await lab.step('a turn and a call under the first config', phase)
    const denied = await after('the tool is denied', text(tools([tool], false)), true)
    const broken = await after('the file is cut off', good.slice(0, good.length / 2), false)
    const invalid = await after('the file has a key that nobody knows', text({ denny: [tool] }), false)
    const mended = await after('the file is mended', good, true)
    const searching = await after('Tool Search is switched on', text(tools([], { mode: 'tools' })), true)
    const pidAfter = (await bench.ask('status'))['pid']
    await lab.step('the Gateway ends', () => bench.stop())
    return { start, denied, broken, invalid, mended, searching, pidsSame: pidBefore === pidAfter }
  },
  checks: reloadChecks,
})
