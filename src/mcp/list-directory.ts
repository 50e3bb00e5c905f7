import { join } from 'node:path'

/** The directory below the state directory that holds the last seen tool lists, one file for each MCP server. */
export function listDirectory(stateDir: string): string {
  return join(stateDir, 'cache', 'mcp-tools')
}
