import { Type } from 'typebox'
import { anything, choice, flag, names, open, optional, record, section, strict, text, whole } from './kit.ts'
import { searchProviders } from '../search-providers.ts'

/** `tools.elevated`: who may run commands outside the sandbox. */
export const elevated = optional(
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

/** `tools.fs`: the file tools. */
export const fs = optional(
  strict({ workspaceOnly: flag('Keep file tools inside the workspace.', { default: false }) }),
  'File tools. The section never makes a tool visible.',
)

const old = { edition: '2026.7' } as const

/** `tools.loopDetection`: when repeated calls are stopped. */
export const loopDetection = optional(
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

/** `tools.codeMode`: recognised, not run here. */
export const codeMode = Type.Optional(
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

/** `tools.message`: the message tool. */
export const message = optional(
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

/** `tools.toolSearch`: which tools the model has to search for. */
export const toolSearch = Type.Optional(
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

/** Where web tools may connect to besides public addresses; `tools.web.fetch` and `browser` each have their own. */
export const ssrfPolicy = optional(
  open({
    allowedHostnames: names(
      'Hosts (host or host:port) that may be reached although their address is private.',
    ),
    dangerouslyAllowPrivateNetwork: flag('Let every private address be reached, and every service on it.', {
      default: false,
    }),
  }),
  'Private addresses that may be reached. The metadata services of clouds never may.',
)

/** `tools.web`: the web tools. */
export const web = optional(
  strict({
    search: optional(
      open(
        {
          enabled: flag('Offer web_search.', { default: true }),
          provider: text('Search provider.'),
          maxResults: whole('Hits of one search.', { default: 5 }),
          timeoutSeconds: whole('Seconds a search may take.', { default: 30 }),
          cacheTtlMinutes: whole('Minutes a result is kept.', { minimum: 0, default: 15 }),
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
        maxChars: whole('Characters handed to the model.', { default: 50_000 }),
        maxCharsCap: whole('Most characters a call may ask for.'),
        maxResponseBytes: whole('Bytes that are downloaded.', { default: 2_000_000 }),
        timeoutSeconds: whole('Seconds a fetch may take.', { default: 30 }),
        cacheTtlMinutes: whole('Minutes a page is kept.', { minimum: 0, default: 15 }),
        maxRedirects: whole('Redirects that are followed.', { minimum: 0, default: 5 }),
        userAgent: text('User-Agent header.'),
        headers: record(Type.Unknown(), 'More request headers.', { edition: '2026.9' }),
        readability: flag('Extract the main text of a page.', { default: true }),
        useTrustedEnvProxy: flag(
          'Go through the proxy of the environment, which then finds the addresses of names.',
          {
            default: false,
          },
        ),
        ssrfPolicy,
        firecrawl: section('Fetch through Firecrawl.', old),
      }),
      'The web_fetch tool.',
    ),
    x_search: section('The x_search tool.', old),
  }),
  'Web tools.',
)
