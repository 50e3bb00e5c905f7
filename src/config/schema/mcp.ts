import { Type } from 'typebox'
import { amount, choice, flag, names, open, optional, record, section, strict, text, whole } from './kit.ts'

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
    transport: choice(
      ['sse', 'streamable-http', 'stdio'],
      'How to talk to it. Unset for a url: streamable-http is tried first, then sse.',
    ),
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
