import { Type, type Static } from 'typebox'
import { agents } from './schema/agents.ts'
import { anything, flag, open, optional, section, text, whole } from './schema/kit.ts'
import { channels } from './schema/channels.ts'
import { mcp } from './schema/mcp.ts'
import { plugins } from './schema/plugins.ts'
import { session } from './schema/session.ts'
import { commands, env, gateway, logging, models, secrets } from './schema/surroundings.ts'
import { ssrfPolicy } from './schema/tool-settings.ts'
import { tools } from './schema/tools.ts'

const otherSections = {
  accessGroups: section('Named groups of senders.'),
  acp: section('Agent Client Protocol.'),
  approvals: section('How approvals are asked for.'),
  audio: section('Audio.'),
  auth: section('Model accounts.'),
  bindings: Type.Optional(Type.Array(open({}), { description: 'Which agent answers where.' })),
  broadcast: section('Messages to many agents.'),
  canvasHost: section('Canvas server.'),
  cli: section('Command line.'),
  commitments: section('Promises the agent keeps.'),
  crestodian: section('Set-up helper.'),
  cron: optional(
    open({
      enabled: flag('Run jobs at their time.', { default: true }),
      maxConcurrentRuns: whole('Jobs that run at once.', { default: 2 }),
    }),
    'Scheduled runs.',
  ),
  diagnostics: section('Diagnostics.'),
  discovery: section('Discovery on the network.'),
  hooks: section('Webhooks and internal hooks.'),
  logging: Type.Optional(logging),
  media: section('Media.'),
  messages: section('Messages.'),
  nodeHost: section('This machine as a node.'),
  proxy: section('Network proxy.'),
  skills: section('Skills.'),
  surfaces: section('Surfaces.'),
  talk: section('Talk mode.'),
  transcripts: section('Transcripts.'),
  ui: section('User interface.'),
  update: section('Updates.'),
  web: section('Web client.'),
  wizard: section('State of the set-up.'),
}

/** The whole config after `$include` and `${VAR}`; the only source of its type, its checks, its JSON Schema and its defaults. */
export const configSchema = open(
  {
    $schema: text('Address of this schema, for editors.'),
    meta: optional(
      open({ lastTouchedVersion: text('Version that wrote the file; chooses the edition.') }),
      'About the file.',
    ),
    tools: Type.Optional(tools),
    agents: Type.Optional(agents),
    channels: Type.Optional(channels),
    plugins: Type.Optional(plugins),
    mcp: Type.Optional(mcp),
    models: Type.Optional(models),
    commands: Type.Optional(commands),
    session: Type.Optional(session),
    gateway: Type.Optional(gateway),
    env: Type.Optional(env),
    secrets: Type.Optional(secrets),
    browser: optional(
      open({
        enabled: flag('Use the browser tool.', { default: true }),
        executablePath: text('Browser to start; else Chromium or Chrome on the PATH.'),
        headless: flag('Show no window.', { default: true }),
        noSandbox: flag('Start it without its own sandbox, for containers that do not let it have one.', {
          default: false,
        }),
        ssrfPolicy,
      }),
      'The browser tool. The plugin browser brings it.',
    ),
    memory: optional(open({ search: anything('Memory search.') }), 'Memory.'),
    ...otherSections,
  },
  {
    misplaced: {
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
      ...Object.fromEntries(
        ['discord', 'imessage', 'msteams', 'signal', 'slack', 'telegram', 'whatsapp'].map((id) => [
          id,
          `channels.${id}`,
        ]),
      ),
    },
  },
)

/** The config as TypeBox derives it; `types.ts` makes it read-only. */
export type ConfigShape = Static<typeof configSchema>
