import { createHash } from 'node:crypto'
import { parseSteps } from '../../config/path-syntax.ts'
import { isRecord } from '../../config/path-value.ts'
import { loadConfig } from '../../config/load.ts'
import { schemaAt } from '../../config/schema-walk.ts'
import { OpenClawError } from '../../kernel/errors.ts'
import { formatPath, type Path } from '../../kernel/path.ts'
import { stableJson } from '../../kernel/stable-json.ts'
import type { ConfigPatch, ProgramControl } from '../../tools/gateway-control/control.ts'
import { openCase, type CaseOptions } from '../case.ts'
import { editionOf, getConfigValue, unknownPath } from '../config-view.ts'
import type { RuntimeHost } from '../gateway/host.ts'

/** Sections that sessions may change: how the agent speaks and when it works, never what it may do or whom it obeys. */
const openSections: ReadonlySet<unknown> = new Set(['audio', 'cron', 'logging', 'messages', 'talk', 'ui'])
const openAgentKeys: ReadonlySet<unknown> = new Set([
  'heartbeat',
  'identity',
  'imageGenerationModel',
  'imageModel',
  'model',
  'musicGenerationModel',
  'name',
  'pdfModel',
  'videoGenerationModel',
])

/** Whether sessions may change a path of the config. */
export function isOpenPath([section, roster, ...rest]: Path): boolean {
  if (section !== 'agents') return openSections.has(section)
  return openAgentKeys.has(roster === 'defaults' ? rest[0] : rest[1])
}

const hashOf = (config: unknown): string => createHash('sha256').update(stableJson(config)).digest('hex')

/** What sessions may see and change of this program; files are read anew for each call. Outside a Gateway the host is null. */
export function programControl(
  options: CaseOptions,
  version: string,
  host: RuntimeHost | null,
): ProgramControl {
  const opened = async () => {
    const loaded = await loadConfig(options)
    return { loaded, edition: editionOf(loaded, options.edition) }
  }
  return {
    status: () => {
      const common = {
        version,
        node: process.versions.node,
        pid: process.pid,
        uptimeSeconds: Math.round(process.uptime()),
      }
      if (host === null) return { ...common, gateway: false }
      const { configFile, edition, revision, problem, restartNeeded, agents, mcpServers } = host.state
      return {
        ...common,
        gateway: true,
        configFile,
        edition,
        revision,
        problem,
        restartNeeded,
        agents,
        mcpServers,
      }
    },
    config: async (path) => {
      const { loaded, edition } = await opened()
      return { value: getConfigValue(loaded, path ?? undefined, edition), hash: hashOf(loaded.config) }
    },
    schema: async (path) => {
      const { edition } = await opened()
      const steps: Path =
        path === null ? [] : parseSteps(path).map((step) => (typeof step === 'object' ? '*' : step))
      const info = schemaAt(steps, edition)
      if (info !== null) return { path, ...info, mayChange: isOpenPath(steps) }
      throw (
        unknownPath(steps, edition) ??
        new OpenClawError('PATH_UNKNOWN', `${formatPath(steps)}: no config has this path`)
      )
    },
    patch: (change) => patchConfig(options, change),
    plugins: async () => {
      const { listPlugins } = await import('../plugin-list.ts')
      return listPlugins(await openCase(options, { request: {} }))
    },
    plugin: async (id, signal) => {
      const { inspectPlugin } = await import('../plugin-inspect.ts')
      return inspectPlugin(await openCase(options, { request: {} }), id, { runtime: false, signal })
    },
    check: async () => (await import('../doctor.ts')).examine(options),
  }
}

async function patchConfig(
  options: CaseOptions,
  { patch, baseHash, dryRun, signal }: ConfigPatch,
): Promise<object> {
  const [{ changeConfig }, { openWorkspace }, { applyOperation }] = await Promise.all([
    import('../config-edit/change.ts'),
    import('../config-edit/workspace.ts'),
    import('../config-edit/apply.ts'),
  ])
  const { result } = await changeConfig(
    async (loaded, edition) => {
      if (hashOf(loaded.config) !== baseHash) {
        throw new OpenClawError(
          'CONFIG_CONFLICT',
          'the config is not the one that the baseHash is of; nothing was written',
          {
            hints: ['action: config.get gives the config as it is now'],
          },
        )
      }
      const workspace = openWorkspace(loaded, options, edition)
      await applyOperation(workspace, { op: 'merge', patch, byId: true }, false)
      const edited = await workspace.finish()
      const closed = [
        ...new Set(
          edited.changes
            .flatMap(({ path, before, after }) => [...leaves(path, before), ...leaves(path, after)])
            .filter((path) => !isOpenPath(path))
            .map((path) => formatPath(path)),
        ),
      ]
      if (closed.length > 0) {
        throw new OpenClawError(
          'TOOL_DENIED',
          `sessions may not change ${closed.join(', ')}; nothing was written`,
          {
            hints: closed.map((path) => `for a person: openclaw config set ${path} VALUE`),
            data: { paths: closed },
          },
        )
      }
      return { edited }
    },
    { load: options, edition: options.edition, dryRun, command: 'gateway config.patch', argv: [], signal },
  )
  return { ...result, hash: hashOf((await loadConfig(options)).config) }
}

/** Paths of the single values in what is added or taken away as a whole. */
function leaves(path: Path, value: unknown): readonly Path[] {
  if (value === undefined) return []
  const inner = Array.isArray(value) ? [...value.entries()] : isRecord(value) ? Object.entries(value) : []
  if (inner.length === 0) return [path]
  return inner.flatMap(([key, item]) => leaves([...path, key], item))
}
