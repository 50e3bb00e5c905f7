import { Type } from 'typebox'
import {
  choice,
  flag,
  list,
  names,
  open,
  optional,
  record,
  requiring,
  text,
  whole,
  type ObjectMarks,
} from './kit.ts'
import { agentTools } from './tools.ts'

/** `ModelSelection`: `provider/model`, or a primary model with fallbacks. */
export const modelSelection = Type.Union(
  [
    Type.String(),
    open(
      { primary: text('Model as provider/model.'), fallbacks: names('Models tried when it fails.') },
      { slips: true },
    ),
  ],
  { title: 'ModelSelection' },
)

function model(description: string) {
  return optional(modelSelection, description)
}

const sandbox = optional(
  open(
    {
      mode: choice(['off', 'non-main', 'all'], 'Which sessions run in a sandbox.', {
        default: 'off',
        words: {
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
      }),
      scope: choice(['session', 'agent', 'shared'], 'What shares one sandbox.'),
      workspaceAccess: choice(['none', 'ro', 'rw'], 'How the sandbox sees the workspace.', {
        default: 'none',
      }),
      sessionToolsVisibility: choice(['spawned', 'all'], 'Sessions a sandboxed session may see.', {
        default: 'spawned',
      }),
      backend: choice(
        ['auto', 'bubblewrap', 'docker'],
        'What makes the sandbox; auto is bubblewrap where it starts.',
        {
          default: 'auto',
          words: {
            bwrap: 'bubblewrap',
            namespace: 'bubblewrap',
            namespaces: 'bubblewrap',
            container: 'docker',
            podman: 'docker',
          },
        },
      ),
      network: flag('Let commands in a bubblewrap sandbox use the network of this machine.', {
        default: false,
      }),
      paths: names('More directories that a bubblewrap sandbox can read, such as /opt.'),
      limits: optional(
        open({
          processes: whole('Processes and threads of one sandbox at the same time.', {
            default: 512,
            minimum: 8,
          }),
          memoryMb: whole(
            'Memory in MiB: of the sandbox where cgroups can be used, of each process in any case.',
            {
              default: 2048,
              minimum: 64,
            },
          ),
          tmpMb: whole('Size of /tmp in MiB.', { default: 256 }),
          fileMb: whole('Largest file that can be written, in MiB.', { default: 1024 }),
        }),
        'What a sandbox may use.',
      ),
      docker: optional(
        open({
          image: text('Image that commands run in.'),
          network: text('Network of the container; none unless one is named. host is refused.'),
          user: text('User in the container, as uid:gid.'),
          env: record(Type.Unknown(), 'Variables that commands get.', { sensitive: true }),
          binds: names('More directories, as /host:/container:ro.'),
        }),
        'The docker backend.',
      ),
    },
    {
      title: 'Sandbox',
      slips: true,
      misplaced: {
        tools: 'tools.sandbox.tools',
        allow: 'tools.sandbox.tools.allow',
        alsoAllow: 'tools.sandbox.tools.alsoAllow',
        deny: 'tools.sandbox.tools.deny',
      },
    },
  ),
  'Sandbox of the sessions.',
)

const settings = {
  model: model('Model of the agent.'),
  imageModel: model('Model that looks at images.'),
  imageGenerationModel: model('Model that makes images.'),
  videoGenerationModel: model('Model that makes videos.'),
  musicGenerationModel: model('Model that makes music.'),
  pdfModel: model('Model that reads PDFs.'),
  workspace: text('Working directory.'),
  sandbox,
  experimental: optional(
    open(
      { localModelLean: flag('Leave out tools that small local models handle badly.', { default: false }) },
      { slips: true },
    ),
    'Features under test.',
  ),
  subagents: optional(
    open(
      {
        maxSpawnDepth: whole('How deep agents may spawn agents; the last level is a leaf.', {
          maximum: 5,
          defaults: { '2026.7': 1, '2026.9': 5 },
        }),
        maxConcurrent: whole('Subagents that run at once.'),
        allowAgents: names('Agents that may be spawned; * is any.'),
        model: model('Model of the subagents.'),
      },
      { title: 'Subagents', slips: true },
    ),
    'Subagents.',
  ),
  skills: names('Skills the agent may use.'),
  memorySearch: optional(
    open(
      {
        enabled: flag('Let the memory tools search and read.', { default: true }),
        extraPaths: names('Markdown files and folders besides MEMORY.md and memory/, from the workspace.'),
      },
      { title: 'MemorySearch', slips: true },
    ),
    'Memory files.',
  ),
  heartbeat: optional(
    open(
      {
        every: text('How often the agent looks around by itself, as 30m or 2h; 0m is never.'),
        prompt: text('What it is told then.'),
        session: text('Session it happens in; else the main session of the agent.'),
        model: text('Model of these runs.'),
        target: text(
          'Where what it has to say goes: none, last (the conversation of the session), or a channel.',
        ),
        to: text('Conversation of that channel.'),
        accountId: text('Account of that channel.'),
        ackMaxChars: whole('Characters that an answer of HEARTBEAT_OK may have besides.', { minimum: 0 }),
        activeHours: optional(
          open(
            {
              start: text('From, as 08:00.'),
              end: text('To, as 22:00; 24:00 is midnight.'),
              timezone: text(
                'Time zone of these hours, as Europe/Berlin; user or local is that of this machine.',
              ),
            },
            { title: 'ActiveHours' },
          ),
          'When heartbeats may happen.',
        ),
      },
      { title: 'Heartbeat', slips: true },
    ),
    'Runs without anybody asking.',
  ),
}

const inTools = Object.fromEntries(
  ['profile', 'allow', 'alsoAllow', 'deny', 'byProvider', 'toolsBySender', 'elevated', 'exec'].map((key) => [
    key,
    `tools.${key}`,
  ]),
)

const identity = {
  name: text('Display name.'),
  default: flag('The agent used when nothing names one.'),
  agentDir: text('State directory of the agent.'),
  tools: Type.Optional(agentTools),
}

const agentFields = {
  id: Type.Optional(
    Type.String({ pattern: '\\S', description: 'Id of the agent. Under entries the key is the id.' }),
  ),
  ...identity,
  ...settings,
}

const agentMarks = {
  title: 'Agent',
  slips: true,
  misplaced: { ...inTools, toolSearch: 'tools.toolSearch' },
} satisfies ObjectMarks

/** `agents`: the agents and what they share. */
export const agents = open(
  {
    ownership: text('Who owns the roster.'),
    defaults: optional(
      open(
        {
          ...settings,
          models: record(Type.Unknown(), 'Models that may be chosen, with aliases and parameters.'),
          tools: Type.Optional(
            Type.Never({
              description:
                'agents.defaults has no tools: put the policy under tools (every agent) or under agents.list[].tools (one agent)',
            }),
          ),
          elevatedDefault: choice(['off', 'on', 'ask', 'full'], 'Elevated level of a new session.'),
        },
        { slips: true, misplaced: { ...inTools, tools: 'tools' } },
      ),
      'What every agent has unless it says otherwise.',
    ),
    list: list(
      requiring(open(agentFields, agentMarks), ['id']),
      'The agents. Not read when entries names agents.',
    ),
    entries: record(open(agentFields, agentMarks), 'The agents by id.'),
  },
  {
    description: 'The agents and what they share.',
    slips: true,
    lint: 'agents-list-and-entries',
    clean: { not: { required: ['list', 'entries'] } },
    misplaced: { tools: 'tools', default: 'agents.defaults' },
  },
)
