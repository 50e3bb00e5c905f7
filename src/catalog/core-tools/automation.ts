import type { EditionId } from '../edition.ts'
import type { CoreToolSpec, CoreToolSpecs } from './spec.ts'

const text = (description: string) => ({ type: 'string', minLength: 1, description })

const schedule = {
  type: 'object',
  description: 'When it runs: at a time, every so often, or as a cron expression says.',
  properties: {
    kind: { enum: ['at', 'every', 'cron'] },
    at: text('For at: a time as 2026-12-24T18:00:00Z (with a zone), or from now on as 20m, 2h, 1d.'),
    everyMs: { type: 'integer', minimum: 1000, description: 'For every: milliseconds between runs.' },
    every: text('For every, in the place of everyMs: 30s, 15m, 2h, 1d.'),
    expr: text('For cron: five fields, or six with seconds, as 0 9 * * 1-5.'),
    tz: text('For cron: time zone as Europe/Berlin; else that of this machine.'),
  },
  required: ['kind'],
  additionalProperties: false,
}

const payload = {
  type: 'object',
  description: 'What it does: tells a session something, or has the agent work in a fresh session.',
  properties: {
    kind: { enum: ['systemEvent', 'agentTurn'] },
    text: text('For systemEvent: what the session is told.'),
    wake: {
      enum: ['now', 'next'],
      description: 'For systemEvent: the agent answers at once (now), or hears of it with its next message.',
    },
    message: text('For agentTurn: what the agent is asked.'),
    model: text('For agentTurn: provider/model.'),
    timeoutSeconds: {
      type: 'integer',
      minimum: 1,
      maximum: 86400,
      description: 'For agentTurn; 600 unless told.',
    },
  },
  required: ['kind'],
  additionalProperties: false,
}

const fields = {
  name: text('What it is called.'),
  description: text('What it is for.'),
  agentId: text('Agent that works; else that of this session.'),
  sessionKey: text('Session that is told; else this one.'),
  enabled: { type: 'boolean' },
  schedule,
  payload,
  delivery: {
    type: 'object',
    description: 'Where the last words of an agentTurn go; else they stay in its session.',
    properties: {
      mode: { enum: ['none', 'announce'] },
      channel: text('Channel, as the message tool has it.'),
      to: text('Conversation of the channel.'),
      accountId: text('Account of the channel.'),
    },
    required: ['mode'],
    additionalProperties: false,
  },
  deleteAfterRun: {
    type: 'boolean',
    description: 'Deletes a job that runs once when it has; true unless told.',
  },
}

const jobs: CoreToolSpec = {
  parameters: {
    type: 'object',
    properties: {
      action: {
        enum: ['status', 'list', 'add', 'update', 'remove', 'run', 'runs', 'wake'],
        description: 'What to do.',
      },
      jobId: text('The job, for update, remove, run and runs.'),
      job: {
        type: 'object',
        properties: fields,
        required: ['schedule', 'payload'],
        additionalProperties: false,
        description: 'For add.',
      },
      patch: {
        type: 'object',
        properties: fields,
        additionalProperties: false,
        description: 'For update: what changes.',
      },
      includeDisabled: { type: 'boolean', description: 'For list: also those that are switched off.' },
      limit: { type: 'integer', minimum: 1, maximum: 200, description: 'For list and runs; 50 unless told.' },
      text: text('For wake: what this session is told.'),
      mode: {
        enum: ['now', 'next'],
        description: 'For wake: whether its agent answers at once; now unless told.',
      },
    },
    required: ['action'],
    additionalProperties: false,
  },
  executionMode: 'sequential',
  risk: 'medium',
}

const heartbeatRespond: CoreToolSpec = {
  parameters: {
    type: 'object',
    properties: {
      outcome: {
        enum: ['no_change', 'progress', 'done', 'blocked', 'needs_attention'],
        description: 'What came of this heartbeat.',
      },
      notify: { type: 'boolean', description: 'Whether a person should hear of it.' },
      summary: {
        type: 'string',
        minLength: 1,
        maxLength: 2000,
        description: 'What was seen and done, in a sentence or two.',
      },
      notificationText: {
        type: 'string',
        minLength: 1,
        maxLength: 4000,
        description: 'What the person is told; else the summary.',
      },
      priority: { enum: ['low', 'normal', 'high'], description: 'How urgent that is.' },
      nextCheck: text('When to look again, as 20m or 2h; else as configured.'),
    },
    required: ['outcome', 'notify', 'summary'],
    additionalProperties: false,
  },
  executionMode: 'sequential',
  risk: 'low',
}

/** Inputs of scheduled work and heartbeats in an edition. */
export function automationTools(edition: EditionId): CoreToolSpecs {
  return { [edition === '2026.9' ? 'automations' : 'cron']: jobs, heartbeat_respond: heartbeatRespond }
}
