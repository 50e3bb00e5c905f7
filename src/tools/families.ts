import type { ToolFamily } from './family.ts'

/** Every family of built-in tools. */
export const families: readonly ToolFamily[] = [
  {
    part: 'baseCoding',
    names: ['read', 'write', 'edit', 'ls'],
    open: async (options) => (await import('./files/file-tools.ts')).openFileTools(options),
  },
  {
    part: 'shell',
    names: ['apply_patch'],
    open: async (options) => (await import('./files/file-tools.ts')).openPatchTool(options),
  },
  {
    part: 'web',
    names: ['web_search', 'web_fetch', 'x_search'],
    open: async (options) => (await import('./web/open.ts')).openWebTools(options),
  },
  {
    part: 'plugin',
    names: ['browser'],
    open: async (options) => (await import('./browser/browser.ts')).openBrowser(options),
  },
  {
    part: 'shell',
    names: ['exec', 'process'],
    open: async (options) => (await import('./commands/open.ts')).openCommandTools(options),
    // Commands have a limit of their own, and hand themselves to the background before it.
    limitMs: { exec: 2 ** 31 - 1 },
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
  {
    part: 'openclaw',
    names: [
      'session_status',
      'sessions_list',
      'sessions_history',
      'sessions_search',
      'sessions',
      'agents_list',
      'sessions_send',
      'sessions_spawn',
      'sessions_yield',
      'subagents',
      'agents_wait',
      'suggest_task',
      'dismiss_task',
      'ask_user',
      'secrets',
    ],
    open: async (options) => (await import('./sessions/open.ts')).openSessions(options),
    limitMs: { sessions_send: 3_660_000, agents_wait: 3_660_000 },
  },
  {
    part: 'openclaw',
    names: ['get_goal', 'create_goal', 'update_goal', 'update_plan', 'progress_card'],
    open: async (options) => (await import('./goals/goals.ts')).openGoals(options),
  },
  {
    part: 'openclaw',
    names: ['cron', 'automations', 'heartbeat_respond'],
    open: async (options) => (await import('./automation/automation.ts')).openAutomation(options),
  },
  {
    part: 'openclaw',
    names: ['image', 'view_image', 'image_generate', 'video_generate', 'music_generate', 'tts', 'pdf'],
    open: async (options) => (await import('./media/open.ts')).openMediaTools(options),
  },
  {
    part: 'openclaw',
    names: ['gateway', 'nodes', 'plugins', 'openclaw'],
    open: async (options) => (await import('./gateway-control/gateway.ts')).openGatewayControl(options),
  },
  {
    part: 'openclaw',
    names: [
      'skill_workshop',
      'screen',
      'theme',
      'dashboard',
      'terminal',
      'portal',
      'show_widget',
      'computer',
      'mobile_ui',
      'github_identity_status',
      'github_publish',
      'transcripts',
    ],
    open: async () => (await import('./plugin-hosts/plugin-hosts.ts')).openPluginHosts(),
  },
  {
    part: 'plugin',
    names: ['canvas'],
    open: async () => (await import('./plugin-hosts/plugin-hosts.ts')).openPluginHosts(),
  },
]
