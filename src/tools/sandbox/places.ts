import { isAbsolute, join, resolve } from 'node:path'
import { OpenClawError } from '../../kernel/errors.ts'
import type { View } from '../../policy/view.ts'
import { resolveElevated, type ElevatedContext, type ElevatedWords } from '../elevated/resolve.ts'
import type { CommandPlace, Place, Places, PlannedCommand, Root } from '../place.ts'
import type { SandboxHost } from './backend.ts'
import { chooseHost } from './exec-host.ts'
import { ensureDirectory, isWithin, requireShareable, whyNotShared } from './protect.ts'
import { scopeKey, scratchDir } from './scope.ts'
import { sessionSandbox, type SandboxSettings } from './settings.ts'

/** What the places of a session depend on. */
export interface PlacesOptions {
  /** The session as it is judged now. */
  readonly view: () => View
  /** Absolute path of the agent's workspace. */
  readonly workspace: string
  readonly host: SandboxHost
  /** Who is in the session, and what was said of elevated in it. */
  readonly elevated: () => Promise<{ readonly context: ElevatedContext; readonly words: ElevatedWords }>
}

/** The places of a session; never the host where a sandbox was asked for. */
export function openPlaces(options: PlacesOptions): Places {
  const { view, workspace, host } = options
  const onHost: Place = {
    kind: 'host',
    backend: 'host',
    cwd: workspace,
    roots: null,
    wrap: (command) => command,
  }
  return {
    files: async () => (view().context.sandboxed ? inSandbox(view(), workspace, host) : onHost),
    commands: async (wish): Promise<CommandPlace> => {
      const now = view()
      const { context, words } = await options.elevated()
      const chosen = chooseHost(now, wish, resolveElevated(now.config, context, words))
      if (chosen.host === 'node') throw noNode()
      const place = chosen.host === 'sandbox' ? await inSandbox(now, workspace, host) : onHost
      return { ...place, elevated: chosen.elevated }
    },
  }
}

/** The directories that a sandbox shares with the host: the workspace, or a scratch one of its own. TOOL_UNAVAILABLE for a workspace that would let it out. */
export function sandboxRoots(
  settings: SandboxSettings,
  { context }: Pick<View, 'context'>,
  workspace: string,
  host: SandboxHost,
): readonly [Root, ...Root[]] {
  if (settings.workspaceAccess === 'none') {
    const dir = ensureDirectory(scratchDir(host.stateDir, scopeKey(settings, context)))
    return [{ dir, writable: true }]
  }
  const dir = ensureDirectory(workspace)
  requireShareable(dir, host)
  return [{ dir, writable: settings.workspaceAccess === 'rw' }]
}

/** The sandbox of a session, by a backend that works on this machine. */
async function inSandbox(view: View, workspace: string, host: SandboxHost): Promise<Place> {
  const settings = sessionSandbox(view)
  const { chooseBackend } = await import('./backend.ts')
  const backend = await chooseBackend(settings, host)
  if (backend.name === null) throw noBackend(backend)
  const roots = sandboxRoots(settings, view, workspace, host)
  const [{ dir: cwd }] = roots
  const wanted = {
    key: scopeKey(settings, view.context),
    roots,
    settings: { ...settings, paths: readable(settings, host) },
  }
  const readableRoots = [...roots.map(({ dir }) => dir), ...wanted.settings.paths, '/usr']
  return {
    kind: 'sandbox',
    backend: backend.name,
    cwd,
    roots,
    wrap: (command: PlannedCommand) => {
      const dir = isAbsolute(command.cwd) ? resolve(command.cwd) : join(cwd, command.cwd)
      // Its /tmp is its own, and empty at first.
      if (dir !== '/tmp' && !readableRoots.some((root) => isWithin(dir, root))) throw notInside(dir, roots)
      return backend.wrap(wanted, { ...command, cwd: dir })
    },
  }
}

/** The further directories of the config; one that would let the sandbox out is an error, not a silent gap. */
function readable({ paths }: SandboxSettings, host: SandboxHost): readonly string[] {
  return paths.map((path) => {
    const reason = isAbsolute(path) ? whyNotShared(resolve(path), host) : 'it is not absolute'
    if (reason === null) return resolve(path)
    throw new OpenClawError(
      'TOOL_UNAVAILABLE',
      `sandbox.paths: ${path} cannot be in the sandbox: ${reason}`,
      {
        hints: ['openclaw config get agents.defaults.sandbox.paths'],
        data: { path },
      },
    )
  })
}

/** The error of a session whose sandbox cannot be made; also told beforehand, as what its tools need. */
function noBackend({
  reason,
  hints,
}: {
  readonly reason: string
  readonly hints: readonly string[]
}): OpenClawError {
  return new OpenClawError(
    'TOOL_UNAVAILABLE',
    `this session runs in a sandbox, and there is none: ${reason}`,
    {
      hints: [...hints, 'openclaw sandbox explain shows what was tried'],
      data: { reason },
    },
  )
}

function notInside(dir: string, roots: readonly Root[]): OpenClawError {
  return new OpenClawError('INPUT_INVALID', `the directory ${dir} is not in the sandbox`, {
    hints: [`directories in it: ${roots.map((root) => root.dir).join(', ')}, /tmp`],
    data: { dir },
  })
}

function noNode(): OpenClawError {
  return new OpenClawError('TOOL_UNAVAILABLE', 'exec is to run on a node, and no node is paired', {
    hints: ['let it run here: openclaw config set tools.exec.host auto'],
    data: { host: 'node' },
  })
}
