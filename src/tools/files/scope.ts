import { isAbsolute, relative } from 'node:path'
import { findAgent } from '../../config/agents.ts'
import { OpenClawError } from '../../kernel/errors.ts'
import { formatPath, type Path } from '../../kernel/path.ts'
import { showName } from '../../kernel/untrusted-text.ts'
import type { CodingToolOptions } from '../options.ts'
import type { Root } from '../place.ts'
import { makeWorkspace } from '../workspace.ts'

/** How far a file tool reaches in this session, and what to say where it does not. */
export interface Scope {
  /** Absolute directory that relative paths start from. */
  readonly cwd: string
  /** What `~` means. */
  readonly home: string
  /** Where this program keeps what people have answered. */
  readonly stateDir: string
  /** The only directories in reach; null for the whole machine. */
  readonly fences: readonly Root[] | null
  /** Config path that keeps the tool inside; null where the sandbox does. */
  readonly key: string | null
  readonly sandboxed: boolean
}

type What = 'files' | 'patch'

/** The scope of a session as it is judged now (policy facts §4.1, §8). Errors: TOOL_UNAVAILABLE where its sandbox cannot be had, TOOL_FAILED where the workspace cannot. */
export async function scopeOf(
  { places, homeDir, stateDir, view }: Pick<CodingToolOptions, 'places' | 'homeDir' | 'stateDir' | 'view'>,
  what: What,
): Promise<Scope> {
  const place = await places.files()
  const problem = place.kind === 'host' ? makeWorkspace(place.cwd) : null
  const key = keptInsideBy(view(), what)
  // Reading outside of it may be all that is wanted, where that is allowed.
  if (problem !== null && key !== null) throw problem
  return {
    cwd: place.cwd,
    home: homeDir,
    stateDir,
    fences: key === null ? place.roots : workspaceFences(place.cwd, place.roots),
    key,
    sandboxed: place.roots !== null,
  }
}

/** The setting that keeps a tool in the workspace; an agent's own word counts before the one for all. */
function keptInsideBy({ config, context }: ReturnType<CodingToolOptions['view']>, what: What): string | null {
  const agent = findAgent(config, context.agentId)
  const own = agent?.config.tools
  const keyOf = (path: Path, isOwn: boolean): string =>
    formatPath([...(isOwn && agent ? agent.path : []), 'tools', ...path])
  const ownFs = own?.fs?.workspaceOnly
  if (ownFs ?? config.tools?.fs?.workspaceOnly ?? false)
    return keyOf(['fs', 'workspaceOnly'], ownFs !== undefined)
  if (what === 'files') return null
  const ownPatch = own?.exec?.applyPatch?.workspaceOnly
  if (ownPatch ?? config.tools?.exec?.applyPatch?.workspaceOnly ?? true)
    return keyOf(['exec', 'applyPatch', 'workspaceOnly'], ownPatch !== undefined)
  return null
}

/** The workspace, as writable as the sandbox has it, with what the sandbox has within it. */
function workspaceFences(cwd: string, roots: readonly Root[] | null): readonly Root[] {
  if (roots === null) return [{ dir: cwd, writable: true }]
  const around = roots
    .filter(({ dir }) => isWithin(dir, cwd))
    .toSorted((left, right) => right.dir.length - left.dir.length)[0]
  const within = roots.filter(({ dir }) => dir !== cwd && isWithin(cwd, dir))
  return around === undefined ? within : [{ dir: cwd, writable: around.writable }, ...within]
}

function isWithin(outer: string, inner: string): boolean {
  const way = relative(outer, inner)
  return way === '' || (!/^\.\.(?:[/\\]|$)/.test(way) && !isAbsolute(way))
}

const longestPath = 4096

/** A path as a tool was given it, absolute; `..` and links in it are left to whoever walks it. Error: INPUT_INVALID. */
export function absolutePath(scope: Scope, given: string): string {
  if (given.trim() === '') throw invalid('the path is empty', ['give the path of a file'])
  if (given.includes('\0')) throw invalid('the path holds a zero byte')
  if (!given.isWellFormed()) throw invalid('the path holds half a character (a lone surrogate)')
  if (Buffer.byteLength(given) > longestPath) throw invalid(`the path is longer than ${longestPath} bytes`)
  if (given === '~' || given.startsWith('~/')) return `${scope.home}/${given.slice(2)}`
  return isAbsolute(given) ? given : `${scope.cwd}/${given}`
}

function invalid(message: string, hints: readonly string[] = []): OpenClawError {
  return new OpenClawError('INPUT_INVALID', message, { hints })
}

/** The refusal of a path that leads outside. */
export function outside(scope: Scope, given: string): OpenClawError {
  const path = showName(given, 300)
  const roots = (scope.fences ?? []).map(({ dir }) => dir)
  const data = { path: given, reason: scope.key === null ? 'outside-sandbox' : 'outside-workspace', roots }
  if (scope.key === null) {
    return new OpenClawError('TOOL_DENIED', `${path} is outside of what this session’s sandbox can reach`, {
      hints: [
        roots.length > 0 ? `in reach: ${roots.join(', ')}` : 'no directory is in reach',
        'agents.defaults.sandbox.mode says which sessions are sandboxed; see openclaw sandbox explain',
      ],
      data,
    })
  }
  const hints = [`${scope.key} keeps file tools inside; openclaw config set ${scope.key} false allows it`]
  return new OpenClawError('TOOL_DENIED', `${path} is outside the workspace ${scope.cwd}`, {
    hints: scope.sandboxed ? [`${scope.key} keeps file tools inside, and so does the sandbox`] : hints,
    data: { ...data, key: scope.key },
  })
}

/** The refusal to change what may only be read. */
export function readOnly(scope: Scope, given: string, fence: Root): OpenClawError {
  return new OpenClawError(
    'TOOL_DENIED',
    `${showName(given, 300)} is in ${fence.dir}, which the sandbox mounts read-only`,
    {
      hints: ['agents.defaults.sandbox.workspaceAccess "rw" lets a sandboxed session write to the workspace'],
      data: { path: given, reason: 'read-only', roots: (scope.fences ?? []).map(({ dir }) => dir) },
    },
  )
}
