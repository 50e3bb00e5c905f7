import { chooseEdition, type Edition, type EditionId } from '../catalog/edition.ts'
import { parseInventory } from '../catalog/inventory-file.ts'
import type { InventorySource } from '../catalog/source.ts'
import { agentIds } from '../config/agents.ts'
import { stdinFile } from '../config/find.ts'
import { invalidConfig, invalidValue } from '../config/invalid.ts'
import { loadConfig, type LoadedConfig, type LoadOptions } from '../config/load.ts'
import { isRecord } from '../config/path-value.ts'
import type { Config } from '../config/types.ts'
import { validateConfig, type Issue } from '../config/validate.ts'
import { OpenClawError } from '../kernel/errors.ts'
import type { Notice } from '../kernel/path.ts'
import type { Locate } from '../policy/report.ts'
import type { Reopen, View } from '../policy/view.ts'
import { parseContext } from '../sessions/context-file.ts'
import type { SessionEntry } from '../sessions/entry.ts'
import { openSessionStore } from '../sessions/store.ts'
import { resolveTarget } from '../sessions/target.ts'
import { overlayRequests, type SessionRequest } from '../sessions/request.ts'
import { discover, type Discovery } from './discovery.ts'
import { createInputs } from './inputs.ts'
import type { DialOptions } from './mcp-servers.ts'
import { openView, type ViewSource } from './open-view.ts'
import { isolationSupport } from '../tool-search/code/support.ts'
import { overlayConfig } from './overlay.ts'

/** What a command of contract §2 is asked about. */
export interface CaseQuery {
  readonly request: SessionRequest
  readonly contextFile?: string | undefined
  readonly inventoryFile?: string | undefined
  readonly replayFile?: string | undefined
  readonly set?: readonly { readonly path: string; readonly value: string }[]
  readonly unset?: readonly string[]
}

export interface CaseOptions extends LoadOptions {
  readonly edition?: EditionId | undefined
  /** Leave to start and dial MCP servers; without it their last seen tools count. */
  readonly dial?: DialOptions | undefined
}

/** A validated config with the session asked about: what `tools …` commands work on. */
export interface Case {
  /** The config's file, or that of the snapshot it was replayed from. */
  readonly file: string
  readonly loaded: LoadedConfig | null
  readonly config: Config
  readonly edition: Edition
  /** Environment of the program. */
  readonly env: CaseOptions['env']
  readonly request: SessionRequest
  /** The tools of `--inventory` or of a snapshot. */
  readonly inventory: InventorySource | null
  /** What is on this machine; null where an inventory stands in for it, or nothing is there. */
  readonly discovered: Discovery | null
  readonly locate: Locate
  /** Notices about config and inputs; those about tools come from lint. */
  readonly notices: readonly Notice[]
  /** The session asked about, judged once, or that of another agent of the same config. */
  view(agentId?: string): Promise<View>
  /** Another session of the same config; `entry` is its stored one where somebody has looked it up already, null where no store has it; `found` stands in for what was discovered. */
  about(request: SessionRequest, entry?: SessionEntry | null, found?: InventorySource): Case
  /** Judges the same session again under a changed config or edition. */
  reopen(view: View): Reopen
  /** Judges the same session again with other things on this machine, such as what running a plugin told. */
  rediscover(view: View, discovered: InventorySource): View
  /** Judges the same session again for another model, whose provider may have rules of its own. */
  withModel(view: View, model: Pick<SessionRequest, 'provider' | 'model'>): View
}

interface Source {
  readonly file: string
  readonly loaded: LoadedConfig | null
  readonly config: unknown
  readonly locate: Locate
  readonly edition?: EditionId
  readonly request: SessionRequest
  readonly inventory: InventorySource | null
  readonly notices: readonly Notice[]
}

const nowhere: Locate = () => null

function snapshotEdition(value: unknown, file: string): EditionId | undefined {
  if (value === undefined || value === '2026.7' || value === '2026.9') return value
  throw new OpenClawError('INPUT_INVALID', `${file}: edition: expected "2026.7" or "2026.9"`)
}

/** Reads a snapshot of `tools snapshot`: `{ edition, config, context, inventory }`. */
function readSnapshot(value: unknown, file: string): Source {
  if (!isRecord(value) || !isRecord(value.config)) {
    throw new OpenClawError(
      'INPUT_INVALID',
      `${file}: expected a snapshot: { edition, config, context, inventory }`,
      {
        hints: ['openclaw tools snapshot --json writes one'],
      },
    )
  }
  const edition = snapshotEdition(value.edition, file)
  return {
    file,
    loaded: null,
    config: value.config,
    locate: nowhere,
    ...(edition && { edition }),
    request: parseContext(value.context ?? {}, `${file}: context`),
    inventory: value.inventory === undefined ? null : parseInventory(value.inventory, `${file}: inventory`),
    notices: [],
  }
}

async function readSource(options: CaseOptions, query: CaseQuery): Promise<Source> {
  const openStdin = () => options.stdin ?? process.stdin
  let inputs = createInputs(options.cwd, openStdin)
  const { replayFile, contextFile, inventoryFile } = query
  let source: Source
  if (replayFile !== undefined) {
    const document = await inputs.read(replayFile, 'snapshot')
    source = readSnapshot(document.value, document.file)
  } else {
    const loaded = await loadConfig(options)
    const { file, config, locate, notices } = loaded
    if (file === stdinFile) inputs = createInputs(options.cwd, openStdin, 'config')
    source = { file, loaded, config, locate, request: {}, inventory: null, notices }
  }
  if (contextFile !== undefined) {
    const document = await inputs.read(contextFile, 'context')
    const request = parseContext(document.value, `${document.file}: context`)
    source = { ...source, request: overlayRequests(source.request, request) }
  }
  if (inventoryFile !== undefined) {
    const document = await inputs.read(inventoryFile, 'inventory')
    source = { ...source, inventory: parseInventory(document.value, document.file) }
  }
  return { ...source, request: overlayRequests(source.request, query.request) }
}

function notValid({ file, loaded }: Source, changed: boolean, issues: readonly Issue[]): OpenClawError {
  if (changed)
    return invalidValue(`the config ${file} is not valid with --set and --unset applied`, file, issues)
  return loaded
    ? invalidConfig(file, issues)
    : invalidValue(`the config in the snapshot ${file} is not valid`, file, issues)
}

/** Reads and validates everything a session is judged from. Errors: CONFIG_NOT_FOUND, CONFIG_INVALID, INCLUDE_INVALID, INPUT_INVALID, PATH_INVALID, USAGE. */
export async function openCase(options: CaseOptions, query: CaseQuery): Promise<Case> {
  const source = await readSource(options, query)
  const sets = query.set ?? []
  const unsets = query.unset ?? []
  const changed = sets.length > 0 || unsets.length > 0
  const { config: value, locate } = changed
    ? await overlayConfig(source.config, source.locate, sets, unsets)
    : source
  const edition = chooseEdition(options.edition ?? source.edition, touchedVersion(value))
  const validation = await validateConfig(value, { edition: edition.id, locate })
  if (!validation.valid) throw notValid(source, changed, validation.issues)
  const { config } = validation
  const { inventory, loaded } = source
  const { cwd, env, dial } = options
  const discovered =
    loaded && inventory === null ? await discover({ loaded, config, locate, cwd, env, dial }) : null
  const notices = [...source.notices, ...validation.warnings]
  const judged = { env, file: source.file, loaded, config, edition, inventory, discovered, locate }
  return caseOf(judged, notices, source.request)
}

/** What every session of a config is judged from. */
type Judged = Pick<
  Case,
  'env' | 'file' | 'loaded' | 'config' | 'edition' | 'inventory' | 'discovered' | 'locate'
>

function caseOf(
  judged: Judged,
  notices: readonly Notice[],
  request: SessionRequest,
  known?: SessionEntry | null,
  standIn?: InventorySource,
): Case {
  const { loaded, config, edition, inventory, discovered } = judged
  const problems = new Map<string, Notice>()
  const viewSource = async (agentId?: string): Promise<ViewSource> => {
    const asked = agentId === undefined ? request : { ...request, agentId, sessionKey: undefined }
    const isKnown = agentId === undefined && known !== undefined
    const entry = isKnown ? known : loaded && (await storedEntry(loaded, config, asked, problems))
    return {
      config,
      edition,
      request: asked,
      inventory,
      discovered: standIn ?? discovered?.source ?? null,
      isolation: isolationSupport(),
      entry: loaded ? entry : undefined,
    }
  }
  const sources = new WeakMap<View, ViewSource>()
  const sourceOf = (view: View): ViewSource => {
    const from = sources.get(view)
    if (!from) throw new OpenClawError('INTERNAL', 'a view of another case')
    return from
  }
  const open = (from: ViewSource): View => {
    const view = openView(from)
    sources.set(view, from)
    return view
  }
  let own: Promise<View> | null = null
  return {
    ...judged,
    request,
    get notices() {
      return [...notices, ...problems.values(), ...(discovered?.notices ?? [])]
    },
    view: async (agentId) => {
      if (agentId !== undefined) return open(await viewSource(agentId))
      own ??= viewSource().then(open)
      return own
    },
    about: (other, entry, source) => caseOf(judged, notices, other, entry, source),
    reopen: (view) => (change) => openView({ ...sourceOf(view), ...change }),
    rediscover: (view, found) => open({ ...sourceOf(view), discovered: found }),
    withModel: (view, model) => {
      const from = sourceOf(view)
      return open({ ...from, request: overlayRequests(from.request, model) })
    },
  }
}

/** Looks the session up in the stores of the state dir; a store that cannot be used is a notice, not a failure. */
async function storedEntry(
  loaded: LoadedConfig,
  config: Config,
  request: SessionRequest,
  problems: Map<string, Notice>,
): Promise<SessionEntry | null> {
  const { stateDir, home } = loaded
  const store = openSessionStore({ stateDir, homeDir: home, store: config.session?.store })
  const found = await store.readSessionEntry(resolveTarget(config, request))
  for (const { file, message } of found.problems) {
    problems.set(file, {
      id: 'session-store-unreadable',
      severity: 'warning',
      message: `${file}: ${message}`,
      location: null,
    })
  }
  return found.session?.entry ?? null
}

function touchedVersion(config: unknown): unknown {
  return isRecord(config) && isRecord(config.meta) ? config.meta.lastTouchedVersion : undefined
}

/** Ids of every agent of the config, for answers about all of them. */
export function caseAgents(each: Case): readonly string[] {
  return agentIds(each.config)
}
