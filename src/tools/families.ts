import type { ToolFamily } from './family.ts'

/** Every family of built-in tools. */
export const families: readonly ToolFamily[] = [
  {
    part: 'shell',
    names: ['code_execution'],
    open: async () => (await import('./code/code-execution.ts')).openCodeExecution(),
  },
]
