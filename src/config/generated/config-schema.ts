import type { SchemaNode } from '../schema-node.ts'

/** Generated from src/config/schema.ts by bin/generate.ts. */
export const configSchema: SchemaNode = {
  type: 'object',
  properties: {
    $schema: { type: 'string', description: 'Address of this schema, for editors.' },
    meta: {
      type: 'object',
      properties: {
        lastTouchedVersion: {
          type: 'string',
          description: 'Version that wrote the file; chooses the edition.',
        },
      },
      additionalProperties: true,
      description: 'About the file.',
    },
    tools: { $ref: '#/$defs/Tools', description: 'Which tools sessions have, and how the tools behave.' },
    agents: {
      type: 'object',
      properties: {
        ownership: { type: 'string', description: 'Who owns the roster.' },
        defaults: {
          type: 'object',
          properties: {
            model: { $ref: '#/$defs/ModelSelection', description: 'Model of the agent.' },
            imageModel: { $ref: '#/$defs/ModelSelection', description: 'Model that looks at images.' },
            imageGenerationModel: { $ref: '#/$defs/ModelSelection', description: 'Model that makes images.' },
            videoGenerationModel: { $ref: '#/$defs/ModelSelection', description: 'Model that makes videos.' },
            musicGenerationModel: { $ref: '#/$defs/ModelSelection', description: 'Model that makes music.' },
            pdfModel: { $ref: '#/$defs/ModelSelection', description: 'Model that reads PDFs.' },
            workspace: { type: 'string', description: 'Working directory.' },
            sandbox: { $ref: '#/$defs/Sandbox', description: 'Sandbox of the sessions.' },
            experimental: {
              type: 'object',
              properties: {
                localModelLean: {
                  type: 'boolean',
                  description: 'Leave out tools that small local models handle badly.',
                  default: false,
                },
              },
              additionalProperties: true,
              'x-slips': true,
              description: 'Features under test.',
            },
            subagents: { $ref: '#/$defs/Subagents', description: 'Subagents.' },
            skills: { type: 'array', items: { type: 'string' }, description: 'Skills the agent may use.' },
            memorySearch: { $ref: '#/$defs/MemorySearch', description: 'Memory files.' },
            heartbeat: { $ref: '#/$defs/Heartbeat', description: 'Runs without anybody asking.' },
            models: {
              type: 'object',
              description: 'Models that may be chosen, with aliases and parameters.',
              additionalProperties: {},
            },
            tools: {
              not: {},
              description:
                'agents.defaults has no tools: put the policy under tools (every agent) or under agents.list[].tools (one agent)',
            },
            elevatedDefault: {
              enum: ['off', 'on', 'ask', 'full'],
              description: 'Elevated level of a new session.',
            },
          },
          additionalProperties: true,
          'x-misplaced': {
            profile: 'tools.profile',
            allow: 'tools.allow',
            alsoAllow: 'tools.alsoAllow',
            deny: 'tools.deny',
            byProvider: 'tools.byProvider',
            toolsBySender: 'tools.toolsBySender',
            elevated: 'tools.elevated',
            exec: 'tools.exec',
            tools: 'tools',
          },
          'x-slips': true,
          description: 'What every agent has unless it says otherwise.',
        },
        list: {
          type: 'array',
          items: { $ref: '#/$defs/Agent', required: ['id'] },
          description: 'The agents. Not read when entries names agents.',
        },
        entries: {
          type: 'object',
          description: 'The agents by id.',
          additionalProperties: { $ref: '#/$defs/Agent' },
        },
      },
      additionalProperties: true,
      description: 'The agents and what they share.',
      'x-misplaced': { tools: 'tools', default: 'agents.defaults' },
      'x-slips': true,
      'x-lint': 'agents-list-and-entries',
      'x-clean': { not: { required: ['list', 'entries'] } },
    },
    channels: {
      type: 'object',
      properties: {
        webhook: { $ref: '#/$defs/WebhookChannel', description: 'Messages to an address of HTTP.' },
        outbox: { $ref: '#/$defs/OutboxChannel', description: 'Messages to a file.' },
      },
      additionalProperties: { $ref: '#/$defs/Channel' },
      description: 'Channels by id.',
    },
    plugins: {
      type: 'object',
      properties: {
        enabled: { type: 'boolean', description: 'Use plugins at all.', default: true },
        allow: {
          type: 'array',
          items: { type: 'string' },
          description: 'Only these plugins. Unset or empty means all.',
        },
        deny: {
          type: 'array',
          items: { type: 'string' },
          description: 'None of these plugins; wins over allow.',
        },
        entries: {
          type: 'object',
          description: 'Plugins by id.',
          additionalProperties: { $ref: '#/$defs/PluginEntry' },
        },
        slots: {
          type: 'object',
          description: 'Plugin that fills a slot; none leaves it empty.',
          additionalProperties: { anyOf: [{ type: 'string' }, { type: 'null' }] },
        },
        load: {
          type: 'object',
          properties: {
            paths: { type: 'array', items: { type: 'string' }, description: 'More plugin directories.' },
          },
          additionalProperties: true,
          description: 'Where plugins are found.',
        },
        installs: {
          type: 'object',
          description: 'Record of installed plugins; written by the program.',
          additionalProperties: {},
        },
        bundledDiscovery: { type: 'string', description: 'How bundled plugins are found.' },
      },
      additionalProperties: false,
      description: 'Plugins.',
      'x-misplaced': {
        paths: 'plugins.load.paths',
        disabled: 'enabled',
        config: 'plugins.entries.<id>.config',
      },
    },
    mcp: {
      type: 'object',
      properties: {
        servers: {
          type: 'object',
          description: 'MCP servers by name.',
          additionalProperties: { $ref: '#/$defs/McpServer' },
        },
        sessionIdleTtlMs: {
          type: 'integer',
          minimum: 0,
          description: 'Milliseconds an idle server is kept; 0 keeps it.',
          default: 600000,
        },
      },
      additionalProperties: false,
      description: 'MCP servers.',
      'x-misplaced': { mcpServers: 'mcp.servers' },
    },
    models: {
      type: 'object',
      properties: {
        mode: {
          enum: ['merge', 'replace'],
          description: 'Add to the built-in models or replace them.',
          default: 'merge',
        },
        providers: {
          type: 'object',
          description: 'Providers by id.',
          additionalProperties: {
            type: 'object',
            properties: {
              baseUrl: { type: 'string', description: 'Address of the provider.' },
              api: { type: 'string', description: 'Protocol it speaks.' },
              apiKey: {
                anyOf: [{ type: 'string' }, { type: 'object', properties: {}, additionalProperties: true }],
                description: 'Key of the provider.',
                'x-sensitive': true,
              },
              auth: { type: 'string', description: 'How the key is sent: api-key or token.' },
              authHeader: {
                type: 'boolean',
                description: 'Send the key as a bearer token, whatever the protocol usually does.',
              },
              headers: {
                type: 'object',
                description: 'Request headers.',
                'x-sensitive': true,
                additionalProperties: {},
              },
              timeoutSeconds: {
                type: 'number',
                minimum: 0,
                description: 'Seconds without a byte from the provider after which a request has failed.',
              },
              maxTokens: {
                type: 'number',
                minimum: 0,
                description: 'Tokens a model writes that does not say so itself.',
              },
              models: {
                type: 'array',
                items: {
                  type: 'object',
                  required: ['id'],
                  properties: {
                    id: { type: 'string', description: 'Id of the model.' },
                    name: { type: 'string', description: 'Display name.' },
                    reasoning: { type: 'boolean', description: 'The model reasons.', default: false },
                    input: {
                      type: 'array',
                      items: { type: 'string' },
                      description: 'What it reads: text, image.',
                      default: ['text'],
                    },
                    contextWindow: { type: 'number', minimum: 0, description: 'Tokens it reads.' },
                    maxTokens: {
                      type: 'number',
                      minimum: 0,
                      description: 'Tokens it writes.',
                      default: 8192,
                    },
                    cost: {
                      type: 'object',
                      properties: {
                        input: { type: 'number', minimum: 0, description: 'Of tokens read.' },
                        output: { type: 'number', minimum: 0, description: 'Of tokens written.' },
                        cacheRead: {
                          type: 'number',
                          minimum: 0,
                          description: 'Of tokens read from the cache of the provider.',
                        },
                        cacheWrite: { type: 'number', minimum: 0, description: 'Of tokens written to it.' },
                      },
                      additionalProperties: true,
                      'x-slips': true,
                      description: 'Dollars for a million tokens.',
                    },
                    compat: {
                      type: 'object',
                      properties: {
                        supportsTools: {
                          type: 'boolean',
                          description: 'The model can call tools.',
                          default: true,
                        },
                        maxTokensField: {
                          enum: ['max_completion_tokens', 'max_tokens'],
                          description: 'How chat completions bound the answer.',
                        },
                      },
                      additionalProperties: true,
                      'x-slips': true,
                      description: 'What the model cannot do, or does in its own way.',
                    },
                  },
                  additionalProperties: true,
                  'x-slips': true,
                },
                description: 'Its models.',
              },
            },
            additionalProperties: true,
            'x-slips': true,
          },
        },
      },
      additionalProperties: true,
      description: 'Models.',
      'x-slips': true,
    },
    commands: {
      type: 'object',
      properties: {
        ownerAllowFrom: {
          type: 'array',
          items: { anyOf: [{ type: 'string' }, { type: 'number' }] },
          description: 'Senders that own this program: id or channel:id.',
        },
        bash: { description: 'Let senders run shell commands.' },
      },
      additionalProperties: true,
      description: 'Chat commands and owners.',
      'x-slips': true,
    },
    session: {
      type: 'object',
      properties: {
        scope: {
          enum: ['per-sender', 'global'],
          description: 'One session per sender, or one for all.',
          default: 'per-sender',
        },
        dmScope: {
          enum: ['main', 'per-peer', 'per-channel-peer', 'per-account-channel-peer'],
          description: 'How direct chats are split.',
          default: 'main',
        },
        mainKey: { type: 'string', description: 'Name of the main session.', default: 'main' },
        store: { type: 'string', description: 'Where sessions are stored.' },
        identityLinks: {
          type: 'object',
          description: 'Peers that are one person.',
          additionalProperties: { type: 'array', items: { type: 'string' } },
        },
        resetTriggers: {
          type: 'array',
          items: { type: 'string' },
          description: 'Messages that start a new session.',
        },
        idleMinutes: {
          type: 'integer',
          minimum: 1,
          description: 'Minutes without a message that end a session.',
        },
        heartbeatIdleMinutes: { type: 'integer', minimum: 1, description: 'The same for heartbeats.' },
        reset: {
          type: 'object',
          properties: {
            mode: { enum: ['daily', 'idle'], description: 'What ends a session.' },
            atHour: { type: 'integer', minimum: 0, maximum: 23, description: 'Hour of the daily reset.' },
            idleMinutes: { type: 'integer', minimum: 1, description: 'Minutes without a message.' },
          },
          additionalProperties: false,
          description: 'When sessions end.',
        },
        resetByType: {
          type: 'object',
          description: 'The same per kind of chat.',
          additionalProperties: {
            type: 'object',
            properties: {
              mode: { enum: ['daily', 'idle'], description: 'What ends a session.' },
              atHour: { type: 'integer', minimum: 0, maximum: 23, description: 'Hour of the daily reset.' },
              idleMinutes: { type: 'integer', minimum: 1, description: 'Minutes without a message.' },
            },
            additionalProperties: true,
          },
        },
        resetByChannel: {
          type: 'object',
          description: 'The same per channel.',
          additionalProperties: {
            type: 'object',
            properties: {
              mode: { enum: ['daily', 'idle'], description: 'What ends a session.' },
              atHour: { type: 'integer', minimum: 0, maximum: 23, description: 'Hour of the daily reset.' },
              idleMinutes: { type: 'integer', minimum: 1, description: 'Minutes without a message.' },
            },
            additionalProperties: true,
          },
        },
        sendPolicy: { type: 'object', description: 'Who may be written to.', additionalProperties: {} },
        agentToAgent: { type: 'object', description: 'Turns between agents.', additionalProperties: {} },
        maintenance: {
          type: 'object',
          description: 'How old sessions are cleaned up.',
          additionalProperties: {},
        },
        threadBindings: {
          type: 'object',
          description: 'Threads bound to sessions.',
          additionalProperties: {},
        },
        parentForkMaxTokens: {
          type: 'integer',
          minimum: 0,
          description: 'Tokens a thread takes over from its parent.',
        },
        typingMode: { type: 'string', description: 'When typing is shown.' },
        typingIntervalSeconds: { type: 'integer', minimum: 1, description: 'Seconds between typing signs.' },
        writeLock: { type: 'object', description: 'Lock on the session store.', additionalProperties: {} },
      },
      additionalProperties: false,
      description: 'How conversations become sessions.',
      'x-misplaced': { key: 'mainKey' },
    },
    gateway: {
      type: 'object',
      properties: {
        mode: { type: 'string', description: 'local or remote.' },
        port: {
          type: 'integer',
          minimum: 0,
          maximum: 65535,
          description: 'Port of the server.',
          default: 18789,
        },
        bind: { type: 'string', description: 'Address the server listens on.' },
        auth: {
          type: 'object',
          properties: {
            mode: {
              enum: ['none', 'token', 'password', 'trusted-proxy'],
              description: 'How clients prove who they are.',
            },
            token: {
              anyOf: [{ type: 'string' }, { type: 'object', properties: {}, additionalProperties: true }],
              description: 'Token of the clients.',
              'x-sensitive': true,
            },
            password: {
              anyOf: [{ type: 'string' }, { type: 'object', properties: {}, additionalProperties: true }],
              description: 'Password of the clients.',
              'x-sensitive': true,
            },
            rateLimit: {
              type: 'object',
              properties: {
                maxAttempts: {
                  type: 'integer',
                  minimum: 1,
                  description: 'Failed logins of an address before it is locked out.',
                  default: 10,
                },
                windowMs: {
                  type: 'integer',
                  minimum: 1,
                  description: 'Milliseconds in which they count.',
                  default: 60000,
                },
                lockoutMs: {
                  type: 'integer',
                  minimum: 1,
                  description: 'Milliseconds for which it stays locked out.',
                  default: 300000,
                },
                exemptLoopback: {
                  type: 'boolean',
                  description: 'Lock out no program of this machine.',
                  default: true,
                },
              },
              additionalProperties: true,
              description: 'What follows failed logins.',
            },
          },
          additionalProperties: true,
          description: 'Who may connect.',
        },
        http: {
          type: 'object',
          properties: {
            endpoints: {
              type: 'object',
              properties: {
                chatCompletions: {
                  type: 'object',
                  properties: { enabled: { type: 'boolean', description: 'Serve it.', default: false } },
                  additionalProperties: true,
                  description: 'POST /v1/chat/completions.',
                },
                responses: {
                  type: 'object',
                  properties: { enabled: { type: 'boolean', description: 'Serve it.', default: false } },
                  additionalProperties: true,
                  description: 'POST /v1/responses.',
                },
              },
              additionalProperties: true,
              description: 'Endpoints for clients of OpenAI.',
            },
          },
          additionalProperties: true,
          description: 'HTTP.',
        },
        controlUi: {
          type: 'object',
          properties: {
            allowedOrigins: {
              type: 'array',
              items: { type: 'string' },
              description: 'Origins of web pages that may connect besides its own; * means all.',
            },
          },
          additionalProperties: true,
          description: 'Pages that ask the server.',
        },
        tools: {
          type: 'object',
          properties: {
            allow: {
              type: 'array',
              items: { type: 'string' },
              description: 'Names lifted from the built-in HTTP deny list; exact, case matters.',
            },
            deny: { type: 'array', items: { type: 'string' }, description: 'More names denied over HTTP.' },
          },
          additionalProperties: false,
          'x-misplaced': { alsoAllow: 'gateway.tools.allow' },
          description: 'Tools over HTTP.',
        },
      },
      additionalProperties: true,
      description: 'The server.',
      'x-misplaced': { token: 'gateway.auth.token', password: 'gateway.auth.password', host: 'gateway.bind' },
    },
    env: {
      type: 'object',
      properties: {
        vars: {
          type: 'object',
          description: 'Variables.',
          'x-sensitive': true,
          additionalProperties: { anyOf: [{ type: 'string' }, { type: 'number' }, { type: 'boolean' }] },
        },
        shellEnv: {
          type: 'object',
          properties: {
            enabled: {
              type: 'boolean',
              description: 'Read the environment of a login shell.',
              default: false,
            },
            timeoutMs: {
              type: 'integer',
              minimum: 0,
              description: 'Milliseconds it may take.',
              default: 15000,
            },
          },
          additionalProperties: true,
          description: 'Environment of a login shell.',
        },
      },
      additionalProperties: true,
      description: 'Environment variables.',
    },
    secrets: {
      type: 'object',
      properties: {
        providers: { type: 'object', description: 'Sources of secrets by alias.', additionalProperties: {} },
        defaults: {
          type: 'object',
          description: 'Alias used for a source that is not named.',
          additionalProperties: { type: 'string' },
        },
      },
      additionalProperties: true,
      description: 'Where secret references are looked up.',
    },
    browser: {
      type: 'object',
      properties: {
        enabled: { type: 'boolean', description: 'Use the browser tool.', default: true },
        executablePath: {
          type: 'string',
          description: 'Browser to start; else Chromium or Chrome on the PATH.',
        },
        headless: { type: 'boolean', description: 'Show no window.', default: true },
        noSandbox: {
          type: 'boolean',
          description: 'Start it without its own sandbox, for containers that do not let it have one.',
          default: false,
        },
        ssrfPolicy: {
          type: 'object',
          properties: {
            allowedHostnames: {
              type: 'array',
              items: { type: 'string' },
              description: 'Hosts (host or host:port) that may be reached although their address is private.',
            },
            dangerouslyAllowPrivateNetwork: {
              type: 'boolean',
              description: 'Let every private address be reached, and every service on it.',
              default: false,
            },
          },
          additionalProperties: true,
          description: 'Private addresses that may be reached. The metadata services of clouds never may.',
        },
      },
      additionalProperties: true,
      description: 'The browser tool. The plugin browser brings it.',
    },
    memory: {
      type: 'object',
      properties: { search: { description: 'Memory search.' } },
      additionalProperties: true,
      description: 'Memory.',
    },
    accessGroups: { type: 'object', description: 'Named groups of senders.', additionalProperties: {} },
    acp: { type: 'object', description: 'Agent Client Protocol.', additionalProperties: {} },
    approvals: { type: 'object', description: 'How approvals are asked for.', additionalProperties: {} },
    audio: { type: 'object', description: 'Audio.', additionalProperties: {} },
    auth: { type: 'object', description: 'Model accounts.', additionalProperties: {} },
    bindings: {
      type: 'array',
      items: { type: 'object', properties: {}, additionalProperties: true },
      description: 'Which agent answers where.',
    },
    broadcast: { type: 'object', description: 'Messages to many agents.', additionalProperties: {} },
    canvasHost: { type: 'object', description: 'Canvas server.', additionalProperties: {} },
    cli: { type: 'object', description: 'Command line.', additionalProperties: {} },
    commitments: { type: 'object', description: 'Promises the agent keeps.', additionalProperties: {} },
    crestodian: { type: 'object', description: 'Set-up helper.', additionalProperties: {} },
    cron: {
      type: 'object',
      properties: {
        enabled: { type: 'boolean', description: 'Run jobs at their time.', default: true },
        maxConcurrentRuns: { type: 'integer', minimum: 1, description: 'Jobs that run at once.', default: 2 },
      },
      additionalProperties: true,
      description: 'Scheduled runs.',
    },
    diagnostics: { type: 'object', description: 'Diagnostics.', additionalProperties: {} },
    discovery: { type: 'object', description: 'Discovery on the network.', additionalProperties: {} },
    hooks: { type: 'object', description: 'Webhooks and internal hooks.', additionalProperties: {} },
    logging: {
      type: 'object',
      properties: {
        maxFileBytes: {
          type: 'integer',
          minimum: 1,
          description: 'Bytes of a log file before a new one is begun, 1024 at least.',
          default: 16777216,
        },
      },
      additionalProperties: true,
      description: 'Logs.',
    },
    media: { type: 'object', description: 'Media.', additionalProperties: {} },
    messages: { type: 'object', description: 'Messages.', additionalProperties: {} },
    nodeHost: { type: 'object', description: 'This machine as a node.', additionalProperties: {} },
    proxy: { type: 'object', description: 'Network proxy.', additionalProperties: {} },
    skills: { type: 'object', description: 'Skills.', additionalProperties: {} },
    surfaces: { type: 'object', description: 'Surfaces.', additionalProperties: {} },
    talk: { type: 'object', description: 'Talk mode.', additionalProperties: {} },
    transcripts: { type: 'object', description: 'Transcripts.', additionalProperties: {} },
    ui: { type: 'object', description: 'User interface.', additionalProperties: {} },
    update: { type: 'object', description: 'Updates.', additionalProperties: {} },
    web: { type: 'object', description: 'Web client.', additionalProperties: {} },
    wizard: { type: 'object', description: 'State of the set-up.', additionalProperties: {} },
  },
  additionalProperties: true,
  'x-misplaced': {
    mcpServers: 'mcp.servers',
    mcp_servers: 'mcp.servers',
    servers: 'mcp.servers',
    agent: 'agents.defaults',
    identity: 'agents.list[].identity',
    routing: 'bindings',
    model: 'agents.defaults.model',
    sandbox: 'agents.defaults.sandbox',
    workspace: 'agents.defaults.workspace',
    providers: 'models.providers',
    profile: 'tools.profile',
    allow: 'tools.allow',
    alsoAllow: 'tools.alsoAllow',
    deny: 'tools.deny',
    byProvider: 'tools.byProvider',
    toolsBySender: 'tools.toolsBySender',
    toolSearch: 'tools.toolSearch',
    exec: 'tools.exec',
    elevated: 'tools.elevated',
    ownerAllowFrom: 'commands.ownerAllowFrom',
    port: 'gateway.port',
    discord: 'channels.discord',
    imessage: 'channels.imessage',
    msteams: 'channels.msteams',
    signal: 'channels.signal',
    slack: 'channels.slack',
    telegram: 'channels.telegram',
    whatsapp: 'channels.whatsapp',
  },
  $defs: {
    ActiveHours: {
      type: 'object',
      properties: {
        start: { type: 'string', description: 'From, as 08:00.' },
        end: { type: 'string', description: 'To, as 22:00; 24:00 is midnight.' },
        timezone: {
          type: 'string',
          description: 'Time zone of these hours, as Europe/Berlin; user or local is that of this machine.',
        },
      },
      additionalProperties: true,
      title: 'ActiveHours',
    },
    Agent: {
      type: 'object',
      properties: {
        id: {
          type: 'string',
          pattern: '\\S',
          description: 'Id of the agent. Under entries the key is the id.',
        },
        name: { type: 'string', description: 'Display name.' },
        default: { type: 'boolean', description: 'The agent used when nothing names one.' },
        agentDir: { type: 'string', description: 'State directory of the agent.' },
        tools: {
          $ref: '#/$defs/AgentTools',
          description:
            'Policy of one agent. Lists narrow the global ones; profile and alsoAllow replace them.',
        },
        model: { $ref: '#/$defs/ModelSelection', description: 'Model of the agent.' },
        imageModel: { $ref: '#/$defs/ModelSelection', description: 'Model that looks at images.' },
        imageGenerationModel: { $ref: '#/$defs/ModelSelection', description: 'Model that makes images.' },
        videoGenerationModel: { $ref: '#/$defs/ModelSelection', description: 'Model that makes videos.' },
        musicGenerationModel: { $ref: '#/$defs/ModelSelection', description: 'Model that makes music.' },
        pdfModel: { $ref: '#/$defs/ModelSelection', description: 'Model that reads PDFs.' },
        workspace: { type: 'string', description: 'Working directory.' },
        sandbox: { $ref: '#/$defs/Sandbox', description: 'Sandbox of the sessions.' },
        experimental: {
          type: 'object',
          properties: {
            localModelLean: {
              type: 'boolean',
              description: 'Leave out tools that small local models handle badly.',
              default: false,
            },
          },
          additionalProperties: true,
          'x-slips': true,
          description: 'Features under test.',
        },
        subagents: { $ref: '#/$defs/Subagents', description: 'Subagents.' },
        skills: { type: 'array', items: { type: 'string' }, description: 'Skills the agent may use.' },
        memorySearch: { $ref: '#/$defs/MemorySearch', description: 'Memory files.' },
        heartbeat: { $ref: '#/$defs/Heartbeat', description: 'Runs without anybody asking.' },
      },
      additionalProperties: true,
      title: 'Agent',
      'x-misplaced': {
        profile: 'tools.profile',
        allow: 'tools.allow',
        alsoAllow: 'tools.alsoAllow',
        deny: 'tools.deny',
        byProvider: 'tools.byProvider',
        toolsBySender: 'tools.toolsBySender',
        elevated: 'tools.elevated',
        exec: 'tools.exec',
        toolSearch: 'tools.toolSearch',
      },
      'x-slips': true,
    },
    AgentExec: {
      type: 'object',
      properties: {
        host: {
          enum: ['auto', 'sandbox', 'gateway', 'node'],
          description: 'Where commands run.',
          default: 'auto',
          'x-words': { local: 'gateway', host: 'gateway', docker: 'sandbox', container: 'sandbox' },
        },
        mode: {
          enum: ['deny', 'allowlist', 'ask', 'auto', 'full'],
          description: 'Security and ask in one word. Cannot be combined with either.',
        },
        security: {
          enum: ['deny', 'allowlist', 'full'],
          description: 'Which commands may run.',
          default: 'full',
          'x-words': { allow: 'full', none: 'deny', whitelist: 'allowlist' },
        },
        ask: {
          enum: ['off', 'on-miss', 'always'],
          description: 'When a command needs an approval.',
          default: 'off',
          'x-words': { never: 'off', false: 'off', true: 'always', on: 'always' },
        },
        node: { type: 'string', description: 'Node that runs commands when host is node.' },
        pathPrepend: {
          type: 'array',
          items: { type: 'string' },
          description: 'Directories put in front of PATH.',
        },
        safeBins: {
          type: 'array',
          items: { type: 'string' },
          description: 'Programs that may read stdin without an allowlist entry.',
        },
        safeBinTrustedDirs: {
          type: 'array',
          items: { type: 'string' },
          description: 'Directories a safe program may come from.',
        },
        safeBinProfiles: {
          type: 'object',
          description: 'Arguments a safe program may take.',
          additionalProperties: { type: 'object', properties: {}, additionalProperties: true },
        },
        strictInlineEval: {
          type: 'boolean',
          description: 'Ask for an approval when a command carries code (-c, -e).',
        },
        commandHighlighting: { type: 'boolean', description: 'Highlight commands in approval prompts.' },
        reviewer: {
          type: 'object',
          properties: {
            model: { type: 'string', description: 'Model that reviews commands in mode auto.' },
            timeoutMs: {
              type: 'integer',
              minimum: 1,
              description: 'Time a review may take, in milliseconds.',
            },
            thinking: {
              type: 'string',
              description: 'Thinking level of the reviewer.',
              'x-edition': '2026.9',
            },
            fastMode: {
              type: 'boolean',
              description: 'Let the reviewer answer in fast mode.',
              'x-edition': '2026.9',
            },
          },
          additionalProperties: false,
          description: 'Model that reviews commands in mode auto.',
        },
        backgroundMs: {
          type: 'integer',
          minimum: 0,
          description: 'Milliseconds after which a command goes on in the background.',
        },
        timeoutSec: {
          type: 'number',
          minimum: 0,
          description: 'Seconds a command may run.',
          'x-edition': '2026.7',
          'x-instead': 'timeoutSeconds',
        },
        timeoutSeconds: {
          type: 'number',
          minimum: 0,
          description: 'Seconds a command may run.',
          'x-edition': '2026.9',
          'x-instead': 'timeoutSec',
        },
        grantExpiryDays: {
          type: 'number',
          minimum: 0,
          description: 'Days after which a lasting approval ends.',
          'x-edition': '2026.9',
        },
        cleanupMs: {
          type: 'integer',
          minimum: 1,
          description: 'Milliseconds a finished background command stays listed.',
        },
        notifyOnExit: { type: 'boolean', description: 'Tell the session when a background command ends.' },
        notifyOnExitEmptySuccess: {
          type: 'boolean',
          description: 'Tell it also when the command succeeded without output.',
        },
        applyPatch: {
          type: 'object',
          properties: {
            enabled: { type: 'boolean', description: 'Offer apply_patch.', default: true },
            workspaceOnly: {
              type: 'boolean',
              description: 'Keep patches inside the workspace.',
              default: true,
            },
            allowModels: {
              type: 'array',
              items: { type: 'string' },
              description: 'Models that get apply_patch: id or provider/model. Empty means every model.',
            },
          },
          additionalProperties: false,
          description: 'The apply_patch tool.',
        },
        approvalRunningNoticeMs: {
          type: 'integer',
          minimum: 0,
          description: 'Milliseconds after which a waiting approval is announced.',
        },
      },
      additionalProperties: false,
      title: 'AgentExec',
      'x-misplaced': {
        bash: 'tools.exec',
        profile: 'tools.profile',
        allow: 'tools.allow',
        deny: 'tools.deny',
      },
      'x-rule': 'exec-mode-alone',
      not: { required: ['mode'], anyOf: [{ required: ['security'] }, { required: ['ask'] }] },
    },
    AgentTools: {
      type: 'object',
      properties: {
        profile: {
          enum: ['minimal', 'coding', 'messaging', 'full'],
          description:
            'Named base allow list; the other lists narrow it, alsoAllow widens it. Unset means no profile.',
          'x-words': {
            default: 'full',
            all: 'full',
            any: 'full',
            everything: 'full',
            unrestricted: 'full',
            '*': 'full',
            none: 'minimal',
            safe: 'minimal',
            restricted: 'minimal',
            readonly: 'minimal',
            developer: 'coding',
            dev: 'coding',
            chat: 'messaging',
            messages: 'messaging',
          },
        },
        allow: {
          type: 'array',
          items: { type: 'string' },
          description:
            'Only these tools: names, globs with *, group:…, plugin ids. An empty list restricts nothing.',
        },
        alsoAllow: {
          type: 'array',
          items: { type: 'string' },
          description:
            'Added to the profile, and to the allow list where one is inherited. Alone it never restricts.',
        },
        deny: {
          type: 'array',
          items: { type: 'string' },
          description: 'Never these tools. Deny beats every allow, at every level.',
        },
        byProvider: {
          type: 'object',
          description:
            'Tool lists per provider or provider/model. The provider/model key is used instead of the provider key.',
          additionalProperties: { $ref: '#/$defs/ProviderToolPolicy' },
        },
        toolsBySender: {
          type: 'object',
          description:
            'Tool lists per sender. Keys: channel:<channel>:<id>, id:, e164:, username:, name:, or *. The first match is used alone.',
          additionalProperties: { anyOf: [{ $ref: '#/$defs/ToolPolicy' }, { type: 'null' }] },
        },
        sandbox: {
          type: 'object',
          properties: { tools: { $ref: '#/$defs/ToolPolicy', description: 'Lists for sandboxed sessions.' } },
          additionalProperties: false,
          description: 'Lists for sandboxed sessions; each list replaces the built-in one.',
          'x-misplaced': {
            allow: 'sandbox.tools.allow',
            alsoAllow: 'sandbox.tools.alsoAllow',
            deny: 'sandbox.tools.deny',
          },
        },
        elevated: {
          $ref: '#/$defs/Elevated',
          description: 'Elevated exec. It never restores a denied exec.',
        },
        fs: {
          type: 'object',
          properties: {
            workspaceOnly: {
              type: 'boolean',
              description: 'Keep file tools inside the workspace.',
              default: false,
            },
          },
          additionalProperties: false,
          description: 'File tools. The section never makes a tool visible.',
        },
        loopDetection: {
          $ref: '#/$defs/LoopDetection',
          description: 'Loop detection. It blocks calls, never visibility.',
        },
        codeMode: {
          $ref: '#/$defs/CodeMode',
          description: 'Code mode. Recognised, but not run by this program.',
          'x-defaults': { '2026.7': false, '2026.9': 'auto' },
        },
        message: { $ref: '#/$defs/MessageTool', description: 'The message tool.' },
        exec: {
          $ref: '#/$defs/AgentExec',
          description: 'How commands of this agent run. The section never makes a tool visible.',
        },
        swarm: {
          type: 'object',
          properties: { enabled: { type: 'boolean', description: 'Offer agents_wait.', default: false } },
          additionalProperties: true,
          description: 'Collector children.',
          'x-edition': '2026.9',
        },
        github: {
          type: 'object',
          description: 'GitHub identity and publication.',
          'x-edition': '2026.9',
          additionalProperties: {},
        },
      },
      additionalProperties: false,
      title: 'AgentTools',
      'x-misplaced': {
        denied: 'deny',
        blocked: 'deny',
        block: 'deny',
        blocklist: 'deny',
        exclude: 'deny',
        disabled: 'deny',
        include: 'allow',
        enabled: 'allow',
        allowlist: 'allow',
        toolSearch: 'tools.toolSearch',
        web: 'tools.web',
        subagents: 'tools.subagents',
        agentToAgent: 'tools.agentToAgent',
        sessions: 'tools.sessions',
        sessions_spawn: 'tools.sessions_spawn',
        experimental: 'tools.experimental',
        updatePlan: 'tools.updatePlan',
        media: 'tools.media',
        links: 'tools.links',
        bash: 'exec',
        mcp: 'mcp.servers',
        mcpServers: 'mcp.servers',
      },
      'x-rule': 'one-allow-list',
      not: {
        required: ['allow', 'alsoAllow'],
        properties: { allow: { type: 'array', minItems: 1 }, alsoAllow: { type: 'array', minItems: 1 } },
      },
    },
    Channel: {
      type: 'object',
      properties: {
        enabled: { type: 'boolean', description: 'Use the account.' },
        allowFrom: {
          type: 'array',
          items: { anyOf: [{ type: 'string' }, { type: 'number' }] },
          description: 'Senders that may talk to the agent; * is everyone.',
        },
        groupAllowFrom: {
          type: 'array',
          items: { anyOf: [{ type: 'string' }, { type: 'number' }] },
          description: 'Senders that may talk to the agent in groups.',
        },
        groups: {
          type: 'object',
          description: 'Chat groups by id; * is any other group.',
          additionalProperties: { $ref: '#/$defs/ChatGroup' },
        },
        defaultAccount: { type: 'string', description: 'Account used when nothing names one.' },
        accounts: {
          type: 'object',
          description: 'Accounts of the channel by id.',
          additionalProperties: {
            type: 'object',
            properties: {
              enabled: { type: 'boolean', description: 'Use the account.' },
              allowFrom: {
                type: 'array',
                items: { anyOf: [{ type: 'string' }, { type: 'number' }] },
                description: 'Senders that may talk to the agent; * is everyone.',
              },
              groupAllowFrom: {
                type: 'array',
                items: { anyOf: [{ type: 'string' }, { type: 'number' }] },
                description: 'Senders that may talk to the agent in groups.',
              },
              groups: {
                type: 'object',
                description: 'Chat groups by id; * is any other group.',
                additionalProperties: { $ref: '#/$defs/ChatGroup' },
              },
            },
            additionalProperties: true,
          },
        },
      },
      additionalProperties: true,
      title: 'Channel',
    },
    ChatGroup: {
      type: 'object',
      properties: {
        tools: { $ref: '#/$defs/ToolPolicy', description: 'Lists for the group.' },
        toolsBySender: {
          type: 'object',
          description:
            'Tool lists per sender. Keys: channel:<channel>:<id>, id:, e164:, username:, name:, or *. The first match is used alone.',
          additionalProperties: { anyOf: [{ $ref: '#/$defs/ToolPolicy' }, { type: 'null' }] },
        },
      },
      additionalProperties: true,
      title: 'ChatGroup',
      'x-misplaced': { allow: 'tools.allow', alsoAllow: 'tools.alsoAllow', deny: 'tools.deny' },
      'x-slips': true,
    },
    CodeMode: {
      anyOf: [
        { type: 'boolean' },
        { enum: ['auto'], 'x-edition': '2026.9' },
        {
          type: 'object',
          properties: {
            enabled: {
              anyOf: [{ type: 'boolean' }, { enum: ['auto'], 'x-edition': '2026.9' }],
              description: 'Use code mode.',
            },
            mode: { type: 'string', description: 'How code mode is offered.' },
            runtime: { type: 'string', description: 'Guest runtime.', 'x-edition': '2026.7' },
            languages: {
              type: 'array',
              items: { type: 'string' },
              description: 'Languages a guest may use.',
              'x-edition': '2026.7',
            },
            executor: { enum: ['node', 'quickjs'], description: 'Guest runtime.', 'x-edition': '2026.9' },
          },
          additionalProperties: true,
        },
      ],
      title: 'CodeMode',
    },
    Elevated: {
      type: 'object',
      properties: {
        enabled: {
          type: 'boolean',
          description: 'Let allowed senders run commands outside the sandbox.',
          default: true,
        },
        allowFrom: {
          type: 'object',
          description: 'Senders per channel; * is everyone.',
          additionalProperties: { type: 'array', items: { anyOf: [{ type: 'string' }, { type: 'number' }] } },
        },
      },
      additionalProperties: false,
      title: 'Elevated',
    },
    Exec: {
      type: 'object',
      properties: {
        host: {
          enum: ['auto', 'sandbox', 'gateway', 'node'],
          description: 'Where commands run.',
          default: 'auto',
          'x-words': { local: 'gateway', host: 'gateway', docker: 'sandbox', container: 'sandbox' },
        },
        mode: {
          enum: ['deny', 'allowlist', 'ask', 'auto', 'full'],
          description: 'Security and ask in one word. Cannot be combined with either.',
        },
        security: {
          enum: ['deny', 'allowlist', 'full'],
          description: 'Which commands may run.',
          default: 'full',
          'x-words': { allow: 'full', none: 'deny', whitelist: 'allowlist' },
        },
        ask: {
          enum: ['off', 'on-miss', 'always'],
          description: 'When a command needs an approval.',
          default: 'off',
          'x-words': { never: 'off', false: 'off', true: 'always', on: 'always' },
        },
        node: { type: 'string', description: 'Node that runs commands when host is node.' },
        pathPrepend: {
          type: 'array',
          items: { type: 'string' },
          description: 'Directories put in front of PATH.',
        },
        safeBins: {
          type: 'array',
          items: { type: 'string' },
          description: 'Programs that may read stdin without an allowlist entry.',
        },
        safeBinTrustedDirs: {
          type: 'array',
          items: { type: 'string' },
          description: 'Directories a safe program may come from.',
        },
        safeBinProfiles: {
          type: 'object',
          description: 'Arguments a safe program may take.',
          additionalProperties: { type: 'object', properties: {}, additionalProperties: true },
        },
        strictInlineEval: {
          type: 'boolean',
          description: 'Ask for an approval when a command carries code (-c, -e).',
        },
        commandHighlighting: { type: 'boolean', description: 'Highlight commands in approval prompts.' },
        reviewer: {
          type: 'object',
          properties: {
            model: { type: 'string', description: 'Model that reviews commands in mode auto.' },
            timeoutMs: {
              type: 'integer',
              minimum: 1,
              description: 'Time a review may take, in milliseconds.',
            },
            thinking: {
              type: 'string',
              description: 'Thinking level of the reviewer.',
              'x-edition': '2026.9',
            },
            fastMode: {
              type: 'boolean',
              description: 'Let the reviewer answer in fast mode.',
              'x-edition': '2026.9',
            },
          },
          additionalProperties: false,
          description: 'Model that reviews commands in mode auto.',
        },
        backgroundMs: {
          type: 'integer',
          minimum: 0,
          description: 'Milliseconds after which a command goes on in the background.',
        },
        timeoutSec: {
          type: 'number',
          minimum: 0,
          description: 'Seconds a command may run.',
          'x-edition': '2026.7',
          'x-instead': 'timeoutSeconds',
        },
        timeoutSeconds: {
          type: 'number',
          minimum: 0,
          description: 'Seconds a command may run.',
          'x-edition': '2026.9',
          'x-instead': 'timeoutSec',
        },
        grantExpiryDays: {
          type: 'number',
          minimum: 0,
          description: 'Days after which a lasting approval ends.',
          'x-edition': '2026.9',
        },
        cleanupMs: {
          type: 'integer',
          minimum: 1,
          description: 'Milliseconds a finished background command stays listed.',
        },
        notifyOnExit: { type: 'boolean', description: 'Tell the session when a background command ends.' },
        notifyOnExitEmptySuccess: {
          type: 'boolean',
          description: 'Tell it also when the command succeeded without output.',
        },
        applyPatch: {
          type: 'object',
          properties: {
            enabled: { type: 'boolean', description: 'Offer apply_patch.', default: true },
            workspaceOnly: {
              type: 'boolean',
              description: 'Keep patches inside the workspace.',
              default: true,
            },
            allowModels: {
              type: 'array',
              items: { type: 'string' },
              description: 'Models that get apply_patch: id or provider/model. Empty means every model.',
            },
          },
          additionalProperties: false,
          description: 'The apply_patch tool.',
        },
        approvalRunningNoticeMs: {
          type: 'integer',
          minimum: 0,
          description: 'Milliseconds after which a waiting approval is announced.',
          'x-edition': '2026.9',
        },
      },
      additionalProperties: false,
      title: 'Exec',
      'x-misplaced': {
        bash: 'tools.exec',
        profile: 'tools.profile',
        allow: 'tools.allow',
        deny: 'tools.deny',
      },
      'x-rule': 'exec-mode-alone',
      not: { required: ['mode'], anyOf: [{ required: ['security'] }, { required: ['ask'] }] },
    },
    Heartbeat: {
      type: 'object',
      properties: {
        every: {
          type: 'string',
          description: 'How often the agent looks around by itself, as 30m or 2h; 0m is never.',
        },
        prompt: { type: 'string', description: 'What it is told then.' },
        session: {
          type: 'string',
          description: 'Session it happens in; else the main session of the agent.',
        },
        model: { type: 'string', description: 'Model of these runs.' },
        target: {
          type: 'string',
          description:
            'Where what it has to say goes: none, last (the conversation of the session), or a channel.',
        },
        to: { type: 'string', description: 'Conversation of that channel.' },
        accountId: { type: 'string', description: 'Account of that channel.' },
        ackMaxChars: {
          type: 'integer',
          minimum: 0,
          description: 'Characters that an answer of HEARTBEAT_OK may have besides.',
        },
        activeHours: { $ref: '#/$defs/ActiveHours', description: 'When heartbeats may happen.' },
      },
      additionalProperties: true,
      title: 'Heartbeat',
      'x-slips': true,
    },
    LoopDetection: {
      type: 'object',
      properties: {
        enabled: {
          type: 'boolean',
          description: 'Stop calls that repeat without progress.',
          'x-defaults': { '2026.7': false, '2026.9': true },
        },
        historySize: {
          type: 'integer',
          minimum: 1,
          description: 'Calls that are remembered.',
          default: 30,
          'x-edition': '2026.7',
        },
        warningThreshold: {
          type: 'integer',
          minimum: 1,
          description: 'Repeats before a warning.',
          default: 10,
          'x-edition': '2026.7',
        },
        unknownToolThreshold: {
          type: 'integer',
          minimum: 1,
          description: 'Calls of an unknown tool before it is blocked.',
          default: 10,
          'x-edition': '2026.7',
        },
        criticalThreshold: {
          type: 'integer',
          minimum: 1,
          description: 'Repeats before a call is blocked.',
          default: 20,
          'x-edition': '2026.7',
        },
        globalCircuitBreakerThreshold: {
          type: 'integer',
          minimum: 1,
          description: 'Repeats before the run is stopped.',
          default: 30,
          'x-edition': '2026.7',
        },
        detectors: {
          type: 'object',
          properties: {
            genericRepeat: { type: 'boolean', description: 'Identical calls.', default: true },
            knownPollNoProgress: { type: 'boolean', description: 'Polling without progress.', default: true },
            pingPong: { type: 'boolean', description: 'Two calls in turn without progress.', default: true },
          },
          additionalProperties: false,
          description: 'Detectors that run.',
          'x-edition': '2026.7',
        },
        postCompactionGuard: {
          type: 'object',
          properties: {
            windowSize: {
              type: 'integer',
              minimum: 1,
              description: 'Identical calls after a compaction before the run ends.',
              default: 3,
            },
          },
          additionalProperties: false,
          description: 'Guard after a compaction.',
          'x-edition': '2026.7',
        },
      },
      additionalProperties: false,
      title: 'LoopDetection',
      'x-rule': 'loop-thresholds',
      'x-clean': {
        not: {
          anyOf: [
            { required: ['warningThreshold', 'criticalThreshold'] },
            { required: ['criticalThreshold', 'globalCircuitBreakerThreshold'] },
          ],
        },
      },
    },
    McpServer: {
      type: 'object',
      properties: {
        enabled: { type: 'boolean', description: 'Start and offer the server.', default: true },
        command: { type: 'string', description: 'Program of a stdio server; wins over url.' },
        args: { type: 'array', items: { type: 'string' }, description: 'Its arguments.' },
        env: {
          type: 'object',
          description: 'Its environment.',
          'x-sensitive': true,
          additionalProperties: {
            anyOf: [
              { type: 'string' },
              { type: 'number' },
              { type: 'boolean' },
              { type: 'object', properties: {}, additionalProperties: true },
            ],
          },
        },
        cwd: { type: 'string', description: 'Its working directory.' },
        workingDirectory: { type: 'string', description: 'Same as cwd.' },
        url: { type: 'string', description: 'Address of a remote server (http or https).' },
        transport: {
          enum: ['sse', 'streamable-http', 'stdio'],
          description: 'How to talk to it. Unset for a url: streamable-http is tried first, then sse.',
        },
        type: {
          enum: ['http', 'sse', 'streamable-http', 'stdio'],
          description: 'Other spelling of transport; http means streamable-http.',
        },
        headers: {
          type: 'object',
          description: 'Request headers.',
          'x-sensitive': true,
          additionalProperties: {
            anyOf: [{ type: 'string' }, { type: 'object', properties: {}, additionalProperties: true }],
          },
        },
        auth: {
          anyOf: [{ enum: ['oauth'] }, { type: 'object', properties: {}, additionalProperties: true }],
          description: 'How to log in.',
        },
        oauth: {
          type: 'object',
          properties: {
            scope: { type: 'string', description: 'Scopes asked for.' },
            redirectUrl: { type: 'string', description: 'Where the browser returns to.' },
            clientMetadataUrl: { type: 'string', description: 'Address of the client metadata.' },
          },
          additionalProperties: true,
          description: 'OAuth settings.',
        },
        sslVerify: { type: 'boolean', description: 'Check the certificate.', default: true },
        clientCert: { type: 'string', description: 'Client certificate file.' },
        clientKey: { type: 'string', description: 'File with its key.' },
        timeout: { type: 'number', minimum: 0, description: 'Seconds a request may take.', default: 60 },
        requestTimeoutMs: { type: 'integer', minimum: 1, description: 'The same in milliseconds.' },
        connectTimeout: {
          type: 'number',
          minimum: 0,
          description: 'Seconds a connection may take.',
          default: 30,
        },
        connectionTimeoutMs: { type: 'integer', minimum: 1, description: 'The same in milliseconds.' },
        supportsParallelToolCalls: {
          type: 'boolean',
          description: 'Calls may run side by side.',
          default: false,
        },
        toolFilter: {
          type: 'object',
          properties: {
            include: {
              type: 'array',
              items: { type: 'string' },
              description: "Only these of the server's tools; * is a wildcard.",
            },
            exclude: {
              type: 'array',
              items: { type: 'string' },
              description: 'None of these; wins over include.',
            },
          },
          additionalProperties: false,
          'x-misplaced': { allow: 'include', deny: 'exclude' },
          description: 'Which tools of the server are offered.',
        },
        codex: { type: 'object', description: 'Settings for the Codex harness.', additionalProperties: {} },
        name: { type: 'string', description: 'Display name.' },
        description: { type: 'string', description: 'What the server is for.' },
      },
      additionalProperties: false,
      title: 'McpServer',
      'x-misplaced': {
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
      'x-lint': 'mcp-server',
      'x-clean': {
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
    },
    MemorySearch: {
      type: 'object',
      properties: {
        enabled: { type: 'boolean', description: 'Let the memory tools search and read.', default: true },
        extraPaths: {
          type: 'array',
          items: { type: 'string' },
          description: 'Markdown files and folders besides MEMORY.md and memory/, from the workspace.',
        },
      },
      additionalProperties: true,
      title: 'MemorySearch',
      'x-slips': true,
    },
    MessageTool: {
      type: 'object',
      properties: {
        allowCrossContextSend: {
          type: 'boolean',
          description: 'Let a session send to other conversations.',
          'x-edition': '2026.7',
          'x-instead': 'crossContext',
        },
        crossContext: {
          type: 'object',
          properties: {
            allowWithinProvider: { type: 'boolean', description: 'Other conversations of the same channel.' },
            allowAcrossProviders: { type: 'boolean', description: 'Conversations of other channels.' },
            marker: {
              type: 'object',
              properties: {
                enabled: { type: 'boolean', description: 'Mark such messages.' },
                prefix: { type: 'string', description: 'Text put before them.' },
                suffix: { type: 'string', description: 'Text put after them.' },
              },
              additionalProperties: false,
              description: 'Mark on messages from another conversation.',
            },
          },
          additionalProperties: false,
          description: 'Sending to other conversations.',
        },
        actions: {
          type: 'object',
          properties: {
            allow: {
              type: 'array',
              items: { type: 'string' },
              description: 'Channel actions the tool may take.',
            },
          },
          additionalProperties: false,
          description: 'Channel actions.',
        },
        broadcast: {
          type: 'object',
          properties: { enabled: { type: 'boolean', description: 'Let the tool send to many targets.' } },
          additionalProperties: false,
          description: 'Broadcasts.',
        },
      },
      additionalProperties: false,
      title: 'MessageTool',
    },
    ModelSelection: {
      anyOf: [
        { type: 'string' },
        {
          type: 'object',
          properties: {
            primary: { type: 'string', description: 'Model as provider/model.' },
            fallbacks: {
              type: 'array',
              items: { type: 'string' },
              description: 'Models tried when it fails.',
            },
          },
          additionalProperties: true,
          'x-slips': true,
        },
      ],
      title: 'ModelSelection',
    },
    OutboxChannel: {
      type: 'object',
      properties: {
        enabled: { type: 'boolean', description: 'Use the account.' },
        allowFrom: {
          type: 'array',
          items: { anyOf: [{ type: 'string' }, { type: 'number' }] },
          description: 'Senders that may talk to the agent; * is everyone.',
        },
        groupAllowFrom: {
          type: 'array',
          items: { anyOf: [{ type: 'string' }, { type: 'number' }] },
          description: 'Senders that may talk to the agent in groups.',
        },
        groups: {
          type: 'object',
          description: 'Chat groups by id; * is any other group.',
          additionalProperties: { $ref: '#/$defs/ChatGroup' },
        },
        file: {
          type: 'string',
          description: 'File that messages are appended to, from the state directory.',
        },
        maxFileBytes: {
          type: 'integer',
          minimum: 1024,
          description: 'Size at which the file gives way to a new one.',
        },
        defaultAccount: { type: 'string', description: 'Account used when nothing names one.' },
        accounts: {
          type: 'object',
          description: 'Files by id.',
          additionalProperties: {
            type: 'object',
            properties: {
              enabled: { type: 'boolean', description: 'Use the account.' },
              allowFrom: {
                type: 'array',
                items: { anyOf: [{ type: 'string' }, { type: 'number' }] },
                description: 'Senders that may talk to the agent; * is everyone.',
              },
              groupAllowFrom: {
                type: 'array',
                items: { anyOf: [{ type: 'string' }, { type: 'number' }] },
                description: 'Senders that may talk to the agent in groups.',
              },
              groups: {
                type: 'object',
                description: 'Chat groups by id; * is any other group.',
                additionalProperties: { $ref: '#/$defs/ChatGroup' },
              },
              file: {
                type: 'string',
                description: 'File that messages are appended to, from the state directory.',
              },
              maxFileBytes: {
                type: 'integer',
                minimum: 1024,
                description: 'Size at which the file gives way to a new one.',
              },
            },
            additionalProperties: true,
          },
        },
      },
      additionalProperties: true,
      title: 'OutboxChannel',
    },
    PluginEntry: {
      type: 'object',
      properties: {
        enabled: { type: 'boolean', description: 'Use the plugin.' },
        config: {
          type: 'object',
          description: 'Settings of the plugin; its manifest says which.',
          additionalProperties: {},
        },
        apiKey: {
          anyOf: [{ type: 'string' }, { type: 'object', properties: {}, additionalProperties: true }],
          description: 'Key the plugin uses.',
          'x-sensitive': true,
        },
        env: {
          type: 'object',
          description: 'Environment of the plugin.',
          'x-sensitive': true,
          additionalProperties: {},
        },
        hooks: { type: 'object', description: 'Hooks the plugin may use.', additionalProperties: {} },
        subagent: {
          type: 'object',
          description: 'Subagents the plugin may start.',
          additionalProperties: {},
        },
        llm: { type: 'object', description: 'Models the plugin may use.', additionalProperties: {} },
      },
      additionalProperties: false,
      title: 'PluginEntry',
      'x-misplaced': { disabled: 'enabled', settings: 'config', options: 'config' },
    },
    ProviderToolPolicy: {
      type: 'object',
      properties: {
        profile: {
          enum: ['minimal', 'coding', 'messaging', 'full'],
          description:
            'Named base allow list; the other lists narrow it, alsoAllow widens it. Unset means no profile.',
          'x-words': {
            default: 'full',
            all: 'full',
            any: 'full',
            everything: 'full',
            unrestricted: 'full',
            '*': 'full',
            none: 'minimal',
            safe: 'minimal',
            restricted: 'minimal',
            readonly: 'minimal',
            developer: 'coding',
            dev: 'coding',
            chat: 'messaging',
            messages: 'messaging',
          },
        },
        allow: {
          type: 'array',
          items: { type: 'string' },
          description:
            'Only these tools: names, globs with *, group:…, plugin ids. An empty list restricts nothing.',
        },
        alsoAllow: {
          type: 'array',
          items: { type: 'string' },
          description:
            'Added to the profile, and to the allow list where one is inherited. Alone it never restricts.',
        },
        deny: {
          type: 'array',
          items: { type: 'string' },
          description: 'Never these tools. Deny beats every allow, at every level.',
        },
      },
      additionalProperties: false,
      title: 'ProviderToolPolicy',
      'x-misplaced': {
        denied: 'deny',
        blocked: 'deny',
        block: 'deny',
        blocklist: 'deny',
        exclude: 'deny',
        disabled: 'deny',
        include: 'allow',
        enabled: 'allow',
        allowlist: 'allow',
      },
      'x-rule': 'one-allow-list',
      not: {
        required: ['allow', 'alsoAllow'],
        properties: { allow: { type: 'array', minItems: 1 }, alsoAllow: { type: 'array', minItems: 1 } },
      },
    },
    Sandbox: {
      type: 'object',
      properties: {
        mode: {
          enum: ['off', 'non-main', 'all'],
          description: 'Which sessions run in a sandbox.',
          default: 'off',
          'x-words': {
            on: 'all',
            true: 'all',
            always: 'all',
            enabled: 'all',
            strict: 'all',
            false: 'off',
            none: 'off',
            never: 'off',
            disabled: 'off',
            lenient: 'non-main',
            relaxed: 'non-main',
          },
        },
        scope: { enum: ['session', 'agent', 'shared'], description: 'What shares one sandbox.' },
        workspaceAccess: {
          enum: ['none', 'ro', 'rw'],
          description: 'How the sandbox sees the workspace.',
          default: 'none',
        },
        sessionToolsVisibility: {
          enum: ['spawned', 'all'],
          description: 'Sessions a sandboxed session may see.',
          default: 'spawned',
        },
        backend: {
          enum: ['auto', 'bubblewrap', 'docker'],
          description: 'What makes the sandbox; auto is bubblewrap where it starts.',
          default: 'auto',
          'x-words': {
            bwrap: 'bubblewrap',
            namespace: 'bubblewrap',
            namespaces: 'bubblewrap',
            container: 'docker',
            podman: 'docker',
          },
        },
        network: {
          type: 'boolean',
          description: 'Let commands in a bubblewrap sandbox use the network of this machine.',
          default: false,
        },
        paths: {
          type: 'array',
          items: { type: 'string' },
          description: 'More directories that a bubblewrap sandbox can read, such as /opt.',
        },
        limits: {
          type: 'object',
          properties: {
            processes: {
              type: 'integer',
              minimum: 8,
              description: 'Processes and threads of one sandbox at the same time.',
              default: 512,
            },
            memoryMb: {
              type: 'integer',
              minimum: 64,
              description:
                'Memory in MiB: of the sandbox where cgroups can be used, of each process in any case.',
              default: 2048,
            },
            tmpMb: { type: 'integer', minimum: 1, description: 'Size of /tmp in MiB.', default: 256 },
            fileMb: {
              type: 'integer',
              minimum: 1,
              description: 'Largest file that can be written, in MiB.',
              default: 1024,
            },
          },
          additionalProperties: true,
          description: 'What a sandbox may use.',
        },
        docker: {
          type: 'object',
          properties: {
            image: { type: 'string', description: 'Image that commands run in.' },
            network: {
              type: 'string',
              description: 'Network of the container; none unless one is named. host is refused.',
            },
            user: { type: 'string', description: 'User in the container, as uid:gid.' },
            env: {
              type: 'object',
              description: 'Variables that commands get.',
              'x-sensitive': true,
              additionalProperties: {},
            },
            binds: {
              type: 'array',
              items: { type: 'string' },
              description: 'More directories, as /host:/container:ro.',
            },
          },
          additionalProperties: true,
          description: 'The docker backend.',
        },
      },
      additionalProperties: true,
      title: 'Sandbox',
      'x-misplaced': {
        tools: 'tools.sandbox.tools',
        allow: 'tools.sandbox.tools.allow',
        alsoAllow: 'tools.sandbox.tools.alsoAllow',
        deny: 'tools.sandbox.tools.deny',
      },
      'x-slips': true,
    },
    Subagents: {
      type: 'object',
      properties: {
        maxSpawnDepth: {
          type: 'integer',
          minimum: 1,
          maximum: 5,
          description: 'How deep agents may spawn agents; the last level is a leaf.',
          'x-defaults': { '2026.7': 1, '2026.9': 5 },
        },
        maxConcurrent: { type: 'integer', minimum: 1, description: 'Subagents that run at once.' },
        allowAgents: {
          type: 'array',
          items: { type: 'string' },
          description: 'Agents that may be spawned; * is any.',
        },
        model: { $ref: '#/$defs/ModelSelection', description: 'Model of the subagents.' },
      },
      additionalProperties: true,
      title: 'Subagents',
      'x-slips': true,
    },
    ToolPolicy: {
      type: 'object',
      properties: {
        allow: {
          type: 'array',
          items: { type: 'string' },
          description:
            'Only these tools: names, globs with *, group:…, plugin ids. An empty list restricts nothing.',
        },
        alsoAllow: {
          type: 'array',
          items: { type: 'string' },
          description:
            'Added to the profile, and to the allow list where one is inherited. Alone it never restricts.',
        },
        deny: {
          type: 'array',
          items: { type: 'string' },
          description: 'Never these tools. Deny beats every allow, at every level.',
        },
      },
      additionalProperties: false,
      title: 'ToolPolicy',
      'x-misplaced': {
        denied: 'deny',
        blocked: 'deny',
        block: 'deny',
        blocklist: 'deny',
        exclude: 'deny',
        disabled: 'deny',
        include: 'allow',
        enabled: 'allow',
        allowlist: 'allow',
      },
      'x-rule': 'one-allow-list',
      not: {
        required: ['allow', 'alsoAllow'],
        properties: { allow: { type: 'array', minItems: 1 }, alsoAllow: { type: 'array', minItems: 1 } },
      },
    },
    Tools: {
      type: 'object',
      properties: {
        profile: {
          enum: ['minimal', 'coding', 'messaging', 'full'],
          description:
            'Named base allow list; the other lists narrow it, alsoAllow widens it. Unset means no profile.',
          'x-words': {
            default: 'full',
            all: 'full',
            any: 'full',
            everything: 'full',
            unrestricted: 'full',
            '*': 'full',
            none: 'minimal',
            safe: 'minimal',
            restricted: 'minimal',
            readonly: 'minimal',
            developer: 'coding',
            dev: 'coding',
            chat: 'messaging',
            messages: 'messaging',
          },
        },
        allow: {
          type: 'array',
          items: { type: 'string' },
          description:
            'Only these tools: names, globs with *, group:…, plugin ids. An empty list restricts nothing.',
        },
        alsoAllow: {
          type: 'array',
          items: { type: 'string' },
          description:
            'Added to the profile, and to the allow list where one is inherited. Alone it never restricts.',
        },
        deny: {
          type: 'array',
          items: { type: 'string' },
          description: 'Never these tools. Deny beats every allow, at every level.',
        },
        byProvider: {
          type: 'object',
          description:
            'Tool lists per provider or provider/model. The provider/model key is used instead of the provider key.',
          additionalProperties: { $ref: '#/$defs/ProviderToolPolicy' },
        },
        toolsBySender: {
          type: 'object',
          description:
            'Tool lists per sender. Keys: channel:<channel>:<id>, id:, e164:, username:, name:, or *. The first match is used alone.',
          additionalProperties: { anyOf: [{ $ref: '#/$defs/ToolPolicy' }, { type: 'null' }] },
        },
        sandbox: {
          type: 'object',
          properties: { tools: { $ref: '#/$defs/ToolPolicy', description: 'Lists for sandboxed sessions.' } },
          additionalProperties: false,
          description: 'Lists for sandboxed sessions; each list replaces the built-in one.',
          'x-misplaced': {
            allow: 'sandbox.tools.allow',
            alsoAllow: 'sandbox.tools.alsoAllow',
            deny: 'sandbox.tools.deny',
          },
        },
        elevated: {
          $ref: '#/$defs/Elevated',
          description: 'Elevated exec. It never restores a denied exec.',
        },
        fs: {
          type: 'object',
          properties: {
            workspaceOnly: {
              type: 'boolean',
              description: 'Keep file tools inside the workspace.',
              default: false,
            },
          },
          additionalProperties: false,
          description: 'File tools. The section never makes a tool visible.',
        },
        loopDetection: {
          $ref: '#/$defs/LoopDetection',
          description: 'Loop detection. It blocks calls, never visibility.',
        },
        codeMode: {
          $ref: '#/$defs/CodeMode',
          description: 'Code mode. Recognised, but not run by this program.',
          'x-defaults': { '2026.7': false, '2026.9': 'auto' },
        },
        message: { $ref: '#/$defs/MessageTool', description: 'The message tool.' },
        exec: {
          $ref: '#/$defs/Exec',
          description: 'How commands run. The section never makes a tool visible.',
        },
        subagents: {
          type: 'object',
          properties: { tools: { $ref: '#/$defs/ToolPolicy', description: 'Lists for subagents.' } },
          additionalProperties: false,
          'x-misplaced': {
            allow: 'tools.subagents.tools.allow',
            alsoAllow: 'tools.subagents.tools.alsoAllow',
            deny: 'tools.subagents.tools.deny',
            maxSpawnDepth: 'agents.defaults.subagents.maxSpawnDepth',
          },
          description: 'Lists for subagents, on top of the built-in denies.',
        },
        toolSearch: {
          anyOf: [
            { type: 'boolean' },
            {
              type: 'object',
              properties: {
                enabled: {
                  type: 'boolean',
                  description:
                    'Put tools behind search. Unset: on as soon as another key of this object is set.',
                },
                mode: {
                  enum: ['code', 'tools', 'directory'],
                  description: 'How the model searches.',
                  default: 'code',
                },
                codeTimeoutMs: {
                  type: 'integer',
                  minimum: 1,
                  description: 'Milliseconds a snippet may run; kept within 1000 to 60000.',
                  default: 10000,
                },
                searchDefaultLimit: {
                  type: 'integer',
                  minimum: 1,
                  description: 'Hits of a search that names no limit; at most maxSearchLimit.',
                  default: 8,
                },
                maxSearchLimit: {
                  type: 'integer',
                  minimum: 1,
                  description: 'Most hits a search may ask for; kept within 1 to 50.',
                  default: 20,
                },
              },
              additionalProperties: false,
            },
          ],
          description: 'Tool Search: keep most tool schemas out of the request and let the model find them.',
          'x-defaults': { '2026.7': false, '2026.9': { enabled: true, mode: 'tools' } },
        },
        web: {
          type: 'object',
          properties: {
            search: {
              type: 'object',
              properties: {
                enabled: { type: 'boolean', description: 'Offer web_search.', default: true },
                provider: { type: 'string', description: 'Search provider.' },
                maxResults: { type: 'integer', minimum: 1, description: 'Hits of one search.', default: 5 },
                timeoutSeconds: {
                  type: 'integer',
                  minimum: 1,
                  description: 'Seconds a search may take.',
                  default: 30,
                },
                cacheTtlMinutes: {
                  type: 'integer',
                  minimum: 0,
                  description: 'Minutes a result is kept.',
                  default: 15,
                },
                apiKey: {
                  description: 'Key of the search provider.',
                  'x-edition': '2026.7',
                  'x-sensitive': true,
                },
                openaiCodex: {
                  type: 'object',
                  description: 'Search through the OpenAI Codex account.',
                  additionalProperties: {},
                },
              },
              additionalProperties: true,
              'x-lint': 'web-search-provider',
              'x-clean': {
                properties: {
                  brave: { not: {} },
                  firecrawl: { not: {} },
                  gemini: { not: {} },
                  grok: { not: {} },
                  kimi: { not: {} },
                  perplexity: { not: {} },
                },
              },
              description: 'The web_search tool.',
            },
            fetch: {
              type: 'object',
              properties: {
                enabled: { type: 'boolean', description: 'Offer web_fetch.', default: true },
                provider: { type: 'string', description: 'Fetch provider.' },
                maxChars: {
                  type: 'integer',
                  minimum: 1,
                  description: 'Characters handed to the model.',
                  default: 50000,
                },
                maxCharsCap: {
                  type: 'integer',
                  minimum: 1,
                  description: 'Most characters a call may ask for.',
                },
                maxResponseBytes: {
                  type: 'integer',
                  minimum: 1,
                  description: 'Bytes that are downloaded.',
                  default: 2000000,
                },
                timeoutSeconds: {
                  type: 'integer',
                  minimum: 1,
                  description: 'Seconds a fetch may take.',
                  default: 30,
                },
                cacheTtlMinutes: {
                  type: 'integer',
                  minimum: 0,
                  description: 'Minutes a page is kept.',
                  default: 15,
                },
                maxRedirects: {
                  type: 'integer',
                  minimum: 0,
                  description: 'Redirects that are followed.',
                  default: 5,
                },
                userAgent: { type: 'string', description: 'User-Agent header.' },
                headers: {
                  type: 'object',
                  description: 'More request headers.',
                  'x-edition': '2026.9',
                  additionalProperties: {},
                },
                readability: {
                  type: 'boolean',
                  description: 'Extract the main text of a page.',
                  default: true,
                },
                useTrustedEnvProxy: {
                  type: 'boolean',
                  description:
                    'Go through the proxy of the environment, which then finds the addresses of names.',
                  default: false,
                },
                ssrfPolicy: {
                  type: 'object',
                  properties: {
                    allowedHostnames: {
                      type: 'array',
                      items: { type: 'string' },
                      description:
                        'Hosts (host or host:port) that may be reached although their address is private.',
                    },
                    dangerouslyAllowPrivateNetwork: {
                      type: 'boolean',
                      description: 'Let every private address be reached, and every service on it.',
                      default: false,
                    },
                  },
                  additionalProperties: true,
                  description:
                    'Private addresses that may be reached. The metadata services of clouds never may.',
                },
                firecrawl: {
                  type: 'object',
                  description: 'Fetch through Firecrawl.',
                  'x-edition': '2026.7',
                  additionalProperties: {},
                },
              },
              additionalProperties: false,
              description: 'The web_fetch tool.',
            },
            x_search: {
              type: 'object',
              description: 'The x_search tool.',
              'x-edition': '2026.7',
              additionalProperties: {},
            },
          },
          additionalProperties: false,
          description: 'Web tools.',
        },
        agentToAgent: {
          type: 'object',
          properties: {
            enabled: {
              type: 'boolean',
              description: 'Let agents message each other.',
              'x-defaults': { '2026.7': false, '2026.9': true },
            },
            allow: {
              type: 'array',
              items: { type: 'string' },
              description: 'Agent ids that may; both sides must match. Empty means all.',
            },
          },
          additionalProperties: false,
          description: 'Messages between agents.',
        },
        sessions: {
          type: 'object',
          properties: {
            visibility: {
              enum: ['self', 'tree', 'agent', 'all'],
              description: 'Sessions the session tools may see.',
              'x-defaults': { '2026.7': 'tree', '2026.9': 'all' },
            },
          },
          additionalProperties: false,
          description: 'Session tools.',
        },
        sessions_spawn: {
          type: 'object',
          properties: {
            attachments: {
              type: 'object',
              properties: {
                enabled: { type: 'boolean', description: 'Let a parent hand files to a child.' },
                maxTotalBytes: { type: 'integer', minimum: 1, description: 'Bytes of all files.' },
                maxFiles: { type: 'integer', minimum: 1, description: 'Number of files.' },
                maxFileBytes: { type: 'integer', minimum: 1, description: 'Bytes of one file.' },
                retainOnSessionKeep: { type: 'boolean', description: 'Keep the files with a kept session.' },
              },
              additionalProperties: false,
              description: 'Files handed to a child session.',
            },
          },
          additionalProperties: false,
          description: 'The sessions_spawn tool.',
        },
        experimental: {
          type: 'object',
          properties: {
            planTool: {
              type: 'boolean',
              description: 'Offer update_plan to every model.',
              'x-edition': '2026.7',
              'x-instead': 'tools.updatePlan',
            },
          },
          additionalProperties: false,
          description: 'Features under test.',
        },
        updatePlan: {
          type: 'boolean',
          description: 'Offer progress_card.',
          'x-edition': '2026.9',
          'x-instead': 'tools.experimental.planTool',
        },
        media: { type: 'object', description: 'Media understanding.', additionalProperties: {} },
        links: { type: 'object', description: 'Link understanding.', additionalProperties: {} },
        swarm: {
          type: 'object',
          properties: { enabled: { type: 'boolean', description: 'Offer agents_wait.', default: false } },
          additionalProperties: true,
          description: 'Collector children.',
          'x-edition': '2026.9',
        },
        github: {
          type: 'object',
          description: 'GitHub identity and publication.',
          'x-edition': '2026.9',
          additionalProperties: {},
        },
      },
      additionalProperties: false,
      title: 'Tools',
      'x-misplaced': {
        denied: 'deny',
        blocked: 'deny',
        block: 'deny',
        blocklist: 'deny',
        exclude: 'deny',
        disabled: 'deny',
        include: 'allow',
        enabled: 'allow',
        allowlist: 'allow',
        bash: 'tools.exec',
        mcp: 'mcp.servers',
        mcpServers: 'mcp.servers',
        search: 'tools.toolSearch',
        profiles: 'tools.profile',
        ownerAllowFrom: 'commands.ownerAllowFrom',
      },
      'x-rule': 'one-allow-list',
      not: {
        required: ['allow', 'alsoAllow'],
        properties: { allow: { type: 'array', minItems: 1 }, alsoAllow: { type: 'array', minItems: 1 } },
      },
    },
    WebhookChannel: {
      type: 'object',
      properties: {
        enabled: { type: 'boolean', description: 'Use the account.' },
        allowFrom: {
          type: 'array',
          items: { anyOf: [{ type: 'string' }, { type: 'number' }] },
          description: 'Senders that may talk to the agent; * is everyone.',
        },
        groupAllowFrom: {
          type: 'array',
          items: { anyOf: [{ type: 'string' }, { type: 'number' }] },
          description: 'Senders that may talk to the agent in groups.',
        },
        groups: {
          type: 'object',
          description: 'Chat groups by id; * is any other group.',
          additionalProperties: { $ref: '#/$defs/ChatGroup' },
        },
        url: { type: 'string', description: 'Address that messages are posted to, as JSON.' },
        secret: {
          anyOf: [{ type: 'string' }, { type: 'object', properties: {}, additionalProperties: true }],
          description: 'Key of the HMAC-SHA256 signature in the header x-openclaw-signature.',
          'x-sensitive': true,
        },
        headers: {
          type: 'object',
          description: 'More request headers.',
          'x-sensitive': true,
          additionalProperties: {},
        },
        timeoutSeconds: {
          type: 'number',
          minimum: 0,
          description: 'How long one attempt may take.',
          default: 10,
        },
        retries: {
          type: 'integer',
          minimum: 0,
          maximum: 10,
          description: 'Attempts after a first one that failed.',
          default: 3,
        },
        defaultAccount: { type: 'string', description: 'Account used when nothing names one.' },
        accounts: {
          type: 'object',
          description: 'Receivers by id.',
          additionalProperties: {
            type: 'object',
            properties: {
              enabled: { type: 'boolean', description: 'Use the account.' },
              allowFrom: {
                type: 'array',
                items: { anyOf: [{ type: 'string' }, { type: 'number' }] },
                description: 'Senders that may talk to the agent; * is everyone.',
              },
              groupAllowFrom: {
                type: 'array',
                items: { anyOf: [{ type: 'string' }, { type: 'number' }] },
                description: 'Senders that may talk to the agent in groups.',
              },
              groups: {
                type: 'object',
                description: 'Chat groups by id; * is any other group.',
                additionalProperties: { $ref: '#/$defs/ChatGroup' },
              },
              url: { type: 'string', description: 'Address that messages are posted to, as JSON.' },
              secret: {
                anyOf: [{ type: 'string' }, { type: 'object', properties: {}, additionalProperties: true }],
                description: 'Key of the HMAC-SHA256 signature in the header x-openclaw-signature.',
                'x-sensitive': true,
              },
              headers: {
                type: 'object',
                description: 'More request headers.',
                'x-sensitive': true,
                additionalProperties: {},
              },
              timeoutSeconds: {
                type: 'number',
                minimum: 0,
                description: 'How long one attempt may take.',
                default: 10,
              },
              retries: {
                type: 'integer',
                minimum: 0,
                maximum: 10,
                description: 'Attempts after a first one that failed.',
                default: 3,
              },
            },
            additionalProperties: true,
          },
        },
      },
      additionalProperties: true,
      title: 'WebhookChannel',
    },
  },
}
