import type { Path } from '../../kernel/path.ts'

/** Sections of a config that decide which tools exist and who may use them. */
const deciding: ReadonlySet<unknown> = new Set([
  'agents',
  'auth',
  'browser',
  'channels',
  'commands',
  'env',
  'mcp',
  'memory',
  'meta',
  'models',
  'plugins',
  'session',
  'skills',
  'tools',
])

/** Whether edits of these paths can change any tool. */
export function touchesPolicy(paths: readonly Path[]): boolean {
  return paths.some(([section]) => section === undefined || deciding.has(section))
}
