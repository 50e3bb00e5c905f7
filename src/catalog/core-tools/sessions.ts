import type { EditionId } from '../edition.ts'
import type { JsonSchema } from '../types.ts'
import type { CoreToolSpecs } from './spec.ts'

const text = (description: string) => ({ type: 'string', minLength: 1, description })
const flag = (description: string): JsonSchema => ({ type: 'boolean', description })
const whole = (minimum: number, maximum: number, description: string): JsonSchema => ({
  type: 'integer',
  minimum,
  maximum,
  description,
})
const closed = (properties: Record<string, JsonSchema>, required: readonly string[] = []): JsonSchema => ({
  type: 'object',
  properties,
  required: [...required],
  additionalProperties: false,
})

const sessionKey = text('Key of a session, as sessions_list shows it.')
const agentId = text('Id of an agent.')
const kinds = [
  'main',
  'direct',
  'group',
  'channel',
  'room',
  'subagent',
  'cron',
  'hook',
  'acp',
  'http',
  'other',
]

const common: CoreToolSpecs = {
  session_status: {
    parameters: closed({
      sessionKey: text('Session to look at; this one where absent.'),
      model: text('Set the model of the session, as provider/model or an alias; "default" goes back.'),
    }),
    executionMode: 'sequential',
    risk: 'low',
  },
  sessions_list: {
    parameters: closed({
      kinds: { type: 'array', items: { enum: kinds }, description: 'Only these kinds of sessions.' },
      agentId: text('Only sessions of this agent.'),
      label: text('Only sessions whose label holds this text.'),
      activeMinutes: whole(1, 525_600, 'Only sessions used within so many minutes.'),
      limit: whole(1, 200, 'How many at most; 50 where absent.'),
      messageLimit: whole(0, 20, 'Last messages to show of each; none where absent.'),
      includeArchived: flag('Archived sessions, too.'),
    }),
    risk: 'low',
  },
  sessions_history: {
    parameters: closed(
      {
        sessionKey,
        limit: whole(1, 200, 'How many of the last messages; 50 where absent.'),
        includeTools: flag('Calls of tools and their results, too.'),
      },
      ['sessionKey'],
    ),
    risk: 'low',
  },
  sessions_send: {
    parameters: closed(
      {
        sessionKey: text('Session to speak to.'),
        label: text('Label of the session, in place of its key.'),
        agentId: text('Agent whose main session is meant, or whose session has the label.'),
        message: text('What to say.'),
        timeoutSeconds: whole(0, 3_600, 'Seconds to wait for the answer; 0 does not wait, 30 where absent.'),
      },
      ['message'],
    ),
    risk: 'medium',
  },
  sessions_spawn: {
    parameters: closed(
      {
        task: text('What the sub-agent has to do, with all it has to know.'),
        label: { ...text('A short name for it.'), maxLength: 100 },
        agentId: text('Agent that does it; your own where absent. agents_list shows which ones may.'),
        model: text('Model for it, as provider/model or an alias.'),
        runTimeoutSeconds: whole(0, 86_400, 'Seconds after which it is stopped; 0 is never.'),
        cleanup: { enum: ['keep', 'delete'], description: 'Whether its session stays afterwards; keep.' },
      },
      ['task'],
    ),
    risk: 'medium',
  },
  sessions_yield: {
    parameters: closed({ message: text('Why you wait, for whoever reads the log.') }),
    executionMode: 'sequential',
    risk: 'low',
  },
  subagents: {
    parameters: closed({
      action: {
        enum: ['list', 'info', 'log', 'kill', 'steer', 'send'],
        description:
          'list; info or log of one; kill one; steer: tell one that runs; send: tell one, which goes on where it has ended. list where absent.',
      },
      target: text('Which one: its number in the list, label, key or run id; "all" for kill.'),
      message: text('What to say, for steer and send.'),
      limit: whole(1, 200, 'Messages of log; 20 where absent.'),
    }),
    risk: 'medium',
  },
  agents_list: { parameters: closed({}), risk: 'low' },
}

const newer: CoreToolSpecs = {
  sessions: {
    parameters: closed({
      sessionKey: text('Session to change; this one where absent.'),
      label: { type: ['string', 'null'], maxLength: 100, description: 'Its label; null takes it away.' },
      pinned: flag('Keep it at the top of lists.'),
      archived: flag('Take it out of lists.'),
      groups: {
        type: 'array',
        items: { type: 'string', minLength: 1, maxLength: 60 },
        maxItems: 20,
        uniqueItems: true,
        description: 'The groups that it belongs to, in place of those before.',
      },
    }),
    executionMode: 'sequential',
    risk: 'low',
  },
  sessions_search: {
    parameters: closed(
      {
        query: text('Words to look for.'),
        sessionKey: text('Only in this session.'),
        limit: whole(1, 50, 'How many passages at most; 10 where absent.'),
      },
      ['query'],
    ),
    risk: 'low',
  },
  agents_wait: {
    parameters: closed({
      targets: {
        type: 'array',
        items: { type: 'string', minLength: 1 },
        description: 'Sub-agents to wait for, by label, key or run id; all of them where absent.',
      },
      timeoutSeconds: whole(0, 3_600, 'Seconds to wait; 60 where absent.'),
    }),
    risk: 'low',
  },
  suggest_task: {
    parameters: closed(
      { title: text('The work in one line.'), prompt: text('What to do, in full.'), agentId },
      ['title', 'prompt'],
    ),
    risk: 'low',
  },
  dismiss_task: { parameters: closed({ taskId: text('Id of the suggestion.') }, ['taskId']), risk: 'low' },
  secrets: {
    parameters: closed(
      {
        action: { enum: ['list', 'request', 'remove'], description: 'Values are never shown.' },
        name: text('Name of the credential, for request and remove.'),
        reason: text('What it is for, in words for the person who gives it.'),
      },
      ['action'],
    ),
    executionMode: 'sequential',
    risk: 'high',
  },
  ask_user: {
    parameters: closed(
      {
        question: text('What you want to know.'),
        choices: {
          type: 'array',
          items: { type: 'string', minLength: 1 },
          minItems: 2,
          maxItems: 9,
          description: 'Answers to choose from.',
        },
      },
      ['question'],
    ),
    executionMode: 'sequential',
    risk: 'low',
  },
}

const all: CoreToolSpecs = { ...common, ...newer }

/** Inputs of the tools about sessions and agents in an edition. */
export function sessionTools(edition: EditionId): CoreToolSpecs {
  return edition === '2026.7' ? common : all
}
