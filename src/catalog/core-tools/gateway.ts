import type { EditionId } from '../edition.ts'
import type { CoreToolSpec, CoreToolSpecs } from './spec.ts'

const text = (description: string) => ({ type: 'string', minLength: 1, description })

const gateway: CoreToolSpec = {
  parameters: {
    type: 'object',
    properties: {
      action: {
        enum: ['status', 'config.get', 'config.schema', 'config.patch', 'restart', 'update.run'],
        description: 'What to do.',
      },
      path: text('For config.get and config.schema: a path as agents.defaults.heartbeat; else all of it.'),
      patch: {
        type: 'object',
        description:
          'For config.patch: what changes, merged into the config; null deletes. A person has to agree.',
      },
      baseHash: text(
        'For config.patch: the hash that config.get gave, so that nothing newer is overwritten.',
      ),
      dryRun: {
        type: 'boolean',
        description: 'For config.patch: says what would change, and changes nothing.',
      },
      reason: text('Why, for the person who is asked.'),
    },
    required: ['action'],
    additionalProperties: false,
  },
  executionMode: 'sequential',
  risk: 'high',
}

const nodes: CoreToolSpec = {
  parameters: {
    type: 'object',
    properties: {
      action: {
        enum: ['list', 'describe', 'invoke', 'notify'],
        description: 'What to do; list unless told.',
      },
      node: text('The node; local is this machine.'),
      command: text('For invoke: what the node should do.'),
      params: { type: 'object', description: 'For invoke: the parameters of the command.' },
      message: text('For notify: the text.'),
    },
    additionalProperties: false,
  },
  executionMode: 'sequential',
  risk: 'medium',
}

const recent: CoreToolSpecs = {
  plugins: {
    parameters: {
      type: 'object',
      properties: {
        action: {
          enum: ['list', 'inspect', 'install', 'enable', 'disable', 'reload'],
          description: 'What to do; list unless told. What changes plugins is for a person.',
        },
        plugin: text('Id of the plugin.'),
      },
      additionalProperties: false,
    },
    executionMode: 'sequential',
    risk: 'medium',
  },
  openclaw: {
    parameters: {
      type: 'object',
      properties: {
        action: {
          enum: ['check', 'repair'],
          description: 'Looks at the set-up, or mends it; check unless told.',
        },
        request: text('What should be mended.'),
      },
      additionalProperties: false,
    },
    executionMode: 'sequential',
    risk: 'medium',
  },
}

/** Inputs of the gateway and its nodes in an edition. */
export function gatewayTools(edition: EditionId): CoreToolSpecs {
  return edition === '2026.9' ? { gateway, nodes, ...recent } : { gateway, nodes }
}
