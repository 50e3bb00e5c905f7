import type { EditionId } from '../edition.ts'
import type { JsonSchema } from '../types.ts'
import type { CoreToolSpecs } from './spec.ts'

const text = (maxLength: number, description: string): JsonSchema => ({
  type: 'string',
  minLength: 1,
  maxLength,
  description,
})

const steps: JsonSchema = {
  type: 'array',
  maxItems: 50,
  description: 'All steps in order, in place of those before; at most one in progress.',
  items: {
    type: 'object',
    properties: {
      step: text(500, 'The step in a few words.'),
      status: { enum: ['pending', 'in_progress', 'completed'] },
    },
    required: ['step', 'status'],
    additionalProperties: false,
  },
}

const goals: CoreToolSpecs = {
  get_goal: {
    parameters: { type: 'object', properties: {}, additionalProperties: false },
    risk: 'low',
  },
  create_goal: {
    parameters: {
      type: 'object',
      properties: {
        objective: text(4_000, 'What is to be reached, and how that can be told.'),
        tokenBudget: { type: 'integer', minimum: 1, description: 'Tokens that it may take.' },
      },
      required: ['objective'],
      additionalProperties: false,
    },
    executionMode: 'sequential',
    risk: 'low',
  },
  update_goal: {
    parameters: {
      type: 'object',
      properties: {
        status: {
          enum: ['complete', 'blocked', 'active'],
          description: 'complete when it is reached, blocked when it cannot go on, active when it can again.',
        },
        note: text(4_000, 'What was reached, or what is in the way.'),
      },
      required: ['status'],
      additionalProperties: false,
    },
    executionMode: 'sequential',
    risk: 'low',
  },
}

const older: CoreToolSpecs = {
  ...goals,
  update_plan: {
    parameters: {
      type: 'object',
      properties: { explanation: text(2_000, 'Why the plan changes.'), plan: steps },
      required: ['plan'],
      additionalProperties: false,
    },
    executionMode: 'sequential',
    risk: 'low',
  },
}

const newer: CoreToolSpecs = {
  ...goals,
  progress_card: {
    parameters: {
      type: 'object',
      properties: {
        title: text(200, 'What the work is about.'),
        note: text(2_000, 'What whoever looks at it should know now.'),
        steps,
        clear: { type: 'boolean', description: 'Take the card away.' },
      },
      additionalProperties: false,
    },
    executionMode: 'sequential',
    risk: 'low',
  },
}

/** Inputs of goals and plans in an edition. */
export function goalTools(edition: EditionId): CoreToolSpecs {
  return edition === '2026.7' ? older : newer
}
