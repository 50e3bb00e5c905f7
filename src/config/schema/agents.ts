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
    open({ primary: text('Model as provider/model.'), fallbacks: names('Models tried when it fails.') }),
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
    },
    {
      title: 'Sandbox',
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
    open({
      localModelLean: flag('Leave out tools that small local models handle badly.', { default: false }),
    }),
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
      { title: 'Subagents' },
    ),
    'Subagents.',
  ),
  skills: names('Skills the agent may use.'),
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
        { misplaced: { ...inTools, tools: 'tools' } },
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
    lint: 'agents-list-and-entries',
    clean: { not: { required: ['list', 'entries'] } },
    misplaced: { tools: 'tools', default: 'agents.defaults' },
  },
)
