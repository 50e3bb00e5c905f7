import { choice, flag, names, open, optional, section, strict, whole } from './kit.ts'
import { agentExec, globalExec } from './exec.ts'
import {
  listWords,
  oneAllowList,
  policyFields,
  profileField,
  providerPolicies,
  sandboxTools,
  senderPolicies,
  toolPolicy,
} from './policy.ts'
import { codeMode, elevated, fs, loopDetection, message, toolSearch, web } from './tool-settings.ts'

const shared = {
  ...profileField,
  ...policyFields,
  byProvider: providerPolicies,
  toolsBySender: senderPolicies,
  sandbox: sandboxTools,
  elevated,
  fs,
  loopDetection,
  codeMode,
  message,
}

const swarm = optional(
  open({ enabled: flag('Offer agents_wait.', { default: false }) }),
  'Collector children.',
  {
    edition: '2026.9',
  },
)
const github = section('GitHub identity and publication.', { edition: '2026.9' })

/** `tools`: policy and settings for every agent. */
export const tools = strict(
  {
    ...shared,
    exec: optional(globalExec, 'How commands run. The section never makes a tool visible.'),
    subagents: optional(
      strict(
        { tools: optional(toolPolicy, 'Lists for subagents.') },
        {
          misplaced: {
            allow: 'tools.subagents.tools.allow',
            alsoAllow: 'tools.subagents.tools.alsoAllow',
            deny: 'tools.subagents.tools.deny',
            maxSpawnDepth: 'agents.defaults.subagents.maxSpawnDepth',
          },
        },
      ),
      'Lists for subagents, on top of the built-in denies.',
    ),
    toolSearch,
    web,
    agentToAgent: optional(
      strict({
        enabled: flag('Let agents message each other.', { defaults: { '2026.7': false, '2026.9': true } }),
        allow: names('Agent ids that may; both sides must match. Empty means all.'),
      }),
      'Messages between agents.',
    ),
    sessions: optional(
      strict({
        visibility: choice(['self', 'tree', 'agent', 'all'], 'Sessions the session tools may see.', {
          defaults: { '2026.7': 'tree', '2026.9': 'all' },
        }),
      }),
      'Session tools.',
    ),
    sessions_spawn: optional(
      strict({
        attachments: optional(
          strict({
            enabled: flag('Let a parent hand files to a child.'),
            maxTotalBytes: whole('Bytes of all files.'),
            maxFiles: whole('Number of files.'),
            maxFileBytes: whole('Bytes of one file.'),
            retainOnSessionKeep: flag('Keep the files with a kept session.'),
          }),
          'Files handed to a child session.',
        ),
      }),
      'The sessions_spawn tool.',
    ),
    experimental: optional(
      strict({
        planTool: flag('Offer update_plan to every model.', {
          edition: '2026.7',
          instead: 'tools.updatePlan',
        }),
      }),
      'Features under test.',
    ),
    updatePlan: flag('Offer progress_card.', {
      edition: '2026.9',
      instead: 'tools.experimental.planTool',
    }),
    media: section('Media understanding.'),
    links: section('Link understanding.'),
    swarm,
    github,
  },
  {
    ...oneAllowList,
    title: 'Tools',
    description: 'Which tools sessions have, and how the tools behave.',
    misplaced: {
      ...listWords,
      bash: 'tools.exec',
      mcp: 'mcp.servers',
      mcpServers: 'mcp.servers',
      search: 'tools.toolSearch',
      profiles: 'tools.profile',
      ownerAllowFrom: 'commands.ownerAllowFrom',
    },
  },
)

const globalOnly = Object.fromEntries(
  [
    'toolSearch',
    'web',
    'subagents',
    'agentToAgent',
    'sessions',
    'sessions_spawn',
    'experimental',
    'updatePlan',
    'media',
    'links',
  ].map((key) => [key, `tools.${key}`]),
)

/** `agents.list[].tools` and `agents.entries.*.tools`: the same for one agent. */
export const agentTools = strict(
  {
    ...shared,
    exec: optional(agentExec, 'How commands of this agent run. The section never makes a tool visible.'),
    swarm,
    github,
  },
  {
    ...oneAllowList,
    title: 'AgentTools',
    description: 'Policy of one agent. Lists narrow the global ones; profile and alsoAllow replace them.',
    misplaced: { ...listWords, ...globalOnly, bash: 'exec', mcp: 'mcp.servers', mcpServers: 'mcp.servers' },
  },
)
