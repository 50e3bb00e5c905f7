import type { ToolFamily } from './family.ts'

/** Every family of built-in tools. */
export const families: readonly ToolFamily[] = [
  {
    part: 'web',
    names: ['web_search', 'web_fetch', 'x_search'],
    open: async (options) => (await import('./web/open.ts')).openWebTools(options),
  },
  {
    part: 'web',
    names: ['web_search', 'web_fetch', 'x_search'],
    open: async (options) => (await import('./web/open.ts')).openWebTools(options),
  },
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
  {
    part: 'openclaw',
    names: ['message', 'conversations_list', 'conversations_send', 'conversations_turn'],
    open: async (options) => (await import('./messaging/messaging.ts')).openMessaging(options),
    limitMs: { conversations_turn: 310_000 },
  },
]
