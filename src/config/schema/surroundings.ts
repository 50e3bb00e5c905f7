import { Type } from 'typebox'
import {
  amount,
  anything,
  choice,
  flag,
  ids,
  list,
  names,
  open,
  optional,
  record,
  secret,
  section,
  strict,
  text,
  whole,
} from './kit.ts'
import { group } from './policy.ts'

const groups = record(group, 'Chat groups by id; * is any other group.')

const account = {
  enabled: flag('Use the account.'),
  allowFrom: ids('Senders that may talk to the agent; * is everyone.'),
  groupAllowFrom: ids('Senders that may talk to the agent in groups.'),
  groups,
}

/** `channels`: one object per channel; keys of a channel belong to its plugin. */
export const channels = Type.Record(
  Type.String(),
  open(
    {
      ...account,
      defaultAccount: text('Account used when nothing names one.'),
      accounts: record(open(account), 'Accounts of the channel by id.'),
    },
    { title: 'Channel' },
  ),
  { description: 'Channels by id.' },
)

const filterMarks = { misplaced: { allow: 'include', deny: 'exclude' } }

const server = strict(
  {
    enabled: flag('Start and offer the server.', { default: true }),
    command: text('Program of a stdio server; wins over url.'),
    args: names('Its arguments.'),
    env: record(Type.Union([Type.String(), Type.Number(), Type.Boolean(), open({})]), 'Its environment.', {
      sensitive: true,
    }),
    cwd: text('Its working directory.'),
    workingDirectory: text('Same as cwd.'),
    url: text('Address of a remote server (http or https).'),
    transport: choice(['sse', 'streamable-http', 'stdio'], 'How to talk to it. Unset means sse for a url.'),
    type: choice(
      ['http', 'sse', 'streamable-http', 'stdio'],
      'Other spelling of transport; http means streamable-http.',
    ),
    headers: record(Type.Union([Type.String(), open({})]), 'Request headers.', { sensitive: true }),
    auth: Type.Optional(Type.Union([Type.Enum(['oauth']), open({})], { description: 'How to log in.' })),
    oauth: optional(
      open({
        scope: text('Scopes asked for.'),
        redirectUrl: text('Where the browser returns to.'),
        clientMetadataUrl: text('Address of the client metadata.'),
      }),
      'OAuth settings.',
    ),
    sslVerify: flag('Check the certificate.', { default: true }),
    clientCert: text('Client certificate file.'),
    clientKey: text('File with its key.'),
    timeout: amount('Seconds a request may take.', { default: 60 }),
    requestTimeoutMs: whole('The same in milliseconds.'),
    connectTimeout: amount('Seconds a connection may take.', { default: 30 }),
    connectionTimeoutMs: whole('The same in milliseconds.'),
    supportsParallelToolCalls: flag('Calls may run side by side.', { default: false }),
    toolFilter: optional(
      strict(
        {
          include: names("Only these of the server's tools; * is a wildcard."),
          exclude: names('None of these; wins over include.'),
        },
        filterMarks,
      ),
      'Which tools of the server are offered.',
    ),
    codex: section('Settings for the Codex harness.'),
    name: text('Display name.'),
    description: text('What the server is for.'),
  },
  {
    title: 'McpServer',
    lint: 'mcp-server',
    clean: {
      anyOf: [
        { required: ['command'], not: { required: ['url'] } },
        {
          required: ['url'],
          properties: { url: { type: 'string', pattern: '^https?://' } },
          anyOf: [{ required: ['transport'] }, { required: ['type'] }],
          not: { required: ['env'] },
        },
      ],
    },
    misplaced: {
      disabled: 'enabled',
      environment: 'env',
      uri: 'url',
      endpoint: 'url',
      httpUrl: 'url',
      serverUrl: 'url',
      tools: 'toolFilter',
      allow: 'toolFilter.include',
      deny: 'toolFilter.exclude',
      include: 'toolFilter.include',
      exclude: 'toolFilter.exclude',
    },
  },
)

/** `mcp`: the MCP servers. */
export const mcp = strict(
  {
    servers: record(server, 'MCP servers by name.'),
    sessionIdleTtlMs: whole('Milliseconds an idle server is kept; 0 keeps it.', {
      default: 600000,
      minimum: 0,
    }),
  },
  {
    description: 'MCP servers.',
    misplaced: { mcpServers: 'mcp.servers' },
  },
)

const pluginEntry = strict(
  {
    enabled: flag('Use the plugin.'),
    config: record(Type.Unknown(), 'Settings of the plugin; its manifest says which.'),
    apiKey: secret('Key the plugin uses.'),
    env: record(Type.Unknown(), 'Environment of the plugin.', { sensitive: true }),
    hooks: section('Hooks the plugin may use.'),
    subagent: section('Subagents the plugin may start.'),
    llm: section('Models the plugin may use.'),
  },
  { title: 'PluginEntry', misplaced: { disabled: 'enabled', settings: 'config', options: 'config' } },
)

/** `plugins`: which plugins run, and their settings. */
export const plugins = strict(
  {
    enabled: flag('Use plugins at all.', { default: true }),
    allow: names('Only these plugins. Unset or empty means all.'),
    deny: names('None of these plugins; wins over allow.'),
    entries: record(pluginEntry, 'Plugins by id.'),
    slots: record(
      Type.Union([Type.String(), Type.Null()]),
      'Plugin that fills a slot; none leaves it empty.',
    ),
    load: optional(open({ paths: names('More plugin directories.') }), 'Where plugins are found.'),
    installs: record(Type.Unknown(), 'Record of installed plugins; written by the program.'),
    bundledDiscovery: text('How bundled plugins are found.'),
  },
  {
    description: 'Plugins.',
    misplaced: { paths: 'plugins.load.paths', disabled: 'enabled', config: 'plugins.entries.<id>.config' },
  },
)

const resetRule = {
  mode: choice(['daily', 'idle'], 'What ends a session.'),
  atHour: whole('Hour of the daily reset.', { minimum: 0, maximum: 23 }),
  idleMinutes: whole('Minutes without a message.'),
}

/** `session`: how conversations become sessions. */
export const session = strict(
  {
    scope: choice(['per-sender', 'global'], 'One session per sender, or one for all.', {
      default: 'per-sender',
    }),
    dmScope: choice(
      ['main', 'per-peer', 'per-channel-peer', 'per-account-channel-peer'],
      'How direct chats are split.',
      {
        default: 'main',
      },
    ),
    mainKey: text('Name of the main session.', { default: 'main' }),
    store: text('Where sessions are stored.'),
    identityLinks: record(Type.Array(Type.String()), 'Peers that are one person.'),
    resetTriggers: names('Messages that start a new session.'),
    idleMinutes: whole('Minutes without a message that end a session.'),
    heartbeatIdleMinutes: whole('The same for heartbeats.'),
    reset: optional(strict(resetRule), 'When sessions end.'),
    resetByType: record(open(resetRule), 'The same per kind of chat.'),
    resetByChannel: record(open(resetRule), 'The same per channel.'),
    sendPolicy: section('Who may be written to.'),
    agentToAgent: section('Turns between agents.'),
    maintenance: section('How old sessions are cleaned up.'),
    threadBindings: section('Threads bound to sessions.'),
    parentForkMaxTokens: whole('Tokens a thread takes over from its parent.', { minimum: 0 }),
    typingMode: text('When typing is shown.'),
    typingIntervalSeconds: whole('Seconds between typing signs.'),
    writeLock: section('Lock on the session store.'),
  },
  { description: 'How conversations become sessions.', misplaced: { key: 'mainKey' } },
)

/** `gateway`: the server. Only `gateway.tools` is closed. */
export const gateway = open(
  {
    mode: text('local or remote.'),
    port: whole('Port of the server.', { minimum: 0, maximum: 65535, default: 18789 }),
    bind: text('Address the server listens on.'),
    auth: optional(
      open({
        mode: choice(['none', 'token', 'password', 'trusted-proxy'], 'How clients prove who they are.'),
        token: secret('Token of the clients.'),
        password: secret('Password of the clients.'),
      }),
      'Who may connect.',
    ),
    tools: optional(
      strict(
        {
          allow: names('Names lifted from the built-in HTTP deny list; exact, case matters.'),
          deny: names('More names denied over HTTP.'),
        },
        { misplaced: { alsoAllow: 'gateway.tools.allow' } },
      ),
      'Tools over HTTP.',
    ),
  },
  {
    description: 'The server.',
    misplaced: { token: 'gateway.auth.token', password: 'gateway.auth.password', host: 'gateway.bind' },
  },
)

const providerModel = open({
  id: Type.String({ description: 'Id of the model.' }),
  name: text('Display name.'),
  reasoning: flag('The model reasons.', { default: false }),
  input: list(Type.String(), 'What it reads: text, image.', { default: ['text'] }),
  contextWindow: amount('Tokens it reads.'),
  maxTokens: amount('Tokens it writes.', { default: 8192 }),
  compat: optional(
    open({ supportsTools: flag('The model can call tools.', { default: true }) }),
    'What the model cannot do.',
  ),
})

/** `models`: providers and their models. */
export const models = open(
  {
    mode: choice(['merge', 'replace'], 'Add to the built-in models or replace them.', { default: 'merge' }),
    providers: record(
      open({
        baseUrl: text('Address of the provider.'),
        api: text('Protocol it speaks.'),
        apiKey: secret('Key of the provider.'),
        headers: record(Type.Unknown(), 'Request headers.', { sensitive: true }),
        models: list(providerModel, 'Its models.'),
      }),
      'Providers by id.',
    ),
  },
  { description: 'Models.' },
)

/** `commands`: chat commands and who owns the program. */
export const commands = open(
  {
    ownerAllowFrom: ids('Senders that own this program: id or channel:id.'),
    bash: anything('Let senders run shell commands.'),
  },
  { description: 'Chat commands and owners.' },
)

/** `env`: variables for `${VAR}` and for tools. */
export const env = open(
  {
    vars: record(Type.Union([Type.String(), Type.Number(), Type.Boolean()]), 'Variables.', {
      sensitive: true,
    }),
    shellEnv: optional(
      open({
        enabled: flag('Read the environment of a login shell.', { default: false }),
        timeoutMs: whole('Milliseconds it may take.', { default: 15000, minimum: 0 }),
      }),
      'Environment of a login shell.',
    ),
  },
  { description: 'Environment variables.' },
)

/** `secrets`: where secret references are looked up. */
export const secrets = open(
  {
    providers: record(Type.Unknown(), 'Sources of secrets by alias.'),
    defaults: record(Type.String(), 'Alias used for a source that is not named.'),
  },
  { description: 'Where secret references are looked up.' },
)
