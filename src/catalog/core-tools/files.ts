import type { EditionId } from '../edition.ts'
import type { CoreToolSpecs } from './spec.ts'

const path = (description: string) => ({ type: 'string', minLength: 1, description })
const text = (description: string) => ({ type: 'string', description })
const count = (description: string, maximum: number) => ({
  type: 'integer',
  minimum: 1,
  maximum,
  description,
})
const flag = (description: string) => ({ type: 'boolean', description })

const oldText = text('Text to find, exactly as in the file; it must be there once unless replaceAll is set.')
const newText = text('Text to put in its place.')
const replaceAll = flag('Replace every place where oldText is.')

const read = {
  parameters: {
    type: 'object',
    properties: {
      path: path('File to read; relative to the workspace, absolute, or from ~/.'),
      offset: count('First line, from 1.', 1_000_000_000),
      limit: count('Most lines to return; 2000 unless told.', 20_000),
    },
    required: ['path'],
    additionalProperties: false,
  },
  executionMode: 'parallel',
  risk: 'low',
} as const

const write = {
  parameters: {
    type: 'object',
    properties: {
      path: path('File to write; directories that it lacks are made.'),
      content: text('Whole new content.'),
    },
    required: ['path', 'content'],
    additionalProperties: false,
  },
  executionMode: 'sequential',
  risk: 'medium',
} as const

const edit = {
  parameters: {
    type: 'object',
    properties: {
      path: path('File to change.'),
      oldText,
      newText,
      replaceAll,
      edits: {
        type: 'array',
        minItems: 1,
        maxItems: 500,
        description:
          'Several replacements at once, all or none, in the place of oldText and newText. Each is looked for in the file as it was.',
        items: {
          type: 'object',
          properties: { oldText, newText, replaceAll },
          required: ['oldText', 'newText'],
          additionalProperties: false,
        },
      },
    },
    required: ['path'],
    additionalProperties: false,
  },
  executionMode: 'sequential',
  risk: 'medium',
} as const

const applyPatch = {
  parameters: {
    type: 'object',
    properties: {
      input: {
        type: 'string',
        minLength: 1,
        description:
          'A patch: *** Begin Patch; for each file *** Add File: path (lines with +), *** Delete File: path, or *** Update File: path with *** Move to: path if it moves and hunks (@@ line to look behind; then lines with blank, - or +; *** End of File where the hunk ends the file); *** End Patch. Lines must match exactly; all is applied or nothing.',
      },
    },
    required: ['input'],
    additionalProperties: false,
  },
  executionMode: 'sequential',
  risk: 'medium',
} as const

const ls = {
  parameters: {
    type: 'object',
    properties: {
      path: path('Directory to list; the workspace unless told.'),
      limit: count('Most entries to return; 500 unless told.', 5_000),
    },
    additionalProperties: false,
  },
  executionMode: 'parallel',
  risk: 'low',
} as const

/** Inputs of the file tools in an edition. */
export function fileTools(edition: EditionId): CoreToolSpecs {
  return { read, write, edit, apply_patch: applyPatch, ...(edition === '2026.9' && { ls }) }
}
