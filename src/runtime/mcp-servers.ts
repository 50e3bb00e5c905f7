import { existsSync } from 'node:fs'
import { OpenClawError } from '../kernel/errors.ts'
import type { Notice } from '../kernel/path.ts'
import type { Discovery, DiscoverOptions, ServerReport } from '../mcp/discovery.ts'
import { listDirectory } from '../mcp/list-directory.ts'
import type { DiscoveryInput } from './discovery.ts'

/** Leave to start and dial MCP servers, for the commands of contract §1 that may. */
export type DialOptions = Pick<
  DiscoverOptions,
  'only' | 'insist' | 'version' | 'signal' | 'onProgress' | 'hub'
>

/** Finds the configured MCP servers: by asking them where that is allowed, else from what was seen last; null, and no code of that room loaded, where none is configured or none was ever seen. */
export async function findServers(input: DiscoveryInput): Promise<Discovery | null> {
  const { loaded, config, dial } = input
  if (Object.keys(config.mcp?.servers ?? {}).length === 0) return null
  if (dial === undefined && !existsSync(listDirectory(loaded.stateDir))) return null
  return askServers(input)
}

/** Tells of every configured MCP server, also of those never seen. */
export async function askServers({ loaded, config, cwd, env, dial }: DiscoveryInput): Promise<Discovery> {
  const { discoverServers } = await import('../mcp/discovery.ts')
  const { stateDir, home } = loaded
  return discoverServers({
    config,
    stateDir,
    home,
    cwd,
    env,
    clock: Date.now,
    dial: dial !== undefined,
    ...dial,
  })
}

/** What discovery has to say about server entries of the config. */
export function serverNotices({ notices }: Discovery, { locate }: DiscoveryInput): readonly Notice[] {
  return notices.map(({ path, ...notice }) => ({ ...notice, location: path && locate(path) }))
}

/** The error of a server that a tool is needed from and that could not be reached. */
export function unreachable(report: ServerReport): OpenClawError {
  const { name, cause } = report
  return new OpenClawError(
    'MCP_UNREACHABLE',
    `MCP server "${name}": ${cause?.message ?? 'it was not reached'}`,
    {
      hints: [`openclaw mcp probe ${name}`],
      data: { server: name, fault: cause?.kind ?? null },
    },
  )
}
