import type { EditionId } from '../edition.ts'
import type { CoreToolSpec, CoreToolSpecs } from './spec.ts'

const common = ['canvas', 'skill_workshop'] as const

const recent = [
  'screen',
  'theme',
  'dashboard',
  'terminal',
  'portal',
  'show_widget',
  'computer',
  'mobile_ui',
  'github_identity_status',
  'github_publish',
] as const

/** What can be asked for is up to whoever carries it out. */
const spec: CoreToolSpec = {
  parameters: {
    type: 'object',
    properties: {
      action: {
        type: 'string',
        description: 'What to do; which actions there are, whoever carries them out says.',
      },
      params: { type: 'object', description: 'What the action needs.' },
    },
    additionalProperties: false,
  },
  executionMode: 'sequential',
  risk: 'medium',
}

/** Inputs of tools that a plugin or a client surface has to bring in an edition. */
export function pluginHostTools(edition: EditionId): CoreToolSpecs {
  const names = edition === '2026.9' ? [...common, ...recent] : common
  return Object.fromEntries(names.map((name) => [name, spec]))
}
