import { Type } from 'typebox'
import { agentExec, globalExec } from './exec.ts'
import { anything, choice, flag, names, open, optional, record, section, strict, text, whole } from './kit.ts'
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

const elevated = optional(
  strict(
    {
      enabled: flag('Let allowed senders run commands outside the sandbox.', { default: true }),
      allowFrom: record(
        Type.Array(Type.Union([Type.String(), Type.Number()])),
        'Senders per channel; * is everyone.',
      ),
    },
    { title: 'Elevated' },
  ),
  'Elevated exec. It never restores a denied exec.',
)

const fs = optional(
  strict({ workspaceOnly: flag('Keep file tools inside the workspace.', { default: false }) }),
  'File tools. The section never makes a tool visible.',
)

const old = { edition: '2026.7' } as const

const loopDetection = optional(
  strict(
    {
      enabled: flag('Stop calls that repeat without progress.', {
        defaults: { '2026.7': false, '2026.9': true },
      }),
      historySize: whole('Calls that are remembered.', { default: 30, ...old }),
      warningThreshold: whole('Repeats before a warning.', { default: 10, ...old }),
      unknownToolThreshold: whole('Calls of an unknown tool before it is blocked.', { default: 10, ...old }),
      criticalThreshold: whole('Repeats before a call is blocked.', { default: 20, ...old }),
      globalCircuitBreakerThreshold: whole('Repeats before the run is stopped.', { default: 30, ...old }),
      detectors: optional(
        strict({
          genericRepeat: flag('Identical calls.', { default: true }),
          knownPollNoProgress: flag('Polling without progress.', { default: true }),
          pingPong: flag('Two calls in turn without progress.', { default: true }),
        }),
        'Detectors that run.',
        old,
      ),
      postCompactionGuard: optional(
        strict({
          windowSize: whole('Identical calls after a compaction before the run ends.', { default: 3 }),
        }),
        'Guard after a compaction.',
        old,
      ),
    },
    {
      title: 'LoopDetection',
      rule: 'loop-thresholds',
      clean: {
        not: {
          anyOf: [
            { required: ['warningThreshold', 'criticalThreshold'] },
            { required: ['criticalThreshold', 'globalCircuitBreakerThreshold'] },
          ],
        },
      },
    },
  ),
  'Loop detection. It blocks calls, never visibility.',
)

const codeMode = Type.Optional(
  Type.Union(
    [
      Type.Boolean(),
      Type.Enum(['auto'], { 'x-edition': '2026.9' }),
      open({
        enabled: Type.Optional(
          Type.Union([Type.Boolean(), Type.Enum(['auto'], { 'x-edition': '2026.9' })], {
            description: 'Use code mode.',
          }),
        ),
        mode: text('How code mode is offered.'),
        runtime: text('Guest runtime.', old),
        languages: names('Languages a guest may use.', old),
        executor: choice(['node', 'quickjs'], 'Guest runtime.', { edition: '2026.9' }),
      }),
    ],
    {
      title: 'CodeMode',
      description: 'Code mode. Recognised, but not run by this program.',
      'x-defaults': { '2026.7': false, '2026.9': 'auto' },
    },
  ),
)

const message = optional(
  strict(
    {
      allowCrossContextSend: flag('Let a session send to other conversations.', {
        ...old,
        instead: 'crossContext',
      }),
      crossContext: optional(
        strict({
          allowWithinProvider: flag('Other conversations of the same channel.'),
          allowAcrossProviders: flag('Conversations of other channels.'),
          marker: optional(
            strict({
              enabled: flag('Mark such messages.'),
              prefix: text('Text put before them.'),
              suffix: text('Text put after them.'),
            }),
            'Mark on messages from another conversation.',
          ),
        }),
        'Sending to other conversations.',
      ),
      actions: optional(strict({ allow: names('Channel actions the tool may take.') }), 'Channel actions.'),
      broadcast: optional(strict({ enabled: flag('Let the tool send to many targets.') }), 'Broadcasts.'),
    },
    { title: 'MessageTool' },
  ),
  'The message tool.',
)

const toolSearch = Type.Optional(
  Type.Union(
    [
      Type.Boolean(),
      strict({
        enabled: flag('Put tools behind search. Unset: on as soon as another key of this object is set.'),
        mode: choice(['code', 'tools', 'directory'], 'How the model searches.', { default: 'code' }),
        codeTimeoutMs: whole('Milliseconds a snippet may run; kept within 1000 to 60000.', {
          default: 10000,
        }),
        searchDefaultLimit: whole('Hits of a search that names no limit; at most maxSearchLimit.', {
          default: 8,
        }),
        maxSearchLimit: whole('Most hits a search may ask for; kept within 1 to 50.', { default: 20 }),
      }),
    ],
    {
      description: 'Tool Search: keep most tool schemas out of the request and let the model find them.',
      'x-defaults': { '2026.7': false, '2026.9': { enabled: true, mode: 'tools' } },
    },
  ),
)

/** Providers whose settings once stood here and now belong to their plugins. */
const searchProviders = ['brave', 'firecrawl', 'gemini', 'grok', 'kimi', 'perplexity']

const web = optional(
  strict({
    search: optional(
      open(
        {
          enabled: flag('Offer web_search.', { default: true }),
          provider: text('Search provider.'),
          maxResults: whole('Hits of one search.'),
          timeoutSeconds: whole('Seconds a search may take.'),
          cacheTtlMinutes: whole('Minutes a result is kept.', { minimum: 0 }),
          apiKey: anything('Key of the search provider.', { ...old, sensitive: true }),
          openaiCodex: section('Search through the OpenAI Codex account.'),
        },
        {
          lint: 'web-search-provider',
          clean: {
            properties: Object.fromEntries(searchProviders.map((id) => [id, { not: {} }])),
          },
        },
      ),
      'The web_search tool.',
    ),
    fetch: optional(
      strict({
        enabled: flag('Offer web_fetch.', { default: true }),
        provider: text('Fetch provider.'),
        maxChars: whole('Characters handed to the model.'),
        maxCharsCap: whole('Most characters a call may ask for.'),
        maxResponseBytes: whole('Bytes that are downloaded.'),
        timeoutSeconds: whole('Seconds a fetch may take.'),
        cacheTtlMinutes: whole('Minutes a page is kept.', { minimum: 0 }),
        maxRedirects: whole('Redirects that are followed.', { minimum: 0 }),
        userAgent: text('User-Agent header.'),
        headers: record(Type.Unknown(), 'More request headers.', { edition: '2026.9' }),
        readability: flag('Extract the main text of a page.'),
        useTrustedEnvProxy: flag('Trust the proxy of the environment.'),
        ssrfPolicy: section('Private addresses that may be fetched.'),
        firecrawl: section('Fetch through Firecrawl.', old),
      }),
      'The web_fetch tool.',
    ),
    x_search: section('The x_search tool.', old),
  }),
  'Web tools.',
)

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
        planTool: flag('Offer update_plan to every model.', { ...old, instead: 'tools.updatePlan' }),
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
