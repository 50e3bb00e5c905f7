import type { ToolFamily } from './family.ts'

/** Every family of built-in tools. */
export const families: readonly ToolFamily[] = [
  {
    part: 'shell',
    names: ['code_execution'],
    open: async () => (await import('./code/code-execution.ts')).openCodeExecution(),
  },
  {
    part: 'plugin',
    names: ['memory_search', 'memory_get'],
    open: async (options) => (await import('./memory/memory.ts')).openMemory(options),
  },
]
